// Loop canonicalisation: brings loops into a form in which their induction variable can be recognised, and notes it.
//
//   loop 1 while ((i < n) && (total < 9))      loop 1 while (i < n) #counted i < n by 1
//     total = (total + i)                        if (!(total < 9)) break 1
//     i = (i + 1)                                total = (total + i)
//                                              step i = (i + 1)
//
// Does not apply if a `continue` would skip the step, or if the loop sets the variable or its limit elsewhere too. Only
// innermost loops are noted as counted.
// Source: loop simplification, as LLVM's loop-simplify; induction variables of Aho, Lam, Sethi, Ullman, "Compilers",
// section 9.1.

import type { LibraryRegistry } from '../../library/registry.ts';
import type { Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { not } from '../../mir/builders.ts';
import { hasLoop, visitAll } from '../../mir/children.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { findCount, hasFewIterations, readStep } from '../analysis/counted-loops.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import { remarkCount, remarkNoCount } from '../remarks/counts.ts';
import type { Remarks } from '../remarks/remarks.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const loopCanonicalisation: Pass = {
  name: 'loop-canonicalisation',
  summary: 'loops are brought into a form in which they can be seen to count',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    const { registry } = program;
    const { remarks } = context;
    return mapFunctions(program, context, (fn) => {
      if (!hasLoop(fn.body)) return fn;
      const around = { fn, modRef, registry, remarks };
      return { ...fn, body: rewriteBlocks(fn.body, (block) => canonicaliseBlock(block, around)) };
    });
  },
};

/** The facts about the whole program that the pass uses. */
interface Around {
  readonly fn: MirFunction;
  readonly modRef: ProgramChanges;
  readonly registry: LibraryRegistry;
  readonly remarks: Remarks | null;
}

function canonicaliseBlock(block: readonly Statement[], around: Around): readonly Statement[] {
  return block.map((node, index) => {
    if (node.kind !== 'loop') return node;
    const loop = noteCount(withPlainCondition(withStepApart(node)), block.slice(0, index), around);
    if (around.remarks !== null) explain(around.remarks, loop, node, around);
    return loop;
  });
}

/** The loop with the increment at the end of a `while` body as its step. */
function withStepApart(loop: Loop): Loop {
  const last = loop.body.at(-1);
  if (loop.step.length > 0 || last === undefined || readStep(last) === null || hasContinue(loop)) return loop;
  return { ...loop, body: loop.body.slice(0, -1), step: [last] };
}

/** The loop with the condition `a` in place of `a && b`, and a break in the body if b is false. */
function withPlainCondition(loop: Loop): Loop {
  if (!loop.testFirst || loop.condition?.kind !== 'logical' || loop.condition.operator !== '&&') return loop;
  const [first, ...others] = loop.condition.operands;
  const leave = others.map((condition): Statement => ({
    kind: 'if',
    arms: [{ condition: not(condition), then: [{ kind: 'break', loop: loop.id, span: condition.span }] }],
    otherwise: [],
    span: condition.span,
  }));
  return { ...loop, condition: first!, body: [...leave, ...loop.body] };
}

function hasContinue(loop: Loop): boolean {
  let found = false;
  visitAll(loop.body, (node) => (found ||= node.kind === 'continue' && node.loop === loop.id));
  return found;
}

function explain(remarks: Remarks, loop: Loop, written: Loop, around: Around): void {
  if (loop.counted !== undefined) remarkCount(remarks, loop, loop.counted, around.fn);
  else if (!hasLoop([...loop.body, ...loop.step])) remarkNoCount(remarks, { loop, written, ...around });
}

function noteCount(loop: Loop, before: readonly Statement[], { modRef, registry }: Around): Loop {
  if (hasLoop([...loop.body, ...loop.step])) return loop;
  const counted = findCount(loop, modRef.of([loop]), before, registry);
  if (counted === null) return loop;
  return { ...loop, counted, ...(hasFewIterations(counted) ? { isShort: true } : {}) };
}
