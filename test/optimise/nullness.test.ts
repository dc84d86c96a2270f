// Where the optimiser knows that a local is not null. A read that needs no test is shown with a `!`.

import { describe, expect, it } from 'vitest';
import { noteNonNull } from '../../src/4-optimise/transform/nullness.ts';
import { printBody } from '../../src/mir/print.ts';
import { mirOf } from './lowering.ts';

/** The reads of p in a function around statements, in order: whether each is known not to be null. */
function readsOf(body: string): string {
  const text =
    `type P { int x; P next; }\nint f(P p, P q, boolean b) {\n  int n = 0;\n  ${body}\n  return n;\n}\n` +
    'return f(null, null, true);';
  const program = mirOf(text);
  const lines = printBody(noteNonNull(program.functions.get('#f')!, program.registry));
  return [...lines.join('\n').matchAll(/\bp(!?)\.\d/g)]
    .map(([, known]) => (known === '!' ? 'known' : 'tested'))
    .join(' ');
}

describe('a local is known not to be null', () => {
  it.each([
    ['after an access', 'n += p.x; n += p.x;', 'tested known'],
    ['within one expression', 'n = p.x + p.x;', 'tested known'],
    ['after it was set', 'p.x = 1; n = p.x;', 'tested known'],
    ['behind a test', 'if (p != null) n = p.x;', 'known'],
    ['behind the opposite of a test', 'if (p == null) n = 1; else n = p.x;', 'known'],
    ['after a test that leaves', 'if (p == null) return 0; n = p.x;', 'known'],
    ['in the rest of a condition', 'if (p != null && p.x > 0) n = 1;', 'known'],
    ['in the rest of the other condition', 'if (p == null || p.x > 0) n = 1;', 'known'],
    ['in a choice', 'n = p == null ? 0 : p.x;', 'known'],
    ['where it was just made', 'p = { x: 1, next: null }; n = p.x;', 'known'],
    ['in a loop that tests it', 'while (p != null) { n += p.x; p = p.next; }', 'known known'],
    ['in a loop that does not set it', 'n = p.x; for (int i = 0; i < 3; i++) n += p.x;', 'tested known'],
    ['where both branches saw it', 'if (b) n = p.x; else n = p.x + 1; n += p.x;', 'tested tested known'],
  ])('%s', (_name, body, expected) => expect(readsOf(body)).toBe(expected));
});

describe('a local may be null', () => {
  it.each([
    ['after another value', 'n = p.x; p = q; n += p.x;', 'tested tested'],
    ['where one branch did not see it', 'if (b) n = p.x; n += p.x;', 'tested tested'],
    ['where a condition may have stopped before', 'if (b && p.x > 0) n = 1; n += p.x;', 'tested tested'],
    ['in a loop that sets it', 'n = p.x; for (int i = 0; i < 3; i++) { n += p.x; p = p.next; }', 'tested tested known'],
    ['behind a loop that may not have turned', 'while (b) { n += p.x; b = false; } n += p.x;', 'tested tested'],
    ['in a clause', 'try { n = p.x; } catch (Error e) { n = p.x + e.length(); }', 'tested tested'],
    ['behind a try', 'try { n = p.x; } catch (Error e) { n = e.length(); } n += p.x;', 'tested tested'],
  ])('%s', (_name, body, expected) => expect(readsOf(body)).toBe(expected));
});
