// What the benchmark of editors types: nobody measures a file full of mistakes.

import { expect, it } from 'vitest';
import { imported, makeScript } from '../../benchmarks/language-server/script.ts';
import { passages, Typist } from '../../benchmarks/language-server/typing.ts';
import { memoryReader } from '../../src/memory-reader.ts';
import { analyse } from '../../src/queries/index.ts';
import { createSourceFile } from '../../src/source.ts';

const reader = memoryReader({ [imported.name]: imported.text });
const mistakesIn = (text: string): readonly string[] =>
  analyse(createSourceFile('main.slu', text), reader).diagnostics.map(({ code }) => code);

it('makes a script without mistakes, of as many lines as are wanted', () => {
  const text = makeScript(1000);
  expect(mistakesIn(text)).toEqual([]);
  expect(text.split('\n').length).toBeGreaterThanOrEqual(1000);
  expect(text.split('\n').length).toBeLessThan(1200);
});

it.each(passages)('types $name, with mistakes in between and none in the end', ({ keys }) => {
  const typist = new Typist('import "geography.slu" as geography;\nvoid f() {\n  \n}\nmain() {}\n', 0);
  typist.cursor = typist.text.indexOf(keys.startsWith('//') ? 'main' : '\n}');
  const before = typist.text;
  let faulty = 0;
  for (const key of keys) {
    const shown = typist.text;
    const change = typist.press(key);
    if (change === null) expect(typist.text).toBe(shown);
    else
      expect(typist.text).toBe(shown.slice(0, change.at) + change.inserted + shown.slice(change.at + change.removed));
    if (key === '\b' && mistakesIn(typist.text).some((code) => code.startsWith('E'))) faulty += 1;
  }
  expect(faulty).toBeGreaterThan(5);
  expect(typist.text.length).toBeGreaterThan(before.length + 200);
  expect(mistakesIn(typist.text).filter((code) => code.startsWith('E'))).toEqual([]);
});
