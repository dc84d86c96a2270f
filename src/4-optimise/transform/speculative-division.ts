// Speculative division: an int divided by one that may be 0 moves in front of the outermost `for` loop that leaves both
// alone. What tests the divisor stays where the division was, and fails there.
//
//   loop 1 while (x < w)                    $divisor = #h
//     k = ((y + #h) % #h)                   $invariant = (($divisor == 0) ? 0 : ((y + #h) % $divisor))
//                                           loop 1 while (x < w)
//                                             k = (($divisor == 0) ? ((y + #h) % #h) : $invariant)
//
// Engines leave a division that may trap where it is, and it takes as long as some twenty additions. Runs behind the passes
// that know a quotient or remainder by its range. Does not apply to what runs sometimes only (an arm of an `if`, a choice, a
// `while` loop), to divisors that are powers of two, and to what reads memory but globals that the loop does not set.
// Source: speculative code motion of instructions that may trap, behind a guard of their own; Muchnick, "Advanced Compiler
// Design", sections 13.2 and 17.1.

import { booleanType, intType } from '../../language/types.ts';
import { getLocal, int } from '../../mir/builders.ts';
import { hasLoop, visitStatements } from '../../mir/children.ts';
import { expressionKey } from '../../mir/expression-keys.ts';
import type { Expression, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import { isDivision, isOfVariables, Variables } from '../analysis/divisions.ts';
import type { Division } from '../analysis/divisions.ts';
import { visitEachIteration } from '../analysis/each-iteration.ts';
import type { Changes, ProgramChanges } from '../analysis/mod-ref.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { Remarks } from '../remarks/remarks.ts';
import { placeOf } from '../remarks/source-text.ts';

export const speculativeDivision: Pass = {
  name: 'speculative-division',
  summary: 'ints that a loop leaves alone are divided in front of it, also by what may be 0',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'fixed-matrices'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    return mapFunctions(program, context, (fn) =>
      hasLoop(fn.body) ? hoist(fn, new Plan(fn, modRef, context.remarks)) : fn,
    );
  },
};

/** The function with the divisions of the plan in front of their loops. */
function hoist(fn: MirFunction, { locals, preheaders }: Plan): MirFunction {
  if (preheaders.size === 0) return fn;
  const body = rewriteBlocks(fn.body, (block) =>
    block.flatMap((node) => {
      const found = preheaders.get(keyOf(node) ?? '');
      if (found === undefined) return [node];
      const { statements, values } = found;
      return [...statements, ...rewriteExpressions([node], (part, original) => values.get(original)?.(part) ?? part)];
    }),
  );
  return { ...fn, locals, body };
}

/** What moves in front of a loop: what sets the locals, and what stands in the place of each division. */
interface Preheader {
  readonly statements: Statement[];
  readonly values: Map<Expression, (division: Expression) => Expression>;
  /** The locals by what they hold. */
  readonly known: Map<string, LocalId>;
}

/** Where a preheader is: in front of a loop, or of the choice between its versions, by their ids. */
type Key = string;

function keyOf(node: Statement): Key | null {
  if (node.kind === 'loop') return `loop ${node.id}`;
  const [first] = versionsIn(node);
  return first === undefined ? null : `versions ${first.id}`;
}

function versionsIn(node: Statement): readonly Loop[] {
  if (node.kind !== 'if' || node.versions === undefined) return [];
  return [...node.arms.flatMap(({ then }) => then), ...node.otherwise].filter((inner) => inner.kind === 'loop');
}

/** A `for` loop around the node that the walk visits, which runs in each of its iterations. */
interface LoopScope {
  readonly loop: Loop;
  readonly changes: Changes;
}

/** Nobody writes longer ones. */
const mostNodes = 16;

/** The plan: which divisions move in front of which loops. The walk that makes it changes no node. */
class Plan {
  /** The locals of the function, and the new ones. */
  readonly locals: Local[];
  readonly preheaders = new Map<Key, Preheader>();
  readonly #keys = new Map<LoopId, Key>();
  readonly #remarks: Remarks | null;

  constructor(fn: MirFunction, modRef: ProgramChanges, remarks: Remarks | null) {
    this.locals = [...fn.locals];
    this.#remarks = remarks;
    visitStatements(fn.body, (node) => {
      for (const { id } of versionsIn(node)) this.#keys.set(id, keyOf(node)!);
    });
    visitEachIteration(
      fn.body,
      (loop): LoopScope => ({ loop, changes: modRef.of([loop], fn) }),
      (node, scopes) => {
        if (!isDivision(node) || !node.operands.every(isOfVariables)) return false;
        const variables = new Variables(node.operands);
        const scope = scopes.find(({ changes }) => !variables.areChanged(changes));
        return scope !== undefined && this.#move(node, scope.loop);
      },
    );
  }

  #move(division: Division, loop: Loop): boolean {
    const key = this.#keys.get(loop.id) ?? keyOf(loop)!;
    const preheader = this.preheaders.get(key) ?? { statements: [], values: new Map(), known: new Map() };
    const [dividend, divisor] = division.operands as [Expression, Expression];
    if (expressionKey(division, mostNodes) === null) return false;
    this.preheaders.set(key, preheader);
    this.#remarks?.add('workedOutInFront', loop.span, { what: placeOf(division) });
    if (divisor.kind === 'int') {
      const local = this.#keep('invariant', division, preheader);
      preheader.values.set(division, () => getLocal(local, intType, division.span));
      return true;
    }
    const by = getLocal(this.#keep('divisor', divisor, preheader), intType, divisor.span);
    const isZero = isEqual(by, int(0n, divisor.span));
    const choice = (then: Expression, otherwise: Expression): Expression => ({
      kind: 'conditional',
      condition: isZero,
      then,
      otherwise,
      type: intType,
      span: division.span,
    });
    const safe = choice(int(0n, division.span), { ...division, operands: [dividend, by] });
    const local = this.#keep('invariant', safe, preheader);
    preheader.values.set(division, (part) => choice(part, getLocal(local, intType, division.span)));
    return true;
  }

  /** The local that holds the value in front of the loop. */
  #keep(name: string, value: Expression, { statements, known }: Preheader): LocalId {
    if (value.kind === 'get-local') return value.local;
    const key = expressionKey(value, 3 * mostNodes)!;
    const local = known.get(key) ?? this.locals.push({ name, type: intType, origin: 'temporary' }) - 1;
    if (!known.has(key)) statements.push({ kind: 'set-local', local, value, span: value.span });
    known.set(key, local);
    return local;
  }
}

function isEqual(one: Expression, other: Expression): Expression {
  return { kind: 'operate', operator: '==(int,int)', operands: [one, other], type: booleanType, span: one.span };
}
