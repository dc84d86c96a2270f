// Inductive range check elimination: a position that a loop moves, and keeps in range by itself, is checked once in front
// of the loop.
//
//   loop 1 while (i < n)                      if ((at in 0..size) && ((size - 1) in 0..$length)) #versions
//     sum = (sum + ring[at] hoisted)            loop 2 while (i < n)
//     at = (at + 1)                               sum = (sum + $elements[at] unchecked)
//     if (at == size)                             at = (at + 1)
//       at = 0                                    if (at == size)
//                                                   at = 0
//                                             else
//                                               loop 1 while (i < n) …
//
// Such positions are locals, or fields of an object that stays in a local: a ring buffer, the state of a generator of
// random numbers. Behind it the loop cannot fail any more, so that scalar promotion can keep the fields in locals.
//
// Applies to innermost counted loops if all of their accesses lose their checks.
// Source: inductive range check elimination, as in LLVM's IRCE; src/4-optimise/analysis/inductive-ranges.ts.

import type { Arm, Expression, If, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { booleanType } from '../../language/types.ts';
import { all, asNullable, inRange, not, withoutRepeats } from '../../mir/builders.ts';
import { blocksOf, hasLoop, visitAll, visitStatements, withBlocks } from '../../mir/children.ts';
import { copyLoop } from '../../mir/clone.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { findInductiveRanges } from '../analysis/inductive-ranges.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { Remarks } from '../remarks/remarks.ts';
import { placeOf } from '../remarks/source-text.ts';

/** A loop with more nodes than this is not copied. */
const largestLoop = 300;

export const inductiveRangeChecks: Pass = {
  name: 'inductive-range-checks',
  summary: 'positions that go around in arrays are checked once in front of loops',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'fixed-matrices'],
  run: (program, context) => {
    const changes = context.analyses.get('mod-ref');
    return mapFunctions(program, context, (fn) =>
      new Checks(fn, changes, program.registry, context.remarks).rewritten(),
    );
  },
};

/** A loop without checks, and when it may run. */
interface Unchecked {
  readonly conditions: readonly [Expression, ...(readonly Expression[])];
  readonly loop: Loop;
}

class Checks {
  readonly #fn: MirFunction;
  readonly #changes: ProgramChanges;
  readonly #registry: LibraryRegistry;
  readonly #remarks: Remarks | null;
  #lastLoop: LoopId = 0;

  constructor(fn: MirFunction, changes: ProgramChanges, registry: LibraryRegistry, remarks: Remarks | null) {
    this.#fn = fn;
    this.#changes = changes;
    this.#registry = registry;
    this.#remarks = remarks;
    visitStatements(fn.body, (node) => {
      if (node.kind === 'loop') this.#lastLoop = Math.max(this.#lastLoop, node.id);
    });
  }

  rewritten(): MirFunction {
    return this.#lastLoop === 0 ? this.#fn : { ...this.#fn, body: this.#statements(this.#fn.body) };
  }

  #statements(nodes: readonly Statement[]): readonly Statement[] {
    return nodes.map((node) => {
      if (node.kind === 'if' && node.versions !== undefined) return this.#versions(node);
      if (node.kind === 'loop' && node.counted !== undefined && !hasLoop([...node.body, ...node.step]))
        return this.#loop(node);
      const blocks = blocksOf(node);
      const rewritten = blocks.map((block) => this.#statements(block));
      return rewritten.every((block, index) => block.every((part, at) => part === blocks[index]![at]))
        ? node
        : withBlocks(node, rewritten);
    });
  }

  /** Has the version that has fewer checks already do without these too. */
  #versions(node: If): If {
    const [arm] = node.arms as readonly [Arm];
    const [loop, ...others] = arm.then;
    if (loop?.kind !== 'loop' || others.length > 0 || hasLoop([...loop.body, ...loop.step])) return node;
    const found = this.#unchecked(loop, loop.id);
    if (found === null) return node;
    return { ...node, arms: [{ ...arm, condition: all([arm.condition, ...found.conditions]), then: [found.loop] }] };
  }

  #loop(loop: Loop): Statement {
    const found = loop.isCold === true ? null : this.#unchecked(loop, this.#lastLoop + 1);
    if (found === null) return loop;
    this.#lastLoop += 1;
    const arms = [{ condition: all(found.conditions), then: [found.loop] }];
    return { kind: 'if', arms, otherwise: [loop], span: loop.span, versions: { inRange: [] } };
  }

  #unchecked(loop: Loop, id: LoopId): Unchecked | null {
    let size = 0;
    visitAll([loop], () => void (size += 1));
    if (size > largestLoop) return null;
    const found = findInductiveRanges(loop, this.#changes.of([loop], this.#fn), this.#registry);
    if (found === null) return null;
    const { accesses, objects, inRange: pairs } = found;
    const areThere = objects.map((object) =>
      not({ kind: 'is-null', operand: asNullable(object), type: booleanType, span: object.span }),
    );
    const tests = withoutRepeats([...areThere, ...pairs.map(([index, length]) => inRange(index, length))]);
    const conditions = tests as readonly [Expression, ...(readonly Expression[])];
    for (const access of accesses) this.#remarks?.add('keptInRange', loop.span, { what: placeOf(access) });
    const locals = new Set(objects.map(({ local }) => local));
    return { conditions, loop: withKnownObjects(copyLoop(loop, id, accesses), locals) };
  }
}

/** The loop, which does not set these locals, where they are known not to be null. */
function withKnownObjects(loop: Loop, locals: ReadonlySet<LocalId>): Loop {
  const [known] = rewriteExpressions([loop], (node) =>
    node.kind === 'get-local' && locals.has(node.local) ? { ...node, nonNull: true } : node,
  );
  return known as Loop;
}
