// Loop idioms: a loop that does nothing but copy elements in a row, or give them all one value, does so at once where
// it has many iterations. An engine copies a long row five times as fast as a loop can.
//
//   loop 1 while (i < n)                      $count = (n - i)
//     $b[i] unchecked = $a[i] unchecked       if (i < n) && (($count - 32) in 0..2147483648)
//   step                                        copy $count to $b[i] = $a[i] unchecked
//     i = (i + 1)                               i = (i + $count)
//                                             else
//                                               loop 1 …
//
// Both indices may be other variables that grow by one, such as those of `b[to++] = a[from++]`. A loop that reads
// elements it has written before gives something else than a copy: where the array and the indices do not rule that out,
// it is tested.
//
// Applies to loops without checks that are short, so that nothing polls in between, and of whose iterations none is
// charged by itself. Does not apply to loops that count down, or by more than one.
// Source: loop idiom recognition, as in LLVM's pass of that name.

import { booleanType, intType, typeKey } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { all, areDifferent, arithmetic, either, getLocal, inRange, int, not } from '../../mir/builders.ts';
import { hasLoop } from '../../mir/children.ts';
import { every, isSpeculatable } from '../../mir/effects.ts';
import { expressionKey } from '../../mir/expression-keys.ts';
import type { Expression, HoistedArray, LocalId, Loop, SetHoisted, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import type { Span } from '../../source.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const loopIdioms: Pass = {
  name: 'loop-idioms',
  summary: 'loops that copy or fill many elements do so at once',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) => {
    const { countsFuel } = context.settings;
    return mapFunctions(program, context, (fn) =>
      hasLoop(fn.body) ? replaceIdioms(fn, program.registry, countsFuel) : fn,
    );
  },
};

/** With fewer iterations, a loop is as fast. */
const fewest = { copy: 32n, fill: 64n } as const;
/** No array has more elements. */
const longest = 2n ** 31n;

function replaceIdioms(fn: MirFunction, registry: LibraryRegistry, countsFuel: boolean): MirFunction {
  const locals = fn.locals.slice();
  // No such loop contains another one, so all share one local.
  let count: LocalId | null = null;
  const replace = (node: Statement): readonly Statement[] => {
    if (node.kind !== 'loop' || (countsFuel && node.weight !== 0)) return [node];
    const idiom = readIdiom(node, registry);
    if (idiom === null) return [node];
    count ??= locals.push({ name: 'count', type: intType, origin: 'temporary' }) - 1;
    return atOnce(node, idiom, getLocal(count, intType, node.span), count, locals);
  };
  const body = rewriteBlocks(fn.body, (block) => block.flatMap(replace));
  return count === null ? fn : { ...fn, locals, body };
}

/** An int at the beginning of an iteration: `base + offset`. */
interface Sum {
  readonly base: Expression | null;
  readonly offset: bigint;
  /** It grows by one with each iteration, or stays. */
  readonly grows: boolean;
}

interface Idiom {
  readonly store: SetHoisted;
  readonly index: Sum;
  /** Where the elements that are copied begin, null where all get the same value. */
  readonly source: { readonly hoisted: HoistedArray; readonly index: Sum; readonly value: Expression } | null;
  /** What the locals that the loop sets hold at the end of its first iteration. */
  readonly ends: ReadonlyMap<LocalId, Sum>;
  readonly variable: LocalId;
  readonly limit: Expression;
}

function readIdiom(loop: Loop, registry: LibraryRegistry): Idiom | null {
  const { counted, isShort, body, step } = loop;
  if (isShort !== true || counted === undefined || counted.comparison !== '<' || counted.limitStep !== 0n) return null;
  const { variable, limit, start } = counted;
  // Where the body comes first, the limit must not be evaluated in front of it.
  if (!loop.testFirst && limit.kind !== 'int' && limit.kind !== 'get-local') return null;
  if (counted.step.kind !== 'int' || counted.step.value !== 1n) return null;
  const reader = new Reader(setIn([...body, ...step]));
  if (!reader.statements([...body, ...step]) || reader.store === null || !reader.isSettled()) return null;
  const { store, index, value, ends } = reader;
  if (!index!.grows) return null;
  const idiom = { store, index: index!, ends, variable, limit };
  const isLong = (least: bigint): boolean => start === null || limit.kind !== 'int' || limit.value - start >= least;
  if (value === null) {
    const isFill = isLong(fewest.fill) && isSame(store.value, ends, registry);
    return isFill ? { ...idiom, source: null } : null;
  }
  const read = store.value;
  if (!value.grows || !isLong(fewest.copy) || read.kind !== 'get-hoisted') return null;
  const isCopy = typeKey(read.hoisted.array.type) === typeKey(store.hoisted.array.type);
  return isCopy ? { ...idiom, source: { hoisted: read.hoisted, index: value, value: read } } : null;
}

/** Whether it is a number that is the same in every iteration, and may be evaluated anywhere. */
function isSame(value: Expression, set: ReadonlyMap<LocalId, Sum>, registry: LibraryRegistry): boolean {
  const { kind } = value.type;
  const reads = (part: { readonly kind: string }): boolean => part.kind === 'operate' || part.kind === 'widen';
  return (
    (kind === 'int' || kind === 'double' || kind === 'boolean') &&
    isSpeculatable(value, registry) &&
    every([value], (part) => (part.kind === 'get-local' ? !set.has(part.local) : isNumber(part) || reads(part)))
  );
}

function isNumber(part: { readonly kind: string }): boolean {
  return part.kind === 'int' || part.kind === 'double' || part.kind === 'boolean';
}

function setIn(nodes: readonly Statement[]): ReadonlySet<LocalId> {
  const found = new Set<LocalId>();
  every(nodes, (node) => {
    if (node.kind === 'set-local') found.add(node.local);
    return true;
  });
  return found;
}

/** Goes through one iteration. */
class Reader {
  store: SetHoisted | null = null;
  index: Sum | null = null;
  value: Sum | null = null;
  readonly ends: Map<LocalId, Sum>;
  readonly #set: ReadonlySet<LocalId>;
  /** Those of the locals that the loop sets whose value at the beginning of an iteration is used. */
  readonly #carried = new Set<LocalId>();

  constructor(set: ReadonlySet<LocalId>) {
    this.#set = set;
    this.ends = new Map();
  }

  /** False for anything but one store without a check, and sums of ints. */
  statements(nodes: readonly Statement[]): boolean {
    return nodes.every((node) => {
      if (node.kind === 'block') return node.lastEntry === undefined && this.statements(node.statements);
      if (node.kind === 'set-local') return this.#assign(node.local, node.value);
      if (node.kind !== 'set-hoisted' || node.checked || this.store !== null) return false;
      this.store = node;
      this.index = this.#sum(node.index);
      const { value } = node;
      if (value.kind === 'get-hoisted' && !value.checked && value.hoisted.window === null)
        this.value = this.#sum(value.index);
      return this.index !== null && (value.kind !== 'get-hoisted' || this.value !== null);
    });
  }

  /** Whether each local that goes from one iteration to the next grows by one. */
  isSettled(): boolean {
    return [...this.#carried].every((local) => {
      const end = this.ends.get(local);
      return end !== undefined && localIn(end.base) === local && end.offset === 1n;
    });
  }

  #assign(local: LocalId, value: Expression): boolean {
    const sum = value.type.kind === 'int' ? this.#sum(value) : null;
    // Behind the loop, it is worked out from a local alone.
    if (sum === null || localIn(sum.base) === null) return false;
    this.ends.set(local, sum);
    return true;
  }

  #sum(node: Expression): Sum | null {
    if (node.kind === 'int') return { base: null, offset: node.value, grows: false };
    if (node.kind === 'get-local') {
      if (!this.#set.has(node.local)) return { base: node, offset: 0n, grows: false };
      if (!this.ends.has(node.local)) this.#carried.add(node.local);
      return this.ends.get(node.local) ?? { base: node, offset: 0n, grows: true };
    }
    if (node.kind === 'sequence') return this.statements(node.statements) ? this.#sum(node.value) : null;
    const symbol = node.kind === 'operate' ? /^([+-])\(int,int\)$/.exec(node.operator)?.[1] : undefined;
    if (symbol === undefined || node.kind !== 'operate') return null;
    const [left = null, right = null] = node.operands.map((operand) => this.#sum(operand));
    return left === null || right === null ? null : combine(symbol as '+' | '-', left, right, node.span);
  }
}

function localIn(base: Expression | null): LocalId | null {
  return base?.kind === 'get-local' ? base.local : null;
}

function combine(symbol: '+' | '-', left: Sum, right: Sum, span: Span): Sum | null {
  if (right.grows && (left.grows || symbol === '-')) return null;
  const offset = symbol === '+' ? left.offset + right.offset : left.offset - right.offset;
  const grows = left.grows || right.grows;
  if (right.base === null) return { base: left.base, offset, grows };
  if (left.base === null && symbol === '+') return { base: right.base, offset, grows };
  return { base: arithmetic(symbol, left.base ?? int(0n, span), right.base), offset, grows };
}

function toExpression({ base, offset }: Sum, span: Span): Expression {
  const constant = int(BigInt.asIntN(64, offset), span);
  return base === null ? constant : arithmetic('+', base, constant);
}

/** The loop behind a test for many iterations, in front of which these are counted. */
function atOnce(
  loop: Loop,
  idiom: Idiom,
  count: Expression,
  counter: LocalId,
  locals: readonly Local[],
): readonly Statement[] {
  const { store, index, source, ends, variable, limit } = idiom;
  const { span } = loop;
  const overlap = source === null ? null : testOverlap(idiom, source, count, locals);
  if (overlap === 'always') return [loop];
  const now = getLocal(variable, intType, span);
  const least = fewest[source === null ? 'fill' : 'copy'];
  const condition = all([
    { kind: 'operate', operator: '<(int,int)', operands: [now, limit], type: booleanType, span },
    inRange(arithmetic('-', count, int(least, span)), int(longest, span)),
    ...(overlap === null ? [] : [overlap]),
  ]);
  const value: Expression =
    source === null
      ? store.value
      : {
          kind: 'get-hoisted',
          hoisted: source.hoisted,
          index: toExpression(source.index, span),
          checked: false,
          type: store.value.type,
          span,
        };
  const move: Statement = {
    kind: 'set-range',
    hoisted: store.hoisted,
    index: toExpression(index, span),
    value,
    count,
    span,
  };
  return [
    { kind: 'set-local', local: counter, value: arithmetic('-', limit, now), span },
    { kind: 'if', arms: [{ condition, then: [move, ...advance(ends, count, span)] }], otherwise: [loop], span },
  ];
}

/** Gives the locals the values that they have behind the loop: the counters first, and then what is worked out from them. */
function advance(ends: ReadonlyMap<LocalId, Sum>, count: Expression, span: Span): readonly Statement[] {
  const set = (local: LocalId, value: Expression): Statement => ({ kind: 'set-local', local, value, span });
  const all = [...ends].map(([local, end]) => ({ local, end, isCounter: localIn(end.base) === local }));
  return [
    ...all
      .filter(({ isCounter }) => isCounter)
      .map(({ local }) => set(local, arithmetic('+', getLocal(local, intType, span), count))),
    ...all
      .filter(({ isCounter }) => !isCounter)
      .map(({ local, end }) =>
        set(local, toExpression({ ...end, offset: end.grows ? end.offset - 1n : end.offset }, span)),
      ),
  ];
}

/** The test that no element is read that was written before; null if there is no such element, `always` if there is one. */
function testOverlap(
  { store, index }: Idiom,
  source: Idiom['source'] & {},
  count: Expression,
  locals: readonly Local[],
): Expression | 'always' | null {
  const { span } = store;
  const [to, from] = [store.hoisted.elements, source.hoisted.elements];
  const read = (local: LocalId): Expression => getLocal(local, locals[local]!.type, span);
  const apart: Expression | null = to === from ? null : areDifferent(read(to), read(from), span);
  const key = keyOf(index.base);
  if (key !== null && key === keyOf(source.index.base)) {
    if (BigInt.asIntN(64, index.offset - source.index.offset) <= 0n) return null;
    return apart ?? 'always';
  }
  const ahead = arithmetic('-', toExpression(index, span), toExpression(source.index, span));
  const one = int(1n, span);
  const isClear = not(inRange(arithmetic('-', ahead, one), arithmetic('-', count, one)));
  return apart === null ? isClear : either(apart, isClear);
}

function keyOf(base: Expression | null): string | null {
  return base === null ? '' : expressionKey(base, 40);
}
