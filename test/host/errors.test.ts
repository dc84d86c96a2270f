// How runs end otherwise than by returning.

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AbortError, HostError, InternalError, loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import { assemble } from './module.ts';
import type { ModuleText } from './module.ts';

async function failureOf(text: ModuleText, manifest: Parameters<typeof assemble>[1] = {}): Promise<Error> {
  const script = await loadScript(assemble(text, manifest));
  return script.run().result.then(
    () => {
      throw new Error('did not fail');
    },
    (error: unknown) => error as Error,
  );
}

const oneYield: ModuleText = {
  runtime: ['yieldInt'],
  main: '(call $yieldInt (i64.const 1)) (call $yieldInt (i64.const 2))',
};

describe('errors of the script', () => {
  it('carry type, message and the place of the throw', async () => {
    const locations = { files: ['a.slu'], functions: ['main'], places: [0, 3, 7, 0], code: [] };
    const error = await failureOf(
      {
        runtime: ['uncaught'],
        strings: { m: 'division by zero' },
        main: '(call $uncaught) (throw $error (i32.const 3) (global.get $m) (i32.const 0))',
      },
      { locations },
    );
    expect(error).toBeInstanceOf(ScriptError);
    expect(error.name).toBe('DivisionByZeroError');
    expect(error.message).toBe('division by zero');
    expect((error as ScriptError).frames).toEqual([{ file: 'a.slu', line: 3, column: 7, function: 'main' }]);
    expect(error.stack).toBe('DivisionByZeroError: division by zero\n    at main (a.slu:3:7)');
    expect(Object.keys(error)).toEqual([]);
    expect(inspect(error)).toBe('ScriptError [DivisionByZeroError]: division by zero\n    at main (a.slu:3:7)');
    expect(error.cause).toBeUndefined();
  });

  it('get their words from the host, by a number', async () => {
    const locations = {
      files: ['a.slu'],
      functions: ['main'],
      places: [0, 1, 1, 0, 0, 2, 1, 0, 0, 3, 1, 0],
      code: [],
      uses: [`field 'x'`, 'an element'],
      used: [0, 1, 2, 0],
    };
    const says = (row: number, ...numbers: readonly bigint[]): string =>
      `(call $yieldString (call $message (i32.const ${row}) ` +
      `${[0, 1, 2].map((at) => `(i64.const ${numbers[at] ?? 0n})`).join(' ')}))`;
    const bits = new BigInt64Array(new Float64Array([1e30, -4, NaN]).buffer);
    const script = await loadScript(
      assemble(
        {
          runtime: ['yieldString', 'message'],
          main: [
            says(0, 0n),
            says(0, 2n),
            says(0, 1n),
            says(1, -7n, 9007199254740993n),
            says(2, 3n, 2n, 1n),
            says(3),
            ...[...bits].map((number) => says(4, number)),
            says(4711),
          ].join(' '),
        },
        { locations },
      ),
    );
    const seen: unknown[] = [];
    await script.run().forEach((value) => seen.push(value));
    expect(seen).toEqual([
      'cannot use an element of null',
      `cannot use field 'x' of null`,
      'cannot use a part of null',
      'index -7 is out of bounds for length 9007199254740993',
      'range 3 to 2 is out of bounds for length 1',
      'division by zero',
      '1e+30 does not fit into an int',
      '-4.0 does not fit into an int',
      'NaN does not fit into an int',
      'an error of an unknown kind',
    ]);
  });

  it('can be raised by the host and caught by the script', async () => {
    const script = await loadScript(
      assemble({
        runtime: ['yieldString', 'yieldInt'],
        strings: { long: 'abc' },
        imports: '(import "Native" "repeat" (func $repeat (param externref i32) (result externref)))',
        locals: '(local $m externref)',
        main: `(block $done (result i32 externref i32)
          (try_table (catch $error $done) (call $yieldString (call $repeat (global.get $long) (i32.const 2147483647))) )
          (return))
        (drop) (local.set $m) (i64.extend_i32_s) (call $yieldInt) (call $yieldString (local.get $m))`,
      }),
    );
    const seen: unknown[] = [];
    await script.run().forEach((value) => seen.push(value));
    expect(seen).toEqual([15n, 'the string is longer than the engine takes']);
  });

  it('come from a stack that ran out, and from an array that is too large', async () => {
    const overflow = await failureOf({ functions: '(func $deep (call $deep))', main: '(call $deep)' });
    expect(overflow).toBeInstanceOf(ScriptError);
    expect(overflow.name).toBe('StackOverflowError');
    expect(overflow.cause).toBeUndefined();
    const large = await failureOf({
      functions: '(type $a (array i64))',
      main: '(drop (array.new_default $a (i32.const 2147483647)))',
    });
    expect(large.name).toBe('MemoryLimitError');
  });
});

describe('faults of Sluice', () => {
  it('say that they are, and show nothing of the engine in their message', async () => {
    const error = await failureOf({ main: 'unreachable' });
    expect(error).toBeInstanceOf(InternalError);
    expect(error.message).toMatch(
      /^internal error: unreachable\. This is a fault of Sluice, not of the script: please report it/,
    );
  });
});

describe("the embedder's own code", () => {
  it('gets its errors back, and the script cannot catch them', async () => {
    const script = await loadScript(assemble(oneYield));
    const mine = new Error('mine');
    const run = script.run();
    await expect(
      run.forEach(() => {
        throw mine;
      }),
    ).rejects.toBe(mine);
    await expect(run.result).rejects.toBe(mine);
  });

  it('may abort a run, which ends at its next yield', async () => {
    const script = await loadScript(assemble(oneYield));
    const run = script.run();
    const seen: unknown[] = [];
    await expect(
      run.forEach((value) => {
        seen.push(value);
        run.abort();
      }),
    ).rejects.toBeInstanceOf(AbortError);
    expect(seen).toEqual([1n]);
    const early = script.run();
    early.abort();
    await expect(early.result).rejects.toBeInstanceOf(AbortError);
  });

  it('supplies chance and time', async () => {
    const bytes = assemble({
      runtime: ['yieldDouble', 'yieldInt'],
      imports: '(import "Math" "random" (func $random (result f64))) (import "Date" "now" (func $now (result i64)))',
      main: '(call $yieldDouble (call $random)) (call $yieldDouble (call $random)) (call $yieldInt (call $now))',
    });
    const draw = async (options: Parameters<typeof loadScript>[1]): Promise<unknown[]> => {
      const seen: unknown[] = [];
      await (await loadScript(bytes, options)).run().forEach((value) => seen.push(value));
      return seen;
    };
    const seeded = await draw({ random: 42, clock: 1_700_000_000_000.9 });
    expect(seeded).toEqual(await draw({ random: 42, clock: 1_700_000_000_000 }));
    expect(seeded[2]).toBe(1_700_000_000_000n);
    expect(seeded[0]).not.toBe(seeded[1]);
    expect(await draw({ random: 43, clock: 1 })).not.toEqual(seeded);
    expect(await draw({ random: () => 0.25, clock: () => 5 })).toEqual([0.25, 0.25, 5n]);
    await expect(draw({ random: () => 1 })).rejects.toBeInstanceOf(HostError);
    const [first] = (await draw({})) as [number];
    expect(first >= 0 && first < 1).toBe(true);
  });
});
