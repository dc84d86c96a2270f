// Nothing that the tables promise is without a test: every library function and operator is called by a
// conformance case, every error type is thrown by one, every diagnostic's own scripts do what they say,
// every row of the wasm boundary is used.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../runtime-host/api/node.ts';
import type * as checked from '../src/2-check/typed-tree.ts';
import { lower } from '../src/3-lower/lower.ts';
import type * as mir from '../src/mir/mir.ts';
import { settingsOf } from '../src/4-optimise/pass.ts';
import { runPasses } from '../src/4-optimise/passes.ts';
import { errorTagExport, runExport, runtimeImports, runtimeModule, usedExport } from '../src/abi/imports.ts';
import { checkSource, compile } from '../src/compile.ts';
import type { CheckOptions } from '../src/compile.ts';
import { catalog } from '../src/diagnostics/catalog.ts';
import type { Fault } from '../src/diagnostics/fault.ts';
import { errorTypes } from '../src/language/errors.ts';
import { assignmentOperators, operators } from '../src/language/operators.ts';
import { LibraryRegistry } from '../src/library/registry.ts';
import { memoryReader } from '../src/memory-reader.ts';
import { readCases } from './conformance-cases.ts';
import { pluginsOf, splitFiles } from './conformance-harness.ts';
import type { Case } from './conformance-harness.ts';

/** Cases that run, each with what its checked program holds. */
const cases = readCases();
const running = cases.filter((testCase) => testCase.errors.length === 0);

/** What a program uses, by the ids and kinds of its typed tree. */
interface Uses {
  readonly functions: Set<string>;
  readonly operators: Set<string>;
  readonly kinds: Set<string>;
}

const noUses = (): Uses => ({ functions: new Set(), operators: new Set(), kinds: new Set() });
const uses = noUses();
const usesByTopic = new Map<string, Uses>();

function collect(testCase: Case): void {
  const { text, reader } = splitFiles(testCase.name, testCase.text);
  const { program } = checkSource(testCase.name, text, { reader, plugins: pluginsOf(testCase) });
  if (program === null) return;
  const topic = testCase.name.split('/')[0]!;
  const ofTopic = usesByTopic.get(topic) ?? noUses();
  usesByTopic.set(topic, ofTopic);
  walk(
    [program, runPasses(lower(program), settingsOf({ guards: { use: true } }), { optimise: true })].flatMap((tree) => [
      tree.initialiser,
      tree.entry,
      ...tree.functions.values(),
    ]),
    (node) => {
      for (const into of [uses, ofTopic]) {
        if (typeof node['kind'] === 'string') into.kinds.add(node['kind']);
        if (node['kind'] === 'library-call') into.functions.add(node['function'] as string);
        if (node['kind'] === 'operate') into.operators.add(node['operator'] as string);
      }
    },
  );
}

function walk(value: unknown, visit: (node: Readonly<Record<string, unknown>>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const element of value) walk(element, visit);
    return;
  }
  visit(value as Readonly<Record<string, unknown>>);
  for (const [field, child] of Object.entries(value)) if (field !== 'span' && field !== 'type') walk(child, visit);
}

for (const testCase of running) collect(testCase);

describe('every library function has a case', () => {
  /** The folders where a library's functions are shown, where that is not one of its own name. */
  const topics: Readonly<Record<string, readonly string[]>> = {
    File: ['files'],
    Env: ['environment'],
    int: ['numbers', 'conversions'],
    double: ['numbers', 'conversions'],
    boolean: ['conversions'],
    string: ['strings', 'conversions'],
    'T[]': ['array-methods'],
    'int[]': ['array-methods'],
    'double[]': ['array-methods'],
    'string[]': ['array-methods'],
    Json: ['json-parse', 'json-stringify'],
    json: ['json-getters', 'json-setters', 'json-methods'],
  };
  for (const library of new LibraryRegistry().libraries) {
    if (library.preludeOnly) continue;
    for (const row of library.functions) {
      it(row.id, () => {
        const folders = topics[library.name] ?? [library.name.toLowerCase()];
        const shown =
          row.implementation.kind === 'constant'
            ? running.some(
                (testCase) => folders.includes(testCase.name.split('/')[0]!) && testCase.text.includes(row.id),
              )
            : folders.some((folder) => usesByTopic.get(folder)?.functions.has(row.id));
        expect(shown, `a case in ${folders.join(' or ')} that calls ${row.signature}`).toBe(true);
      });
    }
  }
});

describe('every operator has a case', () => {
  for (const { id } of operators) {
    it(id, () => expect(uses.operators.has(id)).toBe(true));
  }

  it.each(assignmentOperators)('%s', (operator) => {
    expect(running.some(({ text }) => text.includes(` ${operator} `))).toBe(true);
  });

  it.each(['++;', '--;', ' ++', ' --', '&& ', '|| ', ' ? '])('%s', (operator) => {
    expect(running.some(({ text }) => text.includes(operator))).toBe(true);
  });
});

describe('every node of the typed tree and of Mir has a case', () => {
  // Counters are in programs that somebody measures alone (test/coverage).
  const statements: Record<Exclude<checked.Statement['kind'] | mir.Statement['kind'], 'count' | 'attribute'>, true> = {
    'set-local': true,
    'set-global': true,
    'set-field': true,
    'set-element': true,
    'set-member': true,
    'set-item': true,
    'hoist-array': true,
    'append-text': true,
    'set-hoisted': true,
    'set-range': true,
    store: true,
    'copy-elements': true,
    'call-outlined': true,
    'return-live-outs': true,
    charge: true,
    poll: true,
    'osr-exit': true,
    evaluate: true,
    if: true,
    loop: true,
    break: true,
    continue: true,
    return: true,
    finish: true,
    yield: true,
    throw: true,
    try: true,
    block: true,
  };
  const expressions: Record<Exclude<checked.Expression['kind'] | mir.Expression['kind'], 'invalid'>, true> = {
    int: true,
    double: true,
    boolean: true,
    string: true,
    null: true,
    'get-local': true,
    'get-global': true,
    'get-field': true,
    'get-element': true,
    'get-hoisted': true,
    load: true,
    'reserve-scratch': true,
    'row-length': true,
    'distinct-rows': true,
    splat: true,
    'extract-lane': true,
    'lane-wise': true,
    'in-range': true,
    'in-bounds': true,
    'out-of-fuel': true,
    wrap32: true,
    'check-null': true,
    operate: true,
    logical: true,
    conditional: true,
    select: true,
    widen: true,
    'is-null': true,
    'same-object': true,
    call: true,
    'library-call': true,
    'array-literal': true,
    'struct-literal': true,
    'new-array': true,
    'to-text': true,
    character: true,
    concat: true,
    'build-text': true,
    'built-text': true,
    'built-length': true,
    'to-json': true,
    'json-object': true,
    'json-array': true,
    'get-member': true,
    'get-item': true,
    'item-count': true,
    cast: true,
    sequence: true,
  };

  it.each([...Object.keys(statements), ...Object.keys(expressions)])('%s', (kind) => {
    expect(uses.kinds.has(kind)).toBe(true);
  });
});

describe('every error type is thrown by a case', () => {
  /** Raised by what the language does not have yet. */
  const awaited: Readonly<Record<string, string>> = {
    QuotaExceededError: 'limits',
    TimeoutError: 'limits',
  };
  const thrown = new Set(cases.map((testCase) => testCase.throws?.type));

  for (const { name } of errorTypes) {
    it(name, () => {
      if (name in awaited)
        expect(thrown.has(name), `${name} is thrown: take it off the list of what is awaited`).toBe(false);
      else expect(thrown.has(name)).toBe(true);
    });
  }
});

/** The other files of a row's scripts. */
function readerFor({ files }: { readonly files?: Readonly<Record<string, string>> }): CheckOptions {
  return files === undefined ? {} : { reader: memoryReader(files) };
}

/** The codes that the wrong script of a row raises. */
async function codesOf(row: Fault<never>): Promise<readonly string[]> {
  const options = { ...readerFor(row), ...(row.limits === undefined ? {} : { limits: row.limits }) };
  const { diagnostics } =
    row.needsCompile === true
      ? await compile('wrong.slu', row.wrong, options)
      : checkSource('wrong.slu', row.wrong, options);
  return diagnostics.map(({ code }) => code);
}

describe('every diagnostic', () => {
  const rows = Object.entries(catalog);

  it('has a code of its own', () => {
    expect(new Set(rows.map(([, { code }]) => code)).size).toBe(rows.length);
  });

  it('has a code of its part of the catalog', () => {
    for (const [key, { code }] of rows) expect(code, key).toMatch(/^(E1|E2|E3|W5)\d{3}$/);
  });

  it.each(rows)('%s is raised by its wrong script', async (key, row) => {
    expect(await codesOf(row), key).toContain(row.code);
  });

  it.each(rows)('%s is answered by its right script', (key, row) => {
    const { diagnostics } = checkSource('right.slu', row.right, readerFor(row));
    expect(
      diagnostics.map(({ code, message }) => `${code} ${message}`),
      key,
    ).toEqual([]);
  });

  it.each(rows)('%s is explained', (key, row) => {
    expect(row.explanation.trim(), key).toMatch(/^.{15,}\./s);
  });
});

describe('the wasm boundary', () => {
  const topics = ['main', 'streaming', 'errors', 'json-host', 'files', 'plugins'];
  const imported = new Set<string>();
  const exported: Set<string>[] = [];

  it('is crossed by compiled cases', async () => {
    for (const testCase of running.filter(({ name }) => topics.includes(name.split('/')[0]!))) {
      const plugins = pluginsOf(testCase);
      const { artifact } = await compile(testCase.name, testCase.text, {
        guards: { use: true, memory: true },
        plugins,
      });
      if (artifact === null) continue;
      await loadScript(artifact.wasm, { plugins });
      const module = new WebAssembly.Module(artifact.wasm);
      for (const { module: from, name } of WebAssembly.Module.imports(module)) imported.add(`${from}.${name}`);
      exported.push(new Set(WebAssembly.Module.exports(module).map(({ name }) => name)));
    }
    expect(exported.length).toBeGreaterThan(40);
  });

  it.each(Object.keys(runtimeImports))('imports %s', (name) => {
    expect(imported.has(`${runtimeModule}.${name}`)).toBe(true);
  });

  it('exports what the host needs, and nothing else', () => {
    for (const names of exported) expect([...names].sort()).toEqual([errorTagExport, runExport, usedExport].sort());
  });
});
