// Loop bound splitting: a loop in which positions near its ends are looked at, such as those around a pixel, is one loop in
// front of its interior, one for the interior, and one behind it. In the interior all such comparisons are known.
//
//   loop x while (x < w)                            $from = max(min(max(0, r), w), 0), $to = max(min(w, w - r), $from)
//     loop dx from -r while (dx <= r)               loop x while (x < $from)          as it was
//       if (x + dx >= 0 && x + dx < w)              loop x from $from while (x < $to)
//         sum = sum + a[x + dx]                       loop dx from -r while (dx <= r)
//                                                       sum = sum + a[x + dx]
//                                                   loop x from $to while (x < w)     as it was
//
// Where an int is so large that a position might wrap, or a struct is missing, there is no interior, and the last loop does
// all. Applies to loops that count up by one from a constant, that call nothing, and that nothing leaves. What a loop
// inside does not move is left to loop peeling.
// Source: LLVM's passes loop-bound-split and irce; Griebl, Feautrier, Lengauer, "Index set splitting" (2000).

import { booleanType, intType } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import {
  all,
  arithmetic,
  asNullable,
  getLocal,
  inRange,
  int,
  not,
  withoutRepeats,
  zeroOf,
} from '../../mir/builders.ts';
import { blocksOf, flatten, hasLoop, visitAll, visitStatements, withBlocks } from '../../mir/children.ts';
import { copyWithLoops } from '../../mir/clone.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import type { Span } from '../../source.ts';
import { isUnchanged, pathKey } from '../analysis/access-paths.ts';
import { isSizeUnchanged } from '../analysis/counted-loops.ts';
import { findLoopLiveness } from '../analysis/liveness.ts';
import type { LoopLiveness } from '../analysis/liveness.ts';
import type { Changes, ProgramChanges } from '../analysis/mod-ref.ts';
import { withConstantsFolded } from '../constant-folding.ts';
import { bordersOf, findBounds, findInterior } from '../nests/interior.ts';
import type { Interior, Invariants } from '../nests/interior.ts';
import type { Bounds } from '../nests/loop-ends.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext } from '../pass.ts';
import { isShort } from './complete-unrolling.ts';

export const loopBoundSplitting: Pass = {
  name: 'loop-bound-splitting',
  summary: 'iterations in which no position is near a border come by themselves',
  isRequired: false,
  keeps: ['recursion', 'fixed-matrices'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) =>
      hasLoop(fn.body) ? new Splitting(fn, program.registry, context).rewritten() : fn,
    ),
};

/** A loop with all its copies has no more nodes. */
const mostNodes = 2400;

/** What is found of an outermost loop. */
interface Found {
  /** What sets the borders, where all is small. */
  readonly borders: Statement[];
  /** The borders, each with the first value of its loop. */
  readonly none: Statement[];
  readonly small: Set<LocalId>;
}

class Splitting {
  readonly #fn: MirFunction;
  readonly #context: PassContext;
  readonly #modRef: ProgramChanges;
  readonly #registry: LibraryRegistry;
  readonly #locals: Local[];
  #lastLoop: LoopId = 0;
  #definitions: ReadonlyMap<LocalId, Expression> | null = null;
  #liveness: ReadonlyMap<LoopId, LoopLiveness> | null = null;

  constructor(fn: MirFunction, registry: LibraryRegistry, context: PassContext) {
    this.#fn = fn;
    this.#registry = registry;
    this.#context = context;
    this.#modRef = context.analyses.get('mod-ref');
    this.#locals = [...fn.locals];
    visitStatements(fn.body, (node) => {
      if (node.kind === 'loop') this.#lastLoop = Math.max(this.#lastLoop, node.id);
    });
  }

  rewritten(): MirFunction {
    const body = this.#block(this.#fn.body);
    return body === this.#fn.body ? this.#fn : { ...this.#fn, locals: this.#locals, body };
  }

  #block(nodes: readonly Statement[]): readonly Statement[] {
    let changes = false;
    const changed = nodes.flatMap((node, at): readonly Statement[] => {
      const split = node.kind === 'loop' ? this.#outermost(node, nodes.slice(0, at)) : null;
      changes ||= split !== null;
      if (split !== null) return split;
      const blocks = blocksOf(node);
      const inside = blocks.map((block) => this.#block(block));
      const isSame = inside.every((block, index) => block === blocks[index]);
      changes ||= !isSame;
      return [isSame ? node : withBlocks(node, inside)];
    });
    return changes ? changed : nodes;
  }

  /** The loop split, or with those split that stand in it; null where none is. */
  #outermost(root: Loop, before: readonly Statement[]): readonly Statement[] | null {
    if (!this.#isPlain(root)) return null;
    const known = this.#locals.length;
    this.#definitions ??= findDefinitions(this.#fn);
    const paths = new Paths(root, this.#modRef.of([root], this.#fn), this.#locals, this.#definitions);
    const found: Found = { borders: [], none: [], small: new Set() };
    const split = this.#loop(root, before, [], paths, found);
    if (split === null || countNodes(split) > mostNodes) {
      this.#locals.length = known;
      return null;
    }
    return [...paths.inFront(found.small), ...setBorders(found, paths, root.span), ...split];
  }

  /** Whether all that a loop does is short. */
  #isPlain(loop: Loop): boolean {
    let is = true;
    visitAll(loop.body, (node) => (is &&= node.kind === 'loop' || isShort(node, this.#registry)));
    return is && loop.body.some((node) => hasLoop([node]));
  }

  /** `outer`: the loops around. */
  #loop(
    loop: Loop,
    before: readonly Statement[],
    outer: readonly Bounds[],
    paths: Invariants,
    found: Found,
  ): readonly Statement[] | null {
    const bounds = findBounds(loop, before, paths);
    const around = bounds === null ? outer : [...outer, bounds];
    const isSplit = bounds !== null && this.#isLeftAtItsEnd(loop);
    const interior = isSplit ? findInterior(loop, bounds, outer, paths) : null;
    if (interior === null) {
      const body = this.#inside(loop.body, around, paths, found);
      return body === null ? null : [{ ...loop, body }];
    }
    const { span } = loop;
    const { variable, start } = interior.bounds;
    const [from, to] = [this.#newLocal('from'), this.#newLocal('to')];
    const [first, behind] = bordersOf(interior, from, span);
    const set = (local: LocalId, value: Expression): Statement => ({ kind: 'set-local', local, value, span });
    const read = (local: LocalId): Expression => getLocal(local, intType, span);
    found.borders.push(set(from, first!), set(to, behind!));
    for (const local of [from, to]) found.none.push(set(local, int(start.constant, span)));
    for (const local of interior.small) found.small.add(local);
    const known = decided(loop.body, interior);
    const middle = this.#inside(known, around, paths, found) ?? known;
    this.#context.remarks?.add('boundsSplit', span, {});
    const piece = (begin: Expression, end: LocalId | null, body: readonly Statement[]): readonly Statement[] => {
      const condition = end === null ? loop.condition : compare('<', read(variable), read(end), span);
      const statements = [set(variable, begin), { ...loop, condition, body }];
      return copyWithLoops(statements, this.#otherNames(loop, variable, body), this.#newLoops());
    };
    return [
      ...piece(int(start.constant, span), from, loop.body),
      ...piece(read(from), to, middle),
      ...piece(read(to), null, loop.body),
    ];
  }

  /** The statements with the loops split that stand in them; null where none is. */
  #inside(
    nodes: readonly Statement[],
    outer: readonly Bounds[],
    paths: Invariants,
    found: Found,
  ): readonly Statement[] | null {
    const written = flatten(nodes);
    let changes = false;
    const changed = written.flatMap((node, at): readonly Statement[] => {
      if (node.kind === 'loop') {
        const split = hasLoop(node.body) ? this.#loop(node, written.slice(0, at), outer, paths, found) : null;
        changes ||= split !== null;
        return split ?? [node];
      }
      const inside = blocksOf(node).map((block) => this.#inside(block, outer, paths, found));
      if (inside.every((block) => block === null)) return [node];
      changes = true;
      return [
        withBlocks(
          node,
          blocksOf(node).map((block, index) => inside[index] ?? block),
        ),
      ];
    });
    return changes ? changed : null;
  }

  /** Whether nothing goes on from an iteration but at its end, and nobody reads the variable behind the loop. */
  #isLeftAtItsEnd(loop: Loop): boolean {
    const [move] = flatten(loop.step).flatMap((node) => localsSet(node));
    let is = move !== undefined && !this.#liveOf(loop).behind.includes(move);
    visitAll(loop.body, (node) => {
      is &&= !((node.kind === 'break' || node.kind === 'continue') && node.loop === loop.id);
    });
    return is;
  }

  #liveOf({ id }: Loop): LoopLiveness {
    this.#liveness ??= findLoopLiveness(this.#fn);
    return this.#liveness.get(id) ?? { atIteration: [], behind: [] };
  }

  /** Other locals for the variable, and for those that each iteration has for itself. */
  #otherNames(loop: Loop, variable: LocalId, body: readonly Statement[]): (local: LocalId) => LocalId {
    const { atIteration, behind } = this.#liveOf(loop);
    const shared = new Set([...atIteration, ...behind]);
    shared.delete(variable);
    const names = new Map<LocalId, LocalId>();
    visitAll([...body, ...loop.step], (node) => {
      for (const local of localsSet(node))
        if (!shared.has(local) && !names.has(local)) names.set(local, this.#copyLocal(local));
    });
    return (local) => names.get(local) ?? local;
  }

  /** Other loops for those of each copy. */
  #newLoops(): (loop: LoopId) => LoopId {
    const names = new Map<LoopId, LoopId>();
    return (loop) => {
      const known = names.get(loop) ?? (this.#lastLoop += 1);
      names.set(loop, known);
      return known;
    };
  }

  #newLocal(name: string): LocalId {
    return this.#locals.push({ name, type: intType, origin: 'temporary' }) - 1;
  }

  #copyLocal(local: LocalId): LocalId {
    const { name, type } = this.#locals[local]!;
    return this.#locals.push({ name, type, origin: 'temporary' }) - 1;
  }
}

/** A field or a length of what is in a local, and the local that has its value. */
interface Path {
  readonly local: LocalId;
  readonly value: Expression;
  readonly owner: Expression;
}

/** Ints that an outermost loop leaves alone: locals, and fields and lengths of what is in locals, which get some. */
class Paths implements Invariants {
  readonly #set = new Set<LocalId>();
  readonly #changes: Changes;
  readonly #locals: Local[];
  readonly #definitions: ReadonlyMap<LocalId, Expression>;
  readonly #known = new Map<string, Path>();
  /** Locals that are likely to have the value of another one. */
  readonly #same = new Map<LocalId, LocalId>();

  constructor(root: Loop, changes: Changes, locals: Local[], definitions: ReadonlyMap<LocalId, Expression>) {
    this.#definitions = definitions;
    this.#changes = changes;
    this.#locals = locals;
    visitAll([root], (node) => localsSet(node).forEach((local) => this.#set.add(local)));
  }

  readonly has = (local: LocalId): boolean => !this.#set.has(local);

  readonly find = (node: Expression): LocalId | null => {
    if (node.type.kind !== 'int') return null;
    if (node.kind === 'get-local') return this.has(node.local) ? this.#likelySame(node.local) : null;
    const path = this.#pathOf(node);
    const key = path && pathKey(path.owner);
    if (path === null || key === null) return null;
    const name = `${node.kind === 'get-field' ? node.field : 'length'} of ${key}`;
    let known = this.#known.get(name);
    if (known === undefined) {
      known = { ...path, local: this.#locals.push({ name: 'size', type: intType, origin: 'temporary' }) - 1 };
      this.#known.set(name, known);
    }
    return known.local;
  };

  /** A local that was set once, to a field or length, for which it stands as long as both are the same. */
  #likelySame(local: LocalId): LocalId {
    const definition = this.#definitions.get(local);
    const other = definition === undefined ? null : this.find(definition);
    if (other === null) return local;
    this.#same.set(local, other);
    return other;
  }

  /** A field or length of what is in a local, as it may be read in front of the loop; null where it may change. */
  #pathOf(node: Expression): Omit<Path, 'local'> | null {
    const written = node.kind === 'get-field' ? node.object : lengthOf(node);
    if (written?.kind !== 'get-local') return null;
    const owner = asNullable(written);
    if (node.kind === 'get-field')
      return isUnchanged(node, this.#changes) ? { owner, value: { ...node, object: owner } } : null;
    const stays = isUnchanged(written, this.#changes) && isSizeUnchanged(written, this.#changes);
    return stays && node.kind === 'library-call' ? { owner, value: { ...node, arguments: [owner] } } : null;
  }

  /** Sets those of the locals: to zero where there is no owner. */
  inFront(used: ReadonlySet<LocalId>): readonly Statement[] {
    return this.#among(used).flatMap(({ local, value, owner }): readonly Statement[] => {
      const { span } = value;
      const then: readonly Statement[] = [{ kind: 'set-local', local, value, span }];
      return [
        { kind: 'set-local', local, value: zeroOf(intType, span), span },
        { kind: 'if', arms: [{ condition: isThere(owner), then }], otherwise: [], span },
      ];
    });
  }

  /** That their owners are there, and that what is likely to be the same is. */
  conditions(used: ReadonlySet<LocalId>, span: Span): readonly Expression[] {
    const read = (local: LocalId): Expression => getLocal(local, intType, span);
    const likely = [...this.#same].filter(([, other]) => used.has(other));
    return withoutRepeats([
      ...this.#among(used).map(({ owner }) => isThere(owner)),
      ...likely.map(([local, other]) => compare('==', read(local), read(other), span)),
    ]);
  }

  #among(used: ReadonlySet<LocalId>): readonly Path[] {
    return [...this.#known.values()].filter(({ local }) => used.has(local));
  }
}

/** The array whose length an expression is. */
function lengthOf(node: Expression): Expression | undefined {
  return node.kind === 'library-call' && node.function === 'T[].length' ? node.arguments[0] : undefined;
}

function isThere(owner: Expression): Expression {
  return not({ kind: 'is-null', operand: owner, type: booleanType, span: owner.span });
}

/** The borders, if no position can wrap; else there is no interior. */
function setBorders({ borders, none, small }: Found, paths: Paths, span: Span): readonly Statement[] {
  const isSmall = (local: LocalId): Expression =>
    inRange(arithmetic('+', getLocal(local, intType, span), int(1n << 31n, span)), int(1n << 32n, span));
  const [first, ...others] = [...paths.conditions(small, span), ...[...small].map(isSmall)];
  if (first === undefined) return borders;
  return [{ kind: 'if', arms: [{ condition: all([first, ...others]), then: borders }], otherwise: none, span }];
}

/** What an iteration of the interior does. */
function decided(body: readonly Statement[], { decisions }: Interior): readonly Statement[] {
  const known = rewriteExpressions(body, (node, original) => {
    if (node.kind === 'sequence') return withoutSelfAssignments(node);
    const decision = decisions.get(original);
    if (decision === undefined) return node;
    if (typeof decision === 'boolean') return { kind: 'boolean', value: decision, type: booleanType, span: node.span };
    return node.kind === 'library-call' ? node.arguments[decision]! : node;
  });
  return rewriteBlocks(
    withConstantsFolded(known, (node) => node),
    (block) => (block.some(isSetToItself) ? block.filter((node) => !isSetToItself(node)) : block),
  );
}

function withoutSelfAssignments(node: Expression & { readonly kind: 'sequence' }): Expression {
  const statements = node.statements.filter((one) => !isSetToItself(one));
  return statements.length === 0 ? node.value : { ...node, statements };
}

/** A choice that is decided may leave `x = x`, which nests would take for a second value of the local. */
function isSetToItself(node: Statement): boolean {
  return node.kind === 'set-local' && node.value.kind === 'get-local' && node.value.local === node.local;
}

function compare(symbol: '<' | '==', left: Expression, right: Expression, span: Span): Expression {
  return { kind: 'operate', operator: `${symbol}(int,int)`, operands: [left, right], type: booleanType, span };
}

/** The fields and lengths to which locals are set that are set once. */
function findDefinitions(fn: MirFunction): ReadonlyMap<LocalId, Expression> {
  const found = new Map<LocalId, Expression | null>();
  visitAll(fn.body, (node) => {
    for (const local of localsSet(node)) {
      const value = node.kind === 'set-local' && !found.has(local) ? node.value : null;
      found.set(local, value?.kind === 'get-field' || value?.kind === 'library-call' ? value : null);
    }
  });
  return new Map([...found].flatMap(([local, value]) => (value === null ? [] : [[local, value]])));
}

function countNodes(nodes: readonly Statement[]): number {
  let count = 0;
  visitAll(nodes, () => void (count += 1));
  return count;
}
