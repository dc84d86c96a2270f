// Errors in functions that became part of their callers: the stack is that of the calls as written, by every setting of
// the compiler, and so is everything else that a script or a host can see.

import { describe, expect, it } from 'vitest';
import { outcome } from './outcomes.ts';

const lines = (...text: readonly string[]): string => text.join('\n');

describe('an error in an inlined function', () => {
  it.each([
    [
      'shows the function and the call',
      lines('int half(int x, int y) {', '  return x / y;', '}', 'main() {', '  yield 1;', '  yield half(3, 0);', '}'),
      ['1', 'DivisionByZeroError: division by zero', 'half 2:10', 'main 6:9', '2 units'],
    ],
    [
      'shows functions in each other',
      lines(
        'type P { int[] a; }',
        'int at(P p, int i) { return p.a[i]; }',
        'int both(P p, int i) {',
        '  return at(p, 0) + at(p, i);',
        '}',
        'main() { P p = { a: [1, 2] }; yield both(p, 1);',
        '  yield both(p, 2); }',
      ),
      [
        '3',
        'IndexOutOfBoundsError: index 2 is out of bounds for length 2',
        'at 2:29',
        'both 4:21',
        'main 7:9',
        '7 units',
      ],
    ],
    [
      'is that of the call that fails, of two of the same function',
      lines(
        'type P { int x; }',
        'int x(P p) { return p.x; }',
        'main() { P a = { x: 1 }; P b = null;',
        '  yield x(a)',
        '    + x(b); }',
      ),
      [`NullAccessError: cannot use field 'x' of null`, 'x 2:21', 'main 5:7', '3 units'],
    ],
    [
      'may be thrown by it',
      lines(
        'void need(boolean b, string what) { if (!b) throw what; }',
        'main() { need(true, "a");',
        '  need(false, "b"); yield 1; }',
      ),
      ['Error: b', 'need 1:45', 'main 3:3', '3 units'],
    ],
    [
      'is no error of the call, if an argument fails',
      lines('int half(int x, int y) { return x / y; }', 'main() { int n = 0;', '  yield half(1 / n, 2); }'),
      ['DivisionByZeroError: division by zero', 'main 3:14', '1 units'],
    ],
    [
      'is caught around the call, and leaves what was done before',
      lines(
        'type P { int n; }',
        'int f(P p, int by) { p.n++; int x = 10 / by; p.n += 10; return x; }',
        'main() { P p = { n: 0 };',
        '  for (int i = -1; i < 2; i++) { try { yield f(p, i); } catch (DivisionByZeroError e) { yield "zero"; } }',
        '  yield p.n; }',
      ),
      ['-10', 'zero', '10', '23', 'returns undefined', '7 units'],
    ],
    [
      'in a recursive function shows every level',
      lines(
        'type P { int[] a; }',
        'int at(P p, int i) { return p.a[i]; }',
        'int sum(P p, int i) { if (i == 3) return at(p, 3); return at(p, i) + sum(p, i + 1); }',
        'main() { yield sum({ a: [1, 2, 3] }, 1); }',
      ),
      [
        'IndexOutOfBoundsError: index 3 is out of bounds for length 3',
        'at 2:29',
        'sum 3:42',
        'sum 3:70',
        'sum 3:70',
        'main 4:16',
        '7 units',
      ],
    ],
  ])('%s', async (_name, text, expected) => expect(await outcome(text)).toEqual(expected));
});

describe('an inlined function', () => {
  it.each([
    [
      'gets its arguments from left to right, each once',
      lines(
        'type P { int n; }',
        'int next(P p) { p.n++; return p.n; }',
        'int f(int a, int b, int c) { if (a > 100) return -1; int d = a * 100; return d + b * 10 + c / 1; }',
        'main() { P p = { n: 0 }; yield f(next(p), next(p), next(p)); yield p.n; }',
      ),
      ['123', '3', 'returns undefined', '5 units'],
    ],
    [
      'does not see what its caller sets between the arguments',
      lines(
        'int f(int a, int b) { int c = a / 1; return c * 10 + b; }',
        'main() { int n = 1; yield f(n, ++n); yield f(n++, n); yield n; }',
      ),
      ['12', '23', '3', 'returns undefined', '3 units'],
    ],
    [
      'sets its own parameters alone',
      lines(
        'int f(int a, int[] b) { a += 5; b[0] = a; b = [7]; return b[0] + a; }',
        'main() { int n = 1; int[] b = [2]; yield f(n, b); yield n; yield b[0]; }',
      ),
      ['13', '1', '6', 'returns undefined', '2 units'],
    ],
    [
      'has variables of its own in each iteration',
      lines(
        'int f(int[] a, int i) { int x = 0; if (i % 2 == 0) x = a[i]; return x; }',
        'main() { int[] a = [5, 6, 7, 8]; for (int i = 0; i < 4; i++) yield f(a, i); }',
      ),
      ['5', '0', '7', '0', 'returns undefined', '9 units'],
    ],
    [
      'is called only where its turn comes',
      lines(
        'type P { int n; }',
        'boolean up(P p) { p.n++; return p.n > 1; }',
        'main() { P p = { n: 0 }; yield up(p) && up(p); yield p.n; yield up(p) || up(p); yield p.n; ',
        '  yield p.n > 9 ? up(p) : false; while (up(p) && p.n < 6) { } yield p.n; }',
      ),
      ['false', '1', 'true', '2', 'false', '6', 'returns undefined', '10 units'],
    ],
    [
      'may give null, and take it',
      lines(
        'type P { P next; int n; }',
        'P after(P p) { if (p == null) return null; p.n++; return p.next; }',
        'main() { P p = { next: { next: null, n: 5 }, n: 4 }; P q = after(after(p)); yield q == null; ',
        '  yield after(q) == null; yield p.n + p.next.n; }',
      ),
      ['true', 'true', '11', 'returns undefined', '4 units'],
    ],
  ])('%s', async (_name, text, expected) => expect(await outcome(text)).toEqual(expected));
});

describe('a base case in place of a call', () => {
  it('does what the call would do, in its order', async () => {
    const text = lines(
      'type Log { int calls; int ends; int[] order; }',
      'int f(Log log, int n) {',
      '  log.calls++;',
      '  if (n == 0) { log.order[log.ends] = log.calls; log.ends++; return log.calls; }',
      '  return f(log, n - 1) * 10 + f(log, 0);',
      '}',
      'main() { Log log = { calls: 0, ends: 0, order: new int[4] }; yield f(log, 3); yield log.order; yield log.ends;',
      '  f(log, 0); }',
    );
    const found = await outcome(text);
    expect(found.slice(0, 3)).toEqual(['4567', '[4,5,6,7]', '4']);
    expect(found.slice(3)).toEqual([
      'IndexOutOfBoundsError: index 4 is out of bounds for length 4',
      'f 4:17',
      'main 8:3',
      '9 units',
    ]);
  });

  it('shows the call that failed in it', async () => {
    const text = lines(
      'int f(int[] a, int n) {',
      '  a[0] = a[0] + 1;',
      '  if (n == 0) return a[1] / n;',
      '  return f(a, n - 1);',
      '}',
      'yield f([1, 2], 2);',
    );
    expect(await outcome(text)).toEqual([
      'DivisionByZeroError: division by zero',
      'f 3:22',
      'f 4:10',
      'f 4:10',
      '<top level> 6:7',
      '4 units',
    ]);
  });

  it('may do as much as other calls, and fail in the middle', async () => {
    const text = lines(
      'type Pile { int[] disks; int moves; }',
      'void move(Pile pile, int from, int to) {',
      '  int disk = pile.disks[from];',
      '  if (disk == 0) throw "no disk";',
      '  pile.disks[from] = 0;',
      '  if (pile.disks[to] != 0) throw "not free";',
      '  pile.disks[to] = disk;',
      '  pile.moves++;',
      '}',
      'void walk(Pile pile, int depth, int from, int to) {',
      '  if (depth == 1) { pile.move(from, to); return; }',
      '  walk(pile, depth - 1, from, to);',
      '  pile.move(to, from);',
      '  walk(pile, depth - 1, to + 1, from);',
      '}',
      'Pile pile = { disks: [1, 0, 1], moves: 0 };',
      'try { walk(pile, 2, 0, 1); } catch (e) { yield `${e} ${pile}`; }',
      'try { walk(pile, 2, 0, 2); } catch (e) { yield `${e} ${pile}`; }',
      'try { walk(null, 2, 0, 2); } catch (e) { yield `${e} ${pile}`; }',
      'try { walk(pile, 1, 1, 3); } catch (e) { yield `${e} ${pile}`; }',
      'walk(pile, 3, 0, 2);',
    );
    expect(await outcome(text)).toEqual([
      'not free {"disks":[1,0,0],"moves":2}',
      'index 3 is out of bounds for length 3 {"disks":[1,0,0],"moves":4}',
      'cannot use field \'disks\' of null {"disks":[1,0,0],"moves":4}',
      'no disk {"disks":[1,0,0],"moves":4}',
      'IndexOutOfBoundsError: index 3 is out of bounds for length 3',
      'move 3:14',
      'walk 11:21',
      'walk 14:3',
      'walk 12:3',
      '<top level> 21:1',
      '25 units',
    ]);
  });
});

describe('a loop of few iterations in a recursive function', () => {
  it('charges and fails as written', async () => {
    const text = lines(
      'type Seen { int[] log; int at; }',
      'int walk(Seen seen, int depth, int from) {',
      '  int sum = 0;',
      '  int last = -1;',
      '  try {',
      '    for (int i = 0; i < 4; i++, last = i) {',
      '      if (i == from) continue;',
      '      if (i * 2 == from) { sum += 100; continue; }',
      '      seen.log[seen.at] = depth * 10 + i;',
      '      seen.at++;',
      '      if (depth > 0) sum += walk(seen, depth - 1, i);',
      '      sum += i;',
      '    }',
      '  } catch (IndexOutOfBoundsError e) { yield `${e} ${depth} ${last} ${sum} ${seen.at}`; }',
      '  for (int k = 3; k > -3; k -= 2) sum = sum * 2 + k;',
      '  return sum;',
      '}',
      'int deep(int[] a, int n) {',
      '  if (n == 0) return 1;',
      '  int sum = 0;',
      '  for (int i = 0; i < 3; i++) {',
      '    if (a[i] == n) break;',
      '    sum += deep(a, n - 1) / a[i];',
      '  }',
      '  for (int i = 9223372036854775806; i <= 9223372036854775807 && sum < 0; i++) sum++;',
      '  return sum + 12;',
      '}',
      'Seen seen = { log: new int[12], at: 0 };',
      'yield walk(seen, 2, 1);',
      'yield seen.log;',
      'yield deep([1, 2, 4], 3);',
      'yield deep([3, 0, 4], 1);',
    );
    expect(await outcome(text)).toEqual([
      'index 12 is out of bounds for length 12 2 2 7477 12',
      '59829',
      '[20,11,0,2,3,12,0,3,13,0,1,2]',
      '54',
      'DivisionByZeroError: division by zero',
      'deep 23:12',
      '<top level> 32:7',
      '56 units',
    ]);
  });
});

describe('a function with a loop of few iterations, in a loop', () => {
  it('charges as written, also where it is called under a condition', async () => {
    const text = lines(
      'double distance(double[] a, double[] b) {',
      '  double sum = 0.0;',
      '  for (int k = 0; k < 3; k++) {',
      '    if (a[k] < 0.0) continue;',
      '    double d = a[k] - b[k];',
      '    sum += d * d;',
      '  }',
      '  return sum;',
      '}',
      'double square(double x) { return x * x; }',
      'double[][] points = new double[40][3];',
      'for (int i = 0; i < 40; i++) for (int k = 0; k < 3; k++) points[i][k] = ((i * 7 + k * 3) % 11 - 1) * 0.5;',
      'double total = 0.0;',
      'int near = 0;',
      'for (int p = 0; p < 40; p++) {',
      '  double best = 100.0;',
      '  for (int q = 0; q < 40; q++) {',
      '    if (p == q) continue;',
      '    double d = distance(points[p], points[q]);',
      '    best = best.min(d);',
      '    total += d > 2.0 ? square(d) : d > 1.0 && square(d) > 2.0 ? 1.0 : 0.0;',
      '  }',
      '  if (best < 1.0) near++;',
      '}',
      'yield `${total} ${near}`;',
      'points[39] = [1.0, 2.0];',
      'double last = 0.0;',
      'for (int p = 0; p < 40; p++) for (int q = 0; q < 40; q++) last += distance(points[p], points[q]);',
    );
    expect(await outcome(text)).toEqual([
      '410636.1875 40',
      'IndexOutOfBoundsError: index 2 is out of bounds for length 2',
      'distance 5:23',
      '<top level> 28:67',
      '9438 units',
    ]);
  });
});
