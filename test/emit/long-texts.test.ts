// Loops see long texts through windows, which move along with them: every way through a text reads the same characters
// as one call for each of them does, and ends with the same error.

import { describe, expect, it } from 'vitest';
import { findDifference, outcomeOf } from './compare-settings.ts';

/** The text of 200,000 characters, no two stretches of it alike. */
const text = `
string make(int n) {
  string text = "";
  for (int i = 0; i < n; i++) text += (i * 7919 + (i >> 5)).toString() + (i % 3 == 0 ? "\\u017E" : ";");
  return text.substring(0, n);
}
string text = make(200000);
int n = text.length();
`;

const walks: Readonly<Record<string, string>> = {
  ahead: 'int sum = 0; for (int i = 0; i < n; i++) sum = sum * 31 + text.codeAt(i); yield sum;',
  'ahead, to the length itself':
    'int sum = 0; for (int i = 0; i < text.length(); i++) sum = sum * 31 + text.codeAt(i); yield sum;',
  back: 'int sum = 0; for (int i = n - 1; i >= 0; i--) sum = sum * 31 + text.codeAt(i); yield sum;',
  'again and again':
    'int sum = 0; for (int round = 0; round < 3; round++) { int i = 0; while (i < n) { ' +
    'sum = sum * 31 + text.codeAt(i); i++; } } yield sum;',
  'in steps':
    'int sum = 0; for (int step = 1; step < 20000; step *= 7) { for (int i = 0; i < n; ' +
    'i += step) sum = sum * 31 + text.codeAt(i); } yield sum;',
  'back and forth':
    'int sum = 0; for (int i = 0; i < n - 5000; i += 40) { ' +
    'sum = sum * 31 + text.codeAt(i + 5000 * (i % 2)) + text.codeAt(n - 1 - i); } yield sum;',
  'with a look back':
    'int sum = 0; for (int d = 40; d < 700; d += 60) { for (int i = d; i < n; i++) { ' +
    'if (text.codeAt(i) == text.codeAt(i - d)) sum += d; } } yield sum;',
  'with a look ahead':
    'int sum = 0; for (int d = 40; d < 700; d += 60) { for (int i = 0; i < n - d; i++) { ' +
    'if (text.codeAt(i) == text.codeAt(i + d)) sum += d; } } yield sum;',
  'from both ends':
    'int sum = 0; int to = n - 1; for (int from = 0; from < to; from++) { ' +
    'sum = sum * 31 + text.codeAt(from) - text.codeAt(to); to--; } yield sum;',
  'at random':
    'int sum = 0; int at = 1; for (int i = 0; i < 20000; i++) { at = at * 1103515245 + 12345 & 0x7fffffff; ' +
    'sum = sum * 31 + text.codeAt(at % n); } yield sum;',
  'at random in a text that is read on everywhere': `
    int sum = 0;
    int at = 1;
    for (int i = 0; i < 2000; i++) {
      at = at * 1103515245 + 12345 & 0x7fffffff;
      int from = at % (n - 50);
      for (int j = from; j < from + 40; j++) sum = sum * 31 + text.codeAt(j);
    }
    yield sum;`,
  'by two loops at once': `
    int digits(string s, int from) {
      int at = from;
      while (at < s.length() && s.codeAt(at) != 59) at++;
      return at - from;
    }
    int sum = 0;
    for (int i = 0; i < n; i += 3) sum = sum * 31 + text.codeAt(i) + digits(text, n - 1 - i) + text.codeAt(i + 1 < n ? i + 1 : i);
    yield sum;`,
  'two texts': `
    string other = make(150000);
    int same = 0;
    for (int i = 0; i < other.length(); i++) { if (text.codeAt(i) == other.codeAt(i)) same++; }
    for (int i = 0; i < other.length(); i++) { if (text.codeAt(i + 1000) == other.codeAt(other.length() - 1 - i)) same++; }
    yield same;`,
  'in a field': `
    type Source { string text; int at; }
    Source source = { text: text, at: 0 };
    int sum = 0;
    while (source.at < n) { sum = sum * 31 + source.text.codeAt(source.at); source.at++; }
    yield sum;`,
  'beyond its end':
    'int sum = 0; try { for (int i = 0; true; i++) sum += text.codeAt(i); } catch (IndexOutOfBoundsError e) { ' +
    'yield sum; yield e; }',
  'before its beginning':
    'int sum = 0; try { for (int i = n - 1; true; i--) sum += text.codeAt(i); } ' +
    'catch (IndexOutOfBoundsError e) { yield sum; yield e; }',
  'far from it':
    'int sum = 0; int far = 1; try { while (true) { sum += text.codeAt(far); far *= -3; if (far < 0) far = -far; ' +
    '} } catch (IndexOutOfBoundsError e) { yield sum; yield e; }',
  'at positions that wrap':
    'for (int shift = 32; shift < 64; shift += 8) { try { for (int i = 0; i < 3; ' +
    'i++) yield text.codeAt(i * (1 << shift)); } catch (IndexOutOfBoundsError e) { yield e; } }',
  'as the limit of other arrays': `
    int[] few = [1, 2, 3];
    int sum = 0;
    try { for (int i = 0; i < text.length(); i++) { sum += few[i] + text.codeAt(i); } } catch (IndexOutOfBoundsError e) { yield e; }
    for (int round = 0; round < 2; round++) { for (int i = 0; i < text.length(); i++) sum++; }
    yield sum;`,
  'beyond the BMP': `
    string faces = text + "\\u{1F600}" + text;
    int sum = 0;
    for (int i = 0; i < faces.length(); i += 7) sum = sum * 31 + faces.codeAt(i);
    yield sum;`,
  'just as long as is kept': `
    int sum = 0;
    for (int size = 65535; size <= 65538; size++) { string part = text.substring(0, size); for (int i = 0; i < size; i++) sum = sum * 31 + part.codeAt(i); }
    yield sum;`,
};

describe('a long text is read', () => {
  it.each(Object.entries(walks))(
    '%s',
    async (_name, walk) => {
      expect(await findDifference(text + walk)).toBeNull();
    },
    60_000,
  );

  it('as what it is', async () => {
    const expected = Array.from({ length: 30_000 }, (_, i) => `${i * 7919 + (i >> 5)};`).join('');
    const script = `
      string text = "";
      for (int i = 0; i < 30000; i++) text += (i * 7919 + (i >> 5)).toString() + ";";
      int sum = 0;
      for (int i = 0; i < text.length(); i++) sum = sum * 31 + text.codeAt(i) & 0xffffff;
      yield sum;`;
    let sum = 0;
    for (const character of expected) sum = (sum * 31 + character.charCodeAt(0)) & 0xffffff;
    expect(await outcomeOf(script, {})).toEqual([String(sum), 'returns undefined']);
  });
});
