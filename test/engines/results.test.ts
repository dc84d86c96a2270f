// The tables of docs/engines.md, and what is known to differ.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatDifferences, knownDifferences, problems } from './known-differences.ts';
import { formatTable, placeTable } from './results.ts';
import type { EngineResult } from './results.ts';

const page = readFileSync(new URL('../../docs/engines.md', import.meta.url), 'utf8');

describe('the table of engines', () => {
  it('has a row for each engine, and a place in docs/engines.md', () => {
    const results = [
      { suite: 'conformance', name: 'loops', passed: 3, failed: 1, complaints: ['x'] },
      { suite: 'host', name: 'stacks', passed: 2, failed: 0, complaints: [] },
    ];
    const table = formatTable([{ engine: 'Node', version: '26.1.0', lacking: ['suspending'], results }]);
    expect(table.split('\n').at(-1)).toBe('| Node | 26.1.0 | 5 | 1 | suspending |');
    expect(placeTable(page, 'engines', table)).toContain(`-->\n${table}\n<!--`);
    expect(placeTable(placeTable(page, 'engines', table), 'engines', '')).toBe(placeTable(page, 'engines', ''));
    expect(() => placeTable('text', 'engines', table)).toThrow('no place for the table');
  });
});

describe('the known differences', () => {
  const bun = 'plugins/a-throw-is-plugin-error.slu:7: expected PluginError "x", got PluginError "x" at line none';
  const waits = 'http/get.slu: HostError: Http.get has to wait: this engine cannot suspend WebAssembly (JSPI), which …';
  const ran = (engine: string, lacking: readonly string[], complaints: readonly string[]): EngineResult => ({
    engine,
    version: '1.0.0',
    lacking,
    results: [{ suite: 'conformance', name: 'plugins', passed: 0, failed: complaints.length, complaints }],
  });

  it('are those of docs/engines.md', () => {
    expect(page).toBe(placeTable(page, 'differences', formatDifferences()));
  });

  it('explain what differs in their own engines, and nothing else', () => {
    expect(problems(ran('Node', [], []))).toEqual([]);
    expect(problems(ran('Bun', [], [bun]))).toEqual([]);
    expect(problems(ran('Firefox', ['suspending (JSPI)'], [waits]))).toEqual([]);
    expect(problems(ran('Node', [], [bun, waits]))).toEqual([`Node: ${bun}`, `Node: ${waits}`]);
    expect(problems(ran('Bun', [], [bun, 'loops/for.slu:3: x']))).toEqual(['Bun: loops/for.slu:3: x']);
    const elsewhere = waits.replace('http/', 'loops/');
    expect(problems(ran('Firefox', ['suspending (JSPI)'], [waits, elsewhere]))).toEqual([`Firefox: ${elsewhere}`]);
  });

  it('are a problem where they are gone', () => {
    const gone = ({ what }: { readonly what: string }): string =>
      `this difference is gone, remove it from knownDifferences: ${what}`;
    const [ofBun, ofWaiting] = knownDifferences;
    expect(problems(ran('Bun', [], []))).toEqual([`Bun: ${gone(ofBun!)}`]);
    expect(problems(ran('Firefox', ['suspending (JSPI)'], []))).toEqual([`Firefox: ${gone(ofWaiting!)}`]);
  });
});
