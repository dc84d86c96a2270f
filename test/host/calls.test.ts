// Exported functions, called by name: values in and out, instances, and what each mistake is told.

import { describe, expect, it } from 'vitest';
import { ArgumentError, HostError, loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { Script, ScriptInstance, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

async function load(text: string, options: ScriptOptions = {}): Promise<Script> {
  const { artifact, diagnostics } = await compile('lib.slu', text);
  expect(diagnostics).toEqual([]);
  return loadScript(artifact!.wasm, options);
}

function failure(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing failed');
}

const library = `
type Point { double x; string label; int[] marks; }
type Node { int value; Node next; }

export double integrate(double from, double to, int steps = 4) {
  double sum = 0.0;
  for (int i = 0; i < steps; i++) sum += (to - from) / steps;
  return sum;
}
export int next(int x) { return x + 1; }
export boolean not(boolean b) { return !b; }
export string greet(string name, string greeting = "hello") { return \`\${greeting} \${name}\`; }
export string upTo(int n = 3, int from = n - 2) { return \`\${from}..\${n}\`; }
export Point move(Point p, double by) { return p == null ? null : { x: p.x + by, label: p.label, marks: p.marks }; }
export int total(int first, int ...rest[]) { return first + rest.sum(); }
export int rows(int[] ...rows[]) { return rows.length(); }
export string join(string ...parts[]) { return parts.join("-"); }
export boolean[] flip(boolean[] bits) { return [!bits[0]]; }
export int length(Node n) { return n == null ? 0 : 1 + length(n.next); }
export void count(int n) { for (int i = 0; i < n; i++) yield i; }
export int refuse(string why) { if (why != null) throw why; return 0; }
export json pick(json of, string key = "a") { yield of; return of[key]; }
`;

describe('a call', () => {
  const calls: readonly (readonly [call: string, name: string, values: readonly unknown[], value: unknown])[] = [
    ['of doubles', 'integrate', [0, 1, 8n], 1],
    ['with a default', 'integrate', [0, 1], 1],
    ['with undefined for a default', 'integrate', [0, 1, undefined], 1],
    ['of an int', 'next', [2n ** 62n], 2n ** 62n + 1n],
    ['of a safe integer', 'next', [-1], 0n],
    ['of a boolean', 'not', [false], true],
    ['of texts', 'greet', ['you'], 'hello you'],
    ['of texts without defaults', 'greet', ['you', 'bye'], 'bye you'],
    ['with a default of an earlier parameter', 'upTo', [10], '8..10'],
    ['with defaults alone', 'upTo', [], '1..3'],
    ['of a struct', 'move', [{ x: 1, label: 'a', marks: [1] }, 2], { x: 3, label: 'a', marks: BigInt64Array.of(1n) }],
    ['of null', 'move', [null, 2], null],
    ['without variadic arguments', 'total', [1], 1n],
    ['with variadic arguments', 'total', [1, 2n, 3], 6n],
    ['with an array for the variadic ones', 'total', [1, [2, 3]], 6n],
    ['with a typed array for the variadic ones', 'total', [1, BigInt64Array.of(2n, 3n)], 6n],
    ['with variadic arrays', 'rows', [[1], [2]], 2n],
    ['with one variadic array', 'rows', [[1, 2]], 1n],
    ['with an array of variadic arrays', 'rows', [[[1], [2], null]], 3n],
    ['with variadic texts', 'join', ['a', 'b'], 'a-b'],
    ['of an array', 'flip', [[true]], [false]],
    ['of a list', 'length', [{ value: 1, next: { value: 2, next: null } }], 2n],
  ];
  it.each(calls)('%s', async (_call, name, values, value) => {
    const script = await load(library);
    expect(script.callSync(name, ...values)).toEqual({ value, yields: [] });
    expect(await script.call(name, ...values)).toEqual({ value, yields: [] });
    const instance = script.instance();
    for (let iteration = 0; iteration < 3; iteration++)
      expect(instance.callSync(name, ...values)).toEqual({ value, yields: [] });
    expect(await instance.call(name, ...values)).toEqual({ value, yields: [] });
  });

  it('of a void function gives undefined, and what was yielded', async () => {
    const instance = (await load(library)).instance();
    for (let iteration = 0; iteration < 2; iteration++)
      expect(instance.callSync('count', 2)).toEqual({ value: undefined, yields: [0n, 1n] });
  });

  it('of json takes and gives plain data', async () => {
    const script = await load(library);
    expect(script.callSync('pick', { a: [1, 2.5, { b: null }], c: 'x' })).toEqual({
      value: [1, 2.5, { b: null }],
      yields: [{ a: [1, 2.5, { b: null }], c: 'x' }],
    });
    expect(script.callSync('pick', { c: 2n ** 60n }, 'c').value).toBe(2n ** 60n);
    expect(failure(() => script.callSync('pick', { a: () => 1 })).message).toMatch(/^pick: of/);
  });

  it('gives structs without a prototype', async () => {
    const { value } = (await load(library)).callSync('move', { x: 1, label: null, marks: null }, 1);
    expect(Object.getPrototypeOf(value)).toBeNull();
  });

  const refused: readonly (readonly [
    name: string,
    values: readonly unknown[],
    message: string,
    parameter: string | null,
  ])[] = [
    ['nxt', [1], 'there is no exported function nxt: did you mean next?', null],
    ['integrate', [0], 'missing argument to: call integrate(double from, double to, int steps = …)', 'to'],
    [
      'integrate',
      [0, undefined, 3],
      'missing argument to: call integrate(double from, double to, int steps = …)',
      'to',
    ],
    [
      'integrate',
      [0, 1, 2, 3],
      'integrate takes 3 arguments, not 4: call integrate(double from, double to, int steps = …)',
      null,
    ],
    ['integrate', [0, '1'], 'integrate: to: expected double, got string', 'to'],
    ['integrate', [0, 1, 1.5], 'integrate: steps: expected int, got double', 'steps'],
    ['next', [2n ** 63n], 'next: x: expected int, got 9223372036854775808, which is beyond 64 bits', 'x'],
    [
      'next',
      [2 ** 53],
      'next: x: expected int, got the number 9007199254740992, which is not exact: pass a bigint beyond 2^53',
      'x',
    ],
    ['not', [1], 'not: b: expected boolean, got int', 'b'],
    ['move', [{ x: 1, label: '' }, 2], 'move: p.marks: missing', 'p'],
    ['move', [{ x: 1, label: '', marks: ['1'] }, 2], 'move: p.marks[0]: expected int, got string', 'p'],
    ['total', [1, 2, '3'], 'total: rest[1]: expected int, got string', 'rest'],
    ['total', [], 'missing argument first: call total(int first, int ...rest[])', 'first'],
    ['join', [5], 'join: parts[0]: expected string, got int', 'parts'],
  ];
  it.each(refused)('%s(%o) is refused', async (name, values, message, parameter) => {
    const script = await load(library);
    const instance = script.instance();
    for (const iteration of [
      () => script.callSync(name, ...values),
      () => instance.callSync(name, ...values),
      () => instance.callSync(name, ...values),
    ]) {
      const error = failure(iteration);
      expect(error).toBeInstanceOf(ArgumentError);
      expect(error).toMatchObject({ name: 'TypeError', message, parameter, stack: `TypeError: ${message}` });
    }
    await expect(script.call(name, ...values)).rejects.toThrow(message);
    expect(instance.callSync('next', 1).value).toBe(2n);
  });

  it('of what is no name, or of nothing that is exported, is refused', async () => {
    const script = await load('main() { return 1; }');
    expect(script.exports).toEqual([]);
    expect(failure(() => script.callSync('f')).message).toBe(
      'there is no exported function f: lib.slu exports none: write export before a function',
    );
    expect(failure(() => (script.callSync as (name: unknown) => unknown)(undefined)).message).toBe(
      'the first argument of a call is the name of a function, not undefined',
    );
    const other = await load('int hidden() { return 1; }\nexport int shown() { return hidden(); }');
    expect(failure(() => other.callSync('toString')).message).toBe(
      'there is no exported function toString: lib.slu exports shown',
    );
    expect(failure(() => other.callSync('hidden')).message).toBe(
      'there is no exported function hidden: lib.slu exports shown',
    );
  });

  it('throws the errors of the script, with their stacks', async () => {
    const text =
      'export int half(int a, int b) {\n  return inner(a, b);\n}\nint inner(int a, int b) {\n  return a / b;\n}\n' +
      'export string text(string s) {\n  return `${half(s.length(), 0)}`;\n}';
    const script = await load(text);
    const direct = failure(() => script.callSync('half', 1, 0));
    expect(direct).toBeInstanceOf(ScriptError);
    expect(direct.stack).toBe(
      'DivisionByZeroError: division by zero\n    at inner (lib.slu:5:10)\n    at half (lib.slu:2:10)',
    );
    const streamed = failure(() => script.callSync('text', 'a'));
    expect(streamed.stack).toBe(
      'DivisionByZeroError: division by zero\n    at inner (lib.slu:5:10)\n    at half (lib.slu:2:10)\n' +
        '    at text (lib.slu:8:13)',
    );
    await expect(script.call('text', null)).rejects.toMatchObject({ name: 'NullAccessError' });
  });
});

describe('an instance', () => {
  const counter =
    'int made = start();\nint start() { yield "begun"; return 10; }\nexport int next() { made++; return made; }\n' +
    'export int fail(boolean b) { made += 100; if (b) throw "failed"; return 0; }\n' +
    'export int deep(int n) { return deep(n + 1) + 1; }\nmain() { return next(); }';

  it('keeps its globals, which each of script.call sets anew', async () => {
    const script = await load(counter);
    const instance = script.instance();
    expect(instance.callSync('next')).toEqual({ value: 11n, yields: ['begun'] });
    expect(instance.callSync('next')).toEqual({ value: 12n, yields: [] });
    expect(script.callSync('next')).toEqual({ value: 11n, yields: ['begun'] });
    expect(script.instance().callSync('next').value).toBe(11n);
    expect(await script.run().result).toBe(11n);
  });

  it('goes on after an error of the script, its globals as they were then', async () => {
    const instance = (await load(counter)).instance();
    expect(failure(() => instance.callSync('fail', true)).message).toBe('failed');
    expect(instance.callSync('next')).toEqual({ value: 111n, yields: [] });
  });

  it('has ended after what the script could not have caught', async () => {
    const instance = (await load(counter)).instance();
    expect(failure(() => instance.callSync('deep', 0)).name).toBe('StackOverflowError');
    const refusal = failure(() => instance.callSync('next'));
    expect(refusal).toBeInstanceOf(HostError);
    expect(refusal.message).toMatch(
      /^this instance has ended \(StackOverflowError: calls are nested too deep: .*\): make another with script\.instance\(\)$/,
    );
  });

  it('has ended if its globals could not be set', async () => {
    const script = await load('int[] none = [];\nint first = none[0];\nexport int get() { return first; }');
    const instance = script.instance();
    expect(failure(() => instance.callSync('get')).stack).toBe(
      'IndexOutOfBoundsError: index 0 is out of bounds for length 0\n    at <globals> (lib.slu:2:13)',
    );
    expect(failure(() => instance.callSync('get')).message).toContain(
      'this instance has ended (IndexOutOfBoundsError: index 0',
    );
  });

  it('refuses calls from within a call', async () => {
    let instance: ScriptInstance | null = null;
    const refusals: Error[] = [];
    const clock = (): number => {
      if (instance === null) return 5;
      refusals.push(failure(() => instance!.callSync('now')));
      return 7;
    };
    const script = await load('export int now() { return Date.now(); }\nexport string text() { return `${now()}`; }', {
      clock,
    });
    instance = script.instance();
    expect(instance.callSync('now').value).toBe(7n);
    expect(instance.callSync('text').value).toBe('7');
    expect(refusals.map(({ message }) => message)).toEqual(
      Array(2).fill(
        'this instance is in a call already: a function that the script calls cannot call back into it; ' +
          'make another with script.instance()',
      ),
    );
    const other = script.instance();
    instance = null;
    expect(other.callSync('now').value).toBe(5n);
  });

  it('refuses calls from within its arguments too', async () => {
    const instance = (
      await load('type P { int x; }\nint calls = 0;\nexport int take(P p) { calls++; return p.x * 10 + calls; }')
    ).instance();
    const p = {
      get x() {
        return instance.callSync('take', { x: 1 }).value;
      },
    };
    expect(instance.callSync('take', p).value).toBe(112n);
  });

  it('ends with an error of a function of the embedder', async () => {
    const instance = (
      await load('export int now() { return Date.now(); }', {
        clock: () => {
          throw new RangeError('no clock');
        },
      })
    ).instance();
    expect(failure(() => instance.callSync('now'))).toBeInstanceOf(RangeError);
    expect(failure(() => instance.callSync('now')).message).toContain('this instance has ended (RangeError: no clock)');
  });

  it('gives what a failed call had yielded with its error, and not with the next call', async () => {
    const instance = (await load('export int f(int n) { yield n; return 1 / n; }')).instance();
    expect(failure(() => instance.callSync('f', 0))).toMatchObject({ name: 'DivisionByZeroError', yields: [0n] });
    expect(instance.callSync('f', 1)).toEqual({ value: 1n, yields: [1n] });
  });

  it('gives what was yielded while a limit was tidied up', async () => {
    const script = await load(
      'export int f() { try { int[] x = new int[9_000_000_000_000]; return x.length(); } ' +
        'catch (MemoryLimitError e) { yield "so far"; return 0; } }',
    );
    expect(failure(() => script.callSync('f'))).toMatchObject({ name: 'MemoryLimitError', yields: ['so far'] });
  });

  it('draws the same numbers from the same seed', async () => {
    const script = await load('export double draw() { return Math.random(); }', { random: 5 });
    expect(script.callSync('draw')).toEqual(script.instance().callSync('draw'));
    const instance = script.instance();
    expect(instance.callSync('draw')).not.toEqual(instance.callSync('draw'));
  });
});

describe('a script at top level with exports', () => {
  const text = 'int a = 3;\nyield "ran";\nint b = a * 2;\nexport int get() { return b; }\nb += 100;\nreturn get();';

  it('runs its statements in a run, and its declarations alone before a call', async () => {
    const script = await load(text);
    expect(script.callSync('get')).toEqual({ value: 6n, yields: [] });
    expect(await script.run().result).toBe(106n);
  });
});

describe('a library', () => {
  it('says what it exports, and that it has nothing to run', async () => {
    const script = await load(library);
    expect(script.exports.find(({ name }) => name === 'integrate')).toEqual({
      name: 'integrate',
      parameters: [
        { name: 'from', type: 'double', required: true, variadic: false },
        { name: 'to', type: 'double', required: true, variadic: false },
        { name: 'steps', type: 'int', required: false, variadic: false },
      ],
      returns: 'double',
      outputs: { yields: [], returns: ['double'], returnsNothing: false },
    });
    expect(script.exports.find(({ name }) => name === 'total')!.parameters[1]).toEqual({
      name: 'rest',
      type: { array: 'int' },
      required: false,
      variadic: true,
    });
    expect(script.exports.find(({ name }) => name === 'count')!.returns).toBeNull();
    expect(failure(() => script.run()).message).toMatch(
      /^lib\.slu has nothing to run: it has neither a main nor statements at top level; call\(name, …\) calls what it exports: integrate, next, /,
    );
  });
});
