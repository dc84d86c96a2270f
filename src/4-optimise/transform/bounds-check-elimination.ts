// Bounds-check elimination by loop versioning: if the first and the last of the indices that a counted loop goes
// through are in range, so are those between, and it runs without looking at them; if not, the loop as it was finds out
// at the right moment.
//
//   loop 1 while (i < n) #counted …      if ((n - 1) in 0..$length) #versions
//     total = (total + a[i] hoisted)       loop 2 while (i < n) … a[i] hoisted unchecked …
//                                        else
//                                          loop 1 while (i < n) … a[i] hoisted …
//
// Numbers wrap, so what moves with the variable must be small enough not to: the variable, its limit and the factors
// between them stay below 2^31, or the loop with checks runs. Does not apply to indices that are not affine in the
// variable, to loops whose limit is not known in front of them, and where two loops cost more than is saved.
// Source: Gupta, "Optimizing array bound checks using flow analysis", 1993; loop versioning as in Allen, Kennedy,
// "Optimizing Compilers for Modern Architectures", section 5.

import { countsUp } from '../../mir/mir.ts';
import type { CountedLoop, Expression, LocalId, Local, Loop, LoopId, MirFunction, Statement } from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { all, arithmetic, fits, getLocal, int } from '../../mir/builders.ts';
import { partsOf, visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { copyLoop } from '../../mir/clone.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { pathKey } from '../analysis/access-paths.ts';
import { readLinear } from '../analysis/affine.ts';
import type { Linear } from '../analysis/affine.ts';
import { conditionsOfCount, plainLimit } from '../analysis/counted-loops.ts';
import { findIndices, findInductions } from '../analysis/induction-variables.ts';
import type { Access, OriginOf } from '../analysis/induction-variables.ts';
import { countSets } from '../analysis/local-paths.ts';
import type { Changes, ProgramChanges } from '../analysis/mod-ref.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

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
const fewestIterations = 4n;

/** For more nodes than this twice the code is not worth it. */
const largestLoop = 500;

/** So many nodes take so much longer than the check of one index that its worth is less than that of the look. */
const nodesForCheck = 80;

/** A division or a square root takes as long as so many other nodes. */
const slowNode = 20;

const half = 1n << 31n;

export const boundsCheckElimination: Pass = {
  name: 'bounds-check-elimination',
  summary: 'bounds are checked once in front of loops, which get a second version without checks',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    return mapFunctions(program, context, (fn) => new Versioning(fn, modRef, program.registry).rewritten());
  },
};

class Versioning {
  readonly #fn: MirFunction;
  readonly #modRef: ProgramChanges;
  readonly #registry: LibraryRegistry;
  readonly #sets: ReadonlyMap<LocalId, number>;
  readonly #locals: Local[];
  #lastLoop: LoopId = 0;
  #counts = false;

  constructor(fn: MirFunction, modRef: ProgramChanges, registry: LibraryRegistry) {
    this.#fn = fn;
    this.#modRef = modRef;
    this.#registry = registry;
    this.#locals = [...fn.locals];
    visitStatements(fn.body, (node) => {
      if (node.kind !== 'loop') return;
      this.#lastLoop = Math.max(this.#lastLoop, node.id);
      this.#counts ||= node.counted !== undefined;
    });
    this.#sets = this.#counts ? countSets(fn) : new Map();
  }

  rewritten(): MirFunction {
    if (!this.#counts) return this.#fn;
    const body = rewriteBlocks(this.#fn.body, (block) =>
      block.flatMap((node) =>
        node.kind === 'loop' && node.counted !== undefined ? this.#inTwoVersions(node, node.counted) : [node],
      ),
    );
    return { ...this.#fn, locals: this.#locals, body };
  }

  /** The loop in two versions, if that saves a check. */
  #inTwoVersions(loop: Loop, counted: CountedLoop): readonly Statement[] {
    const limit = plainLimit(counted);
    const isTiny = countsUp(counted.comparison) && limit?.kind === 'int' && limit.value < fewestIterations;
    if (limit === null || isTiny) return [loop];
    const changes = this.#modRef.of([loop]);
    const firstOrigin = this.#locals.length;
    const inductions = findInductions(loop, counted).map((induction, at) => ({
      ...induction,
      origin: firstOrigin + at,
    }));
    const indices = findIndices(loop, counted, inductions, changes, this.#sets);
    const groups = worthIt(findGroups(loop, counted, { changes, indices, registry: this.#registry }), loop);
    const [first, ...others] = listConditions(counted, limit, groups, loop);
    if (groups.length === 0 || first === undefined) return [loop];
    const condition = all([first, ...others]);
    this.#lastLoop += 1;
    const unchecked = copyLoop(loop, this.#lastLoop, new Set<Node>(groups.flatMap(({ members }) => members)));
    const inRange = groups.flatMap(({ linear: { coefficient, base }, low, high, elements }) =>
      coefficient === 1n && base?.kind === 'get-local' && base.local === counted.variable
        ? [{ elements, low, high }]
        : [],
    );
    const arms = [{ condition, then: [unchecked] }];
    return [
      ...this.#setOrigins(loop, counted, inductions, condition),
      { kind: 'if', arms, otherwise: [loop], span: loop.span, versions: { inRange } },
    ];
  }

  /** `origin = local - factor * variable` for those that the condition reads. */
  #setOrigins(
    { span }: Loop,
    { variable }: CountedLoop,
    inductions: readonly OriginOf[],
    condition: Expression,
  ): readonly Statement[] {
    const read = new Set<LocalId>();
    visitAll([condition], (node) => void (node.kind === 'get-local' && read.add(node.local)));
    if (!inductions.some(({ origin }) => read.has(origin))) return [];
    this.#locals.push(...inductions.map((): Local => ({ name: 'origin', type: intType, origin: 'temporary' })));
    return inductions.flatMap(({ local, factor, origin }): readonly Statement[] => {
      if (!read.has(origin)) return [];
      const moved = arithmetic('*', getLocal(variable, intType, span), int(factor, span));
      return [
        { kind: 'set-local', local: origin, value: arithmetic('-', getLocal(local, intType, span), moved), span },
      ];
    });
  }
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
function findGroups(
  loop: Loop,
  counted: CountedLoop,
  {
    changes,
    indices,
    registry,
  }: {
    readonly changes: Changes;
    readonly indices: ReadonlyMap<Access, Expression>;
    readonly registry: LibraryRegistry;
  },
): readonly Group[] {
  const groups = new Map<string, Group>();
  const variables = movingOf(counted);
  const accesses = findAccesses(loop).flatMap(({ access, always }) => {
    const index = indices.get(access)!;
    const linear =
      variables.map((variable) => readLinear(index, variable, changes, registry)).find((found) => found !== null) ??
      null;
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
): readonly Expression[] {
  const { start } = counted;
  const variable = getLocal(counted.variable, intType, span);
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
  return withoutRepeats([...conditionsOfCount(counted), ...small, ...ends]);
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
