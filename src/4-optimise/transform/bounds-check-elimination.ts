// Two versions of a loop that counts: if the first and the last of the indices that it goes through are in range, so
// are those between, and it runs without looking at them; if not, the loop as it was finds out at the right moment.
//
// `if (i < n && i fits a && n - 1 fits a) { loop without checks } else { loop }`
//
// Numbers wrap, so what moves with the variable must be small enough not to: the variable, its limit and the factors
// between them stay below 2^31, or the loop with checks runs.

import type {
  CountedLoop,
  Expression,
  GetHoisted,
  LocalId,
  Loop,
  LoopId,
  SetHoisted,
  Statement,
} from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';
import type { Changes } from '../analysis/mod-ref.ts';
import { copyLoop } from '../../mir/clone.ts';
import { withoutUnread } from './dead-store-elimination.ts';
import { findExactEnd, withExactEnd } from './exit-test-replacement.ts';
import type { ExactEnd } from './exit-test-replacement.ts';
import { readLinear } from '../analysis/affine.ts';
import type { Linear } from '../analysis/affine.ts';
import type { LoopScopes } from './loop-invariant-code-motion.ts';
import { all, arithmetic, fits, getLocal, int } from '../../mir/builders.ts';
import { partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { notePure } from '../analysis/pure.ts';
import { isPlain, pathKey } from '../analysis/access-paths.ts';

export type Access = GetHoisted | SetHoisted;

/** What is known around the loop. */
export interface Surroundings {
  readonly changes: Changes;
  readonly scopes: LoopScopes;
  /** The indices of accesses, by names that the loop does not set. */
  readonly indices: ReadonlyMap<Access, Expression>;
  /** Where the variable begins; null where that is not seen. */
  readonly start: bigint | null;
  /** An id that no loop of the function has. */
  readonly newLoop: () => LoopId;
}

/** Accesses to one array whose indices move alike; their offsets lie from `low` to `high`. */
interface Group {
  readonly elements: LocalId;
  readonly length: LocalId;
  readonly linear: Linear;
  readonly members: Access[];
  low: bigint;
  high: bigint;
}

/** Loops that count up to a constant below this do not get back what the look costs. */
const fewestTurns = 4n;

/** For more nodes than this twice the code is not worth it. */
const largestLoop = 500;

/** So many nodes take so much longer than the check of one index that its worth is less than that of the look. */
const nodesForCheck = 80;

/** A division or a square root takes as long as so many other nodes. */
const slowNode = 20;

const half = 1n << 31n;

/** What stands in front of a loop that needs no checks, and the accesses that need none behind it. */
export interface Precondition {
  /** The limit as an expression that cannot fail. */
  readonly limit: Expression;
  /** All of them must hold, if the loop makes a turn at all. */
  readonly conditions: readonly Expression[];
  /** Those that need no check then; none where nothing can be saved. */
  readonly unchecked: ReadonlySet<Node>;
  /** How the loop can end with an array then. */
  readonly exactEnd: ExactEnd | null;
}

/** What lets a loop that has no other in it run without checks; null where its limit is not known in front of it. */
export function findPrecondition(loop: Loop, counted: CountedLoop, around: Surroundings): Precondition | null {
  const limit = limitOf(counted, around.scopes);
  if (limit === null) return null;
  const isTiny = counted.comparison.startsWith('<') && limit.kind === 'int' && limit.value < fewestTurns;
  const groups = isTiny ? [] : worthIt(findGroups(loop, counted, around), loop);
  const reaches = groups.flatMap(({ linear: { coefficient, base }, low, high, elements }) =>
    coefficient === 1n && base?.kind === 'get-local' && base.local === counted.variable
      ? [{ elements, low, high }]
      : [],
  );
  return {
    limit,
    conditions: listConditions(counted, limit, groups, loop, around.start),
    unchecked: new Set<Node>(groups.flatMap(({ members }) => members)),
    exactEnd: findExactEnd(loop, counted, limit, reaches, around.scopes.locals),
  };
}

/** The loop in two versions, if that saves a check. `runsThrough`: nothing stops it and goes on with it later. */
export function inTwoVersions(
  loop: Loop,
  precondition: Precondition,
  runsThrough: boolean,
  around: Surroundings,
): readonly Statement[] {
  const { conditions, unchecked } = precondition;
  const [first, ...others] = conditions;
  if (unchecked.size === 0 || first === undefined) return [loop];
  const fast = runsThrough ? withoutChecks(loop, precondition, around) : withoutThese(loop, unchecked, around);
  const arms = [{ condition: all([first, ...others]), then: [fast] }];
  return [{ kind: 'if', arms, otherwise: [loop], span: loop.span }];
}

/** A copy, or two, of a loop that runs through, for where the precondition holds. */
export function withoutChecks(loop: Loop, { unchecked, exactEnd }: Precondition, around: Surroundings): Statement {
  return withExactEnd(withoutThese(loop, unchecked, around), exactEnd, around.newLoop);
}

/** A copy of the loop in which these accesses are not checked. */
function withoutThese(loop: Loop, unchecked: ReadonlySet<Node>, { newLoop, scopes }: Surroundings): Loop {
  return notePure(withoutUnread(copyLoop(loop, newLoop(), unchecked), scopes.locals));
}

/** The length of null is 0. */
function limitOf({ limit }: CountedLoop, scopes: LoopScopes): Expression | null {
  if (isPlain(limit)) return limit;
  const hoisted = limit.kind === 'library-call' ? scopes.hold(limit.arguments[0]!) : null;
  return hoisted === null ? null : getLocal(hoisted.length, intType, limit.span);
}

export function isLengthOfText(limit: Expression): boolean {
  return limit.kind === 'library-call' && limit.function === 'string.length';
}

/** The groups, or none where they are not worth a second loop. */
function worthIt(groups: readonly Group[], loop: Loop): readonly Group[] {
  let nodes = 0;
  let time = 0;
  visitAll([loop], (node) => {
    nodes += 1;
    time += isSlow(node) ? slowNode : 1;
  });
  const saved = groups.reduce((sum, { members }) => sum + members.length, 0);
  return nodes > largestLoop || time > saved * nodesForCheck ? [] : groups;
}

function isSlow(node: Node): boolean {
  if (node.kind === 'library-call') return node.function === 'Math.sqrt';
  return (
    node.kind === 'operate' &&
    (node.operator === '/(double,double)' ||
      (/^[/%]\(int,int\)$/.test(node.operator) && node.operands[1]!.kind !== 'int'))
  );
}

/** The accesses whose checks can be made before the loop. Those of every turn say how far it reaches. */
function findGroups(loop: Loop, counted: CountedLoop, { changes, indices }: Surroundings): readonly Group[] {
  const groups = new Map<string, Group>();
  const variables = movingOf(counted);
  const accesses = findAccesses(loop).flatMap(({ access, always }) => {
    const index = indices.get(access)!;
    const linear =
      variables.map((variable) => readLinear(index, variable, changes)).find((found) => found !== null) ?? null;
    return linear === null
      ? []
      : [
          {
            access,
            always,
            linear,
            key: `${access.hoisted.elements} ${linear.base === null ? '' : pathKey(linear.base)}`,
          },
        ];
  });
  for (const { access, linear, key } of accesses.filter(({ always }) => always)) {
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, { ...access.hoisted, linear, members: [access], low: linear.offset, high: linear.offset });
    else {
      group.members.push(access);
      if (linear.offset < group.low) group.low = linear.offset;
      if (linear.offset > group.high) group.high = linear.offset;
    }
  }
  for (const { access, linear, key } of accesses.filter(({ always }) => !always)) {
    const group = groups.get(key);
    // A condition that stands in front of `a[i - 1]` often knows why: only what is not at an edge is looked at for it.
    if (group === undefined && linear.offset === 0n)
      groups.set(key, { ...access.hoisted, linear, members: [access], low: 0n, high: 0n });
    else if (group !== undefined && group.low <= linear.offset && linear.offset <= group.high)
      group.members.push(access);
  }
  return [...groups.values()];
}

/** The variables that move: the one that is counted, and the limit where it comes towards it. */
function movingOf({ variable, limit, limitStep }: CountedLoop): readonly LocalId[] {
  return limitStep !== 0n && limit.kind === 'get-local' ? [variable, limit.local] : [variable];
}

/**
 * The checked accesses, and whether each turn makes them if it comes that far. In the step the variable has moved
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
    if ((node.kind === 'get-hoisted' || node.kind === 'set-hoisted') && node.checked)
      found.push({ access: node, always });
    const parts =
      node.kind === 'get-hoisted'
        ? [node.index]
        : node.kind === 'set-hoisted'
          ? [node.index, node.value]
          : partsOf(node);
    const branches = node.kind === 'if' || node.kind === 'logical' || node.kind === 'conditional';
    pending.push(
      ...parts.map((part, index) => ({
        node: part,
        always: always && !(branches && index > 0) && node.kind !== 'try',
      })),
    );
  }
  return found;
}

/** What must hold for the loop without the checks of the groups, if it makes a turn. */
function listConditions(
  counted: CountedLoop,
  limit: Expression,
  groups: readonly Group[],
  { span }: Loop,
  start: bigint | null,
): Precondition['conditions'] {
  const variable = getLocal(counted.variable, intType, span);
  const step = counted.step.kind === 'int' ? [] : [fits(arithmetic('-', counted.step, int(1n, span)), int(half, span))];
  // A text that is not hoisted as a whole has the length 0 here, and the loop makes turns nevertheless.
  const whole = isLengthOfText(counted.limit) ? [fits(int(0n, span), limit)] : [];
  if (groups.length === 0) return [...whole, ...step];
  const goesUp = counted.comparison === '<' || counted.comparison === '<=';
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
  const ends = groups.flatMap((group) => {
    const { linear, low, high, length } = group;
    const at = (value: Expression, offset: bigint): Expression =>
      fits(indexAt(linear.base, moving, value, offset, span), getLocal(length, intType, span));
    const { coefficient } = linear;
    if (coefficient === 0n) return low === high ? [at(variable, low)] : [at(variable, low), at(variable, high)];
    // What begins at a small constant and goes on to an index in range is in range before.
    if (goesUp && start !== null && isPlainIndex(group) && start + low >= 0n && start < half) return [at(most, high)];
    if (typeof coefficient !== 'bigint')
      return [isSmall(coefficient), at(least, low), at(least, high), at(most, low), at(most, high)];
    return coefficient > 0n ? [at(least, low), at(most, high)] : [at(most, low), at(least, high)];
  });
  return [...whole, ...small, ...step, ...ends];
}

function isSmall(value: Expression): Expression {
  return fits(arithmetic('+', value, int(half, value.span)), int(half * 2n, value.span));
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
