// Attacks on limits with what the library does in one call: searches that nearly match, texts and values that come out
// far larger than what they were made of, values that hold a part again and again, and many calls that are too small to
// be charged for. Each ends soon behind its limit, in this thread and in a worker.

import { beforeAll, describe, expect, it } from 'vitest';
import { loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { LimitOptions, Script } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);
const MiB = 2 ** 20;

const pair = 'type P { P a; P b; }\n';
const structs = 'P p = null; for (int i = 0; i < 500; i++) p = { a: p, b: p };';
const objects = (name: string, first = 'null'): string =>
  `json ${name} = ${first}; for (int i = 0; i < 500; i++) { json k = {}; k["a"] = ${name}; k["b"] = ${name}; ` +
  `${name} = k; }`;
const lists = (name: string): string =>
  `json ${name} = {}; for (int i = 0; i < 500; i++) { json k = []; k.push(${name}); k.push(${name}); ${name} = k; }`;
const chain = Array.from(
  { length: 60 },
  (_, i) => `int f${i}(int n) { return ${i === 59 ? 'n + 1' : `f${i + 1}(n) + f${i + 1}(n + 1)`}; }`,
).join('\n');
/** So quick that the host lets many iterations pass until the next question. */
const quick = 'int n = 0; for (int i = 0; i < 3000000; i++) n += i & 3;';
const forever = (before: string, each: string): string => `main() { int n = 0; ${before} while (true) { ${each} } }`;
const half = '"a".repeat(200000)';

type Row = readonly [name: string, text: string, types: readonly string[]];
const time = ['TimeoutError', 'QuotaExceededError'];
const memory = [...time, 'MemoryLimitError'];

/** Those that end by themselves, since their work is no more than their texts are long. */
const linear: readonly (readonly [name: string, text: string, result: bigint])[] = [
  [
    'indexOf of what fails at its end',
    `main() { string s = "a".repeat(400000); return s.indexOf(${half} + "b"); }`,
    -1n,
  ],
  [
    'indexOf of what fails in its middle',
    `main() { string s = "a".repeat(400000); return s.indexOf("a".repeat(100000) + "b" + "a".repeat(100000)); }`,
    -1n,
  ],
  [
    'indexOf in what comes again and again',
    'main() { string s = ("a".repeat(1000) + "b").repeat(400); ' +
      'return s.indexOf("a".repeat(999) + "b" + "a".repeat(1001)); }',
    -1n,
  ],
  [
    'lastIndexOf of what fails at its start',
    `main() { string s = "a".repeat(400000); return s.lastIndexOf("b" + ${half}); }`,
    -1n,
  ],
  [
    'lastIndexOf of what fails in its middle',
    'main() { string s = "a".repeat(400000); return s.lastIndexOf("a".repeat(100000) + "b" + "a".repeat(100000)); }',
    -1n,
  ],
  ['contains', `main() { string s = "a".repeat(400000); return s.contains(${half} + "b") ? 1 : 0; }`, 0n],
  ['split', `main() { string s = "a".repeat(400000); return s.split(${half} + "b").length(); }`, 1n],
  ['replace', `main() { string s = "a".repeat(400000); return s.replace(${half} + "b", "x").length(); }`, 400_000n],
];

const rows: readonly Row[] = [
  ['calls that form no circle', `${chain}\nmain() { return f0(1); }`, time],
  [
    'a recursion below a loop',
    'int f(int n) { int sum = 0; for (int i = 0; i < 10000; i++) sum += i; ' +
      'return n == 0 ? sum : f(n - 1) + f(n - 1); }\nmain() { return f(40); }',
    time,
  ],
  [
    'replace that makes a text of 400 million',
    'main() { return "a".repeat(400000).replace("a", "x".repeat(1000)).length(); }',
    memory,
  ],
  ['upper that makes three of one', 'main() { return "\u0390".repeat(20000000).upper().length(); }', memory],
  ['lower of nothing but sigmas', forever('string s = "\u03a3".repeat(8000000);', 'n += s.lower().length();'), memory],
  [
    'startsWith',
    forever('string s = "a".repeat(20000000); string t = "a".repeat(19999999);', 'if (s.startsWith(t)) n++;'),
    memory,
  ],
  [
    'endsWith',
    forever('string s = "a".repeat(20000000); string t = "a".repeat(19999999);', 'if (s.endsWith(t)) n++;'),
    memory,
  ],
  [
    'startsWith of a text that was just joined',
    forever('string s = "a".repeat(10000000);', 's = s + "x"; if (s.startsWith("aa")) n++;'),
    memory,
  ],
  [
    '== of texts that differ at the end',
    forever('string s = "a".repeat(4000); string t = "a".repeat(3999) + "b";', 'if (s == t) n++;'),
    time,
  ],
  [
    'the order of long texts beyond the BMP',
    forever(
      'string s = "a".repeat(8000000) + "\u{1F600}"; string t = "a".repeat(8000000) + "\uE000";',
      'if (s < t) n++;',
    ),
    memory,
  ],
  [
    'searches too short to be charged',
    `main() { ${quick} string s = "a".repeat(4090); string t = "a".repeat(2000) + "b"; ` +
      'while (true) n += s.indexOf(t); }',
    time,
  ],
  [
    'sorts too short to be charged',
    `main() { ${quick} int[] a = new int[255]; while (true) { for (int i = 0; i < 255; ` +
      'i++) a[i] = (i * 7919) & 255; a.sort(); } }',
    time,
  ],
  [
    'joined texts too short to be counted',
    `main() { ${quick} string s = "a".repeat(60000); while (true) { string t = s + "b"; n += t.codeAt(n & 7); } }`,
    memory,
  ],
  [
    'a search in texts that begin alike',
    forever(
      'string[] a = new string[100]; string x = "a".repeat(100000); for (int i = 0; i < 100; ' +
        'i++) a[i] = x + i.toString();',
      'n += a.indexOf(x + "zz");',
    ),
    memory,
  ],
  [
    'a sort of texts that begin alike',
    forever(
      'string[] a = new string[1000]; string x = "a".repeat(20000);',
      'for (int i = 0; i < 1000; i++) a[i] = x + (i * 7919 % 1000).toString(); a.sort();',
    ),
    memory,
  ],
  [
    'a sort of millions',
    forever(
      'int[] a = new int[4000000]; int x = 1; for (int i = 0; i < a.length(); i++) { ' +
        'x = x * 1103515245 + 12345 & 0x7fffffff; a[i] = x; }',
      'a.sort();',
    ),
    memory,
  ],
  ['a struct of 2^500 parts as text', `${pair}main() { ${structs} return \`\${p}\`.length(); }`, memory],
  ['a struct of 2^500 parts that is yielded', `${pair}main() { ${structs} yield p; }`, memory],
  ['a struct of 2^500 parts as result', `${pair}main() { ${structs} return p; }`, memory],
  ['a struct of 2^500 parts as json', `${pair}main() { ${structs} json j = p as json; return j.size(); }`, memory],
  [
    'a json of 2^500 parts as a struct',
    `${pair}main() { ${objects('j')} P p = j as P; return p == null ? 1 : 2; }`,
    memory,
  ],
  ['a json of 2^500 parts that is yielded', `main() { ${objects('j')} yield j; }`, memory],
  ['a json of 2^500 parts as result', `main() { ${objects('j')} return j; }`, memory],
  [
    'a comparison of 2^500 parts',
    `main() { ${objects('j', '{}')} ${objects('o', '{}')} return j == o ? 1 : 2; }`,
    memory,
  ],
  ['a template of 2^500 parts', `main() { ${objects('j')} return \`\${j}\`.length(); }`, memory],
  ['stringify of 2^500 parts', `main() { ${objects('j')} return Json.stringify(j).length(); }`, memory],
  ['a copy of 2^500 parts', `main() { ${objects('j')} return j.copy().size(); }`, memory],
  ['an array of 2^500 parts that is yielded', `main() { ${lists('j')} yield j; }`, memory],
  ['a comparison of arrays of 2^500 parts', `main() { ${lists('j')} ${lists('o')} return j == o ? 1 : 2; }`, memory],
  ['stringify of arrays of 2^500 parts', `main() { ${lists('j')} return Json.stringify(j, false).length(); }`, memory],
  ['a copy of arrays of 2^500 parts', `main() { ${lists('j')} return j.copy().size(); }`, memory],
  [
    'a struct that holds itself, again and again',
    `${pair}main() { P p = { a: null, b: null }; p.a = p; ${quick} while (true) { try { n += \`\${p}\`.length(); ` +
      '} catch (e) { n++; } } }',
    time,
  ],
  ['a long text in a template', forever('string[] a = ["\\"".repeat(4000000)];', 'n += `${a}`.length();'), memory],
  ['parse', forever('string s = "[" + "[1,2],".repeat(500000) + "0]";', 'n += Json.parse(s).size();'), memory],
  [
    'hashes of long keys',
    forever('json j = {}; string s = "k".repeat(10000000);', 'j[s.substring(0, 9999990)] = 1;'),
    memory,
  ],
  [
    'comparisons of long keys',
    forever(
      'json j = {}; string s = "k".repeat(1000000) + "x"; j[s] = 1; string t = "k".repeat(1000000) + "x";',
      'n += j.getInt(t, 0);',
    ),
    memory,
  ],
  [
    'keys',
    forever('json j = {}; for (int i = 0; i < 20000; i++) j[i.toString()] = i;', 'n += j.keys().length();'),
    memory,
  ],
  ['trim', forever('string s = " ".repeat(8000000);', 'n += s.trim().length();'), memory],
  ['toInt', forever('string s = "1".repeat(8000000);', 'n += s.toInt(0);'), memory],
  ['toDouble', forever('string s = "1".repeat(8000000); double x = 0.0;', 'x += s.toDouble(0.0);'), memory],
  ['join', forever('string[] a = new string[500000]; a.fill("abc");', 'n += a.join(",").length();'), memory],
  ['repeat', forever('', 'string s = "ab".repeat(20000000); n += s.codeAt(n & 1);'), memory],
  ['split into characters', forever('string s = "ab".repeat(200000);', 'n += s.split("").length();'), memory],
  ['split at each other character', forever('string s = ",a".repeat(200000);', 'n += s.split(",").length();'), memory],
  [
    'replace between all characters',
    forever('string s = "ab".repeat(200000);', 'n += s.replace("", "-").length();'),
    memory,
  ],
  ['reverse', forever('boolean[] a = new boolean[40000000];', 'a.reverse();'), memory],
  ['indexOf in an array', forever('boolean[] a = new boolean[40000000];', 'n += a.indexOf(true);'), memory],
  ['sum', forever('int[] a = new int[5000000];', 'n += a.sum();'), memory],
  ['insert in front', forever('string[] a = new string[2000000];', 'a.insert(0, "x"); a.pop();'), memory],
];

interface Ended {
  readonly outcome: unknown;
  readonly afterMs: number;
}

async function end(script: Script): Promise<Ended> {
  const began = performance.now();
  const run = script.run();
  const outcome = await run.result.catch((error: unknown) => {
    if (!(error instanceof ScriptError)) throw error;
    return error.name;
  });
  return { outcome, afterMs: performance.now() - began };
}

/** A quarter of a second is what it takes at most on a quiet machine; this leaves room for a busy one. */
const grace = 4000;

describe.each<[where: string, isolation: 'none' | 'worker']>([
  ['in this thread', 'none'],
  ['in a worker', 'worker'],
])('%s', (_where, isolation) => {
  const load = async (text: string, limits: LimitOptions): Promise<Script> => {
    const { artifact, diagnostics } = await compile('test.slu', text);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return loadScript(artifact!.wasm, { limits, isolation, workerUrl });
  };

  // The first worker takes long to start.
  beforeAll(async () => void (await end(await load('main() { return 1; }', {}))));

  it.each(linear)('%s ends by itself', async (_name, text, result) => {
    const { outcome, afterMs } = await end(await load(text, { timeMs: 2000, memoryBytes: 64 * MiB }));
    expect(outcome).toBe(result);
    expect(afterMs).toBeLessThan(2000);
  });

  it.each(rows)('%s ends in time', async (_name, text, types) => {
    const { outcome, afterMs } = await end(await load(text, { timeMs: 150, memoryBytes: 64 * MiB }));
    expect(types).toContain(outcome);
    expect(afterMs).toBeLessThan(150 + grace);
  });

  it.each(rows)('%s ends for want of fuel', async (_name, text, types) => {
    const { outcome, afterMs } = await end(await load(text, { fuel: 20_000, memoryBytes: 64 * MiB }));
    expect(types).toContain(outcome);
    expect(outcome).not.toBe('TimeoutError');
    expect(afterMs).toBeLessThan(grace);
  });
});
