// The standard streams: what a terminal gets to see, and when.

import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OutputStream } from '../../src/cli/output.ts';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());

function written(isTerminal: boolean, work: (stream: OutputStream, soFar: () => string) => void): string {
  const path = join(folder.path, 'out');
  const descriptor = openSync(path, 'w');
  const soFar = (): string => readFileSync(path, 'utf8');
  const stream = new OutputStream(descriptor, isTerminal);
  work(stream, soFar);
  stream.flush();
  closeSync(descriptor);
  return soFar();
}

describe('an output stream', () => {
  const attack = 'a\u001b[2J\tb\n\u009bc\r\u202ed';

  it('makes text of a script harmless for a terminal', () => {
    expect(written(true, (stream) => stream.scriptLine(attack))).toBe('a\\u001b[2J\tb\n\\u009bc\\u000d\\u202ed\n');
  });

  it('hands text over as it is to a file or a pipe', () => {
    expect(written(false, (stream) => stream.scriptLine(attack))).toBe(`${attack}\n`);
  });

  it('writes each line at once to a terminal, and the first one to a pipe', () => {
    written(true, (stream, soFar) => {
      for (const line of ['1', '2', '3']) stream.line(line);
      expect(soFar()).toBe('1\n2\n3\n');
    });
    written(false, (stream, soFar) => {
      stream.line('first');
      expect(soFar()).toBe('first\n');
    });
  });

  it('loses nothing of a lot', () => {
    const text = written(false, (stream) => {
      for (let line = 0; line < 100_000; line++) stream.line(String(line));
    });
    expect(text.split('\n')).toHaveLength(100_001);
    expect(text.endsWith('\n99999\n')).toBe(true);
  });
});
