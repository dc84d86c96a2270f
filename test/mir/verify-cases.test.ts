// The Mir of all that there is in the language: behind lowering and behind each pass, with and without fuel, that of
// every conformance case and every example is well formed, and so is that of the prelude.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/2-check/check.ts';
import { lower, lowerFunction } from '../../src/3-lower/lower.ts';
import { settingsOf } from '../../src/4-optimise/pass.ts';
import { runPasses } from '../../src/4-optimise/passes.ts';
import { checkSource } from '../../src/compile.ts';
import { loadModules } from '../../src/1-parse/load-modules.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { LibraryRegistry } from '../../src/library/registry.ts';
import { memoryReader } from '../../src/memory-reader.ts';
import type { MirProgram } from '../../src/mir/program.ts';
import { verify } from '../../src/mir/verify.ts';
import { createSourceFile } from '../../src/source.ts';
import { preludeSource } from '../../tools/prelude-source.ts';
import { readCases } from '../conformance-cases.ts';
import { pluginsOf, splitFiles } from '../conformance-harness.ts';

const root = join(import.meta.dirname, '../..');
const examples = join(root, 'examples');
const files = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.endsWith('.slu'));

interface Lowered {
  readonly name: string;
  readonly program: MirProgram;
}

/** The cases that can be compiled; those that are about diagnostics are not. */
function lowerCases(): readonly Lowered[] {
  return readCases().flatMap((one) => {
    const { text, reader } = splitFiles(one.name, one.text);
    const { program } = checkSource(one.name, text, { reader, plugins: pluginsOf(one) });
    expect(program === null, one.name).toBe(one.errors.length > 0);
    return program === null ? [] : [{ name: one.name, program: lower(program) }];
  });
}

function lowerExamples(): readonly Lowered[] {
  const geography = readFileSync(join(examples, 'lib/geography.slu'), 'utf8');
  return files(examples).map((name) => {
    const reader = memoryReader({ 'lib/geography.slu': geography });
    const { program } = checkSource(name, readFileSync(join(examples, name), 'utf8'), { reader });
    return { name, program: lower(program!) };
  });
}

/** All of its files as one, as the build reads them. */
function lowerPrelude(): Lowered {
  const sink = new DiagnosticSink();
  const modules = loadModules(createSourceFile('prelude', preludeSource()), sink, null);
  const program = check(modules, sink, { registry: new LibraryRegistry(), prelude: true });
  const functions = new Map([...program.functions].map(([id, fn]) => [id, lowerFunction(fn, true)]));
  return { name: 'prelude', program: { ...lower(program), functions } };
}

/** What no case has: long chains, more loops than one function may hold, and loops in the clauses of a try. */
function lowerLarge(): Lowered {
  const loops = Array.from(
    { length: 30 },
    (_, at) => `for (int i = 0; i < n; i++) { for (int j = i; j < n; j++) a[j] += i; if (a[i] > ${at}) last = i; }`,
  );
  const branches = Array.from({ length: 1500 }, (_, at) => `if (n == ${at}) return ${at + 1};`);
  const text = `
    int sum(int n) { return n${' + n * 2'.repeat(3000)}; }
    int deep(int x) { return ${'sum(1 + '.repeat(240)}x${`${' + 1'.repeat(70)})`.repeat(240)}; }
    boolean all(boolean a, boolean b) { return a && (b && a && (a || b) || (a || b))${' && (a || b)'.repeat(3000)}; }
    string join(string s) { return "a"${' + s + "b"'.repeat(3000)}; }
    int choose(int n) { ${branches.join(' else ')} return 0; }
    int many(int[] a, int n) { int last = 0; ${loops.join(' ')} return last; }
    int after(int[] a, int n) {
      int last = 0;
      while (n > 0) {
        int i = 0;
        while (true) { last = a[i]; i++; if (last > n) break; }
        n--;
      }
      try {
        while (n < 9) { n++; yield n; }
      } catch (e) {
        for (int i = 0; i < n; i++) { yield i; yield e; }
      }
      return last;
    }
    yield sum(1) + deep(1) + choose(2) + many([1], 1) + after([1], 1);
    yield join(all(true, false) ? "c" : null);`;
  const { program, diagnostics } = checkSource('large.slu', text);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  return { name: 'large.slu', program: lower(program!) };
}

/** What is wrong behind lowering or any pass, with the first pass behind which it is. */
function faultsOf({ name, program }: Lowered, countsFuel: boolean, iterationsPerCall?: number): readonly string[] {
  const guards = countsFuel ? { use: true, depth: true } : {};
  let found: readonly string[] = [];
  runPasses(program, settingsOf({ guards, iterationsPerCall }), {
    optimise: true,
    observe: (pass, seen) => {
      if (found.length === 0) found = verify(seen, { countsFuel }).map((fault) => `${name}, ${pass}: ${fault}`);
    },
  });
  return found;
}

describe('well formed behind each pass', () => {
  const all = [...lowerExamples(), ...lowerCases(), lowerPrelude(), lowerLarge()];

  it.each([
    ['as it is', false, undefined],
    ['with fuel counted', true, undefined],
    ['called anew at each iteration', false, 1],
    ['with fuel counted, called anew at each iteration', true, 1],
  ])('%s', { timeout: 60_000 }, (_name, countsFuel, iterationsPerCall) => {
    expect(all.length).toBeGreaterThan(700);
    expect(all.flatMap((lowered) => faultsOf(lowered, countsFuel, iterationsPerCall))).toEqual([]);
  });
});
