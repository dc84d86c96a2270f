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

  it('lets the colours of our own messages pass to a terminal, and nothing else', () => {
    expect(
      written(true, (stream) =>
        stream.line('\u001b[1m\u001b[31mError\u001b[39m\u001b[22m: \u001b[8mx\u001b[2J\u200b\ty\nz'),
      ),
    ).toBe('\u001b[1m\u001b[31mError\u001b[39m\u001b[22m: \\u001b[8mx\\u001b[2J\\u200b\ty\nz\n');
    expect(written(true, (stream) => stream.text('\u001b]0;x\u0007? '))).toBe('\\u001b]0;x\\u0007? ');
    expect(written(true, (stream) => stream.rawLine('\u001b[8m'))).toBe('\u001b[8m\n');
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
