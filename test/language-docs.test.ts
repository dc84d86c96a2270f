// The scripts of docs/language.md are right: each is checked, and run where it can be, and does what the
// comments in it say. They are conformance cases in a notation that reads well on a page.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkSource } from '../src/compile.ts';
import { checkCase, readCase, splitFiles } from './conformance-harness.ts';

interface Example {
  /** `docs/language.md:LINE` of the fence. */
  readonly place: string;
  /** What the fence says that the compiler finds; '' for nothing. */
  readonly shows: string;
  readonly text: string;
}

const page = readFileSync(new URL('../docs/language.md', import.meta.url), 'utf8');

const examples = [...page.matchAll(/^```sluice ?(.*)\n([^]*?)^```$/gm)].map((match): Example => {
  const line = page.slice(0, match.index).split('\n').length;
  return { place: `docs/language.md:${line}`, shows: match[1]!, text: match[2]! };
});

/** `// → 1`, `// throws T`, `// error E1` and `// warning W1` as the conformance cases write them. */
function asCase({ place, text }: Example): string[] | Promise<string[]> {
  const notation = text.replaceAll('// → ', '// expect: ').replace(/\/\/ (throws|error|warning) (?=[A-Z])/g, '// $1: ');
  return checkCase(readCase(place, notation));
}

describe('the scripts of docs/language.md', () => {
  it('are marked as scripts, all of them', () => {
    const fences = [...page.matchAll(/^```(.+)$/gm)].map((match) => match[1]!);
    expect([...new Set(fences)].sort()).toEqual(['sluice', 'sluice error', 'sluice warning', 'text']);
    expect(examples.length).toBe(fences.filter((fence) => fence.startsWith('sluice')).length);
  });

  for (const example of examples) {
    it(`${example.place} ${example.shows === '' ? 'is clean' : `shows its ${example.shows}`}`, () => {
      const { text, reader } = splitFiles(example.place, example.text);
      const { diagnostics } = checkSource(example.place, text, { reader });
      const found = [...new Set(diagnostics.map(({ severity }) => severity))];
      expect(found, diagnostics.map(({ message }) => message).join('\n')).toEqual(
        example.shows === '' ? [] : [example.shows],
      );
    });

    it(`${example.place} does what it says`, async () => {
      expect(await asCase(example)).toEqual([]);
    });
  }
});

it('each section of docs/language.md names its cases', () => {
  const sections = page.split(/^## /m).slice(1);
  expect(
    sections.filter((section) => !section.includes('](../test/conformance/')).map((section) => section.split('\n')[0]),
  ).toEqual([]);
});
