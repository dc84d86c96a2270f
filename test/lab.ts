// A plugin for the conformance cases of plugins, with a function for each way that values go.

import { defineModule } from '../runtime-host/api/plugins.ts';
import type { PluginContext } from '../runtime-host/api/plugins.ts';

interface Point {
  readonly x: number;
  readonly label: string | null;
}

const wait = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

export const lab = defineModule({
  name: 'Lab',
  documentation: 'Functions of every kind.',
  types: ['type Point { double x; string label; }', 'type Path { Point[] points; Path next; }'],
  functions: {
    'double half(double x)': (x: number) => x / 2,
    'int next(int n, int by = 1)': (n: bigint, by: bigint) => n + by,
    'boolean both(boolean a, boolean b)': (a: boolean, b: boolean) => a && b,
    'double mean(double[] xs)': (xs: Float64Array) => xs.reduce((sum, x) => sum + x, 0) / xs.length,
    'int[] twice(int[] ns)': (ns: BigInt64Array) => ns.map((n) => 2n * n),
    'string[] words(string text, string between = " ")': (text: string, between: string) => text.split(between),
    'string? find(string? text, string[] among)': (text: string | null, among: readonly string[]) =>
      among.find((item) => item === text) ?? null,
    'boolean[] flip(boolean[] flags)': (flags: readonly boolean[]) => flags.map((flag) => !flag),
    'json wrap(json value, string key)': (value: unknown, key: string) => ({ [key]: value }),
    'Point move(Point p, double by)': ({ x, label }: Point, by: number) => ({ x: x + by, label }),
    'Path lead(Point[] points)': (points: readonly Point[]) => ({
      points: points.slice(0, 1),
      next: { points: points.slice(1), next: null },
    }),
    'void note(string text)': () => {},
    'int count(json value)': (value: object) => Object.keys(value).length,
    'string later(string text)': async (text: string) => {
      await wait();
      return `${text}!`;
    },
    'int soon(int n)': {
      async: true,
      call: (n: bigint) => wait().then(() => n + 1n),
    },
    'string shout()': { on: 'string', call: (text: string) => text.toUpperCase() },
    'double spread(double scale = 1.0)': {
      on: 'double[]',
      call: (xs: Float64Array, scale: number) => (Math.max(...xs) - Math.min(...xs)) * scale,
    },
    'boolean isFar()': { on: 'Point', call: ({ x }: Point) => x > 100 },
    'string ask(string question)': {
      permission: 'lab:ask',
      call: (question: string, { constraints }: PluginContext) =>
        `${question} ${String(constraints['answer'] ?? 'anything')}`,
    },
    'double breakDown(double x)': () => {
      throw new Error('a secret of the host');
    },
    'string breakLater(string text)': async () => {
      await wait();
      throw new Error('a secret of the host');
    },
    'int lie(double x)': (x: number) => x,
    'string forget(string text)': () => null,
  },
});
