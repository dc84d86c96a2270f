// Loop outlining: extracts loops into functions of their own. A loop inside another loop usually has few iterations,
// and then it runs in place. If it has many, a new function that consists of this loop alone runs it, and the engine
// can replace that function by its optimised code between two calls.
//
//   loop 2 while (i < n) #counted …      if ((n - i) in 0..4096)
//     total = (total + i)                  loop 2 while (i < n) #short …
//                                        else if (i < n)
//                                          i, total = run #f#1(i, n, total)
//
// Does not apply in a try, since its clause reads what the loop has set before it failed; to loops that return or set
// texts; and to loops with more than a hundred inputs. In a function with very many loops, the outermost loops are
// outlined too. Source: LLVM's loop-extract; the reason is that engines do not replace the code of a function that is
// running (docs/decisions/0011-loops.md).

import { countsUp } from '../../mir/mir.ts';
import type { CountedLoop, Expression, FunctionId, If, Loop, LoopId, OutlinedLoop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { outlinedSuffix } from '../../abi/names.ts';
import { intType, isScalar } from '../../language/types.ts';
import { all, arithmetic, inRange, getLocal, int, zeroOf } from '../../mir/builders.ts';
import { hasLoop, visitStatements } from '../../mir/children.ts';
import { isStructured } from '../../mir/kinds.ts';
import { reachesEnd } from '../../mir/reachability.ts';
import { conditionsOfCount, plainLimit } from '../analysis/counted-loops.ts';
import { findLoopLiveness } from '../analysis/liveness.ts';
import type { LoopLiveness } from '../analysis/liveness.ts';
import { canOutline, describeOutlined, innerLoopsRunThrough, outlineLoop } from '../outlined-loops.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext } from '../pass.ts';
import { remarkNotOutlined } from '../remarks/outlining.ts';
import type { Remarks } from '../remarks/remarks.ts';

export const loopOutlining: Pass = {
  name: 'loop-outlining',
  summary: 'loops that are long become functions of their own',
  isRequired: false,
  keeps: ['recursion', 'fixed-matrices'],
  run: (program, context) => {
    const often = context.analyses.get('recursion').calledByRecursion();
    const outlined: MirFunction[] = [];
    const others = mapFunctions(program, context, (fn, id) => {
      if (!hasLoop(fn.body)) return fn;
      const outliner = new Outliner(fn, id, often.has(id), context);
      const body = outliner.statements(fn.body);
      outlined.push(...outliner.outlined);
      return { ...fn, body, ...(outliner.isDivided ? { runsThrough: true } : {}) };
    });
    return { ...others, functions: new Map([...outlined.map((fn) => [fn.id, fn] as const), ...others.functions]) };
  },
};

/**
 * In a function with more loops than this, each loop becomes a function of its own: the memory that engines need for
 * one function grows with the number of its loops times the number of its variables, up to gigabytes.
 */
const mostLoops = 48;

/** A loop, in two versions or in one. */
interface Candidate {
  readonly statement: Loop | If;
  /** The loop; if there are two versions, the version with all checks. */
  readonly loop: Loop;
  /** The version without checks; if there is one version, the loop itself. */
  readonly unchecked: Loop;
  /** The conditions under which the version without checks is correct. */
  readonly conditions: readonly Expression[];
  readonly counted: CountedLoop | null;
}

class Outliner {
  readonly outlined: MirFunction[] = [];
  /** Whether the function has so many loops that each is outlined, and that the remaining function never stops. */
  readonly isDivided: boolean;
  readonly #fn: MirFunction;
  readonly #id: FunctionId;
  /** Whether the function never stops in its loops. */
  readonly #runsThrough: boolean;
  readonly #iterationsPerCall: number;
  readonly #remarks: Remarks | null;
  #liveness: ReadonlyMap<LoopId, LoopLiveness> | null = null;
  #loops = 0;
  #tries = 0;

  constructor(fn: MirFunction, id: FunctionId, runsThrough: boolean, { settings, remarks }: PassContext) {
    this.#fn = fn;
    this.#id = id;
    this.#runsThrough = runsThrough;
    this.#iterationsPerCall = settings.iterationsPerCall;
    this.#remarks = remarks;
    let loops = 0;
    visitStatements(fn.body, (node) => {
      if (node.kind === 'loop') loops += 1;
      if (node.kind === 'if' && node.versions !== undefined) loops -= 1;
    });
    this.isDivided = loops > mostLoops;
  }

  statements(nodes: readonly Statement[]): readonly Statement[] {
    return nodes.map((node) => this.#statement(node));
  }

  #statement(node: Statement): Statement {
    if (!isStructured(node)) return node;
    switch (node.kind) {
      case 'loop':
        return hasLoop([...node.body, ...node.step]) ? this.#outer(node) : this.#inner(candidateOf(node));
      case 'if': {
        const candidate = candidateOfVersions(node);
        if (candidate !== null) return this.#inner(candidate);
        const arms = node.arms.map((arm) => ({ ...arm, then: this.statements(arm.then) }));
        return { ...node, arms, otherwise: this.statements(node.otherwise) };
      }
      case 'try': {
        this.#tries += 1;
        const body = this.statements(node.body);
        const clauses = node.clauses.map((clause) => ({ ...clause, body: this.statements(clause.body) }));
        this.#tries -= 1;
        return { ...node, body, clauses };
      }
      case 'block':
        return { ...node, statements: this.statements(node.statements) };
    }
  }

  #outer(node: Loop): Statement {
    this.#loops += 1;
    const loop = { ...node, body: this.statements(node.body), step: this.statements(node.step) };
    this.#loops -= 1;
    return this.#divide(loop, [], loop) ?? loop;
  }

  #inner({ statement, loop, unchecked, conditions, counted }: Candidate): Statement {
    if (loop.isShort === true || loop.isCold === true) return statement;
    const divided = this.#divide(loop, conditions, statement);
    if (divided !== null) return divided;
    const isInside = this.#loops > 0 || this.#runsThrough;
    if (!isInside) return statement;
    if (this.#tries > 0 || !canOutline(loop, this.#fn.locals)) {
      if (this.#remarks !== null) remarkNotOutlined(this.#remarks, loop, this.#fn, this.#tries > 0);
      return statement;
    }
    const outlined = this.#describe(loop, conditions);
    this.#remarks?.add(outlined === null ? 'outlinedNotMany' : 'outlined', loop.span, {});
    if (outlined === null) return statement;
    const limit = counted === null ? null : plainLimit(counted);
    const { span } = loop;
    if (counted === null || limit === null) {
      if (this.#runsThrough) return statement;
      this.#add(outlined, statement);
      return this.#withValues(loop, outlined);
    }
    this.#add(outlined, statement);
    // This is the original condition, not a comparison with the hoisted limit: it fails if the array is null.
    const call: If = {
      kind: 'if',
      arms: [{ condition: loop.condition!, then: [{ kind: 'call-outlined', outlined, span }] }],
      otherwise: [],
      span,
    };
    const condition = all([isShort(counted, limit, this.#iterationsPerCall), ...conditions]);
    const versions = statement.kind === 'if' ? { versions: statement.versions! } : {};
    const arms = [{ condition, then: [{ ...unchecked, isShort: true }] }];
    return { kind: 'if', arms, otherwise: [call], span, ...versions };
  }

  /** In a divided function, the call that replaces an outermost loop; null if the loop stays in the function. */
  #divide(loop: Loop, conditions: readonly Expression[], statement: Statement): Statement | null {
    const { locals } = this.#fn;
    if (!this.isDivided || this.#loops > 0 || this.#tries > 0 || !canOutline(loop, locals)) return null;
    // Behind its call a loop that never ends would seem to come back.
    const outlined = reachesEnd(loop) && innerLoopsRunThrough(loop) ? this.#describe(loop, conditions) : null;
    if (outlined === null) return null;
    this.#add(outlined, statement);
    this.#remarks?.add('outlined', loop.span, {});
    return { kind: 'call-outlined', outlined, span: loop.span };
  }

  #describe(loop: Loop, conditions: readonly Expression[]): OutlinedLoop | null {
    this.#liveness ??= findLoopLiveness(this.#fn);
    const { behind } = this.#liveness.get(loop.id)!;
    const id = `${this.#id}${outlinedSuffix}${this.outlined.length + 1}`;
    return describeOutlined(loop, id, this.#fn, conditions, (local) => behind.includes(local));
  }

  /** The loop behind zeros in temporaries that it sets in front of all that reads them: its function is given some value. */
  #withValues(loop: Loop, outlined: OutlinedLoop): Statement {
    const { atIteration } = this.#liveness!.get(loop.id)!;
    const { span } = loop;
    const zeros = outlined.outputs
      .filter((local) => !atIteration.includes(local) && this.#fn.locals[local]!.origin !== 'source')
      .map((local): Statement => {
        const { type } = this.#fn.locals[local]!;
        const value: Expression = isScalar(type) ? zeroOf(type, span) : { kind: 'null', type, span };
        return { kind: 'set-local', local, value, span };
      });
    const last: Loop = { ...loop, outlined };
    return zeros.length === 0 ? last : { kind: 'block', statements: [...zeros, last], span };
  }

  #add(outlined: OutlinedLoop, statement: Statement): void {
    this.outlined.push(outlineLoop([statement], outlined, this.#fn));
  }
}

function candidateOf(loop: Loop): Candidate {
  const counted = loop.counted ?? null;
  const conditions = counted === null ? [] : conditionsOfCount(counted);
  return { statement: loop, loop, unchecked: loop, conditions, counted };
}

function candidateOfVersions(node: If): Candidate | null {
  if (node.versions === undefined) return null;
  const [loop] = node.otherwise as readonly [Loop];
  const [{ condition, then }] = node.arms as readonly [If['arms'][number]];
  const [unchecked] = then as readonly [Loop];
  const conditions = condition.kind === 'logical' && condition.operator === '&&' ? condition.operands : [condition];
  return { statement: node, loop, unchecked, conditions, counted: loop.counted! };
}

/**
 * A loop runs outlined if it has more than 1 / shortCall of the iterations that a function makes in one call: then the
 * cost of the call cannot be measured.
 */
const shortCall = 4;

/** The test that the loop has at least one and only few iterations left; other conditions test a step in a local. */
function isShort(counted: CountedLoop, limit: Expression, iterationsPerCall: number): Expression {
  const shortLoop = BigInt(Math.ceil(iterationsPerCall / shortCall));
  const { span } = limit;
  const variable = getLocal(counted.variable, intType, span);
  const distance = countsUp(counted.comparison) ? arithmetic('-', limit, variable) : arithmetic('-', variable, limit);
  const step =
    counted.step.kind === 'int'
      ? int((counted.step.value < 0n ? -counted.step.value : counted.step.value) * shortLoop, span)
      : arithmetic('*', counted.step, int(shortLoop, span));
  return inRange(distance, step);
}
