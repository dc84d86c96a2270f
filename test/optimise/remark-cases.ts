// Scripts in which a pass gives a reason, each with what is said of one loop of it.

import type { ReasonKey } from '../../src/4-optimise/remarks/reasons.ts';

interface RemarkCase {
  readonly reason: ReasonKey;
  readonly script: string;
  readonly says: string;
}

/** A script around a loop. */
function around(...lines: readonly string[]): string {
  return [
    'int f(int x) { yield x; return x; }',
    'main(int n = 3, int m = 2) {',
    '  int sum = 0;',
    ...lines.map((line) => `  ${line}`),
    '  return sum;',
    '}',
    '',
  ].join('\n');
}

/** A script with a nest: of a matrix `b`, an array `xs`, and a body for all `j` and `i`. */
function nest(body: string, head = 'for (int i = 0; i < n; i++)', before = ''): string {
  return around(
    'int[] xs = new int[n];',
    'int[][] b = new int[n][n];',
    before,
    'for (int j = 1; j < n; j++)',
    `  ${head}`,
    `    ${body}`,
  );
}

const oneByOne = 'works on one of its iterations at a time, since';
const made = 'made of the variables of loops, and of variables that stay the same, by +, - and *';

const nestCases: readonly RemarkCase[] = [
  {
    reason: 'rotated',
    script: `
      double[] step(double[] a, double[] b, int n, int steps) {
        double[] now = a;
        double[] next = b;
        for (int k = 0; k < steps; k++) {
          for (int i = 0; i < n; i++) next[i] = now[i] * 0.5;
          double[] held = now;
          now = next;
          next = held;
        }
        return now;
      }
      main(int n) { return step(new double[n], new double[n], n, n)[0]; }
    `,
    says: "does 2 of its iterations in one, behind which arrays are back where they were: 'now' and 'next'",
  },
  {
    reason: 'calleesInNest',
    script: `
      void half(double[] a, int n) { for (int i = 0; i < n; i++) a[i] *= 0.5; }
      void halves(double[] a, int n, int steps) { for (int k = 0; k < steps; k++) half(a, n); }
      main(int n) { halves(new double[n], n, n); }
    `,
    says: "does in one with its loops what it calls: 'half(a, n)'",
  },
  { reason: 'jammed', script: nest('xs[j] += b[j][i];'), says: 'works on 4 of its iterations at once' },
  {
    reason: 'transposed',
    script: around(
      'double[][] a = new double[n][m];',
      'double[] xs = new double[n];',
      'double[] ys = new double[m];',
      'for (int k = 0; k < m; k++)',
      '  for (int j = 0; j < n; j++)',
      '    for (int i = 0; i < m; i++) xs[j] += a[j][i] * ys[i];',
    ),
    says: 'works on 2 elements of each row in one instruction',
  },
  {
    reason: 'unrolled',
    script: around(
      'int[] last = new int[n];',
      'int[] next = new int[n];',
      'for (int j = 0; j < m; j++) {',
      '  for (int i = 1; i < n; i++) next[i] = (last[i - 1] + j).min(next[i - 1] + 1);',
      '  for (int i = 0; i < n; i++) last[i] = next[i];',
      '}',
    ),
    says: 'does 4 of its iterations one behind another before it looks whether to go on',
  },
  {
    reason: 'packed',
    script: nest('for (int k = 0; k < n; k++) b[j][i] += xs[k];'),
    says: "copies to linear memory in front of it, where its work is worth that: 'b' and 'xs'",
  },
  {
    reason: 'resident',
    script: `
      main(int n) {
        double[] xs = new double[n];
        for (int t = 0; t < n; t++) for (int i = 1; i < n; i++) xs[i] += xs[i - 1] * 0.5;
        return xs[n - 1];
      }
    `,
    says: "works on what lies in linear memory: 'xs'",
  },
  {
    reason: 'rowsLookedAt',
    script: `
      double[][] grow(int n) {
        double[][] a = [];
        for (int i = 0; i < n; i++) a.push(new double[n]);
        return a;
      }
      main(int n) {
        double[][] a = grow(n);
        double[] y = new double[n];
        for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[i] += a[i][j] * a[j][k];
        return y;
      }
    `,
    says: "makes sure in front of it that rows are equally long, and no two the same where it sets some: 'a'",
  },
  {
    reason: 'vectorised',
    script: nest('for (int k = 0; k < n; k++) b[j][i] += xs[k];'),
    says: 'works on 2 of its iterations in one instruction',
  },
  {
    reason: 'nestUnchecked',
    script: nest('xs[j] += b[j][i];'),
    says: "checks indices in front of the loop at 7:3, not inside: 'xs[j]' and 'b[j][i]'",
  },
  {
    reason: 'nestPromoted',
    script: nest('xs[j] += b[j][i];'),
    says: "keeps in a variable until it ends: 'xs[j]'",
  },
  {
    reason: 'nestCalls',
    script:
      'int least(int[] ys) { ys.sort(); return ys[0]; }\n' + nest('{ if (i > j) sum += least(xs); b[j][i] = i; }'),
    says: `${oneByOne} 'least(xs)' is called at 10:27`,
  },
  {
    reason: 'nestLibraryCalls',
    script: nest('{ xs.push(i); b[j][i] = i; }'),
    says: `${oneByOne} 'xs.push(i)' is called at 9:9`,
  },
  ...(
    [
      ['for (int i = 0; i < n; i++) near[i] = size(p[i]) + 1.0;', "'size(p[i])' at 8:41"],
      [
        'for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (size(p[j]) > i) near[i] += 2;',
        "'size(p[j])' at 8:63",
      ],
    ] as const
  ).map(([loop, call]): RemarkCase => ({
    reason: 'nestCallInside',
    script:
      'double size(double[] a) { double s = 0.0; for (int k = 0; k < 9; k++) s += a[k]; a[0] = s; return s; }\n' +
      around('double[][] p = new double[n][9];', 'double[] near = new double[n];', '', loop, 'sum = near[0].toInt();'),
    says: `${oneByOne} ${call} is called in the middle of a statement`,
  })),
  { reason: 'nestWaits', script: nest('b[j][i] += f(i);'), says: `${oneByOne} 'f(i)' at 9:18 lets the host run` },
  {
    reason: 'nestWaits',
    script: nest('{ b[j][i] += i; yield i; }'),
    says: `${oneByOne} 'yield' at 9:23 lets the host run`,
  },
  ...(['break;', 'continue;', 'return 3;', 'throw "x";'] as const).map((statement): RemarkCase => ({
    reason: 'nestLeaves',
    script: nest(`{ if (i > j) ${statement} else if (i == 3) b[j][i]--; b[j][i] += i; }`),
    says: `${oneByOne} ${/\w+/.exec(statement)![0]} at 9:20 leaves a loop, or an iteration, before its end`,
  })),
  {
    reason: 'nestMayFail',
    script: nest('b[j][i] += n / (i + 1);'),
    says: `${oneByOne} 'n / (i + 1)' at 9:18 may fail`,
  },
  {
    reason: 'nestFieldSet',
    script:
      'type Box { int sum; }\n' +
      nest(
        '{ b[j][i] += i; box.sum += i; }',
        undefined,
        'Box[] boxes = [{ sum: 0 }]; yield boxes; Box box = boxes[0];',
      ),
    says: `${oneByOne} 'box.sum', which is set at 10:23, is a field`,
  },
  {
    reason: 'nestGlobalSet',
    script: 'int seed = 1;\nint next() { seed = (seed * 5 + 1) & 1023; return seed; }\n' + nest('b[j][i] += next();'),
    says: `${oneByOne} 'seed', which is set at 2:14, is seen by other functions`,
  },
  {
    reason: 'nestGlobalSet',
    script: 'int seed = 1;\nint last() { return seed; }\n' + nest('{ seed = i; b[j][i] += last(); }'),
    says: `${oneByOne} 'seed', which is set at 11:9, is seen by other functions`,
  },
  ...(
    [
      ['{ Box box = { sum: i }; b[j][i] += box.sum; other = box; }', "'{ sum: i }' at 10:19"],
      ['try { b[j][i] += i; } catch (e) { }', 'try at 10:7'],
    ] as const
  ).map(([body, what]): RemarkCase => ({
    reason: 'nestDoes',
    script:
      'type Box { int sum; }\n' +
      nest(body, undefined, 'Box[] boxes = [{ sum: 0 }]; yield boxes; Box other = boxes[0];'),
    says: `${oneByOne} ${what} does something else than to work on numbers, in variables and in elements of arrays`,
  })),
  {
    reason: 'nestIndex',
    script: nest('b[j][i / 2] = i;'),
    says: `${oneByOne} the index 'i / 2' at 9:12 is not ${made}`,
  },
  {
    reason: 'nestLimit',
    script: nest('b[j][i] = i;', 'for (int i = 0; i < `ab`.codeAt(n); i++)'),
    says: `${oneByOne} '\`ab\`.codeAt(n)' at 8:25, where a loop begins or ends, is not ${made}`,
  },
  ...(
    [
      ['for (int i = xs[j] ^ 1; i < n; i++)', "'xs[j] ^ 1' at 8:18"],
      ['for (int i = 0; i < j / 2; i++)', "'j / 2' at 8:25"],
    ] as const
  ).map(([head, limit]): RemarkCase => ({
    reason: 'nestLimitVaries',
    script: nest('b[j][i] = i;', head),
    says: `${oneByOne} ${limit}, where a loop begins or ends, is not ${made}`,
  })),
  {
    reason: 'nestIndexRead',
    script: nest('b[j][xs[i]] = i;'),
    says: `${oneByOne} the index 'xs[i]' at 9:12 comes out of an array`,
  },
  {
    reason: 'nestReadsOwn',
    script: nest('xs[xs[i]] += b[j][i];'),
    says:
      `${oneByOne} 'xs[i]' at 9:10, whose place is worked out or comes out of an array, ` +
      'may be one that the loop sets',
  },
  {
    reason: 'nestUncounted',
    script: nest('b[j][i] = i;', 'for (int i = 0; i != n; i++)'),
    says: `${oneByOne} 'for (int i = 0; i != n; i++)' at 8:5 does not count by the same amount from a start to a limit`,
  },
  {
    reason: 'nestVariable',
    script: nest('b[j][i] = i;', 'for (i = 0; i < n; i++)', 'int i = 0;').replace('return sum', 'return i'),
    says: `${oneByOne} 'i' is read outside of the loop at 8:5, which counts it`,
  },
  {
    reason: 'nestArrayChanges',
    script: nest('{ xs[i] += j; xs = new int[n]; }'),
    says: `${oneByOne} 'xs' may be another array each time: 'xs' is set at 9:21`,
  },
  {
    reason: 'nestArrayWorkedOut',
    script: nest('{ int[] zs = n > 3 ? xs : b[0]; zs[i] = j; }'),
    says: `${oneByOne} the array 'n > 3 ? xs : b[0]' at 9:20 is worked out each time`,
  },
  {
    reason: 'nestArrayVaries',
    script: nest('{ int[] zs = n > i ? xs : b[0]; zs[i] = j; }'),
    says: `${oneByOne} the array 'n > i ? xs : b[0]' at 9:20 is another one each time`,
  },
  {
    reason: 'nestArrayVaries',
    script:
      'int[] upTo(int i) { int[] ys = []; for (int k = 0; k < i; k++) ys.push(k); return ys; }\n' +
      nest('xs[j] += x;', 'foreach (int x in upTo(j))'),
    says: `${oneByOne} the array 'upTo(j)' at 9:23 is another one each time`,
  },
  {
    reason: 'nestRowsDiffer',
    script: nest('b[j][i] = i;', undefined, 'b[0] = xs;'),
    says: `${oneByOne} rows of 'b' may differ in length, or be the same: a row of 'b' is stored at 6:3`,
  },
  {
    reason: 'nestElementNeeded',
    script: nest('b[j][0] += b[j - 1][i];'),
    says: `${oneByOne} 'b[j - 1][i]' at 9:18 may be the same element as 'b[j][0]' at 9:7 of an iteration before`,
  },
  {
    reason: 'nestValueNeeded',
    script: nest('sum = b[j][i] - sum;'),
    says: `${oneByOne} 'sum', which is set at 9:7, goes from each iteration to the next`,
  },
];

/** A script with the function `size` in front of `around`. */
function withSize(...lines: readonly string[]): string {
  return 'int size(int[] seen, int x) { seen[0] = x; return x > 3 ? x * x : 3; }\n' + around(...lines);
}

const obstacleCases: readonly RemarkCase[] = [
  {
    reason: 'nestNoGain',
    script: nest('b[j][i] = xs[i] + j;'),
    says: 'works on one of its iterations at a time, as fast as on several: nothing in it has to be waited for',
  },
  {
    reason: 'nestNoGain',
    script: around(
      'for (int i = 2; i * i < n; i++) if (!sieve[i]) for (int k = i * i; k < n; k += i) sieve[k] = true;',
    ).replace('int sum = 0;', 'int sum = 0; boolean[] sieve = new boolean[n];'),
    says: 'works on one of its iterations at a time, as fast as on several: nothing in it has to be waited for',
  },
  {
    reason: 'nestFew',
    script: nest('for (int k = 0; k < n; k++) b[j][i] += xs[k];').replace('j < n', 'j < 3'),
    says: `${oneByOne} it never makes as many as 4`,
  },
  {
    reason: 'nestFew',
    script: nest('xs[j] += b[j][i];').replace('j < n', 'j < 3'),
    says: `${oneByOne} it never makes as many as 4`,
  },
  {
    reason: 'nestUnfit',
    script: nest('xs[j] += i;', 'for (int i = 0; i < 100000000; i++)'),
    says: `${oneByOne} the loops in it never make enough iterations for more, or make too many`,
  },
  {
    reason: 'nestDirection',
    script: nest('xs[j] += b[j][i];').replace('int j = 1; j < n; j++', 'int j = n - 1; j >= 0; j--'),
    says: `${oneByOne} it does not go up by one`,
  },
  {
    reason: 'nestBounds',
    script: nest('xs[j] += b[j][i];', 'for (int i = j; i < n; i++)'),
    says: `${oneByOne} the loop at 8:5 begins or ends elsewhere in each of them`,
  },
  {
    reason: 'nestSize',
    script: nest(`{ ${'xs[j] += b[j][i]; '.repeat(60)} }`),
    says: `${oneByOne} there is too much in it`,
  },
  {
    reason: 'nestBranch',
    script: nest('if (i != j) for (int k = 0; k < n; k++) b[i][k] -= b[j][k];'),
    says: `${oneByOne} the loops behind 'i != j' at 9:11 are not done in all of them`,
  },
  {
    reason: 'nestBranch',
    script: nest('if (i == j) continue; for (int k = 0; k < n; k++) b[i][k] -= b[j][k];')
      .replace('  if', '{ if')
      .replace('[k];', '[k]; }'),
    says: `${oneByOne} the loops behind 'i == j' at 9:11 are not done in all of them`,
  },
  {
    reason: 'nestRowsChange',
    script: nest(
      'for (int k = 0; k < n; k++) b[k][i] += b[j][i]; }',
      '{ if (j > 1) { int[] held = b[0]; b[0] = b[n - 1]; b[n - 1] = held; } for (int i = 0; i < n; i++)',
    ),
    says: `${oneByOne} rows change places behind 'j > 1' at 8:11, which is not so in all of them`,
  },
  {
    reason: 'nestRowStored',
    script: nest(
      'xs[i] += b[j][i];',
      '{ int[] held = b[j]; b[j] = b[0]; b[0] = held; for (int i = 0; i < n; i++)',
    ).replace('xs[i] += b[j][i];', 'xs[i] += b[j][i]; }'),
    says: `${oneByOne} a row of 'b' is stored at 8:26`,
  },
  ...(
    [
      ['for (int i = 0; i < ps.length(); i++) for (int j = i + 1; j < n; j++) xs[j] += ps[i].x;', '8:23', 'structs'],
      ['for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) { P p = ps[i]; xs[j] += p.x; }', '8:71', 'structs'],
      [
        'for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { string t = ts[i]; xs[j] += t.length(); }',
        '8:72',
        'texts',
      ],
    ] as const
  ).map(([loops, at, elements]): RemarkCase => ({
    reason: 'nestElements',
    script:
      'type P { int x; }\n' +
      around('P[] ps = [{ x: 1 }];', 'string[] ts = ["a"]; int[] xs = new int[n];', 'yield ps;', loops),
    says: `${oneByOne} '${elements === 'texts' ? 'ts' : 'ps'}' at ${at} is an array of ${elements}`,
  })),
  {
    reason: 'nestArraySetOften',
    script: nest('{ int[] row = b[j]; xs[i] += row[i]; row = b[i]; xs[j] += row[j]; }'),
    says: `${oneByOne} 'row', which is set at 9:15, is set at another place too`,
  },
  {
    reason: 'nestText',
    script: nest('{ b[j][i] += i; s += "x"; }', undefined, 'string s = "";'),
    says: `${oneByOne} 's += "x"' at 9:23 works with a text`,
  },
  {
    reason: 'nestLength',
    script: nest('b[j][i] = ys.length();', undefined, 'int[] ys = new int[n];'),
    says: `${oneByOne} 'ys.length()' at 9:17 is asked for in it`,
  },
  {
    reason: 'nestRowsDiffer',
    script:
      'main(int[][] b) {\n  int sum = 0;\n' +
      '  foreach (int[] row in b) foreach (int x in row) row[0] -= x;\n  return sum;\n}\n',
    says: `${oneByOne} rows of 'b' may differ in length, or be the same: the function at 1:1 takes them from the host`,
  },
  {
    reason: 'nestText',
    script: nest('xs[j] += s.codeAt(i);', undefined, 'string s = "abc";'),
    says: `${oneByOne} 's.codeAt(i)' at 9:16 works with a text`,
  },
  {
    reason: 'nestText',
    script: nest('if (s == "abc") xs[j] += i;', undefined, 'string s = `${n}`;'),
    says: `${oneByOne} 's == "abc"' at 9:11 works with a text`,
  },
  {
    reason: 'nestMayFail',
    script:
      'int around(int i, int n) { int sum = 0; for (int k = 0; k < 9; k++) sum += (i + k) % n; return sum; }\n' +
      nest('b[j][i] = around(i, n);'),
    says: `${oneByOne} '(i + k) % n' at 1:76 may fail`,
  },
  {
    reason: 'nestToInt',
    script: nest('{ int k = Math.max(i - 1, 0).toInt(); b[j][k] = i; }'),
    says: `${oneByOne} 'Math.max(i - 1, 0).toInt()' at 9:17 may fail`,
  },
  {
    reason: 'nestIndexSetOften',
    script: nest('{ int at = i; at = at * at; if (at < n) sum += b[j][at]; }'),
    says: `${oneByOne} 'at', in the index at 9:59, is set several times`,
  },
  {
    reason: 'nestIndexChosen',
    script: nest('if (b[i][j] > b[top][j]) top = i;', undefined, 'int top = 0;').replace('return sum', 'return top'),
    says: `${oneByOne} 'top', in the index at 9:23, does not change by the same amount each time`,
  },
  ...(
    [
      ['xs[j] += b[j][i] > 0 ? size(seen, b[j][i]) : 0;', "'size(seen, b[j][i])' at 9:28"],
      ['if (b[j][i] > 0) xs[j] += size(seen, b[j][i]);', "'size(seen, b[j][i])' at 9:31"],
    ] as const
  ).map(([body, call]): RemarkCase => ({
    reason: 'nestCallUnderCondition',
    script: withSize(
      'int[] xs = new int[n];',
      'int[] seen = [0];',
      'int[][] b = new int[n][n];',
      'for (int j = 0; j < n; j++) for (int i = 0; i < n; i++)',
      `  ${body}`,
    ),
    says: `${oneByOne} ${call} is called under a condition alone`,
  })),
];

export const cases: readonly RemarkCase[] = [
  ...nestCases,
  ...obstacleCases,
  {
    reason: 'counted',
    script: around('for (int i = 0; i < n; i++) sum += i;'),
    says: "counts 'i' up to 'n'",
  },
  {
    reason: 'counted',
    script: around('int i = n;', 'while (i >= 1) { sum += i; i -= 2; }'),
    says: "counts 'i' down to 1, by 2",
  },
  {
    reason: 'counted',
    script: 'int side = 9;\n' + around('for (int i = 0; i < side; i++) sum += i;'),
    says: "counts 'i' up to 'side'",
  },
  {
    reason: 'countedWhile',
    script: around('int less = [1, 2].length();', 'for (int i = 0; i + less < 100; i += 2) sum += i;'),
    says: "counts 'i' up, by 2, while 'i + less < 100'",
  },
  {
    reason: 'countedElements',
    script: around('int[] xs = [1, 2];', 'foreach (int x in xs) sum += x;'),
    says: "counts the elements of 'xs'",
  },
  {
    reason: 'countedBoth',
    script: around('for (int i = 0, j = n; i < j; i++, j--) sum += i;'),
    says: "counts 'i' and 'j' towards each other",
  },
  {
    reason: 'endless',
    script: around('for (int i = 0; ; i++) { if (i > n) break; sum += i; }'),
    says: 'is not counted: it has no condition that ends it',
  },
  {
    reason: 'testedBehind',
    script: around('int i = 0;', 'do { sum += i; i++; } while (i < n);'),
    says: 'is not counted: its condition is tested behind the body',
  },
  {
    reason: 'noComparison',
    script: around('for (int i = 0; i != n; i++) sum += i;'),
    says: "is not counted: 'i != n' at 4:19 does not compare two ints with <, <=, > or >=",
  },
  {
    reason: 'comparisonNotFirst',
    script: around('bool go = true;', 'for (int i = 0; go && i < n; i++) { sum += i; go = sum < 9; }').replaceAll(
      'bool ',
      'boolean ',
    ),
    says: "is not counted: 'i < n' at 5:25 is not the first part of the condition",
  },
  {
    reason: 'noVariable',
    script: around('int[] at = [0];', 'while (at[0] < n) { sum += 1; at[0] += 1; }'),
    says: "is not counted: neither side of 'at[0] < n' at 5:10 is a variable that the loop changes",
  },
  {
    reason: 'sumMayWrap',
    script: around('for (int i = 0; i + m <= n; i++) sum += i;'),
    says: "is not counted: 'i + m' at 4:19 may wrap around, as far as can be seen",
  },
  {
    reason: 'globalVariable',
    script:
      'int i = 0;\nint f() { int sum = 0; while (i < 9) { sum += i; i++; } return sum; }\nmain() { return f(); }\n',
    says: "is not counted: 'i', which is set at 2:50, is a global variable",
  },
  {
    reason: 'variableSetBesides',
    script: around('for (int i = 0; i < n; i++) { sum += i; if (sum > 9) i = n; }'),
    says: "is not counted: 'i' is set at 4:56 besides",
  },
  {
    reason: 'stepNotLast',
    script: around('int i = 0;', 'while (i < n) { i++; sum += i; }'),
    says: "is not counted: 'i' is set at 5:19, which is not the end of each iteration",
  },
  {
    reason: 'stepSkipped',
    script: around(
      'int i = 0;',
      'while (i < n) { if (sum > 9) { sum = 0; continue; } else if (sum > 5) sum--; sum += i; i++; }',
    ),
    says: "is not counted: continue at 5:43 leaves 'i' as it is",
  },
  {
    reason: 'stepVaries',
    script: around('for (int i = 1; i < n; i *= 2) sum += i;'),
    says: "is not counted: at 4:26 'i' does not change by the same amount each time",
  },
  {
    reason: 'stepAway',
    script: around('for (int i = 0; i < n; i--) sum += i;'),
    says: "is not counted: at 4:26 'i' goes away from its limit, or in too large steps",
  },
  {
    reason: 'limitChanges',
    script: around('for (int i = 0; i < n; i++) { sum += i; if (sum > 9) n -= 1; }'),
    says: "is not counted: its limit 'n' may change, since 'n' is set at 4:56",
  },
  {
    reason: 'limitChanges',
    script: around('int[] xs = [1, 2];', 'for (int i = 0; i < xs.length(); i++) { sum += i; if (sum > 9) xs.pop(); }'),
    says: "is not counted: its limit 'xs.length()' may change, since 'xs.pop()' at 5:66 may resize 'xs'",
  },
  {
    reason: 'limitChanges',
    script:
      'int n = 3;\nvoid change() { try { n = 2; } catch (e) { } }\n' +
      around('for (int i = 0; i < n; i++) change();').replace('int n = 3, ', ''),
    says: "is not counted: its limit 'n' may change, since 'change()' at 6:31 may replace 'n'",
  },
  {
    reason: 'limitChanges',
    script:
      'int n = 3;\nvoid change() { n = 2; }\n' +
      around('for (int i = 0; i < n; i++) yield i;', 'change();').replace('int n = 3, ', ''),
    says: "is not counted: its limit 'n' may change, since yield at 6:31 lets the host run, which may change 'n'",
  },
  {
    reason: 'elementsChange',
    script: around('int[] xs = [1, 2];', 'foreach (int x in xs) { sum += x; if (sum < 9) xs.push(x); }'),
    says: "is not counted: 'xs' may change, since 'xs.push(x)' at 5:50 may resize 'xs'",
  },
  {
    reason: 'limitWorkedOut',
    script: around('for (int i = 0; i < f(n); i++) sum += i;'),
    says: "is not counted: its limit 'f(n)' at 4:23 is worked out for each iteration",
  },
  {
    reason: 'jsonElements',
    script: around('json j = [1, 2];', 'foreach (int x in j) sum += x;'),
    says: "is not counted: 'j' is json, whose elements are found out one by one",
  },
  {
    reason: 'hoisted',
    script: around('int[] xs = [1, 2];', 'for (int i = 0; i < 2; i++) sum += xs[i];'),
    says: "looks up once, in front of it: 'xs'",
  },
  {
    reason: 'hoistedFurther',
    script: around('int[] xs = [1, 2];', 'for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) sum += xs[i];'),
    says: "looks up once, in front of the loop at 5:3: 'xs'",
  },
  {
    reason: 'arrayReplaced',
    script: around('int[] xs = [1, 2];', 'for (int i = 0; i < 2; i++) { sum += xs[i]; xs = [i, i]; }'),
    says: "looks up anew in each iteration: 'xs', since 'xs' is set at 5:47",
  },
  {
    reason: 'arrayReplaced',
    script: around(
      'int[][] b = [[1, 2], [3, 4]];',
      'int[] c = [5, 6];',
      'for (int i = 0; i < 2; i++) { sum += b[0][i]; b[1] = c; }',
    ),
    says: "looks up anew in each iteration: 'b[0]', since a row of 'b' is stored at 6:49",
  },
  {
    reason: 'arrayReplaced',
    script:
      'int[] xs = [1, 2];\nvoid change() { xs = [2, 3]; }\nmain() {\n  int sum = 0;\n' +
      '  for (int i = 0; i < 2; i++) { sum += xs[i]; change(); }\n  return sum;\n}\n',
    says: "looks up anew in each iteration: 'xs', since 'change()' at 5:47 may replace 'xs'",
  },
  {
    reason: 'arrayResized',
    script: around('int[] xs = [1, 2];', 'for (int i = 0; i < 2; i++) { sum += xs[i]; xs.push(i); }'),
    says: "looks up anew in each iteration: 'xs', since 'xs.push(i)' at 5:47 may resize 'xs'",
  },
  {
    reason: 'arrayWorkedOut',
    script: around('int[] xs = [1, 2];', 'for (int i = 0; i < 2; i++) sum += xs.slice(0, 2)[0];'),
    says: "looks up anew in each iteration: 'xs.slice(0, 2)', which is worked out there",
  },
  {
    reason: 'pathTooLong',
    script:
      'type A { B b; }\ntype B { C c; }\ntype C { int[] xs; }\n' +
      'main(int n = 2) {\n  A a = { b: { c: { xs: [1, 2] } } };\n' +
      '  A[] all = [a];\n  int sum = 0;\n  for (int i = 0; i < n; i++) sum += all[0].b.c.xs[i];\n  return sum;\n}\n',
    says: "looks up anew in each iteration: 'all[0].b.c.xs', which is more than three steps away",
  },
  {
    reason: 'jsonArray',
    script: around(
      'json[] js = [{ a: 1 }, { a: 2 }];',
      'for (int i = 0; i < 2; i++) { json j = js[i]; if (j != null) sum += 1; }',
    ),
    says: "looks up anew in each iteration: 'js', an array of json",
  },
  {
    reason: 'jsonRead',
    script: around('json j = { a: 1 };', 'for (int i = 0; i < 2; i++) { int a = j.a as int; sum += a; }'),
    says: "searches json in each iteration: 'j.a'",
  },
  {
    reason: 'unchecked',
    script: around(
      'int[] xs = new int[n];',
      'for (int i = 0; i != n; i++) sum += xs[i];',
      'for (int i = 1; i < n; i++) sum += xs[i - 1] * xs[i];',
    ),
    says: "checks indices in front of it, not inside: 'xs[i - 1]' and 'xs[i]'",
  },
  {
    reason: 'unchecked',
    script:
      'int at(int[] ys, int k) { return ys[k]; }\n' +
      around('int[] xs = new int[n];', 'for (int i = 0; i < n; i++) sum += xs.at(i);'),
    says: "checks indices in front of it, not inside: 'ys[k]' at 1:34",
  },
  {
    reason: 'checkedUncounted',
    script: around('int[] xs = new int[n];', 'for (int i = 0; i != n; i++) sum += xs[i];'),
    says: "checks the index in each iteration: 'xs[i]', since it is not counted",
  },
  {
    reason: 'checkedMoving',
    script: around('int[] xs = [1, 2];', 'for (int i = 0; i < n; i++) { sum += xs[i]; xs.push(i); }'),
    says: "checks the index in each iteration: 'xs[i]', since the array is looked up there",
  },
  {
    reason: 'checkedRowStore',
    script: around(
      'int[][] b = new int[n][n]; string t = "";',
      'for (int k = 0; k < n; k++) { b[k][0] = k; t += "x"; }',
      'yield t;',
    ),
    says: "checks the index in each iteration: 'b[k][0]', since each iteration sets it in another row",
  },
  {
    reason: 'checkedRowStore',
    script: around(
      'int[][] b = new int[n][3]; string t = "";',
      'for (int k = 0; k < n; k++) { t += "x"; for (int d = 0; d < 3; d++) { sum = sum * 7 % 31; b[k][d] = sum; } }',
      'yield t;',
    ),
    says: "checks the index in each iteration: 'b[k][d]', since each iteration sets it in another row",
  },
  {
    reason: 'checkedColumnStore',
    script: around(
      'int[][] b = new int[n][n]; string t = "";',
      'for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) { b[k][j] = k; t += "x"; }',
      'yield t;',
    ),
    says: "checks the index in each iteration: 'b[k][j]', since each iteration sets it in another row",
  },
  ...(
    [
      ['int[][] b = new int[n][n];', 'b[0] = [1];', "a row of 'b' is stored at 5:3"],
      ['int[][] b = new int[n][n];', 'b[0].push(1);', "'b[0].push(1)' at 5:3 may resize it"],
      [
        'int[][] b = [[1], [2, 3]];',
        '',
        "'[[1], [2, 3]]' at 4:15 lists them, and not all as literals of the same length",
      ],
      ['int[][] b = new int[n][];', '', "'new int[n][]' at 4:15 makes none"],
      ['json j = [[1]];', 'int[][] b = j as int[][];', "'j as int[][]' at 5:15 gives them"],
    ] as const
  ).map(([matrix, change, cause]): RemarkCase => ({
    reason: 'rowsDiffer',
    script: around(matrix, change, 'for (int k = 0; k < n; k++) sum += b[k][0];'),
    says: `checks the index in each iteration: 'b[k][0]', since rows may differ in length: ${cause}`,
  })),
  {
    reason: 'rowsDiffer',
    script: 'main(int[][] b) {\n  int sum = 0;\n  for (int k = 0; k < 9; k++) sum += b[k][0];\n  return sum;\n}\n',
    says:
      "checks the index in each iteration: 'b[k][0]', since rows may differ in length: " +
      'the function at 1:1 takes them from the host',
  },
  {
    reason: 'indexIrregular',
    script: around('int[] xs = new int[n];', 'for (int i = 0; i < n; i++) sum += xs[i / 2];'),
    says:
      "checks the index in each iteration: 'xs[i / 2]', " +
      'since the index does not change by the same amount each time',
  },
  {
    reason: 'indexIrregular',
    script: around(
      'int[] xs = new int[n];',
      'for (int i = 0; i < n; i++) { int j = i + 1 < xs.length() ? i + 1 : 0; sum += xs[j]; }',
    ),
    says: "checks the index in each iteration: 'xs[j]', since the index does not change by the same amount each time",
  },
  {
    reason: 'indexElement',
    script: around('int[] ps = [1, 2];', 'int[] c = new int[n];', 'foreach (int p in ps) c[p]++;', 'sum = c[1];'),
    says: "checks the index in each iteration: 'c[p]', since 'p' is an element of 'ps'",
  },
  {
    reason: 'indexRead',
    script: around(
      'int[] from = [1, 2];',
      'int[] rank = new int[n];',
      'for (int e = 0; e < m; e++) { int p = from[e]; sum += rank[from[e]] + rank[p + 1]; }',
    ),
    says:
      "checks the index in each iteration: 'rank[from[e]]' and 'rank[p + 1]', " +
      'since the index comes out of an array',
  },
  {
    reason: 'indexRead',
    script: around(
      'string s = `${n}.`;',
      'int[] xs = new int[n];',
      'for (int i = 0; i < s.length(); i++) sum += xs[s.codeAt(i) - 48];',
    ),
    says: "checks the index in each iteration: 'xs[s.codeAt(i) - 48]', since the index comes out of a text",
  },
  {
    reason: 'indexPart',
    script: around('int[] xs = new int[n];', 'for (int i = 0; i < n; i++) sum += xs[xs.length() - 1 - i];'),
    says:
      "checks the index in each iteration: 'xs[xs.length() - 1 - i]', " +
      "since 'xs.length() - 1' in the index is worked out each time",
  },
  {
    reason: 'indexVaries',
    script: around(
      'int[] xs = new int[n];',
      'int at = 0;',
      'for (int i = 0; i < n; i++) { sum += xs[at]; if (xs[i] > 2) at += 1; }',
    ),
    says: "checks the index in each iteration: 'xs[at]', since 'at' does not change by the same amount each time",
  },
  {
    reason: 'indexVaries',
    script: nest('if (b[i][j] > b[top][j]) top = i;', undefined, 'int top = 0;').replace('return sum', 'return top'),
    says: "checks the index in each iteration: 'b[top]', since 'top' does not change by the same amount each time",
  },
  {
    reason: 'indexOtherStep',
    script: around('int[] xs = new int[n];', 'int at = 0;', 'for (int i = 0; i < n; i += 3) { sum += xs[at]; at++; }'),
    says:
      "checks the index in each iteration: 'xs[at]', " +
      "since 'at' does not change by a multiple of the step of the loop",
  },
  {
    reason: 'indexInMemory',
    script:
      'int at = 0;\n' + around('int[] xs = new int[n];', 'for (int i = 0; i < n; i++) { sum += xs[at]; at += 1; }'),
    says: "checks the index in each iteration: 'xs[at]', since 'at' is set in it, and is no variable of the function",
  },
  {
    reason: 'readUnderCondition',
    script: around('int[] xs = new int[n];', 'for (int i = 0; i < n; i++) if (i > 5) sum += xs[i - 6];'),
    says: "checks the index in each iteration: 'xs[i - 6]', since it is done under a condition alone",
  },
  {
    reason: 'fewIterations',
    script: around('int[] xs = new int[n];', 'for (int i = 0; i < 3; i++) sum += xs[i];'),
    says: "checks the index in each iteration: 'xs[i]', since there are few of them",
  },
  {
    reason: 'limitUnknown',
    script: around(
      'json[] js = [{ a: 1 }];',
      'int[] xs = new int[n];',
      'for (int i = 0; i < js.length(); i++) sum += xs[i];',
    ),
    says: "checks the index in each iteration: 'xs[i]', since the last index is not known in front of it",
  },
  {
    reason: 'unrolledInRecursion',
    script:
      'int g(int[] ys, int k) { int s = 0; for (int i = 0; i < 3; i++) s += k > 0 ? g(ys, k - 1) : ys[i]; ' +
      'return s; }\n' +
      around('int[] xs = [1, 2, 3];', 'sum += xs.g(n);'),
    says: 'is written out as its 3 iterations, since the function calls itself',
  },
  {
    reason: 'peeled',
    script: nest('b[j][i] = xs[(i + 1) % n];'),
    says: 'does its last iterations apart, since positions or conditions are others there',
  },
  {
    reason: 'unrolledInLoop',
    script: around('int[] xs = [1, 2];', 'for (int j = 0; j < n; j++) for (int i = 0; i < 2; i++) sum += xs[i] * j;'),
    says: 'is written out as its 2 iterations, since there are always so few',
  },
  {
    reason: 'keptInRange',
    script: around(
      'int[] xs = new int[n];',
      'int at = 0;',
      'for (int i = 0; i < m; i++) { sum += xs[at]; if (++at == n) at = 0; }',
    ),
    says: "checks in front of it what it keeps in range itself: 'xs[at]'",
  },
  {
    reason: 'keptInWindow',
    script: around('string s = `${n}.`;', 'int at = 0;', 'while (s.codeAt(at) != 46) sum += s.codeAt(at++);'),
    says: "checks once for each iteration what it reads of texts: 's.codeAt(at)' and 's.codeAt(at++)'",
  },
  {
    reason: 'workedOutInFront',
    script: around('double all = n;', 'for (int i = 0; i < m; i++) sum += i * (all / m) > 3 ? 1 : 2;'),
    says: "works out in front of it what stays the same: 'all / m'",
  },
  {
    reason: 'dividedInFront',
    script: around('', 'for (int i = 0; i < m; i++) sum += i * (n / 2);'),
    says: "divides in front of it what stays the same: 'n / 2'",
  },
  {
    reason: 'checkNegligible',
    script: around(
      'double[] xs = new double[n];',
      'for (int i = 0; i < n; i++) sum += (1 / (i + 1) % (i + 2) / (i + 3) % (i + 4) / (xs[i] > 0 ? 1 : 2));',
    ),
    says: "checks the index in each iteration: 'xs[i]', since that takes next to nothing beside the rest",
  },
  {
    reason: 'promoted',
    script: around('int[] xs = new int[n];', 'for (int i = 0; i < n; i++) xs[m] += i;'),
    says: "keeps in a variable until it ends: 'xs[m]'",
  },
  {
    reason: 'mayBeSame',
    script: around('int[] xs = new int[n];', 'for (int i = 0; i < m; i++) xs[0] += xs[2 * i];'),
    says: "sets in memory in each iteration: 'xs[0]', since 'xs[2 * i]' at 5:40 may be the same",
  },
  {
    reason: 'limitObserved',
    script: around(
      'int[] xs = new int[n];',
      'try { for (int i = 0; i < n; i++) xs[m] += i; } catch (QuotaExceededError e) { sum = xs[0]; }',
    ),
    says: "sets in memory in each iteration: 'xs[m]', since 5:3 may see how far it came when a limit ends it",
  },
  {
    reason: 'callBetween',
    script: 'int total = 0;\n' + around('for (int i = 0; i < n; i++) total += f(i);'),
    says: "sets in memory in each iteration: 'total', since 'f(i)' is called at 5:40",
  },
  {
    reason: 'mayFailBetween',
    script: 'int total = 0;\n' + around('int[] xs = new int[n];', 'for (int i = 0; i < n; i++) total += xs[i / 2];'),
    says: "sets in memory in each iteration: 'total', since 'xs[i / 2]' at 6:40 may fail, or be seen from outside",
  },
  {
    reason: 'outlined',
    script: around('for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) sum += i;'),
    says: 'runs as a function of its own where it is long, so that it is fast in the first run too',
  },
  {
    reason: 'outlinedNotInTry',
    script: around('for (int j = 0; j < m; j++) try { for (int i = 0; i < n; i++) sum += i; } catch (e) { sum = 0; }'),
    says: 'may be slow in the first run, since it is in a try',
  },
  {
    reason: 'outlinedNotLeaving',
    script: around(
      'for (int j = 0; j < m; j++)',
      '  for (int i = 0; i < n; i++) { sum += i; if (sum > 9) return sum; }',
    ),
    says: 'may be slow in the first run, since 5:58 returns from the function',
  },
  {
    reason: 'outlinedNotTexts',
    script: around('string s = "";', 'for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) s += "x";', 'yield s;'),
    says: "may be slow in the first run, since it sets a text: 's'",
  },
  {
    reason: 'outlinedNotMany',
    script: around(
      ...Array.from({ length: 101 }, (_, at) => `int x${at} = 0;`),
      'for (int j = 0; j < m; j++)',
      '  for (int i = 0; i < n; i++) {',
      ...Array.from({ length: 101 }, (_, at) => `    x${at} += i;`),
      '  }',
      `sum = ${Array.from({ length: 101 }, (_, at) => `x${at}`).join(' + ')};`,
    ),
    says: 'may be slow in the first run, since it has more than a hundred variables',
  },
  {
    reason: 'strips',
    script: around('for (int i = 0; i < n; i++) sum += i;'),
    says: 'looks every 1024 iterations whether a limit stops it',
  },
  {
    reason: 'noStrips',
    script: around('while (sum != n) sum += 1;'),
    says: 'looks in each iteration whether a limit stops it, since it is not counted',
  },
  {
    reason: 'textGrows',
    script: around('string s = "";', 'for (int i = 0; i < n; i++) s += "x";', 'yield s;'),
    says: "lets a text grow in place: 's'",
  },
  {
    reason: 'textRead',
    script: around('string s = "";', 'for (int i = 0; i < n; i++) { s += "x"; if (s == "xx") sum += s.length(); }'),
    says: "puts a text that grows together in each iteration: 's', since it is read at 5:47",
  },
  {
    reason: 'textTemplate',
    script: around('string s = "";', 'for (int i = 0; i < n; i++) s = `${s}x`;', 'yield s;'),
    says: "makes a new text in each iteration: 's', which 5:31 does not append to with +=",
  },
  {
    reason: 'textPrepended',
    script: around('string s = "";', 'for (int i = 0; i < n; i++) s = "x" + s;', 'yield s;'),
    says: "makes a new text in each iteration: 's', which 5:31 puts something in front of",
  },
  ...(
    [
      ['string[] a = ["x"];', 'a[0] += "x";', "'a[0]'"],
      ['P[] ps = [{ name: "x" }]; yield ps; P p = ps[0];', 'p.name = p.name + "x";', "'p.name'"],
      ['', 'g += "x";', "'g'"],
    ] as const
  ).map(([declaration, append, what]): RemarkCase => ({
    reason: 'textElsewhere',
    script:
      'string g = "";\ntype P { string name; }\n' +
      around(declaration, `for (int i = 0; i < n; i++) ${append}`, 'yield g;'),
    says: `makes a new text in each iteration: ${what}, which is no variable of the function`,
  })),
  {
    reason: 'boundsSplit',
    script: around(
      'int[] xs = new int[n];',
      'for (int i = 0; i < n; i++) {',
      'for (int d = -m; d <= m; d++) if (i + d >= 0 && i + d < n) sum += xs[i + d];',
      '}',
    ),
    says: 'looks for borders near its ends alone, not in the iterations between',
  },
  {
    reason: 'countsBits',
    script: around('int x = n;', 'while (x > 0) { x &= x - 1; sum++; }'),
    says: 'counts bits by one instruction, without going round',
  },
  {
    reason: 'interleaved',
    script: around(
      'for (int i = 0; i < n; i++) {',
      'double z = 0.1 * i; int k = 0;',
      'while (z < 4.0 && k < 50) { z = z * z + 0.25; k++; } sum += k;',
      '}',
    ),
    says: 'runs beside that of the next iteration of the loop around, since it waits for its own values',
  },
  {
    reason: 'selected',
    script: around('for (int i = 0; i < n; i++) sum += i > 3 ? i : 2;'),
    says: "chooses without a branch: 'i > 3 ? i : 2'",
  },
  {
    reason: 'selectedDouble',
    script: around('double most = 0.5; for (int i = 0; i < n; i++) most += i < 3 ? 1.5 : 2.5; sum += most.toInt();'),
    says: "chooses between doubles: 'i < 3 ? 1.5 : 2.5', for which engines branch on x64",
  },
  {
    reason: 'foreseen',
    script: around(
      'double most = 0.5; for (int i = 0; i < n; i++) most = most < 3.5 ? most + 1.0 : most;',
      'sum += most > 2.0 ? 1 : 0;',
    ),
    says:
      "chooses by a branch: 'most < 3.5 ? most + 1.0 : most', which is mostly foreseen, so that no iteration waits " +
      'for another',
  },
  {
    reason: 'branches',
    script: around('for (int i = 0; i < n; i++) sum += i > 3 ? n / i : 2;'),
    says: "chooses by a branch: 'i > 3 ? n / i : 2', since one of the two may fail or takes long",
  },
];
