// What a command does not need is not loaded: the modules that each loads are noted as they are resolved.

import { afterAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
folder.write('a.slu', 'yield 1;\n');

/** Writes the address of every module that is loaded to standard error. */
const note = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({ resolve(name, context, next) { const found = next(name, context); writeSync(2, 'loaded ' + found.url + '\\n'); return found; } });`;

function loadedBy(...words: string[]): string[] {
  const { code, stderr } = sluice(words, { folder: folder.path, nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(note)}`] });
  expect(code).toBe(0);
  return stderr.split('\n').filter((line) => line.startsWith('loaded ')).map((line) => line.slice('loaded '.length));
}

const binaryen = /binaryen/;
/** The parts of the bundled command line that hold the parser, and what writes modules. */
const parser = /dist\/cli\/compile\.js$/;
const emitter = /dist\/cli\/emit\.js$/;

describe('modules loaded', () => {
  it('by run: all', () => {
    const loaded = loadedBy('run', 'a.slu');
    expect(loaded.some((url) => emitter.test(url))).toBe(true);
    expect(loaded.some((url) => binaryen.test(url))).toBe(true);
    expect(loaded.some((url) => parser.test(url))).toBe(true);
  });

  it('by check: no Binaryen', () => {
    const loaded = loadedBy('check', 'a.slu');
    expect(loaded.some((url) => parser.test(url))).toBe(true);
    expect(loaded.filter((url) => binaryen.test(url) || emitter.test(url))).toEqual([]);
  });

  it.each([[['--help']], [['run', '--help']], [['--version']], [['explain', 'NullAccessError']]])('by %j: neither Binaryen nor the parser', (words) => {
    expect(loadedBy(...words).filter((url) => binaryen.test(url) || parser.test(url))).toEqual([]);
  });
});
