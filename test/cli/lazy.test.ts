// What a command does not need is not loaded: the modules that each loads are noted as they are resolved.

import { afterAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
folder.write('a.slu', 'yield 1;\n');
folder.write('b.slu', 'yield 1; // → 1\n');

/** Writes the address of every module that is loaded to standard error. */
const note = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({ resolve(name, context, next) { const found = next(name, context); writeSync(2, 'loaded ' + found.url + '\\n'); return found; } });`;

function loadedBy(words: readonly string[], environment: Readonly<Record<string, string>> = {}): string[] {
  const { code, stderr } = sluice(words, {
    folder: folder.path,
    environment,
    nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(note)}`],
  });
  expect(code).toBe(0);
  return [
    ...new Set(
      stderr
        .split('\n')
        .filter((line) => line.startsWith('loaded '))
        .map((line) => line.slice('loaded '.length)),
    ),
  ];
}

/** The parts of the bundles that hold the parser, and what writes modules with Binaryen. */
const parser = /dist\/part-load-modules\.js$/;
const emitter = /dist\/part-emit\.js$/;
/** The formatter with the layout engine, and what reads .editorconfig. */
const formatter = /dist\/part-(?:format|fmt)\.js$/;

describe('modules loaded', () => {
  it('by run: all', () => {
    const loaded = loadedBy(['run', 'a.slu']);
    expect(loaded.some((url) => emitter.test(url))).toBe(true);
    expect(loaded.some((url) => parser.test(url))).toBe(true);
  });

  it('by a run of a script that was compiled before: neither Binaryen nor the parser, and few files', () => {
    const cache = { XDG_CACHE_HOME: folder.path };
    loadedBy(['run', 'a.slu'], cache);
    const loaded = loadedBy(['run', 'a.slu'], cache);
    expect(loaded.filter((url) => emitter.test(url) || parser.test(url))).toEqual([]);
    expect(loaded.filter((url) => url.includes('/dist/')).length).toBeLessThan(20);
  });

  it('by check: no Binaryen', () => {
    const loaded = loadedBy(['check', 'a.slu']);
    expect(loaded.some((url) => parser.test(url))).toBe(true);
    expect(loaded.filter((url) => emitter.test(url))).toEqual([]);
  });

  it('by fmt alone: the formatter', () => {
    expect(loadedBy(['fmt', 'a.slu']).some((url) => formatter.test(url))).toBe(true);
    for (const word of ['run', 'check', 'test']) {
      const loaded = loadedBy([word, word === 'test' ? 'b.slu' : 'a.slu']);
      expect(loaded.filter((url) => formatter.test(url))).toEqual([]);
    }
  });

  it('by fmt: no Binaryen', () => {
    expect(loadedBy(['fmt', 'a.slu']).filter((url) => emitter.test(url))).toEqual([]);
  });

  it('by a map of plain files with no terminal: nothing that takes apart what is compressed, and no bar', () => {
    folder.write('map.slu', 'type Out { int id; } export Out map(int id) { return { id: id }; }\n');
    folder.write('ids.csv', 'id\n1\n');
    const loaded = loadedBy(['map', 'map.slu', '--input', 'ids.csv', '-o', 'out']);
    expect(loaded.filter((url) => url.startsWith('node:'))).not.toEqual([]);
    expect(loaded.filter((url) => /^node:(?:zlib|readline)$|cli-progress/.test(url))).toEqual([]);
  });

  it.each([[['--help']], [['run', '--help']], [['--version']], [['explain', 'NullAccessError']]])(
    'by %j: neither Binaryen, the parser nor the formatter',
    (words) => {
      expect(loadedBy(words).filter((url) => emitter.test(url) || parser.test(url) || formatter.test(url))).toEqual([]);
    },
  );
});
