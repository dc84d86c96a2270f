// The patch of Binaryen's JavaScript: it fits the version that is installed, and where it does not fit, Binaryen works
// unpatched.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadingModule } from '../../tools/binaryen-loading.ts';
import { patchBinaryen } from '../../tools/patch-binaryen.ts';
import type { PatchedBinaryen } from '../../tools/patch-binaryen.ts';

const source = readFileSync(new URL('../../node_modules/binaryen/index.js', import.meta.url), 'utf8');

const program = `import binaryen from './binaryen.js';
let failed = false;
try { binaryen.parseText('(module (func (i32.bogus)))'); } catch { failed = true; }
const module = binaryen.parseText('(module (func (export "f") (result i32) (i32.add (i32.const 1) (i32.const 2))))');
module.runPasses(['precompute']);
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.emitBinary()));
console.log(failed, exports.f(), module.emitText().includes('i32.const 3'));`;

/** What a program prints that works with it. */
function used({ script, wasm }: PatchedBinaryen): string {
  const folder = mkdtempSync(join(tmpdir(), 'binaryen-'));
  try {
    const files = { 'binaryen.js': script, 'binaryen.wasm': wasm, 'loading.js': loadingModule, 'main.js': program };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    return execFileSync(process.execPath, [join(folder, 'main.js')], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the patch of Binaryen', { timeout: 120_000 }, () => {
  it('fits the version that is installed: else see what is new in it, and change tools/patch-binaryen.ts', () => {
    const { script, wasm, warnings } = patchBinaryen(source);
    expect(warnings).toEqual([]);
    expect(script.length).toBeLessThan(source.length / 10);
    expect(script).not.toContain('versions?.node');
    expect(wasm.length).toBeGreaterThan(1_000_000);
  });

  it.each<[string, RegExp, string, string]>([
    ['its module is elsewhere', /(?<=\w\()(?=`\0asm|`\\0asm)/, ' ', 'it holds its module in another way'],
    ['its module is written otherwise', /(?<=\w\(`)\\0asm/, '\\0asm\\0', 'it writes its module in another way'],
    [
      'its exceptions are caught otherwise',
      /(?<=!\([\w$]+ )(?=instanceof [\w$]+\)\)throw)/,
      ' ',
      'it catches exceptions in another way',
    ],
    [
      'it tells Node otherwise',
      /(?<=process\?\.type)!=(?="renderer")/,
      '!==',
      'it tells Node from browsers in another way',
    ],
  ])('leaves away what does not fit where %s', (_, before, after, warning) => {
    const changed = source.replace(before, after);
    expect(changed).not.toBe(source);
    // What takes long is done only where it is looked at.
    const patched = patchBinaryen(changed, after === '!==' ? (module) => module : undefined);
    expect(patched.warnings).toEqual([warning]);
    // What is written otherwise here is not what Binaryen would read.
    if (after !== '\\0asm\\0') expect(used(patched)).toBe('true 3 true\n');
  });

  it('takes an unknown file as it is', () => {
    const { script, warnings } = patchBinaryen('export default 1;\n');
    expect(script).toMatch(/\nexport default 1;\n$/);
    expect(warnings).toHaveLength(1);
  });
});
