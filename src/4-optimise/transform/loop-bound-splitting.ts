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
import { all, arithmetic, comparison, getLocal, inRange, int } from '../../mir/builders.ts';
import { blocksOf, flatten, hasLoop, visitAll, withBlocks } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import type { Span } from '../../source.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import { withConstantsFolded } from '../constant-folding.ts';
import { LoopCopies, replaceLoops } from '../loop-copies.ts';
import { bordersOf, findBounds, findInterior } from '../nests/interior.ts';
import type { Interior, Invariants } from '../nests/interior.ts';
import { findDefinitions, InvariantPaths } from '../nests/invariant-paths.ts';
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
  readonly #copies: LoopCopies;
  #definitions: ReadonlyMap<LocalId, Expression> | null = null;

  constructor(fn: MirFunction, registry: LibraryRegistry, context: PassContext) {
    this.#fn = fn;
    this.#registry = registry;
    this.#context = context;
    this.#modRef = context.analyses.get('mod-ref');
    this.#copies = new LoopCopies(fn);
  }

  rewritten(): MirFunction {
    const body = replaceLoops(this.#fn.body, (loop, before) => this.#outermost(loop, before));
    return body === this.#fn.body ? this.#fn : { ...this.#fn, locals: this.#copies.locals, body };
  }

  /** The loop split, or with those split that stand in it; null where none is. */
  #outermost(root: Loop, before: readonly Statement[]): readonly Statement[] | null {
    if (!this.#isPlain(root)) return null;
    const known = this.#copies.locals.length;
    this.#definitions ??= findDefinitions(this.#fn);
    const paths = new InvariantPaths(root, this.#modRef.of([root], this.#fn), this.#copies, this.#definitions);
    const found: Found = { borders: [], none: [], small: new Set() };
    const split = this.#loop(root, before, [], paths, found);
    if (split === null || countNodes(split) > mostNodes) {
      this.#copies.locals.length = known;
      return null;
    }
    return [...paths.inFront(), ...setBorders(found, paths, root.span), ...split];
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
    const [from, to] = [this.#copies.newLocal('from', intType), this.#copies.newLocal('to', intType)];
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
      const condition = end === null ? loop.condition : comparison('<', read(variable), read(end));
      return this.#copies.of([set(variable, begin), { ...loop, condition, body }], loop, variable);
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
    let is = move !== undefined && !this.#copies.liveOf(loop).behind.includes(move);
    visitAll(loop.body, (node) => {
      is &&= !((node.kind === 'break' || node.kind === 'continue') && node.loop === loop.id);
    });
    return is;
  }
}

/** The borders, if no position can wrap; else there is no interior. */
function setBorders({ borders, none, small }: Found, paths: InvariantPaths, span: Span): readonly Statement[] {
  const isSmall = (local: LocalId): Expression =>
    inRange(arithmetic('+', getLocal(local, intType, span), int(1n << 31n, span)), int(1n << 32n, span));
  const [first, ...others] = [...paths.conditions(span), ...[...small].map(isSmall)];
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

function countNodes(nodes: readonly Statement[]): number {
  let count = 0;
  visitAll(nodes, () => void (count += 1));
  return count;
}
