// From the engine's stack text to places in the script.

import { describe, expect, it } from 'vitest';
import { captureStack, readFrames, scriptFrames } from '../../runtime-host/errors/stack-trace.ts';
import type { LocationTable } from '../../src/abi/manifest.ts';

const stack = `Error
    at uncaught (file:///host/execution.ts:150:12)
    at prelude#raise (wasm://wasm/3d3d928a:wasm-function[9]:0x90)
    at average (wasm://wasm/3d3d928a:wasm-function[3]:0x72)
    at sort<int> (wasm://wasm/3d3d928a:wasm-function[3]:0x7a)
    at $entry (wasm://wasm/3d3d928a:wasm-function[2]:0x6d)
    at $run (wasm://wasm/3d3d928a:wasm-function[1]:0x50)
    at withLongStacks (file:///host/stack.ts:22:18)
    at other (wasm://wasm/12345678:wasm-function[1]:0x50)`;

// Offsets: main from 0x60, average from 0x70, sort from 0x78.
const table: LocationTable = {
  files: ['a.slu', '<runtime>'],
  functions: ['main', 'average', 'sort', 'inner', 'prelude#raise'],
  places: [0, 10, 3, 0, 0, 2, 5, 1, 0, 7, 1, 2, 0, 20, 9, 3, 1, 1, 1, 4],
  code: [0x60, 0, 0x10, 1, 0x08, 1, 0x10, 2],
};

describe('stacks', () => {
  it("are read up to the first frame that is not the module's", () => {
    expect(readFrames(stack).map((frame) => `${frame.name} ${frame.offset?.toString(16)}`)).toEqual([
      'prelude#raise 90',
      'average 72',
      'sort<int> 7a',
      '$entry 6d',
      '$run 50',
    ]);
  });

  it('are read with and without a module name, and as other engines write them', () => {
    expect(readFrames('    at a-b.main (wasm://wasm/a-b-3d3d928a:wasm-function[2]:0x6d)')).toEqual([
      { name: 'main', offset: 0x6d },
    ]);
    expect(readFrames('    at wasm://wasm/3d3d928a:wasm-function[2]:0x6d')).toEqual([{ name: '', offset: 0x6d }]);
    expect(readFrames('main@http://host/a.wasm:wasm-function[2]:0x6d')).toEqual([{ name: 'main', offset: 0x6d }]);
    expect(readFrames('sort<int>@http://127.0.0.1/host.js line 3 > WebAssembly.Module:wasm-function[2]:0x6d')).toEqual([
      { name: 'sort<int>', offset: 0x6d },
    ]);
  });

  it('are read from engines that tell names and no offsets', () => {
    const safari =
      'uncaught@http://host/host.js:3:1\n<?>.wasm-function[T[].at<int>]@[wasm code]\n' +
      '<?>.wasm-function[7]@[wasm code]\nrun@http://host/host.js:9:1';
    expect(readFrames(safari)).toEqual([
      { name: 'T[].at<int>', offset: null },
      { name: '', offset: null },
    ]);
    expect(readFrames('uncaught (/host.ts:3:1)\n.wasm-function[main] (native)\nrun (/host.ts:9:1)')).toEqual([
      { name: 'main', offset: null },
    ]);
  });

  it('have no place where the engine tells none, but for the innermost', () => {
    const frames = [
      { name: 'average', offset: null },
      { name: '$entry', offset: null },
    ];
    expect(scriptFrames(frames, table, -1, 'a.slu')).toEqual([]);
    expect(scriptFrames(frames, table, 1, 'a.slu').map(({ line }) => line)).toEqual([2]);
    expect(
      scriptFrames([{ ...frames[0]!, atEntry: true }, frames[1]!], table, -1, 'a.slu').map(({ line }) => line),
    ).toEqual([2]);
  });

  it("become places of the script, without what is the runtime's", () => {
    expect(scriptFrames(readFrames(stack), table, -1, 'a.slu')).toEqual([
      { file: 'a.slu', line: 2, column: 5, function: 'average' },
      { file: 'a.slu', line: 7, column: 1, function: 'sort' },
      { file: 'a.slu', line: 10, column: 3, function: 'main' },
    ]);
  });

  it('begin at the place that the error carries', () => {
    const exact = { ...table, places: [...table.places, 0, 3, 8, 1] };
    expect(scriptFrames(readFrames(stack), exact, 5, 'a.slu')[0]).toEqual({
      file: 'a.slu',
      line: 3,
      column: 8,
      function: 'average',
    });
    expect(scriptFrames(readFrames(stack), exact, 5, 'a.slu')).toHaveLength(3);
    expect(scriptFrames(readFrames(stack), table, 3, 'a.slu').map((frame) => frame.function)).toEqual([
      'inner',
      'average',
      'sort',
      'main',
    ]);
    expect(scriptFrames([], table, 0, 'a.slu').map((frame) => frame.function)).toEqual(['main']);
  });

  it('show functions that were inlined into their caller, and the calls of them', () => {
    // Line 25 of main calls average, which calls inner in line 8.
    const inlined = {
      ...table,
      places: [0, 10, 3, 0, 0, 25, 8, 0, 0, 8, 2, 1, 0, 5, 9, 3, 0, 5, 9, 3],
      code: [0x60, 0, 0x08, 2, 0x04, 1, 0x04, 1],
      inlined: [2, 1, 3, 2],
    };
    const linesOf = (offset: number, place = -1): string[] =>
      scriptFrames([{ name: '$entry', offset }], inlined, place, 'a.slu').map((at) => `${at.function} ${at.line}`);
    expect(linesOf(0x60)).toEqual(['main 10']);
    expect(linesOf(0x69)).toEqual(['average 8', 'main 25']);
    expect(linesOf(0x6d)).toEqual(['inner 5', 'average 8', 'main 25']);
    // The place of another function than that which was inlined.
    expect(linesOf(0x71)).toEqual(['inner 5']);
    // The place that the error carries is in the same frame.
    expect(linesOf(0x60, 3)).toEqual(['inner 5', 'average 8', 'main 25']);
    expect(linesOf(0x6d, 2)).toEqual(['average 8', 'main 25']);
  });

  it('show the calls around an inlined place where the engine tells no offsets', () => {
    const inlined = { ...table, inlined: [3, 2] };
    expect(scriptFrames([{ name: '$entry', offset: null }], inlined, 3, 'a.slu').map(({ line }) => line)).toEqual([
      20, 7,
    ]);
  });

  it('end where a table that nobody wrote goes round in circles', () => {
    const circle = { ...table, inlined: [1, 0, 0, 1, 1, 0] };
    expect(scriptFrames([{ name: '$entry', offset: 0x60 }], circle, -1, 'a.slu').length).toBeLessThan(5);
  });

  it('know where a function stands that is only about to begin', () => {
    expect(scriptFrames([{ name: 'average', offset: 0x6f, atEntry: true }], table, -1, 'a.slu')).toEqual([
      { file: 'a.slu', line: 2, column: 5, function: 'average' },
    ]);
  });

  it('are taken whatever the process has set up, which is put back', () => {
    const settings = Error as unknown as { stackTraceLimit: number; prepareStackTrace?: unknown };
    const mine = (): string => 'mine';
    settings.prepareStackTrace = mine;
    settings.stackTraceLimit = 3;
    try {
      expect(captureStack()).toContain('stack-trace');
      expect(settings.prepareStackTrace).toBe(mine);
      expect(settings.stackTraceLimit).toBe(3);
    } finally {
      delete settings.prepareStackTrace;
      settings.stackTraceLimit = 10;
    }
  });
});
