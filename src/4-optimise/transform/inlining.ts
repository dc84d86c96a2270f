// Inlining: replaces calls of small functions by their bodies, so that the range analysis, narrowing and the loop passes
// see what the call computes.
//
//   int square(int x) { return (x * x) }
//   return #square((a + b))                   return ($x = (a + b); ($x * $x))
//
// A function of numbers that cannot fail becomes one value. Any other function becomes statements: a return sets a
// temporary, and the statements behind an `if` that returns move into its other branch. The spans of copied nodes name the
// call, so that the stack of an error shows the function and the call.
//
// A loop of a few iterations is unrolled where a loop calls the function (complete-unrolling.ts). A function of numbers
// with one loop that waits for its own values keeps it (inlinable-loops.ts), so that the next iteration of the loop around
// can work ahead (loop-interleaving.ts): such a call becomes a statement of its own, in front of the one that it is in,
// unless something that comes before it has an effect or may fail.
//
// Does not apply to functions that are recursive or are called between recursive calls, since their depth is counted; to
// functions with other loops, clauses, texts, or anything else that takes longer than a call; to large functions, and to
// functions of medium size that many places call; and if the caller would grow too much. If fuel is counted, an inlined
// call still uses a unit.
// Source: procedure integration; Muchnick, "Advanced Compiler Design and Implementation", section 15.2; the places of
// inlined code as in DWARF's inlined subroutines.

import type { Call, Expression, FunctionId, LocalId, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction, MirProgram } from '../../mir/program.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { hasLoop, operandsOf, visitAll, visitStatements, withOperands } from '../../mir/children.ts';
import { isShortCircuit, isStrict } from '../../mir/kinds.ts';
import { getLocal } from '../../mir/builders.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext } from '../pass.ts';
import { arePure } from '../../mir/effects.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import { functionsOf } from '../analysis/analyses.ts';
import { calledOutsideLoops } from '../analysis/call-frequency.ts';
import { readLoopFunction } from '../analysis/inlinable-loops.ts';
import { liftFirstCall } from '../analysis/liftable-calls.ts';
import { readInlinable, unrolledSize, usualSize } from '../analysis/inlinable.ts';
import type { Inlinable } from '../analysis/inlinable.ts';
import { inlineCall } from '../inlined-calls.ts';
import type { Inlined } from '../inlined-calls.ts';
import { unrolledInLoop } from './complete-unrolling.ts';
import { withLocalConstants } from './constant-propagation.ts';

/** Inlining adds at most this number of nodes to a function. */
const mostGrowth = 2000;

export const inlining: Pass = {
  name: 'inlining',
  summary: 'small functions become part of what calls them',
  isRequired: false,
  keeps: [],
  run: (program, context) => {
    const between = context.analyses.get('recursion').betweenRecursion();
    const inliner = new Inliner(program, between, context);
    return mapFunctions(program, context, (fn, id) =>
      program.functions.has(id) ? inliner.rewritten(id) : inliner.rewrite(fn),
    );
  },
};

class Inliner {
  readonly #functions: ReadonlyMap<FunctionId, MirFunction>;
  readonly #registry: LibraryRegistry;
  readonly #context: PassContext;
  /** In how many places each function is called. */
  readonly #calls = new Map<FunctionId, number>();
  readonly #rewritten = new Map<FunctionId, MirFunction>();
  /** Null for functions that are not inlined. */
  readonly #inlinable = new Map<FunctionId, Inlinable | null>();

  /** Their loops do not begin again and again. */
  readonly #seldom: ReadonlySet<MirFunction>;

  constructor(program: MirProgram, betweenRecursion: ReadonlySet<FunctionId>, context: PassContext) {
    this.#functions = program.functions;
    this.#registry = program.registry;
    this.#context = context;
    this.#seldom = calledOutsideLoops(program, context.analyses.get('recursion'));
    for (const id of betweenRecursion) this.#inlinable.set(id, null);
    for (const { body } of functionsOf(program))
      for (const callee of calleesIn(body)) this.#calls.set(callee, (this.#calls.get(callee) ?? 0) + 1);
  }

  /** Rewrites callees before their callers. A chain of calls may have any length, so this uses no recursion. */
  rewritten(id: FunctionId): MirFunction {
    const open = this.#rewritten.has(id) ? [] : [this.#begin(id)];
    for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
      const callee = visit.callees.pop();
      if (callee !== undefined) {
        if (this.#functions.has(callee) && !this.#inlinable.has(callee)) open.push(this.#begin(callee));
        continue;
      }
      open.pop();
      const written = this.#functions.get(visit.id)!;
      const rewritten = this.rewrite(written);
      this.#rewritten.set(visit.id, rewritten);
      if (!visit.mayBeInlined) continue;
      const calls = this.#calls.get(visit.id) ?? 0;
      const inlinable =
        (this.#seldom.has(written) ? null : this.#withLoop(rewritten, calls)) ??
        readInlinable(rewritten, calls, usualSize, this.#registry);
      this.#inlinable.set(visit.id, inlinable);
    }
    return this.#rewritten.get(id)!;
  }

  #begin(id: FunctionId): { readonly id: FunctionId; readonly callees: FunctionId[]; readonly mayBeInlined: boolean } {
    const mayBeInlined = !this.#inlinable.has(id);
    this.#inlinable.set(id, null);
    return { id, callees: calleesIn(this.#functions.get(id)!.body), mayBeInlined };
  }

  rewrite(fn: MirFunction): MirFunction {
    const locals = [...fn.locals];
    const addLocal = (local: Local): LocalId => locals.push(local) - 1;
    const counts = this.#context.settings.countsFuel;
    const lifted = new Set<Expression>();
    const newLoop = newLoops(fn);
    let growth = 0;
    const inlined = (call: Call, written: Expression): Inlined | null => {
      const callee = this.#find(call.function);
      if (callee === null || growth + callee.size > mostGrowth) return null;
      // A loop is a statement of its own.
      if (hasLoop(callee.statements) && !lifted.has(written)) return null;
      growth += callee.size;
      const found = inlineCall(callee, call, { registry: this.#registry, counts, addLocal, loop: memoised(newLoop) });
      return { ...found, statements: withoutBlocks(found.statements.map((node) => this.#lift(node))) };
    };
    const body = rewriteExpressions(
      this.#liftLoops(fn.body, addLocal, lifted),
      (node, written) => {
        if (node.kind === 'sequence') return { ...node, statements: withoutBlocks(node.statements) };
        if (node.kind !== 'call' || node.type.kind === 'void') return node;
        const found = inlined(node, written);
        return found === null ? node : asValue(found, node);
      },
      (node) => {
        const { kind, span } = node;
        if (kind !== 'evaluate' || node.expression.kind !== 'call' || node.expression.type.kind !== 'void')
          return this.#lift(node);
        const found = inlined(node.expression, node.expression);
        return found === null ? node : { kind: 'block', statements: found.statements, span };
      },
    );
    if (growth === 0) return fn;
    return { ...fn, locals, body: rewriteBlocks(body, withoutBlocks) };
  }

  /** A function that loops call, with its loop written out, or with a loop of its own. */
  #withLoop(fn: MirFunction, calls: number): Inlinable | null {
    return this.#unrolled(fn, calls) ?? readLoopFunction(fn, calls, this.#registry);
  }

  /** Calls of functions with a loop become statements of their own where they can, in front of what they are in. */
  #liftLoops(
    body: readonly Statement[],
    addLocal: (local: Local) => LocalId,
    lifted: Set<Expression>,
  ): readonly Statement[] {
    const hasLoops = ({ function: id }: Call): boolean => hasLoop(this.#find(id)?.statements ?? []);
    // Steps are no place for loops.
    const steps = new Set<Statement>();
    visitStatements(body, (node) => {
      if (node.kind === 'loop') visitStatements(node.step, (part) => void steps.add(part));
    });
    const lift = (node: Statement): readonly Statement[] => {
      if (steps.has(node)) return [node];
      const found = liftFirstCall(node, hasLoops, this.#registry);
      if (found === null) return [node];
      const { call } = found;
      lifted.add(call);
      if (node.kind === 'set-local' && node.value === call) return [node];
      const local = addLocal({ name: 'found', type: call.type, origin: 'temporary' });
      const set: Statement = { kind: 'set-local', local, value: call, span: call.span };
      return [set, ...lift(found.replaced(getLocal(local, call.type, call.span)))];
    };
    if (!calleesIn(body).some((id) => hasLoop(this.#find(id)?.statements ?? []))) return body;
    return rewriteBlocks(body, (block) => block.flatMap(lift));
  }

  /** With its loops of a few iterations written out; null where there are none, or it is not inlined so. */
  #unrolled(fn: MirFunction, calls: number): Inlinable | null {
    if (!hasLoop(fn.body)) return null;
    const known = withLocalConstants(fn);
    const unrolled = unrolledInLoop(known, this.#registry, { ...this.#context, remarks: null });
    const inlinable = unrolled === known ? null : readInlinable(unrolled, calls, unrolledSize, this.#registry);
    // Said where it is so.
    if (inlinable !== null && this.#context.remarks !== null) unrolledInLoop(known, this.#registry, this.#context);
    return inlinable;
  }

  #find(id: FunctionId): Inlinable | null {
    if (!this.#functions.has(id)) return null;
    if (!this.#inlinable.has(id)) this.rewritten(id);
    return this.#inlinable.get(id)!;
  }

  /** If a statement evaluates a sequence first, puts the statements of the sequence in front, where all passes see them. */
  #lift(node: Statement): Statement {
    const { span } = node;
    const behind = (value: Expression, make: (value: Expression) => Statement | null): Statement => {
      const parts = splitFirst(value);
      if (parts === null) return node;
      const last = make(parts.value);
      return { kind: 'block', statements: [...parts.statements, ...(last === null ? [] : [last])], span };
    };
    if (node.kind === 'set-local' || node.kind === 'set-global')
      return behind(node.value, (value) => ({ ...node, value }));
    if (node.kind === 'return' && node.value !== null) return behind(node.value, (value) => ({ ...node, value }));
    if (node.kind === 'evaluate')
      return behind(node.expression, (expression) =>
        arePure([expression], this.#registry) ? null : { ...node, expression },
      );
    if (node.kind !== 'if') return node;
    const [first, ...others] = node.arms as readonly [(typeof node.arms)[number], ...typeof node.arms];
    return behind(first.condition, (condition) => ({ ...node, arms: [{ ...first, condition }, ...others] }));
  }
}

/** The statements with which an expression begins, and the rest of it; null where there are none. */
function splitFirst(
  node: Expression,
): { readonly statements: readonly Statement[]; readonly value: Expression } | null {
  if (node.kind === 'sequence') return node;
  const [first, ...others] = isStrict(node) || isShortCircuit(node) ? operandsOf(node) : [];
  const parts = first === undefined ? null : splitFirst(first);
  return parts === null ? null : { ...parts, value: withOperands(node, [parts.value, ...others]) };
}

/** The statements with those of blocks in their place. */
function withoutBlocks(nodes: readonly Statement[]): readonly Statement[] {
  return nodes.flatMap((node) => (node.kind === 'block' ? withoutBlocks(node.statements) : [node]));
}

/** Ids for loops that a function has not had. */
function newLoops({ body }: MirFunction): () => LoopId {
  let last: LoopId | null = null;
  return () => {
    if (last === null) {
      last = 0;
      visitStatements(body, (node) => {
        if (node.kind === 'loop') last = Math.max(last!, node.id);
      });
    }
    return (last += 1);
  };
}

/** The same id for the same loop. */
function memoised(newLoop: () => LoopId): (loop: LoopId) => LoopId {
  const known = new Map<LoopId, LoopId>();
  return (loop) => {
    if (!known.has(loop)) known.set(loop, newLoop());
    return known.get(loop)!;
  };
}

function calleesIn(body: readonly Statement[]): FunctionId[] {
  const callees: FunctionId[] = [];
  visitAll(body, (node) => void (node.kind === 'call' && callees.push(node.function)));
  return callees;
}

function asValue({ statements, value }: Inlined, { type, span }: Call): Expression {
  const end = value!;
  const all = end.kind === 'sequence' ? [...statements, ...end.statements] : statements;
  if (all.length === 0) return end;
  return { kind: 'sequence', statements: all, value: end.kind === 'sequence' ? end.value : end, type, span };
}
