// The compiler as embedders call it: what a wrong call is told.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import { checkSource, compile, memoryReader } from '../../src/index.ts';
import type { SourceReader } from '../../src/index.ts';

const [name, nothing] = ['a.slu', undefined as unknown as string];

describe('compiling', () => {
  it('takes a name and a text', async () => {
    expect(checkSource(name, '').diagnostics).toEqual([]);
    expect((await compile(name, 'yield 1;', { text: true })).artifact!.text).toContain('(module');
  });

  it('takes no text but a string', async () => {
    expect(() => checkSource(name, nothing)).toThrow(
      new TypeError('checkSource(name, text) takes the text of a script as a string, not undefined'),
    );
    expect(() => checkSource(nothing, '')).toThrow(
      new TypeError('checkSource(name, text) takes the name of a script as a string, not undefined'),
    );
    await expect(compile(name, nothing)).rejects.toThrow(
      new TypeError('compile(name, text) takes the text of a script as a string, not undefined'),
    );
    await expect(compile(name, Buffer.from('') as unknown as string)).rejects.toThrow('as a string, not object');
    await expect(compile(name, null as unknown as string)).rejects.toThrow('as a string, not null');
  });

  it('takes no option that it does not know', async () => {
    const given = (options: unknown): Promise<unknown> => compile(name, '', options as object);
    await expect(given({ limit: { timeMs: 5 } })).rejects.toThrow(
      new TypeError('there is no option limit: did you mean limits?'),
    );
    await expect(given({ timeout: 5 })).rejects.toThrow(
      'there is no option timeout: there are reader, plugins, limits, ',
    );
    await expect(given({ guards: { uses: true } })).rejects.toThrow(
      new TypeError('there is no guard uses: did you mean use?'),
    );
    await expect(given({ guards: false })).rejects.toThrow(
      new TypeError('the option guards takes an object, not boolean'),
    );
    await expect(given({ signal: 5 })).rejects.toThrow(
      new TypeError('the option signal takes an AbortSignal, not number'),
    );
    for (const options of [null, 5, 'text', []])
      await expect(given(options)).rejects.toThrow('the options are an object, not ');
    expect(() => checkSource(name, '', { readers: 1 } as object)).toThrow(
      new TypeError('there is no option readers: did you mean reader?'),
    );
  });

  it('takes a reader of imported files', async () => {
    const script = 'import "lib/b.slu" as b;\nyield b.f();';
    expect(
      checkSource(name, script, { reader: memoryReader({ './lib/b.slu': 'int f() { return 1; }' }) }).diagnostics,
    ).toEqual([]);
    expect(checkSource(name, script).diagnostics.map(({ code }) => code)).toEqual(['E2072']);
  });

  it('takes no other reader', async () => {
    const script = 'import "b.slu" as b;\nyield b.f();';
    const withReader = (reader: unknown) => (): unknown =>
      checkSource(name, script, { reader: reader as SourceReader });
    const answering = (answer: unknown): unknown => ({ read: () => answer, identify: (file: string) => file });
    for (const reader of [null, {}, 1, { read: () => null }])
      expect(withReader(reader)).toThrow(
        new TypeError('the option reader takes an object with the methods read(path, importer) and identify(name)'),
      );
    expect(withReader(answering(Promise.resolve()))).toThrow(
      'the reader answers read("b.slu", …) with { name, identity, text } or { reason, nearest }, not with a promise',
    );
    expect(withReader(answering({ name: 'b.slu', identity: 'b', text: 1 }))).toThrow(TypeError);
    expect(withReader(answering({ name: '', identity: 'b', text: '' }))).toThrow(TypeError);
    expect(withReader({ read: () => null, identify: () => null })).toThrow(
      'identify(name) with a string, not with null',
    );
    expect(withReader(answering({ reason: 'it is late' }))).not.toThrow();
    await expect(
      compile(name, script, {
        reader: {
          read: () => {
            throw new RangeError('mine');
          },
          identify: (file) => file,
        },
      }),
    ).rejects.toThrow(new RangeError('mine'));
  });
});

describe('half of a character in a source text', () => {
  it.each([
    ['yield "a\ud800";', 'a\ufffd'],
    ['string s = `\udc00${1}`;\nyield s.length() * 10;', '20'],
    ['json j = { "\ud800": 1 };\nyield j;', '{"\ufffd":1}'],
    ['// \ud800\nyield "😀";', '😀'],
  ])('is U+FFFD: %j', async (text, expected) => {
    const { artifact, diagnostics } = await compile('half.slu', text);
    expect(diagnostics).toEqual([]);
    const texts: string[] = [];
    await (await loadScript(artifact!.wasm)).run().forEach((_value, textOf) => texts.push(textOf()));
    expect(texts).toEqual([expected]);
  });
});
