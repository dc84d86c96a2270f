// What makes a plugin, and what is refused with its place.

import { describe, expect, it } from 'vitest';
import { defineModule, ScriptFunction, ScriptModule, wasmPlugin } from '../../runtime-host/api/node.ts';
import type { ModuleDefinition } from '../../runtime-host/api/node.ts';
import { SluiceLexer } from '../../src/1-parse/generated/SluiceLexer.ts';
import { checkSource, describePlugin } from '../../src/index.ts';
import { keywords } from '../../src/language/keywords.ts';
import { reservedNamespaces } from '../../src/library/plugin-declaration.ts';
import { builtInLibraries } from '../../src/library/registry.ts';
import { run } from './compiling.ts';

const nothing = (): void => {};
const withFunction = (signature: string, more: Partial<ModuleDefinition> = {}): ModuleDefinition => ({
  name: 'P',
  functions: { [signature]: nothing },
  ...more,
});

describe('a definition is refused', () => {
  const faulty: readonly (readonly [definition: ModuleDefinition, message: string])[] = [
    [{ name: 'Math', functions: {} }, 'the namespace "Math" of a plugin is taken by Sluice'],
    [{ name: 'Json', functions: {} }, 'is taken by Sluice'],
    [{ name: 'sluice', functions: {} }, 'is taken by Sluice'],
    [{ name: 'while', functions: {} }, 'is a word of the language'],
    [{ name: '2nd', functions: {} }, 'the namespace "2nd" of a plugin is no name'],
    [{ name: 'a b', functions: {} }, 'is no name'],
    [{ name: '', functions: {} }, 'is no name'],
    [
      withFunction('doubel f()'),
      'plugin P, function 1, column 1 of "doubel f()": there is no type doubel: did you mean double?',
    ],
    [withFunction('double f'), 'column 9 of "double f": a parameter list in parentheses is missing here'],
    [
      withFunction('double f(int a'),
      'column 15 of "double f(int a": a comma or the closing parenthesis is missing here',
    ],
    [withFunction('double f(int)'), 'column 13 of "double f(int)": the name of the parameter is missing here'],
    [withFunction('double f(int a, int a)'), 'column 17 of "double f(int a, int a)": there are two parameters a'],
    [withFunction('double f(int a = 1, int b)'), 'b needs a default'],
    [withFunction('double f(int a = 1.5)'), 'the default 1.5 is no literal of type int'],
    [withFunction('double f(int a = 9223372036854775808)'), 'is no literal of type int'],
    [withFunction('double f(string s = null)'), 'the default null is no literal of type string'],
    [withFunction('double f(int? a)'), 'a value of type int is never null'],
    [withFunction('double f(void a)'), 'void stands in front of a function alone'],
    [withFunction('void[] f()'), 'void stands in front of a function alone'],
    [withFunction('double f(T a)'), 'there is no type T'],
    [withFunction('double f() x'), 'nothing more is expected here'],
    [withFunction('double 2f()'), 'the name of the function is missing here'],
    [{ name: 'P', functions: { 'int f()': nothing, 'int f(int a)': nothing } }, 'plugin P: P.f is declared twice'],
    [
      { name: 'P', functions: { 'int f()': { call: nothing, permission: 'db' } } },
      'plugin P, f: a permission is a category and an action, such as db:query, not "db"',
    ],
    [
      { name: 'P', functions: { 'int f()': { call: nothing, on: 'strnig' } } },
      'plugin P, f, on, column 1 of "strnig": there is no type strnig: did you mean string?',
    ],
    [{ name: 'P', functions: { 'int f()': { call: 3 as never } } }, 'plugin P, f: work is a function'],
    [
      { name: 'P', functions: { 'int f()': 3 as never } },
      'plugin P, "int f()" is a function, or an object with a function call',
    ],
    [
      withFunction('int f()', { types: ['type A { B b; }'] }),
      'plugin P, types[0], column 10 of "type A { B b; }": there is no type B',
    ],
    [
      withFunction('int f()', { types: ['type A { int a; }', 'type A { int a; }'] }),
      'plugin P, types[1]: the type A is declared twice',
    ],
    [withFunction('int f()', { types: ['type A { }'] }), 'a type needs a field'],
    [withFunction('int f()', { types: ['struct A { }'] }), 'a declaration of a type begins with the word type'],
    [withFunction('int f()', { types: ['type A { int a int b; }'] }), 'a semicolon is missing here'],
  ];

  it.each(faulty)('%j', (definition, message) => {
    expect(() => defineModule(definition)).toThrow(TypeError);
    expect(() => defineModule(definition)).toThrow(message);
  });

  it('by wasmPlugin, where a module cannot be one', () => {
    expect(() => wasmPlugin(Uint8Array.of(1, 2), { name: 'W' })).toThrow('the engine refuses this one');
    expect(() => wasmPlugin('x' as never)).toThrow('takes the bytes of a module');
    const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    expect(() => wasmPlugin(empty)).toThrow('takes the option name');
    expect(() => wasmPlugin(empty, { name: 'W' })).toThrow('plugin W has no functions');
    expect(() => wasmPlugin(empty, { name: 'W', functions: { 'int f()': '' } })).toThrow(
      'plugin W: the module has no exported function f',
    );
    expect(() => wasmPlugin(empty, { name: 'W', functions: { 'string f()': '' } })).toThrow(
      'takes and gives int, double and boolean alone',
    );
  });
});

describe('the option plugins', () => {
  const check = (...plugins: readonly unknown[]): void => void checkSource('a.slu', 'yield 1;', { plugins });
  const half = (name: string, on?: string): unknown =>
    defineModule({ name, functions: { 'double half()': { call: () => 1, ...(on === undefined ? {} : { on }) } } });

  it('takes nothing but plugins', () => {
    expect(() => check({})).toThrow('plugins[0] is no plugin');
    expect(() => check(half('A'), null)).toThrow('plugins[1] is no plugin');
    expect(() => checkSource('a.slu', '', { plugins: 'x' as never })).toThrow('the option plugins is an array');
    expect(() => check(Object.create(Object.freeze({ version: 1 })))).toThrow('is no plugin');
  });

  it('takes no two of one name, and no method twice', () => {
    expect(() => check(half('A'), half('A'))).toThrow('two plugins are called A');
    expect(() => check(half('A', 'int'), half('B', 'int'))).toThrow(
      'the plugins A and B both declare the method int.half',
    );
    expect(() => check(half('A', 'int'), half('B', 'double'))).not.toThrow();
  });

  it('takes no method that the type has', () => {
    const upper = defineModule({ name: 'A', functions: { 'string upper()': { call: () => '', on: 'string' } } });
    expect(() => check(upper)).toThrow('plugin A, upper: string has a method of this name already');
    const push = defineModule({ name: 'A', functions: { 'void push(int n)': { call: nothing, on: 'int[]' } } });
    expect(() => check(push)).toThrow('plugin A, push: int[] has a method of this name already');
  });

  it('takes no mark that is inherited from Object.prototype', () => {
    const mark = Symbol.for('sluice.plugin');
    Object.defineProperty(Object.prototype, 'version', { value: 1, configurable: true });
    try {
      expect(() => check({ [mark]: {} })).toThrow('was made with another version of Sluice');
    } finally {
      delete (Object.prototype as { version?: number }).version;
    }
  });
});

describe('classes', () => {
  class Base {
    factor = 2;
    twice(x: number): number {
      return x * this.factor;
    }
  }
  const mark = ScriptFunction('double twice(double x)', 'Twice as much.');

  it('of the older protocol: a prototype, a name and a descriptor', async () => {
    class Older extends Base {
      override twice(x: number): number {
        return super.twice(x);
      }
    }
    mark(Older.prototype, 'twice', Object.getOwnPropertyDescriptor(Older.prototype, 'twice'));
    ScriptModule('Older')(Older);
    expect(await run('yield Older.twice(2.0);', [Older])).toEqual([4]);
    const other = new Older();
    other.factor = 10;
    expect(await run('yield Older.twice(2.0);', [other])).toEqual([20]);
  });

  it('of the standard one: the method and a context', async () => {
    class Standard extends Base {
      override twice(x: number): number {
        return super.twice(x);
      }
    }
    mark(Standard.prototype.twice, { kind: 'method', name: 'twice', static: false });
    ScriptModule('Standard')(Standard, { kind: 'class', name: 'Standard' });
    expect(await run('yield Standard.twice(2.0);', [Standard])).toEqual([4]);
    class Heir extends Standard {}
    expect(await run('yield Standard.twice(2.0);', [new Heir()])).toEqual([4]);
  });

  it('have their decorators where they belong', () => {
    expect(() => mark(undefined, { kind: 'field', name: 'x', static: false })).toThrow('stands in front of a method');
    expect(() => mark(nothing, { kind: 'method', name: 'x', static: true })).toThrow('static');
    expect(() => mark(Base, 'x', { value: nothing })).toThrow('static');
    expect(() => ScriptModule('A')({} as never)).toThrow('stands in front of a class');
    expect(() => ScriptModule('Math')(class {})).toThrow('is taken by Sluice');
  });
});

describe('what is known of the language', () => {
  it('has all namespaces of the library', () => {
    const namespaces = builtInLibraries.filter(({ receiver }) => receiver === null).map(({ name }) => name);
    expect([...namespaces, 'sluice'].sort()).toEqual([...reservedNamespaces].sort());
  });

  it('has all words of the grammar', () => {
    const words = SluiceLexer.literalNames.flatMap((name) =>
      /^'[a-z]+'$/.test(name ?? '') ? [name!.slice(1, -1)] : [],
    );
    expect(words.sort()).toEqual([...keywords].sort());
  });
});

it('a page is made of the rows', () => {
  const plugin = defineModule({
    name: 'P',
    documentation: 'All sorts.',
    functions: {
      'int  f( int a=1 )': { documentation: 'One more.', call: nothing },
      'string loud()': { documentation: 'Louder.', on: 'string', call: nothing },
    },
  });
  const table = ['| Signature | | Example |', '|---|---|---|'];
  expect(describePlugin(plugin).split('\n')).toEqual([
    '# P',
    '',
    '## P',
    '',
    'All sorts.',
    '',
    ...table,
    '| `int f(int a = 1)` | One more. |  |',
    '',
    '## Methods of string',
    '',
    'All sorts.',
    '',
    ...table,
    '| `string loud()` | Louder. |  |',
    '',
  ]);
  expect(() => describePlugin({})).toThrow('is no plugin');
});
