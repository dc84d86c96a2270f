// What the optimiser sees of loops: which accesses lose their checks and which must not, which arrays are looked up in
// front of a loop, and which loops become parts.

import { describe, expect, it } from 'vitest';
import { printBody } from '../../src/mir/print.ts';
import { optimised } from './lowering.ts';

/** The lines of a function of the optimised script. */
function linesOf(text: string, name = 'f'): readonly string[] {
  return printBody(optimised(text).functions.get(`#${name}`)!);
}

/** The accesses of `f` that are not checked in some version of its loops, each once. */
function unchecked(text: string): string[] {
  const lines = linesOf(text).map((line) => line.replaceAll('!', ''));
  const arrays = new Map(
    lines.flatMap((line) => {
      const [, elements, array] = /^ *(\$elements[.\d]*), \S+ = hoist (\S+)/.exec(line) ?? [];
      return elements === undefined ? [] : [[elements, array!] as const];
    }),
  );
  const found = lines.flatMap((line) =>
    [...line.matchAll(/(\$elements[.\d]*)(\[[^[\]]*\]) unchecked/g)].map(
      ([, elements, index]) => `${arrays.get(elements!)!}${index!}`,
    ),
  );
  return [...new Set(found)].toSorted();
}

/** A function of arrays around statements, and a script that calls it. */
function withArrays(body: string): string {
  return `int[] shared = [1];
void grow(int[] x) { x.push(1); }
int place(int i, int n) { return i * n + 1; }
void replace() { shared = [2]; }
int sum(int[] x) { return x.sum(); }
int f(int[] a, int[] b, int n, double[][] m) {
  int total = 0;
  ${body}
  return total + (m == null ? n : b.length());
}
grow([1]);
replace();
return f([1], [2], sum([3]), null) + shared[0];`;
}

describe('indices that are in range at the first and the last iteration', () => {
  it.each([
    ['up to the length', 'for (int i = 0; i < a.length(); i++) total += a[i];', ['a[i]']],
    ['up to a limit', 'for (int i = 0; i < n; i++) total += a[i];', ['a[i]']],
    ['up to and with a limit', 'for (int i = 1; i <= n; i++) total += a[i];', ['a[i]']],
    ['downwards', 'for (int i = n; i >= 0; i--) total += a[i];', ['a[i]']],
    ['in larger steps', 'for (int i = 0; i < n; i += 3) total += a[i];', ['a[i]']],
    ['in steps that a local holds', 'total = n; for (int i = 0; i < n; i += total) a[i] = 1;', ['a[i]']],
    ['with neighbours', 'for (int i = 1; i < n - 1; i++) total += a[i - 1] + a[i + 1];', ['a[(i + 1)]', 'a[(i - 1)]']],
    ['by a factor', 'for (int i = 0; i < n; i++) total += a[2 * i + 1];', ['a[((2 * i) + 1)]']],
    ['by a factor that does not change', 'for (int i = 0; i < n; i++) total += a[i * n + 3];', ['a[((i * n) + 3)]']],
    ['from the other end', 'for (int i = 0; i < n; i++) total += a[n - i];', ['a[(n - i)]']],
    ['at one place', 'for (int i = 0; i < n; i++) a[n] += i;', ['a[n]']],
    ['of two that meet', 'for (int i = 0, j = n; i < j; i++, j--) total += a[i] - a[j];', ['a[i]', 'a[j]']],
    ['in a while', 'int i = 0; while (i < n) { total += a[i]; i++; }', ['a[i]']],
    ['with a second condition', 'for (int i = 0; i < n && total < 9; i++) total += a[i];', ['a[i]']],
    ['of what a name stands for', 'for (int i = 0; i < n; i++) { int k = i + 1; total += a[k]; }', ['a[k]']],
    ['that go along', 'int at = 2; for (int i = 0; i < n; i++) { a[at] = b[i]; at++; }', ['a[at]', 'b[i]']],
    [
      'that go along and are moved in the index',
      'int at = 0; for (int i = 0; i < n; i++) a[at++] = b[i];',
      ['a[($value = at; at = ($value + 1); $value)]', 'b[i]'],
    ],
    [
      'that go along by two steps',
      'int at = 0; for (int i = 0; i < n; i++) { at++; total += a[at]; at += 2; }',
      ['a[at]'],
    ],
    ['that go the other way', 'int at = n; for (int i = 0; i < n; i++) { at--; total += a[at]; }', ['a[at]']],
    ['that go along in the step', 'for (int i = 0, at = 5; i < n; i++, at += 2) total += a[at];', ['a[at]']],
    ['that a function works out', 'for (int i = 0; i < n; i++) total += a[place(i, n)];', ['a[((i * n) + 1)]']],
    ['while another one gets longer', 'for (int i = 0; i < n; i++) { grow(b); total += a[i]; }', ['a[i]']],
    ['set and read', 'for (int i = 0; i < n; i++) a[i] += b[i];', ['a[$index]', 'b[i]']],
  ])('%s', (_name, body, accesses) => expect(unchecked(withArrays(body))).toEqual(accesses));

  it('in a row that is looked up before the loop', () => {
    const lines = linesOf(
      withArrays('for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) total += m[i][j].toInt(); }'),
    );
    expect(lines.filter((line) => /hoist |\$path =/.test(line))).toEqual([
      '$elements, $length = hoist m',
      '  $path = ((i in 0..$length) ? $elements[i] unchecked : null)',
      '  $elements.10, $length.11 = hoist $path',
    ]);
  });
});

describe('indices that are checked', () => {
  it.each([
    ['where the loop makes the array longer', 'for (int i = 0; i < n; i++) { a.push(i); total += a[i]; }'],
    ['where a function that is called makes it longer', 'for (int i = 0; i < n; i++) { grow(a); total += a[i]; }'],
    [
      'where the array is another one in the loop',
      'int[] x = a; for (int i = 0; i < n; i++) { total += x[i]; x = b; }',
    ],
    ['where a function that is called replaces it', 'for (int i = 0; i < n; i++) { replace(); total += shared[i]; }'],
    ['where the host may do anything meanwhile', 'for (int i = 0; i < n; i++) { File.exists("x"); total += a[i]; }'],
    ['where the step changes', 'for (int i = 0; i < n; i += total) { total += a[i]; }'],
    ['where the index comes out of an array that is not looked at', 'int i = 0; while (a[i] != 0) { i = a[i]; }'],
    ['where the body sets the variable', 'for (int i = 0; i < n; i++) { total += a[i]; if (total > 3) i += 2; }'],
    ['where the limit changes', 'for (int i = 0; i < n; i++) { total += a[i]; n = total; }'],
    ['where the step goes the other way', 'for (int i = 0; i < n; i--) total += a[i];'],
    ['behind a condition that may know why', 'for (int i = 0; i < n; i++) { if (i > 0) total += a[i - 1]; }'],
    [
      'where what goes along is moved in some iterations',
      'int at = 0; for (int i = 0; i < n; i++) { total += a[at]; if (total > 3) at++; }',
    ],
    [
      'where an iteration may end before it is moved',
      'int at = 0; for (int i = 0; i < n; i++) { if (total > 3) continue; total += a[at]; at++; }',
    ],
    [
      'where it is set besides',
      'int at = 0; for (int i = 0; i < n; i++) { total += a[at]; at++; if (total > 3) at = 0; }',
    ],
    [
      'where it is moved by another amount each iteration',
      'int at = 0; for (int i = 0; i < n; i++) { total += a[at]; at += i; }',
    ],
    [
      'where it is moved behind an or',
      'int at = 0; for (int i = 0; i < n; i++) { total += a[at]; if (total > 3 || at++ > 3) total--; }',
    ],
    [
      'where a clause may see it',
      'int at = 0; for (int i = 0; i < n; i++) { try { total += a[at++]; } catch (Error e) { total--; } }',
    ],
    ['of an index that is not linear', 'for (int i = 0; i < n; i++) total += a[i * i];'],
  ])('%s', (_name, body) => expect(unchecked(withArrays(body))).toEqual([]));

  it('of the array whose elements are indices, those alone are unchecked', () => {
    expect(unchecked(withArrays('for (int i = 0; i < n; i++) total += a[b[i]];'))).toEqual(['b[i]']);
  });
});

describe('a loop inside another', () => {
  const nest = (inner: string): readonly string[] => linesOf(withArrays(`for (int k = 0; k < n; k++) { ${inner} }`));

  it('is done by a part where it is long', () => {
    expect(nest('for (int i = 0; i < n; i++) total = a[i] - total;').filter((line) => line.includes('run '))).toEqual([
      expect.stringMatching(/^ +total, i = run .*\$elements/),
    ]);
  });

  it('stays where it is if it returns', () => {
    expect(
      nest('for (int i = 0; i < n; i++) { if (a[i] == 3) return 1; }').filter((line) => line.includes('run ')),
    ).toEqual([]);
  });

  it('stays where it is inside a try, whose clause sees what it did', () => {
    expect(
      nest('try { for (int i = 0; i < n; i++) total += a[i]; } catch (Error e) { total = e.length(); }').filter(
        (line) => line.includes('run '),
      ),
    ).toEqual([]);
  });
});

describe('a loop that runs through', () => {
  /** What is compared with the end of an array, the proviso of the loop first. */
  // With a division the outer loop makes no nest, which would be jammed.
  const ends = (inner: string): string[] =>
    linesOf(withArrays(`for (int k = 0; k < n; k += n) { total = total / n; ${inner} }`)).flatMap(
      (line) => line.match(/!?\(([^!]*) in bounds of /)?.[1] ?? [],
    );

  it.each([
    ['the array that it goes through', 'for (int i = 0; i < n; i++) total += a[i];', ['n', 'i']],
    [
      'an array that it goes through up to and with the limit',
      'for (int i = 1; i <= n; i++) total += a[i];',
      ['(n + 1)', 'i'],
    ],
    [
      'what reaches furthest ahead',
      'for (int i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i + 1];',
      ['((n - 1) + 1)', '(i + 1)'],
    ],
    ['the first element, downwards', 'for (int i = n; i >= 0; i--) total += a[i];', ['i']],
    ['the first element, down to a limit', 'for (int i = n; i > 1; i--) total += a[i - 2];', ['(i + -2)']],
  ])('may end with %s', (_name, inner, conditions) => expect(ends(inner)).toEqual(conditions));

  it.each([
    ['with none if it is not at the first element', 'for (int i = n; i >= 1; i--) total += a[i];'],
    ['with none if the indices move by a factor', 'for (int i = 0; i < n; i++) total += a[2 * i];'],
    ['with none if the array begins elsewhere', 'for (int i = 0; i < n; i++) total += a[i + n];'],
    ['with none if the limit comes towards it', 'for (int i = 0, j = n; i < j; i++, j--) total += a[i] - a[j];'],
    [
      'with none if only some iterations make the access',
      'for (int i = 0; i < n; i++) { if (total > 3) total += a[i + 1]; }',
    ],
  ])('ends %s', (_name, inner) => expect(ends(inner)).toEqual([]));
});

describe('texts', () => {
  it('give their characters out of an array', () => {
    expect(
      unchecked(
        'int f(string a) { int n = 0; for (int i = 0; i < a.length(); i++) n += a.codeAt(i); return n; }\n' +
          'return f("x");',
      ),
    ).toEqual(['a[(i - $start)]', 'a[i]']);
  });
});

describe('what is looked at in front of a loop', () => {
  /** What has to fit an array before the loop runs without checks. */
  const looks = (body: string): string[] =>
    linesOf(withArrays(body)).flatMap((line) =>
      /^ *if .* in 0\.\.\$length/.test(line)
        ? [...line.matchAll(/([^&]*) in 0\.\.\$length/g)].map(([, index]) => index!.replace(/^.*if \(*|^ *\(*/, ''))
        : [],
    );

  it.each([
    ['the last index alone where it begins at a constant', 'for (int i = 0; i < n; i++) total += a[i];', ['n - 1)']],
    [
      'so where another variable is set in between',
      'for (int i = 1, j = n; i < j; i++, j--) total += a[i - 1];',
      ['j + -1)'],
    ],
    [
      'the first and the last where it begins anywhere',
      'int i = total; for (; i < n; i++) total += a[i];',
      ['i', 'n - 1)'],
    ],
    [
      'both where the first has another index',
      'for (int i = 0; i < n; i++) total += a[i] + a[i - 1];',
      ['i + -1)', 'n - 1)'],
    ],
    ['both where it begins below zero', 'for (int i = -1; i < n; i++) total += a[i];', ['i', 'n - 1)']],
    [
      'both where it begins too high for 32 bits',
      'for (int i = 4294967296; i < n; i++) total += a[i];',
      ['i', 'n - 1)'],
    ],
    [
      'both where it begins at what another variable holds',
      'int i = 0; int k = i++; for (; i < n; i++) total += a[i] + k;',
      ['i', 'n - 1)'],
    ],
  ])('is %s', (_name, body, indices) => expect(looks(body)).toEqual(indices));
});

describe('a function of so many loops that each is a function of its own', () => {
  const many = 'for (int i = 0; i < n; i++) a += i;\n'.repeat(49);

  it('keeps a loop at its end that never ends', () => {
    const endless = 'do { a = a * 3 + n; if (a == 7) a = n; } while (true);';
    const text = `int f(int n) { int a = n; ${many} ${endless} }\nreturn f(3);`;
    const lines = linesOf(text);
    expect(lines.filter((line) => line.includes('run #f'))).toHaveLength(49);
    expect(lines.at(-1)).not.toContain('run #f');
  });
});
