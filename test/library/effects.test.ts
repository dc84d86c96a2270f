// The effects of library rows: those of the prelude are what its functions do, a row that says nothing is taken for the
// worst, and what the host runs follows from its contract.

import { describe, expect, it } from 'vitest';
import { check } from '../../src/2-check/check.ts';
import { lower } from '../../src/3-lower/lower.ts';
import { loadModules } from '../../src/1-parse/load-modules.ts';
import { Ranges } from '../../src/4-optimise/analysis/ranges.ts';
import { ProgramChanges } from '../../src/4-optimise/analysis/mod-ref.ts';
import { findResized } from '../../src/4-optimise/transform/array-representation.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { host, prelude } from '../../src/language/implementation.ts';
import { arrayOf, intType, typeVariable } from '../../src/language/types.ts';
import { fn, methods } from '../../src/library/declare.ts';
import type { LibraryFunction } from '../../src/library/declare.ts';
import type { EffectsRow } from '../../src/library/effects.ts';
import { builtInLibraries, LibraryRegistry } from '../../src/library/registry.ts';
import { createSourceFile } from '../../src/source.ts';
import { findDifferences } from '../../tools/compare-effects.ts';
import { EffectInference } from '../../tools/infer-effects.ts';
import { preludeSource } from '../../tools/prelude-source.ts';
import { lab } from '../lab.ts';
import { readPlugins } from '../../src/library/plugins.ts';

const registry = new LibraryRegistry();
const sink = new DiagnosticSink();
const inference = new EffectInference(
  check(loadModules(createSourceFile('prelude', preludeSource()), sink, null), sink, { registry, prelude: true }),
  registry,
);
const preludeRows = registry.libraries
  .flatMap(({ functions }) => functions)
  .filter(({ implementation }) => implementation.kind === 'prelude');

const rowOf = (signature: string, name: string, effects?: EffectsRow): LibraryFunction =>
  methods(arrayOf(typeVariable), 'T[]', 'More.', [fn(signature, 'One more.', prelude(name), '1 → 1', effects)])
    .functions[0]!;

describe('the rows of the prelude', () => {
  it.each(preludeRows.map((row) => [row.id, row] as const))('%s says what its body does', (_id, row) =>
    expect(findDifferences(inference, row)).toEqual([]),
  );

  it.each(builtInLibraries.flatMap(({ functions }) => functions).map((row) => [row.id, row] as const))(
    '%s is not left to the worst case',
    (_id, row) => {
      expect(
        row.effects.flows.filter(
          ({ to, from }) => to.depth === 'reach' && from.depth === 'reach' && to.of !== 'result',
        ),
      ).toEqual([]);
    },
  );

  const wrong: readonly (readonly [what: string, row: LibraryFunction, difference: string])[] = [
    [
      'an alias that is not said',
      rowOf('T pop()', 'popElement', {
        reads: ['this'],
        stores: ['this'],
        resizes: ['this'],
        closed: true,
        throws: true,
      }),
      'flows result = this[], which its row does not say',
    ],
    [
      'a store that is not said',
      rowOf('void fill(T x)', 'fillArray', { reads: ['this'], flows: ['this[] = x'], closed: true }),
      'stores this, which its row does not say',
    ],
    [
      'a change of the length that is not said',
      rowOf('void clear()', 'clearArray', { reads: ['this'], stores: ['this'] }),
      'resizes this, which its row does not say',
    ],
    ['a read that is not said', rowOf('int length()', 'lengthOfArray', {}), 'reads this, which its row does not say'],
    [
      'a failure that is not said',
      rowOf('T removeAt(int i)', 'removeElement', {
        reads: ['this'],
        stores: ['this'],
        resizes: ['this'],
        flows: ['result = this[]'],
      }),
      'is throws: true, which its row does not say',
    ],
    [
      'a promise that does not hold',
      rowOf('int length()', 'lengthOfArray', { reads: ['this'], closed: true }),
      'makes up values, but its row says closed',
    ],
    [
      'an alias that never is',
      rowOf('int length()', 'lengthOfArray', { reads: ['this'], flows: ['this[] = this[..]'] }),
      'never flows this[] = this[..], as its row says',
    ],
  ];
  it.each(wrong)('notices %s', (_what, row, difference) =>
    expect(findDifferences(inference, row)).toContain(difference),
  );

  it('refuses operands that there are not', () =>
    expect(() => rowOf('void fill(T x)', 'fillArray', { stores: ['y'] })).toThrow('no operand y'));
});

describe('a row that says nothing', () => {
  const silent = methods(arrayOf(intType), 'int[]', 'More.', [
    fn('int[] odd(int[] o)', 'One more.', prelude('copyArray'), '1 → 1'),
  ]);
  const registryWithSilent = new LibraryRegistry([...builtInLibraries, silent]);
  const programOf = (source: string) => {
    const faults = new DiagnosticSink();
    const program = check(loadModules(createSourceFile('test.slu', source), faults, null), faults, {
      registry: registryWithSilent,
    });
    expect(faults.sorted()).toEqual([]);
    return lower(program);
  };

  it.each([
    ['its result is its receiver', 'int f(int[] a) { int[] r = a.odd([1]); r[0] = 1 << 40; int x = a[0]; return x; }'],
    ['its result is its argument', 'int f(int[] a) { int[] r = [1].odd(a); r[0] = 1 << 40; int x = a[0]; return x; }'],
    ['it stores what nobody knows', 'int f(int[] a) { [1].odd(a); int x = a[0]; return x; }'],
  ])('may be such that %s', (_what, source) => {
    const program = programOf(`${source}\nreturn f([1, 2, 3]);`);
    const f = program.functions.get('#f')!;
    const local = f.locals.findIndex(({ name }) => name === 'x');
    const range = new Ranges(program).of(f, { kind: 'get-local', local, type: intType, span: f.span })!;
    expect(range.high).toBe(2n ** 63n - 1n);
  });

  it('may change the length and the elements of what it is given', () => {
    const program = programOf('int f(int[] a) { [1].odd(a); return 0; }\nreturn f([1]);');
    const f = program.functions.get('#f')!;
    const changes = new ProgramChanges(program).of(f.body, f);
    const array = { kind: 'get-local', local: f.parameters[0]!.local, type: arrayOf(intType), span: f.span } as const;
    expect([changes.mayStore(array), changes.mayResize(array)]).toEqual([true, true]);
    expect([...findResized(program)]).toContain('int');
  });
});

describe('what the host runs', () => {
  const plugins = readPlugins([lab]).flatMap(({ functions }) => functions.map(({ row }) => row));
  it.each(
    [...builtInLibraries.flatMap(({ functions }) => functions), ...plugins]
      .filter(({ implementation }) => implementation.kind === 'host' || implementation.kind === 'plugin')
      .map((row) => [row.id, row] as const),
  )('%s changes nothing that the script holds and gives what is new', (_id, { effects, implementation }) => {
    expect(effects).toMatchObject({ stores: [], resizes: [], flows: [] });
    expect(effects.waits).toBe(
      implementation.kind === 'plugin'
        ? implementation.waits
        : implementation.kind === 'host' && implementation.permission !== null,
    );
  });

  it('is external unless its row says otherwise', () => {
    const row = methods(intType, 'int', 'More.', [fn('int odd()', 'One more.', host(), '1 → 1')]).functions[0]!;
    expect(row.effects).toMatchObject({ isExternal: true, throws: true });
  });
});
