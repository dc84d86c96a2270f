// Modules by hand that lie about values, errors, imports and exports: each ends with one error of the host's, in a run
// that cannot wait and in one that may, in a call, in an instance and in a worker.

import { describe, expect, it } from 'vitest';
import {
  createMemoryPlatform,
  defineModule,
  Granted,
  HostError,
  loadScript,
  ScriptError,
} from '../../runtime-host/api/node.ts';
import type { ScriptOptions } from '../../runtime-host/api/node.ts';
import type { Manifest } from '../../src/abi/manifest.ts';
import { compile } from '../../src/compile.ts';
import { assemble, assembleText, emptyManifest, withManifest } from './module.ts';
import type { ModuleText } from './module.ts';

const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);
const broken = 'this module does not keep to the interface of Sluice';
const object = '(extern.convert_any (struct.new_default $o))';
const objectType = '(type $o (struct (field i32)))';

async function failureOf(work: () => unknown): Promise<Error> {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}

/** The error of each way to run the body: a plain run, one that may wait, and both in a worker. */
async function failuresOf(
  text: ModuleText,
  manifest: Partial<Manifest> = {},
  options: ScriptOptions = {},
): Promise<Error[]> {
  const failures: Error[] = [];
  for (const waits of [[], ['run']]) {
    const bytes = assemble(text, { ...manifest, ...(waits.length === 0 ? {} : { waits }) });
    for (const isolation of ['none', 'worker'] as const) {
      const script = await loadScript(bytes, {
        ...options,
        isolation,
        ...(isolation === 'worker' ? { workerUrl } : {}),
      });
      failures.push(await failureOf(() => script.run().result));
      if (isolation === 'none')
        failures.push(
          await failureOf(async () => {
            for await (const _ of script.run());
          }),
        );
    }
  }
  return failures;
}

async function expectBroken(
  text: ModuleText,
  manifest: Partial<Manifest> = {},
  options: ScriptOptions = {},
): Promise<void> {
  for (const error of await failuresOf(text, manifest, options)) {
    expect(error).toBeInstanceOf(HostError);
    expect(error.message).toBe(broken);
  }
}

describe('exceptions', () => {
  const foreign = '(type $t (func (param i32))) (tag $foreign (type $t) (param i32))';
  it.each<[string, ModuleText]>([
    ['of a tag of its own', { functions: foreign, main: '(throw $foreign (i32.const 1))' }],
    [
      'of the language with an object as message',
      { functions: objectType, main: `(throw $error (i32.const 0) ${object} (i32.const 0))` },
    ],
    [
      'of the language with a number as message',
      {
        functions: '(func $dummy)',
        imports: '(import "sluice" "readInt" (func $n (result externref)))',
        main: '(throw $error (i32.const 0) (call $n) (i32.const 0))',
      },
    ],
  ])('%s', async (_what, text) => expectBroken(text));

  it('of the language with a type and a place that there are not are plain errors', async () => {
    const errors = await failuresOf({
      strings: { m: 'mine' },
      main: '(throw $error (i32.const 99) (global.get $m) (i32.const 123456))',
    });
    for (const error of errors)
      expect([error instanceof ScriptError, error.name, error.message]).toEqual([true, 'Error', 'mine']);
  });

  it('of a tag with another payload', async () => {
    const bytes = withManifest(
      assembleText(
        '(module (type $p (func (param f64))) (tag $e (type $p) (param f64)) (func $run (throw $e (f64.const ' +
          '1))) (export "run" (func $run)) (export "error" (tag $e)))',
      ),
      emptyManifest,
    );
    for (const isolation of ['none', 'worker'] as const) {
      const script = await loadScript(bytes, { isolation, workerUrl });
      expect((await failureOf(() => script.run().result)).message).toBe(broken);
    }
  });

  it('that the module catches itself, and goes on: what was to end the run has ended it', async () => {
    const caught = (call: string): string =>
      `(block $b (result exnref) (try_table (catch_all_ref $b) ${call} ) (return)) drop`;
    await expectBroken({
      functions: objectType,
      runtime: ['yieldString'],
      main: caught(`(call $yieldString ${object})`),
    });
  });
});

describe('values', () => {
  const out = (type: string, name: string): string => `(import "sluice" "${name}" (func $out (param ${type})))`;
  it.each<[string, ModuleText, Partial<Manifest>]>([
    [
      'yielded: an object as text',
      { runtime: ['yieldString'], functions: objectType, main: `(call $yieldString ${object})` },
      {},
    ],
    [
      'yielded: an object as number',
      {
        imports: `(type $o (struct (field i32))) ${out('anyref', 'yieldDouble')}`,
        main: '(call $out (struct.new_default $o))',
      },
      {},
    ],
    ['yielded: a double as int', { imports: out('f64', 'yieldInt'), main: '(call $out (f64.const 1.5))' }, {}],
    ['yielded: an int as double', { imports: out('i64', 'yieldDouble'), main: '(call $out (i64.const 1))' }, {}],
    [
      'yielded: an int where the manifest says text',
      { runtime: ['yieldInt'], main: '(call $yieldInt (i64.const 1))' },
      { yields: ['string'] },
    ],
    [
      'yielded: null where the manifest says double',
      { runtime: ['writeNull', 'yieldValue'], main: 'call $writeNull call $yieldValue' },
      { yields: ['double'] },
    ],
    [
      'yielded: anything where the manifest says nothing is',
      { runtime: ['yieldInt'], main: '(call $yieldInt (i64.const 1))' },
      { yields: [] },
    ],
    [
      'returned: a text where the manifest says double',
      {
        runtime: ['writeString', 'finish'],
        strings: { s: 'x' },
        main: '(call $writeString (global.get $s)) call $finish',
      },
      { results: ['double'] },
    ],
    [
      'returned: an object as text',
      { runtime: ['writeString', 'finish'], functions: objectType, main: `(call $writeString ${object}) call $finish` },
      {},
    ],
    [
      'returned: an object as int of a json',
      {
        imports:
          '(type $o (struct (field i32))) (import "sluice" "finish" (func $finish)) ' + out('anyref', 'writeJsonInt'),
        main: '(call $out (struct.new_default $o)) call $finish',
      },
      { results: ['json'] },
    ],
    [
      'a struct that the manifest does not have',
      { runtime: ['beginStruct'], main: '(call $beginStruct (i32.const 7))' },
      {},
    ],
    [
      'a struct with a field of another type',
      {
        runtime: ['beginStruct', 'writeInt', 'end', 'yieldValue'],
        main: '(call $beginStruct (i32.const 0)) (call $writeInt (i64.const 1)) call $end call $yieldValue',
      },
      { structs: [{ name: 'P', fields: [{ name: 'x', type: 'string' }] }], yields: [{ struct: 0 }] },
    ],
    [
      'a struct with too few fields',
      {
        runtime: ['beginStruct', 'end', 'yieldValue'],
        main: '(call $beginStruct (i32.const 0)) call $end call $yieldValue',
      },
      { structs: [{ name: 'P', fields: [{ name: 'x', type: 'string' }] }], yields: [{ struct: 0 }] },
    ],
    [
      'a struct with too many fields',
      {
        runtime: ['beginStruct', 'writeNull', 'end'],
        main: '(call $beginStruct (i32.const 0)) call $writeNull call $writeNull',
      },
      { structs: [{ name: 'P', fields: [{ name: 'x', type: 'string' }] }] },
    ],
    [
      'an array of texts with an int in it',
      {
        runtime: ['beginArray', 'writeInt', 'end', 'yieldValue'],
        main:
          '(call $beginArray (i32.const 1) (i32.const 0)) (call $writeInt (i64.const 1)) call $end call ' +
          '$yieldValue',
      },
      { yields: [{ array: 'string' }] },
    ],
    [
      'an array of so many elements less than none',
      { runtime: ['beginArray'], main: '(call $beginArray (i32.const -1) (i32.const 1))' },
      {},
    ],
    [
      'an array of 16 GiB',
      { runtime: ['beginArray'], main: '(call $beginArray (i32.const 2147483647) (i32.const 1))' },
      {},
    ],
    [
      'an int in an array of doubles',
      {
        runtime: ['beginArray', 'writeInt'],
        main: '(call $beginArray (i32.const 1) (i32.const 2)) (call $writeInt (i64.const 1))',
      },
      {},
    ],
    ['the end of nothing', { runtime: ['end'], main: 'call $end' }, {}],
    ['a key of nothing', { runtime: ['writeKey'], strings: { s: 'k' }, main: '(call $writeKey (global.get $s))' }, {}],
    [
      'a key that is an object',
      {
        runtime: ['beginObject', 'writeKey'],
        functions: objectType,
        main: `(call $beginObject (i32.const 1)) (call $writeKey ${object})`,
      },
      {},
    ],
    [
      'staged numbers of nothing',
      {
        runtime: ['writeStaged'],
        imports: '(import "sluice" "staging" (memory 1 1))',
        main: '(call $writeStaged (i32.const 1))',
      },
      {},
    ],
    [
      'staged numbers beyond the array',
      {
        runtime: ['beginArray', 'writeStaged'],
        imports: '(import "sluice" "staging" (memory 1 1))',
        main: '(call $beginArray (i32.const 1) (i32.const 2)) (call $writeStaged (i32.const 8192))',
      },
      {},
    ],
    [
      'staged numbers less than none',
      {
        runtime: ['beginArray', 'writeStaged'],
        imports: '(import "sluice" "staging" (memory 1 1))',
        main: '(call $beginArray (i32.const 1) (i32.const 2)) (call $writeStaged (i32.const -1))',
      },
      {},
    ],
    ['read where nothing is', { runtime: ['readInt'], main: '(drop (call $readInt))' }, {}],
    ['the failure of no call', { runtime: ['failure'], main: '(drop (call $failure))' }, {}],
  ])('%s', async (_what, text, manifest) => expectBroken(text, manifest));

  it('read as another type than the argument has', async () => {
    const manifest: Partial<Manifest> = { parameters: [{ name: 'p', type: { array: 'string' }, required: true }] };
    for (const read of ['readInt', 'readDouble', 'readBoolean', 'readString'] as const) {
      const script = await loadScript(
        assemble(
          { runtime: ['hasArgument', read], main: `(drop (call $hasArgument (i32.const 0))) (drop (call $${read}))` },
          manifest,
        ),
      );
      expect((await failureOf(() => script.run({ p: ['x'] }).result)).message).toBe(broken);
    }
  });
});

describe('calls of the library', () => {
  const options: ScriptOptions = { platform: createMemoryPlatform({ files: { '/a': 'x' } }), environment: { A: 'x' } };
  it.each([
    [
      'an object as path',
      '(import "File" "read" (func $call (param externref) (result i32)))',
      `(drop (call $call ${object}))`,
    ],
    [
      'an object as what is written',
      '(import "File" "write" (func $call (param externref externref) (result i32)))',
      `(drop (call $call (global.get $path) ${object}))`,
    ],
    [
      'an object as name',
      '(import "Env" "get" (func $call (param externref) (result i32)))',
      `(drop (call $call ${object}))`,
    ],
    [
      'an object as URL',
      '(import "Http" "get" (func $call (param externref) (result i32)))',
      `(drop (call $call ${object}))`,
    ],
    [
      'a number as path',
      '(import "File" "read" (func $call (param f64) (result i32)))',
      '(drop (call $call (f64.const 1)))',
    ],
    [
      'an object of the engine',
      '(import "Math" "sin" (func $call (param externref) (result f64)))',
      `(drop (call $call ${object}))`,
    ],
    [
      'an object in the place of a text',
      '(import "Native" "upper" (func $call (param externref) (result externref)))',
      `(drop (call $call ${object}))`,
    ],
  ])('%s, and nobody is asked', async (_what, imports, main) => {
    const asked: unknown[] = [];
    await expectBroken(
      { imports, functions: objectType, strings: { path: '/b' }, main },
      {},
      {
        ...options,
        permissions: (request) => {
          asked.push(request);
          return Granted;
        },
      },
    );
    expect(asked).toEqual([]);
  });

  it('texts in requests are primitive', async () => {
    const kinds: string[] = [];
    const script = await loadScript(
      assemble(
        {
          imports: '(import "File" "read" (func $call (param externref) (result i32)))',
          strings: { path: '/a' },
          main: '(drop (call $call (global.get $path)))',
        },
        { waits: ['run'] },
      ),
      {
        ...options,
        permissions: (request) => {
          kinds.push(...Object.values(request).map((value) => typeof value));
          return Granted;
        },
      },
    );
    await script.run().result;
    expect(new Set(kinds)).toEqual(new Set(['string']));
  });
});

describe('exported functions', () => {
  const one = (
    returns: Manifest['results'],
    parameters: readonly { readonly type: 'int' | 'double' }[] = [],
  ): Partial<Manifest> => ({
    exports: [
      {
        name: 'f',
        parameters: parameters.map(({ type }, at) => ({ name: `p${at}`, type, required: true, variadic: false })),
        returns: returns![0]!,
      },
    ],
  });
  const both = (result: string, body: string, parameters = ''): string =>
    `(type $o (struct (field i32))) (func $f ${parameters} ${result} ${body}) (export "direct.f" (func $f))`;
  it.each<[string, string, Partial<Manifest>, readonly unknown[]]>([
    [
      'an object where the manifest says double',
      both('(result anyref)', '(struct.new_default $o)'),
      one(['double']),
      [],
    ],
    [
      'an object where the manifest says boolean',
      both('(result anyref)', '(struct.new_default $o)'),
      one(['boolean']),
      [],
    ],
    ['a reference where the manifest says int', both('(result externref)', object), one(['int']), []],
    ['a double where the manifest says int', both('(result f64)', '(f64.const 1)'), one(['int']), []],
    ['nothing where the manifest says int', both('', 'nop'), one(['int']), []],
    ['something where the manifest says nothing', both('(result f64)', '(f64.const 1)'), one([null]), []],
    [
      'another type of argument',
      both('(result f64)', '(f64.const 1)', '(param f64)'),
      one(['double'], [{ type: 'int' }]),
      [1n],
    ],
    [
      'an argument that no value is of',
      both('(result f64)', '(f64.const 1)', '(param (ref null $o))'),
      one(['double'], [{ type: 'double' }]),
      [1],
    ],
  ])('%s', async (_what, functions, manifest, values) => {
    const bytes = assemble({ functions, main: '' }, manifest);
    const script = await loadScript(bytes);
    const instance = script.instance();
    const errors = [
      await failureOf(() => script.call('f', ...values)),
      await failureOf(() => script.callSync('f', ...values)),
      await failureOf(() => instance.callSync('f', ...values)),
    ];
    const inWorker = await loadScript(bytes, { isolation: 'worker', workerUrl });
    errors.push(await failureOf(() => inWorker.call('f', ...values)));
    for (const error of errors) expect([error instanceof HostError, error.message]).toEqual([true, broken]);
    expect((await failureOf(() => instance.callSync('f', ...values))).message).toMatch(/^this instance has ended/);
  });

  it('a function behind the streams that finishes with another type, or not at all', async () => {
    for (const body of ['(call $writeString (global.get $s)) call $finish', '']) {
      const script = await loadScript(
        assemble(
          {
            runtime: ['writeString', 'finish'],
            strings: { s: 'x' },
            functions: `(func $f ${body}) (export "call.f" (func $f))`,
            main: '',
          },
          {
            exports: [{ name: 'f', parameters: [], returns: { array: 'int' } }],
          },
        ),
      );
      expect((await failureOf(() => script.callSync('f'))).message).toBe(broken);
      expect((await failureOf(() => script.call('f'))).message).toBe(broken);
    }
  });
});

it('a plugin is called with the values that its signature says', async () => {
  const seen: unknown[] = [];
  const plugin = defineModule({
    name: 'P',
    functions: {
      'void take(string s)': (s: string) => {
        seen.push(s);
      },
      'void count(double x)': (x: number) => {
        seen.push(x);
      },
    },
  });
  const { artifact } = await compile('t.slu', 'main() { P.take("x"); P.count(1.0); }', { plugins: [plugin] });
  const { plugins } = artifact!.manifest;
  const text: ModuleText = {
    imports:
      '(import "P" "take" (func $take (param externref) (result i32))) (import "P" "count" (func $count (param f64)))',
    functions: objectType,
    main: `(drop (call $take ${object}))`,
  };
  for (const isolation of ['none', 'worker'] as const) {
    const script = await loadScript(assemble(text, { plugins: plugins! }), { plugins: [plugin], isolation, workerUrl });
    const error = await failureOf(() =>
      script.run().result.then(() => {
        throw new HostError('the module has not asked how the call went');
      }),
    );
    expect([seen, error instanceof HostError]).toEqual([[], true]);
  }
  const misfit = assemble(
    { ...text, imports: text.imports!.replace('(param f64)', '(param anyref)') },
    { plugins: plugins! },
  );
  await expect(loadScript(misfit, { plugins: [plugin] })).rejects.toThrow('with other types than it has');
});
