// Which indices of the accesses in a counted loop move alike, and what must hold in front of the loop for all of them to
// be in range.

import { countsUp } from '../../mir/mir.ts';
import type { CountedLoop, Expression, HoistedArray, LocalId, Loop } from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { arithmetic, getLocal, inRange, int } from '../../mir/builders.ts';
import { countSureParts, partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isGet } from '../../mir/locals.ts';
import { pathKey } from './access-paths.ts';
import { readLinear } from './affine.ts';
import type { Linear } from './affine.ts';
import { conditionsOfCount } from './counted-loops.ts';
import { isRowElement } from './induction-variables.ts';
import type { Access, RowElement } from './induction-variables.ts';
import type { Changes } from './mod-ref.ts';

/** Accesses to one array, or to the rows of one matrix, whose indices move alike; offsets lie from `low` to `high`. */
export interface Group {
  /** Of an array, null for rows. */
  readonly elements: LocalId | null;
  readonly length: LocalId;
  readonly linear: Linear;
  readonly members: Access[];
  low: bigint;
  high: bigint;
}

const half = 1n << 31n;

/** The accesses whose checks can be made before the loop. Those of every iteration say how far it reaches. */
export function findGroups(
  loop: Loop,
  counted: CountedLoop,
  {
    changes,
    indices,
    rowLength,
    registry,
  }: {
    readonly changes: Changes;
    readonly indices: ReadonlyMap<Access, Expression>;
    readonly rowLength: (access: RowElement) => LocalId | null;
    readonly registry: LibraryRegistry;
  },
): readonly Group[] {
  const groups = new Map<string, Group>();
  const accesses = findAccesses(loop).flatMap(({ access, always }) => {
    const linear = linearIn(indices.get(access)!, counted, changes, registry);
    if (linear === null) return [];
    const place =
      access.kind === 'get-element' ? { elements: null, length: rowLength(access) } : lengthOf(access.hoisted);
    if (place.length === null) return [];
    const { elements, length } = place;
    const key = `${length} ${linear.base === null ? '' : pathKey(linear.base)}`;
    return [{ access, always, linear, place: { elements, length }, key }];
  });
  for (const { access, linear, place, key } of accesses.filter(({ always }) => always)) {
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, { ...place, linear, members: [access], low: linear.offset, high: linear.offset });
    else {
      group.members.push(access);
      if (linear.offset < group.low) group.low = linear.offset;
      if (linear.offset > group.high) group.high = linear.offset;
    }
  }
  for (const { access, linear, place, key } of accesses.filter(({ always }) => !always)) {
    const group = groups.get(key);
    // A condition that stands in front of `a[i - 1]` often knows why: only what is not at an edge is looked at for it.
    if (group === undefined && linear.offset === 0n)
      groups.set(key, { ...place, linear, members: [access], low: 0n, high: 0n });
    else if (group !== undefined && group.low <= linear.offset && linear.offset <= group.high)
      group.members.push(access);
  }
  return [...groups.values()];
}

/**
 * The elements of a foreach that nothing has to check, where there are others at its index: these may be compared with it
 * in the place of the length.
 */
export function findForeach(loop: Loop, { variable }: CountedLoop, others: readonly Group[]): readonly Group[] {
  const limit = loop.condition?.kind === 'operate' ? loop.condition.operands[1] : undefined;
  const isForeach = limit?.kind === 'library-call' && limit.function === 'T[].length';
  const isBeside = others.some(({ linear: { base } }) => base !== null && isGet(base, variable));
  // In the loops of a nest, which compare their variables with locals, the lengths of rows need not be known.
  if (!isForeach || !isBeside) return [];
  const found = new Map<LocalId, Group>();
  const known = new Set(others.map(({ elements }) => elements));
  visitAll(loop.body, (node) => {
    if (node.kind !== 'get-hoisted' || node.checked || !isGet(node.index, variable)) return;
    const { elements, length } = node.hoisted;
    const linear: Linear = { coefficient: 1n, base: node.index, offset: 0n };
    if (!known.has(elements)) found.set(elements, { elements, length, linear, members: [], low: 0n, high: 0n });
  });
  return [...found.values()];
}

/** An index by the variables that move; null where it does not move as they do. */
export function linearIn(
  index: Expression,
  counted: CountedLoop,
  changes: Changes,
  registry: LibraryRegistry,
): Linear | null {
  for (const variable of movingOf(counted)) {
    const linear = readLinear(index, variable, changes, registry);
    if (linear !== null) return linear;
  }
  return null;
}

function lengthOf({ elements, length }: HoistedArray): { readonly elements: LocalId; readonly length: LocalId } {
  return { elements, length };
}

/** The variables that move: the one that is counted, and the limit where it comes towards it. */
function movingOf({ variable, limit, limitStep }: CountedLoop): readonly LocalId[] {
  return limitStep !== 0n && limit.kind === 'get-local' ? [variable, limit.local] : [variable];
}

/**
 * The checked accesses, and whether each iteration makes them if it comes that far. In the step the variable has moved
 * already.
 */
function findAccesses(loop: Loop): readonly { readonly access: Access; readonly always: boolean }[] {
  const found: { readonly access: Access; readonly always: boolean }[] = [];
  const pending: { readonly node: Node; readonly always: boolean }[] = [
    ...(loop.condition === null ? [] : [loop.condition]),
    ...loop.body,
  ].map((node) => ({ node, always: true }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, always } = next;
    if ((node.kind === 'get-hoisted' || node.kind === 'set-hoisted' || isRowElement(node)) && node.checked)
      found.push({ access: node, always });
    const parts =
      node.kind === 'get-hoisted'
        ? [node.index]
        : node.kind === 'set-hoisted'
          ? [node.index, node.value]
          : partsOf(node);
    const sure = countSureParts(node);
    pending.push(...parts.map((part, index) => ({ node: part, always: always && index < sure })));
  }
  return found;
}

/** What must hold for the loop without the checks of the groups, if it makes an iteration. */
export function listConditions(
  counted: CountedLoop,
  limit: Expression,
  groups: readonly Group[],
  { span }: Loop,
): readonly Expression[] {
  const { start } = counted;
  const variable = getLocal(counted.variable, intType, span);
  const goesUp = countsUp(counted.comparison);
  const moving = movingOf(counted);
  // Of two that come towards each other, each stays between where both began.
  const end =
    counted.limitStep !== 0n
      ? limit
      : counted.comparison === '<'
        ? arithmetic('-', limit, int(1n, span))
        : counted.comparison === '>'
          ? arithmetic('+', limit, int(1n, span))
          : limit;
  const [least, most] = goesUp ? [variable, end] : [end, variable];
  // Indices in range are small, and so is what moves just as they do.
  const isPlainIndex = ({ linear }: Group): boolean =>
    linear.base?.kind === 'get-local' && moving.includes(linear.base.local);
  const small = groups.some(isPlainIndex) ? [] : [isSmall(variable), isSmall(limit)];
  const exact = lastOf(counted, end, variable);
  let isExact = false;
  const ends = groups.flatMap((group) => {
    const { linear, low, high, length } = group;
    const at = (value: Expression, offset: bigint): Expression =>
      inRange(indexAt(linear.base, moving, value, offset, span), getLocal(length, intType, span));
    const { coefficient } = linear;
    if (coefficient === 0n) return low === high ? [at(variable, low)] : [at(variable, low), at(variable, high)];
    // Pairs: `a[i + 1]` is in range where the loop ends in front of the end of the array, in steps of two.
    if (exact !== null && high > 0n && typeof coefficient === 'bigint' && coefficient > 0n) {
      isExact = true;
      return [at(least, low), at(exact.last, high)];
    }
    // What begins at a small constant and goes on to an index in range is in range before.
    if (goesUp && start !== null && isPlainIndex(group) && start + low >= 0n && start < half) return [at(most, high)];
    if (typeof coefficient !== 'bigint')
      return [isSmall(coefficient), at(least, low), at(least, high), at(most, low), at(most, high)];
    return coefficient > 0n ? [at(least, low), at(most, high)] : [at(most, low), at(least, high)];
  });
  const reached = isExact ? [exact!.isReached] : [];
  return withoutRepeats([...conditionsOfCount(counted), ...reached, ...small, ...ends]);
}

/**
 * The value of the variable in the last iteration, for a loop that goes up by several: `end - (end - variable) % step`.
 * It holds if the loop makes an iteration.
 */
function lastOf(
  { comparison, limitStep, step }: CountedLoop,
  end: Expression,
  variable: Expression,
): { readonly last: Expression; readonly isReached: Expression } | null {
  if (!countsUp(comparison) || limitStep !== 0n || step.kind !== 'int' || step.value < 2n) return null;
  const { span } = end;
  const distance = arithmetic('-', end, variable);
  const isPowerOfTwo = (step.value & (step.value - 1n)) === 0n;
  const rest: Expression = {
    kind: 'operate',
    operator: isPowerOfTwo ? '&(int,int)' : '%(int,int)',
    operands: [distance, int(isPowerOfTwo ? step.value - 1n : step.value, span)],
    type: intType,
    span,
  };
  return { last: arithmetic('-', end, rest), isReached: inRange(distance, int(half * 2n, span)) };
}

/** The conditions, each once: groups may ask the same of what they share. */
function withoutRepeats(conditions: readonly Expression[]): readonly Expression[] {
  const keys = new Set<string>();
  return conditions.filter((condition) => {
    if (condition.kind !== 'in-range') return true;
    const [index, length] = [pathKey(condition.index), pathKey(condition.length)];
    if (index === null || length === null) return true;
    const key = `${index} in ${length}`;
    if (keys.has(key)) return false;
    keys.add(key);
    return true;
  });
}

function isSmall(value: Expression): Expression {
  return inRange(arithmetic('+', value, int(half, value.span)), int(half * 2n, value.span));
}

/** The index when what moves in it has a value. */
function indexAt(
  base: Expression | null,
  moving: readonly LocalId[],
  value: Expression,
  offset: bigint,
  span: Expression['span'],
): Expression {
  return base === null ? int(offset, span) : arithmetic('+', replaceLocals(base, moving, value), int(offset, span));
}

function replaceLocals(node: Expression, locals: readonly LocalId[], value: Expression): Expression {
  if (node.kind === 'get-local') return locals.includes(node.local) ? value : node;
  return node.kind === 'operate'
    ? { ...node, operands: node.operands.map((operand) => replaceLocals(operand, locals, value)) }
    : node;
}
