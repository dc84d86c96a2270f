// Runs every conformance case, a test for each, and tests that the harness itself fails when it must.

import { describe, expect, it } from 'vitest';
import { readCases } from './conformance-cases.ts';
import { checkCase, readCase } from './conformance-harness.ts';

const cases = readCases();
const topics = Map.groupBy(cases, (testCase) => testCase.name.slice(0, testCase.name.indexOf('/')));

for (const [topic, members] of topics) {
  describe(topic, () => {
    for (const testCase of members) {
      it(testCase.name.slice(topic.length + 1, -'.slu'.length), async () => {
        const complaints = await checkCase(testCase);
        if (complaints.length > 0) expect.fail(complaints.join('\n'));
      });
    }
  });
}

describe('the cases', () => {
  it('are named after their rule', () => {
    for (const { name } of cases) expect(name).toMatch(/^[a-z]+(-[a-z]+)*\/[a-z0-9]+(-[a-z0-9]+)*\.slu$/);
  });

  it('are short', () => {
    const lengths = cases.map(({ text }) => text.trimEnd().split('\n').length).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(15);
  });

  it('expect something, each', () => {
    const silent = cases.filter((testCase) => !/\/\/ (expect|output|error|warning|throws|refused)/.test(testCase.text));
    expect(silent.map(({ name }) => name)).toEqual([
      'main/may-return-nothing-early.slu',
      'script-form/a-program-may-end-without-a-result.slu',
    ]);
  });
});

describe('the harness', () => {
  const complaintsOf = async (text: string): Promise<string[]> => checkCase(readCase('topic/rule.slu', text));

  it('takes what is expected', async () => {
    expect(await complaintsOf('yield 1; // expect: 1\nreturn "a b"; // expect: a b')).toEqual([]);
    expect(await complaintsOf('for (int i = 0; i < 2; i++) yield i; // expect: 0 | 1')).toEqual([]);
    expect(await complaintsOf('int x = "a"; // error: SemanticError\nyield x;')).toEqual([]);
    expect(await complaintsOf('throw "no"; // throws: Error "no"')).toEqual([]);
  });

  it('complains of another output', async () => {
    expect(await complaintsOf('\nyield 1; // expect: 2')).toEqual(['topic/rule.slu:2: expected "2", got "1"']);
  });

  it('complains of an output too many or too few', async () => {
    expect(await complaintsOf('yield 1;')).toEqual(['topic/rule.slu:1: expected no more output, got "1"']);
    expect(await complaintsOf('yield 1; // expect: 1 | 2')).toEqual([
      'topic/rule.slu:1: expected "2", got no more output',
    ]);
  });

  it('complains of an error on another line, and of one that is not expected', async () => {
    const complaints = await complaintsOf('int x = "a";\nyield x; // error: SemanticError');
    expect(complaints).toHaveLength(2);
    expect(complaints[0]).toMatch(/^topic\/rule\.slu:2: expected SemanticError, got nothing on that line$/);
    expect(complaints[1]).toMatch(/^topic\/rule\.slu:1: expected nothing more, got SemanticError E2\d{3} /);
  });

  it('complains of an error of another kind', async () => {
    expect(await complaintsOf('int x = "a"; // error: SyntaxError\nyield x;')).toHaveLength(2);
    expect(await complaintsOf('int x = "a"; // error: "quite another message"\nyield x;')).toHaveLength(2);
    expect(await complaintsOf('int x = "a"; // error: E9999\nyield x;')).toHaveLength(2);
  });

  it('complains of an error that does not come', async () => {
    expect(await complaintsOf('yield 1; // error')).toEqual([
      'topic/rule.slu:1: expected an error, got nothing on that line',
    ]);
    expect(await complaintsOf('yield 1; // expect: 1 // throws: Error')).toEqual([
      'topic/rule.slu:1: expected Error, got no error',
    ]);
  });

  it('complains of a run-time error of another type, message or line, or of any', async () => {
    expect(await complaintsOf('throw "no"; // throws: NullAccessError')).toHaveLength(1);
    expect(await complaintsOf('throw "no"; // throws: Error "yes"')).toHaveLength(1);
    expect(await complaintsOf('throw "no";\n// throws: Error')).toHaveLength(1);
    expect(await complaintsOf('throw "no";')).toEqual([
      'topic/rule.slu:1: expected no error, got Error "no" at line 1',
    ]);
  });

  it('complains of warnings, unless they are expected or allowed', async () => {
    const text = 'int f() { int unused = 1; return 2; }\nyield f(); // expect: 2';
    expect(await complaintsOf(text)).toHaveLength(1);
    expect(await complaintsOf(text.replace('\n', ' // warning: "unused"\n'))).toEqual([]);
    expect(await complaintsOf(`// allow: warnings\n${text}`)).toEqual([]);
  });

  it('hands over arguments, ints beyond 2^53 exactly', async () => {
    expect(
      await complaintsOf('// args: {"n": 9007199254740993}\nmain(int n) { return n; } // expect: 9007199254740993'),
    ).toEqual([]);
  });

  it('refuses cases that contradict themselves', () => {
    expect(() => readCase('a.slu', 'yield 1; // expect: 1 // error: SemanticError')).toThrow('does not run');
    expect(() => readCase('a.slu', 'yield 1; // expect: 1\n// output: 1')).toThrow('either');
    expect(() => readCase('a.slu', 'yield 1; // error: semantic error')).toThrow('not a type');
  });
});
