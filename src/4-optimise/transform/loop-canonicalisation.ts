// Loop canonicalisation: brings loops into a form in which their induction variable can be recognised, and notes it.
//
//   loop 1 while ((i < n) && (total < 9))      loop 1 while (i < n) #counted i < n by 1
//     total = (total + i)                        if (!(total < 9)) break 1
//     i = (i + 1)                                total = (total + i)
//                                              step i = (i + 1)
//
// A limit that stays the same, though that is no plain number, is worked out once in front of the loop. The loop begins with
// the test of its condition, so that it fails there as it would have.
//
//   loop 1 while (i < (T[].length(a) - 1))     $limit = (T[].length(a) - 1)
//                                              loop 1 while (i < $limit) #counted i < $limit by 1
//
// A sum around the variable counts too, where neither side can wrap around; the condition stays as it is.
//
//   loop 1 while ((i + m) <= n)                $limit = (n - m)
//                                              loop 1 while ((i + m) <= n) #counted i <= $limit by 1
//
// Does not apply if a `continue` would skip the step, or if the loop sets the variable or its limit elsewhere too. Only
// innermost loops are noted as counted.
// Source: loop simplification, as LLVM's loop-simplify; induction variables of Aho, Lam, Sethi, Ullman, "Compilers",
// section 9.1.

import type { LibraryRegistry } from '../../library/registry.ts';
import type { Expression, Loop, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { getLocal, not } from '../../mir/builders.ts';
import { hasLoop, visitAll } from '../../mir/children.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import { intType } from '../../language/types.ts';
import { pathKey } from '../analysis/access-paths.ts';
import { isInvariant } from '../analysis/invariant-limits.ts';
import { findCount, hasFewIterations, readStep } from '../analysis/counted-loops.ts';
import { findMovedLimit } from '../analysis/moved-limits.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import type { Ranges } from '../analysis/ranges.ts';
import { remarkCount, remarkNoCount } from '../remarks/counts.ts';
import type { Remarks } from '../remarks/remarks.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const loopCanonicalisation: Pass = {
  name: 'loop-canonicalisation',
  summary: 'loops are brought into a form in which they can be seen to count',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    const { registry } = program;
    const { remarks } = context;
    const ranges = (): Ranges => context.analyses.get('ranges');
    return mapFunctions(program, context, (fn) => {
      if (!hasLoop(fn.body)) return fn;
      const around = { fn, modRef, registry, ranges, remarks, locals: [...fn.locals] };
      const body = rewriteBlocks(fn.body, (block) => canonicaliseBlock(block, around));
      return { ...fn, locals: around.locals, body };
    });
  },
};

/** The facts about the whole program that the pass uses. */
interface Around {
  readonly fn: MirFunction;
  readonly modRef: ProgramChanges;
  readonly registry: LibraryRegistry;
  readonly ranges: () => Ranges;
  readonly remarks: Remarks | null;
  /** Those of the function, and what is added. */
  readonly locals: Local[];
}

function canonicaliseBlock(block: readonly Statement[], around: Around): readonly Statement[] {
  return block.flatMap((node, index) => {
    if (node.kind !== 'loop') return [node];
    const plain = withPlainCondition(withStepApart(node));
    const noted = noteCount(plain, block.slice(0, index), around);
    const [first, limit] = noted.counted === undefined ? withLimitBefore(noted, around) : [noted, []];
    const isCounted = first.counted !== undefined;
    const [loop, before] = isCounted ? [first, limit] : withMovedLimit(first, block.slice(0, index), around);
    if (around.remarks !== null) explain(around.remarks, loop, node, around);
    return [...before, loop];
  });
}

/** The loop with a limit that is worked out in front of it, if it counts so. */
function withLimitBefore(loop: Loop, around: Around): readonly [Loop, readonly Statement[]] {
  const { condition } = loop;
  if (!loop.testFirst || condition?.kind !== 'operate' || hasLoop([...loop.body, ...loop.step])) return [loop, []];
  const { fn, modRef, registry, locals } = around;
  const changes = modRef.of([loop], fn);
  for (const limit of condition.operands) {
    if (limit.type.kind !== 'int' || limit.kind === 'int' || limit.kind === 'get-local') continue;
    const value = getLocal(locals.length, intType, limit.span);
    const replaced: Loop = {
      ...loop,
      condition: { ...condition, operands: condition.operands.map((one) => (one === limit ? value : one)) },
    };
    const counting = noteCount(replaced, [], around);
    if (counting.counted === undefined || !isInvariant(limit, changes, registry)) continue;
    const local = locals.push({ name: 'limit', type: intType, origin: 'temporary' }) - 1;
    return [withRepeats(counting, limit, value), [{ kind: 'set-local', local, value: limit, span: limit.span }]];
  }
  return [loop, []];
}

/** The loop with what a sum around its variable is compared with moved to the other side, as the limit. */
function withMovedLimit(
  loop: Loop,
  inFront: readonly Statement[],
  { fn, modRef, registry, ranges, locals }: Around,
): readonly [Loop, readonly Statement[]] {
  if (hasLoop([...loop.body, ...loop.step])) return [loop, []];
  const counted = findMovedLimit(loop, inFront, { fn, changes: modRef.of([loop], fn), registry, ranges });
  if (counted === null) return [loop, []];
  if (counted.limit.kind === 'int') return [{ ...loop, counted }, []];
  const { span } = counted.limit;
  const local = locals.push({ name: 'limit', type: intType, origin: 'temporary' }) - 1;
  return [
    { ...loop, counted: { ...counted, limit: getLocal(local, intType, span) } },
    [{ kind: 'set-local', local, value: counted.limit, span }],
  ];
}

/** Where the loop reads the limit again, it is in the local. */
function withRepeats(loop: Loop, limit: Expression, value: Expression): Loop {
  const key = pathKey(limit);
  if (key === null) return loop;
  const read = (node: Expression): Expression =>
    node.kind === limit.kind && pathKey(node) === key ? { ...value, span: node.span } : node;
  return { ...loop, body: rewriteExpressions(loop.body, read), step: rewriteExpressions(loop.step, read) };
}

/** The loop with the increment at the end of a `while` body as its step. */
export function withStepApart(loop: Loop): Loop {
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

function noteCount(loop: Loop, before: readonly Statement[], { fn, modRef, registry }: Around): Loop {
  if (hasLoop([...loop.body, ...loop.step])) return loop;
  const counted = findCount(loop, modRef.of([loop], fn), before, registry);
  if (counted === null) return loop;
  return { ...loop, counted, ...(hasFewIterations(counted) ? { isShort: true } : {}) };
}
