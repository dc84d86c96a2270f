// Bounds on the compiler: what it is given may be anybody's, and as large as they like.

import { describe, expect, it } from 'vitest';
import { checkSource, compile, memoryReader, renderDiagnostic } from '../../src/index.ts';
import type { CompileOptions } from '../../src/index.ts';
import { lab } from '../lab.ts';

const long = `main() {\n${'yield 1;\n'.repeat(20_000)}}`;

async function codesOf(text: string, options: CompileOptions): Promise<readonly string[]> {
  return (await compile('test.slu', text, options)).diagnostics.map(({ code }) => code);
}

describe.each([
  ['in the thread', false],
  ['in a worker', true],
])('compile %s', (_where, worker) => {
  it('ends when its time is up', async () => {
    const began = performance.now();
    expect(await codesOf(long, { worker, limits: { timeMs: 50 } })).toEqual(['E3004']);
    // Measured: some 20 ms past the limit in the thread on a machine that is not busy.
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('counts the bytes of all files together', async () => {
    const reader = memoryReader({
      'a.slu': `// ${'é'.repeat(100)}\nexport int f() { return 1; }`,
      'b.slu': '// small',
    });
    const text = 'import "a.slu" as a;\nmain() { return a.f(); }';
    expect(await codesOf(text, { worker, reader, limits: { sourceBytes: 1000 } })).toEqual([]);
    expect(await codesOf(text, { worker, reader, limits: { sourceBytes: 250 } })).toEqual(['E3003']);
    expect(await codesOf(text, { worker, reader, limits: { sourceBytes: 20 } })).toEqual(['E3003']);
  });

  it('stops for a signal', async () => {
    const reason = new Error('enough');
    await expect(compile('test.slu', long, { worker, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const compiling = compile('test.slu', long, { worker, signal: controller.signal });
    controller.abort(reason);
    await expect(compiling).rejects.toBe(reason);
  });

  it('refuses limits that are none', async () => {
    for (const limits of [
      { timeMS: 5 },
      { use: true },
      { timeMs: -1 },
      { timeMs: Number.NaN },
      { sourceBytes: '5' },
      5,
      null,
    ]) {
      await expect(compile('test.slu', 'main() { }', { worker, limits } as never)).rejects.toThrow(TypeError);
    }
  });
});

describe('compile in a worker', () => {
  it.each<[string, string, CompileOptions]>([
    [
      'a program',
      'type P { int x; } export P f(int n = 2) { return { x: n }; } main() { yield f(1); }',
      { sourceMap: true, text: true },
    ],
    ['warnings', 'main() { int x = 1; }', {}],
    ['mistakes', 'int f() { } main() { return g(); }', {}],
    [
      'imports',
      'import "lib/a.slu" as a;\nmain() { return a.f(); }',
      {
        reader: memoryReader({
          'lib/a.slu': 'import "b.slu" as b; int f() { return b.g(); }',
          'lib/b.slu': 'int g() { return 1; }',
        }),
      },
    ],
    [
      'plugins',
      'main() { Lab.Point p = Lab.move({ x: 1.0, label: "a" }, 2.0); yield p.isFar(); yield Lab.ask("why?"); ' +
        'yield Lab.later("a"); return Lab.next(2); }',
      { plugins: [lab] },
    ],
    [
      'mistakes in calls of plugins',
      'main() { yield Lab.half("a"); yield Lab.nxet(1); Lab.Piont p = null; }',
      { plugins: [lab] },
    ],
    ['imports that are missing', 'import "lib/a.slu" as a;\nmain() { return a.f(); }', { reader: memoryReader({}) }],
  ])('gives the same for %s', async (_what, text, options) => {
    const here = await compile('test.slu', text, options);
    const there = await compile('test.slu', text, { ...options, worker: true });
    expect(there.artifact).toEqual(here.artifact);
    expect(there.diagnostics).toEqual(here.diagnostics);
    expect(there.diagnostics.map((one) => renderDiagnostic(one))).toEqual(
      here.diagnostics.map((one) => renderDiagnostic(one)),
    );
  });

  it('refuses faulty plugins', async () => {
    await expect(compile('test.slu', 'main() { }', { worker: true, plugins: [{ name: 'Lab' }] })).rejects.toThrow(
      TypeError,
    );
  });

  it('leaves the thread free', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    await compile('test.slu', long, { worker: true });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it('ends where its memory does not suffice', async () => {
    expect(await codesOf(long, { worker: true, limits: { memoryBytes: 20 * 2 ** 20 } })).toEqual(['E3004']);
  });

  it('hands on what the reader throws', async () => {
    const reader = {
      read: () => {
        throw new Error('no disk');
      },
      identify: (name: string) => name,
    };
    await expect(compile('test.slu', 'import "a.slu" as a;\nmain() { }', { worker: true, reader })).rejects.toThrow(
      'no disk',
    );
  });

  it('binds memory alone', () => {
    expect(() => checkSource('test.slu', 'main() { }', { limits: { memoryBytes: 5 } })).toThrow(TypeError);
  });
});
