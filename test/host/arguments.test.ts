// Arguments of main: what is accepted, and what each mistake is told.

import { describe, expect, it } from 'vitest';
import { ArgumentError, loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { Script } from '../../runtime-host/api/node.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { assemble } from './module.ts';

const structs = [
  {
    name: 'Point',
    fields: [
      { name: 'x', type: 'double' },
      { name: 'label', type: 'string' },
    ],
  },
] as const;

function taking(type: TypeDescriptor, required = true): Promise<Script> {
  return loadScript(
    assemble(
      { main: '' },
      {
        structs,
        parameters: [
          { name: 'value', type, required },
          { name: 'number', type: 'int', required: false },
        ],
      },
    ),
  );
}

async function failure(type: TypeDescriptor, values: Record<string, unknown>): Promise<ScriptError> {
  const script = await taking(type);
  try {
    script.run(values);
  } catch (error) {
    expect(error).toBeInstanceOf(ArgumentError);
    return error as ScriptError;
  }
  throw new Error('was accepted');
}

describe('arguments', () => {
  const accepted: [TypeDescriptor, unknown][] = [
    ['int', 5n],
    ['int', 5],
    ['int', -(2 ** 53) + 1],
    ['int', 2n ** 63n - 1n],
    ['int', -(2n ** 63n)],
    ['double', 5],
    ['double', Number.NaN],
    ['boolean', false],
    ['string', ''],
    ['string', null],
    [{ array: 'int' }, BigInt64Array.of(1n)],
    [{ array: 'int' }, [1, 2n]],
    [{ array: 'int' }, Uint8Array.of(1)],
    [{ array: { array: 'string' } }, [['a'], null]],
    [{ array: 'boolean' }, [true]],
    [{ struct: 0 }, { x: 1, label: null, other: 1 }],
    [{ struct: 0 }, null],
  ];
  it.each(accepted)('%j accepts %s', async (type, value) => {
    expect(() => taking(type).then((script) => script.run({ value }))).not.toThrow();
    await taking(type).then((script) => script.run({ value }).result);
  });

  const refused: [TypeDescriptor, unknown, string][] = [
    [
      'int',
      2 ** 53,
      'value: expected int, got the number 9007199254740992, which is not exact: pass a bigint beyond 2^53',
    ],
    ['int', 2n ** 63n, 'value: expected int, got 9223372036854775808, which is beyond 64 bits'],
    ['int', 1.5, 'value: expected int, got double'],
    ['int', '5', 'value: expected int, got string'],
    ['int', null, 'value: expected int, got null'],
    ['double', 5n, 'value: expected double, got int'],
    ['boolean', 1, 'value: expected boolean, got int'],
    ['string', 5, 'value: expected string, got int'],
    ['string', () => '', 'value: expected string, got function'],
    [{ array: 'int' }, 5, 'value: expected int[], got int'],
    [{ array: 'int' }, { length: 1, 0: 1 }, 'value: expected int[], got object'],
    [{ array: { array: 'double' } }, [[1], [2, 'x']], 'value[1][1]: expected double, got string'],
    [{ array: 'double' }, Array.from({ length: 1 }), 'value[0]: expected double, got undefined'],
    [
      { array: { struct: 0 } },
      [
        { x: 1, label: '' },
        { x: '1', label: '' },
      ],
      'value[1].x: expected double, got string',
    ],
    [{ struct: 0 }, { x: 1, lable: '' }, 'value.label: missing, but there is lable'],
    [{ struct: 0 }, [1], 'value: expected Point, got array'],
  ];
  it.each(refused)('%j refuses %s', async (type, value, message) => {
    const error = await failure(type, { value });
    expect(error).toBeInstanceOf(ScriptError);
    expect(error.name).toBe('TypeError');
    expect(error.message).toBe(message);
    expect(error.frames).toEqual([]);
    expect(error.stack).toBe(`TypeError: ${message}`);
  });

  it('refuses an array that no script can have', async () => {
    for (const element of ['int', 'double', 'string'] as const) {
      expect((await failure({ array: element }, { value: new Array<unknown>(2 ** 32 - 1) })).message).toBe(
        'value: an array cannot have 4294967295 elements',
      );
    }
  });

  it('names what is missing, and what is unknown with the nearest name', async () => {
    expect((await failure('int', {})).message).toBe('missing argument value: main takes int value');
    expect((await failure({ array: { struct: 0 } }, {})).message).toBe(
      'missing argument value: main takes Point[] value',
    );
    expect((await failure('int', { vlaue: 1 })).message).toBe('unknown argument vlaue: did you mean value?');
    expect((await failure('int', { value: 1, zzz: 1 })).message).toBe('unknown argument zzz: main takes value, number');
    const none = await loadScript(assemble({ main: '' }));
    expect(() => none.run({ n: 1 })).toThrow('unknown argument n: main takes no arguments');
  });

  it('ends at data that holds itself', async () => {
    const recursive = [{ name: 'Node', fields: [{ name: 'next', type: { struct: 0 } }] }];
    const script = await loadScript(
      assemble(
        { main: '' },
        { structs: recursive, parameters: [{ name: 'list', type: { struct: 0 }, required: true }] },
      ),
    );
    const list: { next: unknown } = { next: null };
    list.next = list;
    expect(() => script.run({ list })).toThrow(
      /^list(\.next){11}\.…(\.next){6}: nested deeper than 512, or it holds itself$/,
    );
  });
});
