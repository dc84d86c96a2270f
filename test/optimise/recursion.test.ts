// Which functions can come back to themselves, and which lie on the way.

import { describe, expect, it } from 'vitest';
import { Recursion } from '../../src/4-optimise/analysis/recursion.ts';
import { mirOf } from './lowering.ts';

const script = `
int leaf(int n) { return n + 1; }
int down(int n) { return n == 0 ? leaf(n) : down(n - 1); }
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int between(int n) { return even(n); }
int caller(int n) { return between(n) + down(n); }
int outer(int n) { return n == 0 ? 0 : bridge(n - 1); }
int bridge(int n) { return outer(n) + leaf(n); }
return caller(3) + outer(2);`;

const recursion = new Recursion(mirOf(script));
const names = (ids: ReadonlySet<string>): readonly string[] => [...ids].map((id) => id.slice(1)).toSorted();

describe('recursion', () => {
  it('finds what calls itself, by itself or through others', () => {
    expect(names(recursion.recursive())).toEqual(['bridge', 'down', 'even', 'odd', 'outer']);
  });

  it('leaves out what only calls recursive functions, and what they call', () => {
    const between = names(recursion.betweenRecursion());
    expect(between).not.toContain('caller');
    expect(between).not.toContain('leaf');
  });

  it('finds what leads from one recursive function to another', () => {
    const found = new Recursion(
      mirOf(`
int first(int n) { return n == 0 ? way(n) : first(n - 1); }
int way(int n) { return second(n); }
int second(int n) { return n == 0 ? 0 : second(n - 1); }
return first(3);`),
    );
    expect(names(found.recursive())).toEqual(['first', 'second']);
    expect(names(found.betweenRecursion())).toEqual(['first', 'second', 'way']);
  });

  it('finds what recursive functions call', () => {
    expect(names(recursion.calledByRecursion())).toEqual(['bridge', 'down', 'even', 'leaf', 'odd', 'outer']);
  });

  it('takes a ring of any length', () => {
    const length = 20_000;
    const ring = Array.from(
      { length },
      (_, at) => `int f${at}(int n) { return n == 0 ? 0 : f${(at + 1) % length}(n - 1); }`,
    );
    expect(new Recursion(mirOf(`${ring.join('\n')}\nreturn f0(3);`)).recursive().size).toBe(length);
  });
});
