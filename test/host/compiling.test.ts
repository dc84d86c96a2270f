// The compiler as embedders call it: what a wrong call is told.

import { describe, expect, it } from 'vitest';
import { checkSource, compile } from '../../src/index.ts';

const [name, nothing] = ['a.slu', undefined as unknown as string];

describe('compiling', () => {
  it('takes a name and a text', async () => {
    expect(checkSource(name, '').diagnostics).toEqual([]);
    expect((await compile(name, 'yield 1;', { text: true })).artifact!.text).toContain('(module');
  });

  it('takes no text but a string', async () => {
    expect(() => checkSource(name, nothing)).toThrow(new TypeError('checkSource(name, text) takes the text of a script as a string, not undefined'));
    expect(() => checkSource(nothing, '')).toThrow(new TypeError('checkSource(name, text) takes the name of a script as a string, not undefined'));
    await expect(compile(name, nothing)).rejects.toThrow(new TypeError('compile(name, text) takes the text of a script as a string, not undefined'));
    await expect(compile(name, Buffer.from('') as unknown as string)).rejects.toThrow('as a string, not object');
    await expect(compile(name, null as unknown as string)).rejects.toThrow('as a string, not null');
  });
});
