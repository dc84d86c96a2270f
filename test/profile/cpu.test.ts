// What is made of the engine's profile: frames of the script, with the library and the host folded.

import { describe, expect, it } from 'vitest';
import { foldProfile, timesOf } from '../../src/profile/cpu.ts';
import type { CallFrame, CpuNode, CpuProfile } from '../../src/profile/cpu.ts';

const frame = (functionName: string, url = ''): CallFrame => ({
  functionName,
  scriptId: '1',
  url,
  lineNumber: 0,
  columnNumber: 0,
});
const wasm = (name: string): CallFrame => frame(name, 'wasm://wasm/1234');
const host = (name: string): CallFrame => frame(name, 'file:///host.js');

/** `[id, frame, children]` */
const nodes = (rows: readonly (readonly [number, CallFrame, ...number[]])[]): CpuNode[] =>
  rows.map(([id, callFrame, ...children]) => ({ id, callFrame, children }));

const profile: CpuProfile = {
  startTime: 0,
  endTime: 10_000,
  nodes: nodes([
    [1, frame('(root)'), 2, 3, 11],
    [2, frame('(idle)')],
    [3, host('run'), 4, 10],
    [4, host('enter'), 5],
    [5, wasm('$entry'), 6, 8],
    [6, wasm('prelude#sort'), 7],
    [7, wasm('prelude#swap')],
    [8, host('yield'), 9],
    [9, frame('serialize'), 12],
    [10, wasm('$entry')],
    [11, frame('(garbage collector)')],
    [12, wasm('f')],
  ]),
  samples: [2, 3, 5, 6, 7, 8, 9, 10, 11, 12],
  timeDeltas: [1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000],
};
const folded = foldProfile(profile, (name) =>
  name === '$entry' || name === 'f' ? { name: name === 'f' ? 'f' : 'main', file: 'a.slu', line: 3 } : 'library',
);

describe('a folded profile', () => {
  const shown = (id: number): string => {
    const { callFrame, children = [] } = folded.nodes.find((node) => node.id === id)!;
    const inside = children.map(shown).toSorted();
    return callFrame.functionName + (inside.length === 0 ? '' : ` { ${inside.join(', ')} }`);
  };

  it('has the functions of the script below its root', () => {
    expect(shown(folded.nodes[0]!.id)).toBe(
      '(root) { (garbage collector), (idle), (sluice), main { (host) { f }, (library) } }',
    );
  });

  it('says where functions are', () => {
    expect(folded.nodes.find(({ callFrame }) => callFrame.functionName === 'main')!.callFrame).toMatchObject({
      url: 'a.slu',
      lineNumber: 2,
    });
  });

  it('keeps each sample', () => {
    expect(folded.samples).toHaveLength(10);
    const ids = new Set(folded.nodes.map(({ id }) => id));
    for (const id of folded.samples!) expect(ids.has(id)).toBe(true);
    expect(folded.nodes.reduce((sum, { hitCount = 0 }) => sum + hitCount, 0)).toBe(10);
    expect(folded.timeDeltas).toEqual(profile.timeDeltas);
  });

  it('has times of all but the command', () => {
    expect(timesOf(folded)).toEqual([
      { name: '(host)', place: null, ms: 2 },
      { name: '(library)', place: null, ms: 2 },
      { name: 'main', place: 'a.slu:3', ms: 2 },
      { name: '(garbage collector)', place: null, ms: 1 },
      { name: 'f', place: 'a.slu:3', ms: 1 },
    ]);
  });

  it('of nothing is nothing', () => {
    const empty = { nodes: [], startTime: 0, endTime: 0 };
    expect(foldProfile(empty, () => 'library')).toEqual(empty);
  });
});
