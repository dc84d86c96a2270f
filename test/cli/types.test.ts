// `sluice types`: what it writes, and that TypeScript takes the right uses of a script and refuses the wrong ones.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());

const geometry = `type Point { double x; int[] marks; Point next; }
type any { string text; }
export double integrate(double from, double to, int steps = 4) { return from + to * steps; }
export int total(int first, int ...rest[]) { return first + rest.sum(); }
export Point[] move(Point p, string class = "a") { yield p; yield [1.5]; return [p]; }
export boolean[] flip(boolean[] bits) { return bits; }
export any odd() { return { text: "" }; }
export json any_json(json j, int[] class) { yield [j]; return j; }
export void nothing() { }
main(string title, Point[] ps, double[] weights = [1.0]) {
  yield title.isEmpty() ? "none" : "some";
  if (ps == null) return null;
  return integrate(1, 2);
}
`;
folder.write('geometry.slu', geometry);
const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8');

describe('types', () => {
  it('follows the option ints', () => {
    folder.write(
      'ints.slu',
      'type P { int x; int[] marks; }\nexport P[] f(int x, int[] xs) { yield x; return []; }\n' +
        'export json j() { return {}; }',
    );
    const of = (ints: string): string => {
      expect(folder.run('types', 'ints.slu', `--ints=${ints}`)).toMatchObject({ code: 0, stderr: '' });
      return read('ints.d.ts');
    };
    expect(of('number')).toContain("Usage: await loadScript<IntsScript>(…, { ints: 'number' })");
    expect(of('number')).toContain(
      'export interface P {\n  readonly x: number;\n  readonly marks: readonly number[] | null;\n}',
    );
    expect(of('number')).toContain(
      'f(x: bigint | number, xs: BigInt64Array | readonly (bigint | number)[] | null): readonly (P | null)[];',
    );
    expect(of('number')).toContain('export type Json = null | boolean | number | string');
    expect(of('auto')).toContain('readonly marks: readonly (number | bigint)[] | null;');
    expect(of('bigint')).toContain('readonly marks: BigInt64Array | null;');
    expect(folder.run('types', 'ints.slu', '--ints=long')).toMatchObject({ code: 2 });
  });

  it('has the records of sluice map', () => {
    folder.write(
      'orders.slu',
      'type Item { string name; Item next; }\n' +
        'type OrdersOutput { int id; double total; boolean total_valid; string band; Item[] items; json more; }\n' +
        'export OrdersOutput map(int id, double unit, boolean unit_valid, string class, int limit = 10) ' +
        '{ return null; }\n' +
        'type Sum { double total; }\nexport Sum init() { return { total: 0.0 }; }\n' +
        'export void step(Sum s, double total) { s.total += total; }\n' +
        'export void merge(Sum into, Sum from) { into.total += from.total; }\nexport Sum finish(Sum s) { return s; }\n',
    );
    expect(folder.run('types', 'orders.slu')).toMatchObject({ code: 0, stderr: '' });
    const text = read('orders.d.ts');
    expect(text.slice(text.indexOf('/** What `sluice map` takes')))
      .toBe(`/** What \`sluice map\` takes: a line of NDJSON. */
export interface OrdersRecord {
  readonly id: number | null;
  readonly unit: number | null;
  readonly class: string | null;
  readonly limit?: number | null;
}

/** What \`sluice map\` writes, as NDJSON. */
export interface OrdersOutput2 {
  readonly id: number | null;
  readonly total: number | null;
  readonly band: string | null;
  readonly items: readonly ({ readonly name: string | null; readonly next: unknown } | null)[] | null;
  readonly more: unknown;
}

/** A row of the summary, as NDJSON; the columns of --by stand in front. */
export interface OrdersSummary {
  readonly total: number | null;
}
`);
    folder.write(
      'columns.slu',
      'type Out { double[] total; string[] tag; }\n' +
        'export Out mapBatch(double[] price, string[][] tags, int limit) { return null; }\n',
    );
    folder.run('types', 'columns.slu');
    expect(read('columns.d.ts')).toContain(
      'Record {\n  readonly price: number | null;\n  readonly tags: readonly (string | null)[] | null;\n}',
    );
    expect(read('columns.d.ts')).toContain(
      'Output {\n  readonly total: number | null;\n  readonly tag: string | null;\n}',
    );
    folder.write('rows.slu', 'type Out { int n; }\nexport void map(int n) { Out out = { n: n }; yield out; }\n');
    folder.run('types', 'rows.slu');
    expect(read('rows.d.ts')).toContain('export interface RowsOutput {\n  readonly n: number | null;\n}');
    folder.write('plain.slu', 'export int double_it(int n) { return 2 * n; }');
    folder.run('types', 'plain.slu');
    expect(read('plain.d.ts')).not.toContain('sluice map');
  });

  it('writes declarations beside the file', () => {
    expect(folder.run('types', 'geometry.slu')).toEqual({
      code: 0,
      stdout: 'geometry.d.ts: the types of geometry.slu, as GeometryScript\n',
      stderr: '',
    });
    expect(read('geometry.d.ts'))
      .toBe(`// Types of geometry.slu, written by sluice types. Usage: await loadScript<GeometryScript>(…)

export interface PointInput {
  readonly x: number;
  readonly marks: BigInt64Array | readonly (bigint | number)[] | null;
  readonly next: PointInput | null;
}

export interface Point {
  readonly x: number;
  readonly marks: BigInt64Array | null;
  readonly next: Point | null;
}

export interface any2 {
  readonly text: string | null;
}

export type Json = null | boolean | bigint | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface GeometryScript {
  /** What ints are here: loadScript has to be told the same. */
  readonly ints: 'bigint';
  /** By name, for run(). */
  readonly arguments: {
    readonly title: string | null;
    readonly ps: readonly (PointInput | null)[] | null;
    readonly weights?: Float64Array | readonly number[] | null | undefined;
  };
  /** What main yields. */
  readonly yields: string;
  /** What main returns; undefined where it ends without a result. */
  readonly result: number | null;
  /** For call() and callSync(). */
  readonly exports: {
    integrate(from: number, to: number, steps?: bigint | number): number;
    total(first: bigint | number, ...rest: readonly (bigint | number)[] | readonly [BigInt64Array | readonly (bigint | number)[]]): bigint;
    move(p: PointInput | null, class_?: string | null): readonly (Point | null)[];
    flip(bits: readonly boolean[] | null): readonly boolean[] | null;
    odd(): any2;
    any_json(j: Json, class_: BigInt64Array | readonly (bigint | number)[] | null): Json;
    nothing(): undefined;
  };
  /** What these yield. */
  readonly callYields: {
    readonly integrate: never;
    readonly total: never;
    readonly move: Point | Float64Array | null;
    readonly flip: never;
    readonly odd: never;
    readonly any_json: readonly Json[];
    readonly nothing: never;
  };
}
`);
  });

  it('writes the same for the built module', () => {
    expect(folder.run('build', 'geometry.slu', '-o', 'built.wasm').code).toBe(0);
    expect(folder.run('types', 'built.wasm', '-o', 'of-module.d.ts').stdout).toBe(
      'of-module.d.ts: the types of built.wasm, as BuiltScript\n',
    );
    folder.run('types', 'geometry.slu', '-o', 'of-script.d.ts');
    const withoutName = (text: string): string =>
      text.replaceAll(/(Built|Geometry)Script|(built\.wasm|geometry\.slu)/g, '');
    expect(withoutName(read('of-module.d.ts'))).toBe(withoutName(read('of-script.d.ts')));
  });

  it('says little of a script that takes and gives nothing', () => {
    folder.write('2 do-nothing.slu', 'int x = 1;\nx++;\n');
    expect(folder.run('types', '2 do-nothing.slu').stdout).toBe(
      '2 do-nothing.d.ts: the types of 2 do-nothing.slu, as _2DoNothingScript\n',
    );
    const text = read('2 do-nothing.d.ts');
    expect(text).toContain('readonly arguments: Readonly<Record<string, never>>;');
    expect(text).toContain('readonly yields: never;');
    expect(text).toContain('readonly result: undefined;');
    expect(text).toContain('readonly exports: Readonly<Record<never, never>>;');
    expect(text).toContain('readonly callYields: Readonly<Record<never, never>>;');
  });

  it.each<readonly [what: string, text: string, ...lines: string[]]>([
    [
      'a text in quotes or of a template is not null',
      'yield "a"; return `${1}`;',
      'yields: string;',
      'result: string;',
    ],
    ['a text of the library is not null', 'return "a".upper();', 'result: string;'],
    ['a variable of the machine may be null', 'return Env.get("A");', 'result: string | null;'],
    ['a default may be null', 'json j = {}; return j.getString("a", null);', 'result: string | null;'],
    [
      'what was made here is not null',
      'int[] xs = []; for (int i = 0; i < 3; i++) xs.push(i); return xs;',
      'result: BigInt64Array;',
    ],
    [
      'what is set to null is',
      'int[] xs = []; if (xs.isEmpty()) xs = null; return xs;',
      'result: BigInt64Array | null;',
    ],
    ['null alone', 'yield null; return null;', 'yields: null;', 'result: null;'],
    [
      'of a function that makes it',
      'return f(1);\nint[] f(int n) { if (n > 0) return [n]; return [1, 2]; }',
      'result: BigInt64Array;',
    ],
    [
      'of a function that may not',
      'return f(1);\nint[] f(int n) { if (n > 0) return [n]; return null; }',
      'result: BigInt64Array | null;',
    ],
    [
      'of a function that calls itself',
      'return f(1);\nint[] f(int n) { if (n > 0) return f(n - 1); return [1]; }',
      'result: BigInt64Array | null;',
    ],
    [
      'yields of what is called',
      'f(1);\nvoid f(int n) { yield n; if (n > 0) g(n); }\nvoid g(int n) { yield "b"; f(n - 1); }',
      'yields: bigint | string;',
      'result: undefined;',
    ],
    ['not of what is not called', 'yield 1;\nexport void f() { yield "b"; }', 'yields: bigint;', 'f: string;'],
    [
      'of what sets the globals, for calls',
      'int x = f();\nint f() { yield 1.5; return 1; }\nexport void g() { }',
      'g: number;',
    ],
    ['both ways', 'if (Date.now() > 0) return 1; else return true;', 'result: bigint | boolean;'],
    ['the end may be reached', 'if (Date.now() > 0) return 1;', 'result: bigint | undefined;'],
    ['without a value', 'if (Date.now() > 0) return; return 1;', 'result: bigint | undefined;'],
    ['a loop without an end', 'int i = 0; while (true) { i++; if (i > 9) return i; }', 'result: bigint;'],
    [
      'a loop that is left',
      'int i = 0; while (true) { i++; if (i > 9) break; return i; }',
      'result: bigint | undefined;',
    ],
    ['an inner loop that is left', 'for (;;) { for (;;) { break; } return 1; }', 'result: bigint;'],
    ['a loop that ends', 'for (int i = 0; i < 9; i++) return i;', 'result: bigint | undefined;'],
    ['a loop that runs once', 'do { return 1; } while (Date.now() > 0);', 'result: bigint;'],
    ['errors are no end', 'if (Date.now() > 0) return 1; throw "late";', 'result: bigint;'],
    ['a clause that goes on', 'try { return 1 / 0; } catch (e) { }', 'result: bigint | undefined;'],
    ['a clause that returns', 'try { return 1 / 0; } catch (e) { return "no"; }', 'result: bigint | string;'],
  ])('knows what comes: %s', (_what, text, ...lines) => {
    folder.write('one.slu', text);
    expect(folder.run('types', 'one.slu')).toMatchObject({ code: 0, stderr: '' });
    for (const line of lines) expect(read('one.d.ts')).toContain(`  readonly ${line}\n`);
  });

  it('is as general as ever for modules that do not say what each function gives', () => {
    const old = fileURLToPath(new URL('../stability/abi-1.wasm', import.meta.url));
    expect(folder.run('types', old, '-o', 'old.d.ts')).toMatchObject({ code: 0, stderr: '' });
    expect(read('old.d.ts')).toMatch(/readonly result: .* \| undefined;/);
  });

  it('refuses what it cannot use', () => {
    folder.write('faulty.slu', 'int x = "a";\n');
    expect(folder.run('types', 'faulty.slu')).toMatchObject({ code: 1, stdout: '' });
    folder.write('bare.slu', 'int hidden() { return 1; }\n');
    expect(folder.run('types', 'bare.slu')).toMatchObject({ code: 1, stdout: '' });
    expect(folder.run('types', 'gone.slu').stderr).toContain('gone.slu');
    expect(folder.run('types', 'geometry.slu', '-o', 'geometry.slu').stderr).toContain(
      'a declaration file ends in .d.ts',
    );
    expect(read('geometry.slu')).toBe(geometry);
  });
});

describe('the types', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

  function typeCheck(program: string): string {
    folder.run('types', 'geometry.slu');
    folder.write(
      'program.ts',
      `import { loadScript } from '${join(root, 'runtime-host/api/node.ts')}';\n` +
        `import type { GeometryScript } from './geometry.d.ts';\n\n` +
        `const script = await loadScript<GeometryScript>('geometry.wasm');\n${program}`,
    );
    folder.write('package.json', '{ "type": "module" }');
    folder.write(
      'tsconfig.json',
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          typeRoots: [join(root, 'node_modules/@types')],
          allowImportingTsExtensions: true,
          rewriteRelativeImportExtensions: false,
          skipLibCheck: false,
        },
        include: ['program.ts', 'geometry.d.ts', join(root, 'runtime-host/engine/webassembly.d.ts')],
      }),
    );
    return spawnSync(process.execPath, [compiler, '-p', folder.path, '--noEmit', '--pretty', 'false'], {
      encoding: 'utf8',
    }).stdout;
  }

  it('take right uses', () => {
    expect(
      typeCheck(`
      const sum: number = script.callSync('integrate', 0, 1).value + (await script.call('integrate', 0, 1, 2n)).value;
      const total: bigint = script.callSync('total', 1, 2n, 3).value + script.callSync('total', 1, [2, 3]).value + script.callSync('total', 1, BigInt64Array.of(1n)).value;
      const point = { x: 1, marks: [1, 2n], next: null };
      const { value, yields } = script.instance().callSync('move', point);
      const x: number | undefined = value[0]?.x;
      for (const item of yields) if (item instanceof Float64Array) item.fill(0); else if (item !== null && 'next' in item) console.log(item.next?.marks?.[0]);
      script.callSync('move', value[0]!, 'b');
      const none: undefined = script.callSync('nothing').value;
      const run = script.run({ title: null, ps: [point, null], weights: [1, 2] });
      for await (const item of run) console.log(item.length);
      script.callSync('any_json', { a: [1, 2n, null] }, [1]);
      await run.forEach((item) => console.log(item.trim()));
      const never: readonly never[] = script.callSync('flip', null).yields;
      const result: number | null = await run.result;
      const general = await loadScript('geometry.wasm');
      general.callSync('anything', 1, 'a');
      console.log(sum, total, x, none, result, never, await general.run().result);
    `),
    ).toBe('');
  });

  const wrong: readonly (readonly [what: string, statement: string, complaint: string])[] = [
    ['an unknown function', "script.callSync('integrat', 0, 1);", '"integrat"'],
    ['a missing argument', "script.callSync('integrate', 0);", 'TS2554'],
    ['one too many', "script.callSync('integrate', 0, 1, 2, 3);", 'TS2554'],
    [
      'a wrong type',
      "script.callSync('integrate', 0, '1');",
      "'string' is not assignable to parameter of type 'number'",
    ],
    ['a wrong type among variadic arguments', "script.callSync('total', 1, 2, '3');", "'string'"],
    [
      'a wrong use of a result',
      "const text: string = script.callSync('integrate', 0, 1).value;\nconsole.log(text);",
      "'number' is not assignable to type 'string'",
    ],
    ['a missing field', "script.callSync('move', { x: 1, marks: null });", "'next'"],
    ['a missing argument of main', "script.run({ title: 'a' });", "'ps'"],
    ['no arguments at all', 'script.run();', 'TS2554'],
    [
      'numbers for ints that are bigints',
      "await loadScript<GeometryScript>(script.name, { ints: 'number' });",
      '"bigint"',
    ],
    ['an unknown argument of main', "script.run({ title: 'a', ps: [], weight: [] });", "'weight'"],
  ];
  it.each(wrong)('refuse %s', (_what, statement, complaint) => {
    const output = typeCheck(statement);
    expect(output.split('\n').filter((line) => /error TS/.test(line)).length, output).toBe(1);
    expect(output).toContain(complaint);
    expect(output).toMatch(/^\S*program\.ts\(5,/);
  });

  describe.each(['number', 'auto'] as const)('of ints: %s', (ints) => {
    it('go with the option', () => {
      folder.write(`${ints}.slu`, 'export int f() { return 1; }');
      folder.run('types', `${ints}.slu`, `--ints=${ints}`);
      const import_ = `import type { ${ints === 'auto' ? 'Auto' : 'Number'}Script as Other } from './${ints}.d.ts';`;
      expect(
        typeCheck(`${import_}
        import type { Script } from '${join(root, 'runtime-host/api/node.ts')}';
        const other: Script<Other> = await loadScript<Other>('x.wasm', { ints: '${ints}', permissions: (request) => { console.log(request.kind); throw new Error(); } });
        const changed: Script<Other> = await script.with<Other>({ ints: '${ints}' });
        const value: number ${ints === 'auto' ? '| bigint ' : ''}= other.callSync('f').value;
        console.log(value, changed, (await loadScript('x.wasm', { ints: '${ints}', permissions: ({ kind }) => { throw new Error(kind); } })).exports);`),
      ).toBe('');
      for (const wrong of [
        "await loadScript<Other>('x.wasm');",
        "await loadScript<Other>('x.wasm', {});",
        "await loadScript<Other>('x.wasm', { ints: 'bigint' });",
        "await script.with<Other>({ ints: 'bigint' });",
      ]) {
        const output = typeCheck(`${import_}\nconsole.log(script);\n${wrong}`);
        expect(output.split('\n').filter((line) => /error TS/.test(line)).length, wrong + output).toBe(1);
        expect(output).toMatch(/TS2554|'ints'|"bigint"/);
      }
    });
  });
});
