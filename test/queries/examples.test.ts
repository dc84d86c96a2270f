// Every name of every example: it has a definition, its references hold that, and everything that an example declares
// can be renamed, upon which it is the same module but for the names.

import { describe, expect, it } from 'vitest';
import { checkSource, compile } from '../../src/compile.ts';
import { analyse, applyEdits, definitionAt, hoverAt, referencesAt, renameAt } from '../../src/queries/index.ts';
import type { Analysis } from '../../src/queries/index.ts';
import { memoryReader } from '../../src/memory-reader.ts';
import { createSourceFile } from '../../src/source.ts';
import { targetOf } from '../../src/queries/targets.ts';
import { exampleTexts as texts } from './examples.ts';

function analyseTexts(path: string, given: Readonly<Record<string, string>>): Analysis {
  return analyse(createSourceFile(path, given[path]!), memoryReader(given));
}

/** The program without its places. */
function shapeOf(path: string, given: Readonly<Record<string, string>>): string {
  const { program, diagnostics } = checkSource(path, given[path]!, { reader: memoryReader(given) });
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  const { functions, globals, structs, entry, initialiser, exports } = program!;
  const plain = (_key: string, value: unknown): unknown =>
    typeof value === 'bigint' ? `${value}n` : value instanceof Map ? [...(value as Map<unknown, unknown>)] : value;
  return JSON.stringify({ functions, globals, structs, entry, initialiser, exports }, (key, value: unknown) =>
    key === 'span' ? undefined : plain(key, value),
  );
}

/** The section of a module that holds the code of its functions. */
function codeOf(wasm: Uint8Array): Uint8Array {
  let at = 8;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < wasm.length) {
    const id = wasm[at++]!;
    const size = number();
    if (id === 10) return wasm.slice(at, at + size);
    at += size;
  }
  throw new Error('the module has no code');
}

describe.each(Object.keys(texts))('%s', (path) => {
  const analysis = analyseTexts(path, texts);
  const { names, declarations } = analysis.entry.index;

  it('has a meaning for every name', () => {
    const unknown = names.filter((entry) => targetOf(analysis, analysis.entry, entry) === null);
    // Keys of json literals stand for nothing.
    expect(unknown.filter(({ role }) => role !== 'key').map(({ name }) => name.text)).toEqual([]);
    for (const { name } of names) {
      const definition = definitionAt(analysis, path, name.span.start);
      if (definition === null) continue;
      const { file, start } = definition.target.name;
      const found = referencesAt(analysis, path, name.span.start);
      expect(found.filter(({ kind }) => kind === 'declaration').map(({ span }) => span)).toEqual([
        definition.target.name,
      ]);
      expect(found.some(({ span }) => span.start === name.span.start && span.file.name === path)).toBe(true);
      expect(hoverAt(analysis, path, name.span.start)?.markdown).toContain(
        file.text.slice(start, definition.target.name.end),
      );
    }
  });

  it('can have everything that it declares renamed', async () => {
    let now = texts;
    let shape = shapeOf(path, now);
    for (const [at, { kind }] of declarations.entries()) {
      if (kind === 'main') continue;
      const before = analyseTexts(path, now);
      // The names change, and the order in which they are declared does not.
      const { name } = before.entry.index.declarations[at]!;
      const fresh = `renamed_${at}_z`;
      const result = renameAt(before, path, name.span.start, fresh);
      if (result.kind === 'refusal') throw new Error(`${name.text}: ${result.reason}`);
      const after = Object.fromEntries(
        Object.entries(now).map(([file, text]) => [file, applyEdits(file, text, result.edits)]),
      );
      expect(result.edits.length).toBe(referencesAt(before, path, name.span.start).length);
      const renamed = shapeOf(path, after);
      expect(renamed.replaceAll(fresh, name.text)).toBe(shape);
      now = after;
      shape = renamed;
    }
    const reader = memoryReader(now);
    const [one, two] = await Promise.all([
      compile(path, texts[path]!, { reader: memoryReader(texts) }),
      compile(path, now[path]!, { reader }),
    ]);
    expect(one.artifact !== null).toBe(two.artifact !== null);
    if (one.artifact !== null) expect(codeOf(two.artifact!.wasm)).toEqual(codeOf(one.artifact.wasm));
  });
});
