// Binaryen's module as the build changes it: no call goes through JavaScript to catch an exception, and what is thrown
// still ends where it did before.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import binaryen from '#binaryen';

const folder = new URL('../../generated/', import.meta.url);
const wasm = new WebAssembly.Module(readFileSync(new URL('binaryen.wasm', folder)));
const glue = readFileSync(new URL('binaryen.js', folder), 'utf8');

test('no trampoline is imported', () => {
  const trampolines = [
    ...glue.matchAll(/function ([\w$]+)\([^()]*\)\{var [\w$]+=[\w$]+\(\);try\{(?:return )?[\w$]+\([\w$]+\)\(/g),
  ].map(([, name]) => name!);
  expect(trampolines.length).toBeGreaterThan(20);
  const importNames = trampolines.map(
    (name) => new RegExp(`[,{]([\\w$]+):${name.replaceAll('$', '\\$')}(?![\\w$])`).exec(glue)![1],
  );
  const imported = WebAssembly.Module.imports(wasm).map(({ name }) => name);
  expect(imported.filter((name) => importNames.includes(name))).toEqual([]);
});

test('an exception of C++ passes the functions between, which clean up', () => {
  for (let at = 0; at < 3; at++) expect(() => binaryen.parseText('(module (func (i32.bogus)))')).toThrow();
  const module = new binaryen.Module();
  module.addFunction(
    'three',
    binaryen.none,
    binaryen.i32,
    [],
    module.i32.add(module.i32.const(1), module.i32.const(2)),
  );
  module.runPasses(['precompute']);
  expect(module.emitText()).toContain('i32.const 3');
  module.dispose();
});
