// Partial inlining: most recursive functions begin with the test for their base case, and half of their calls or more
// return there. The pass copies this test in front of the calls that recursive functions make, as a guard: a call that
// would return at once is not made.
//
//   if (n < 2)                                if (n < 2)
//     return n                                  return n
//   return #f((n - 1))                        return ($n = (n - 1); (($n < 2) ? $n : #f($n)))
//
// Does not apply if the function has an effect before the test, and if the test or the value could fail. If an object
// that the test reads is null, the call is made, and fails as without the pass.
// Source: Muth, Debray, "Partial inlining", 1997; LLVM's partial-inliner.

import { asTemporary, calleeOf } from '../../mir/locals.ts';
import type { Expression, FunctionId, LocalId, Statement } from '../../mir/mir.ts';
import type { MirFunction, MirProgram, Local } from '../../mir/program.ts';
import { booleanType } from '../../language/types.ts';
import { copyStatements } from '../../mir/clone.ts';
import { all, getLocal, int, not } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf, isPure } from '../../mir/effects.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';

/** A test of more nodes than this is not copied. */
const largest = 24;
/** The largest number of guards in a function. */
const mostGuards = 16;

/** The base case of a function: the condition under which it returns at once, and the value that it then returns. */
interface EarlyExit {
  readonly fn: MirFunction;
  /** Reads the parameters alone and has no effect; it fails only if one of `objects` is null. */
  readonly condition: Expression;
  /** The same holds for the value; null for a function without a result. */
  readonly value: Expression | null;
  /** The parameters whose fields the condition or the value reads. */
  readonly objects: ReadonlySet<LocalId>;
}

export const partialInlining: Pass = {
  name: 'partial-inlining',
  summary: 'recursive calls that would end at once are not made',
  isRequired: false,
  keeps: [],
  run: (program, context) => {
    const recursive = context.analyses.get('recursion').recursive();
    if (recursive.size === 0) return program;
    const exits = new EarlyExits(program, recursive, context.settings.countsFuel);
    return mapFunctions(program, context, (fn, id) => (recursive.has(id) ? exits.rewrite(fn) : fn));
  },
};

/**
 * Puts guards in front of the calls of `recursive` functions: tests whether the call would return at once. `counts`
 * says whether each call uses a unit of fuel.
 */
class EarlyExits {
  readonly #exits: ReadonlyMap<FunctionId, EarlyExit>;
  readonly #counts: boolean;

  constructor({ functions, registry }: MirProgram, recursive: ReadonlySet<FunctionId>, counts: boolean) {
    this.#exits = new Map(
      [...recursive].flatMap((id) => {
        const exit = readExit(functions.get(id)!, registry);
        return exit === null ? [] : [[id, exit] as const];
      }),
    );
    this.#counts = counts;
  }

  /** A recursive function with guards in front of its calls. */
  rewrite(fn: MirFunction): MirFunction {
    const locals = [...fn.locals];
    let guards = 0;
    const exitOf = (node: Expression): EarlyExit | null => {
      const exit = node.kind === 'call' ? this.#exits.get(node.function) : undefined;
      if (exit === undefined || guards === mostGuards) return null;
      guards += 1;
      return exit;
    };
    const body = rewriteExpressions(
      fn.body,
      (node) => {
        const exit = node.type.kind === 'void' ? null : exitOf(node);
        return exit === null ? node : this.#guardValue(exit, node as Call, locals);
      },
      (node) => {
        const exit = node.kind === 'evaluate' && node.expression.type.kind === 'void' ? exitOf(node.expression) : null;
        return exit === null ? node : this.#guardStatement(exit, (node as Evaluate).expression as Call, locals);
      },
    );
    return guards === 0 ? fn : { ...fn, locals, body };
  }

  /** `(parameter = argument …; condition ? (charge 1; value) : f(parameters))` */
  #guardValue(exit: EarlyExit, call: Call, locals: Local[]): Expression {
    const { settings, condition, value, again } = bind(exit, call, locals);
    const { type, span } = call;
    const ended: Expression = this.#counts
      ? { kind: 'sequence', statements: [charge(call)], value: value!, type, span }
      : value!;
    return {
      kind: 'sequence',
      statements: settings,
      value: { kind: 'conditional', condition, then: ended, otherwise: again, type, span },
      type,
      span,
    };
  }

  /** `{ parameter = argument …; if (condition) charge 1; else f(parameters); }` */
  #guardStatement(exit: EarlyExit, call: Call, locals: Local[]): Statement {
    const { settings, condition, again } = bind(exit, call, locals);
    const { span } = call;
    const evaluate: Statement = { kind: 'evaluate', expression: again, span };
    const guard: Statement = {
      kind: 'if',
      arms: [{ condition, then: this.#counts ? [charge(call)] : [] }],
      otherwise: [evaluate],
      span,
    };
    return { kind: 'block', statements: [...settings, guard], span };
  }
}

type Call = Expression & { readonly kind: 'call' };
type Evaluate = Statement & { readonly kind: 'evaluate' };

function charge({ span }: Call): Statement {
  return { kind: 'charge', units: int(1n, span), span };
}

/** The exit with new locals of the caller in place of the parameters, and the call that is made otherwise. */
function bind(
  { fn, condition, value, objects }: EarlyExit,
  call: Call,
  locals: Local[],
): { settings: Statement[]; condition: Expression; value: Expression | null; again: Expression } {
  const { span } = call;
  const own = new Map(fn.parameters.map(({ local }) => [local, locals.push(asTemporary(fn.locals[local]!)) - 1]));
  const read = (local: LocalId): Expression => getLocal(own.get(local)!, fn.locals[local]!.type, span);
  const copy = (node: Expression): Expression => {
    const [copied] = copyStatements([{ kind: 'evaluate', expression: node, span }], (local) => own.get(local)!);
    return (copied as Evaluate).expression;
  };
  const areThere = [...objects].map((local) => not({ kind: 'is-null', operand: read(local), type: booleanType, span }));
  const [first, ...others] = [...areThere, copy(condition)];
  return {
    settings: fn.parameters.map(({ local }, index) => ({
      kind: 'set-local',
      local: own.get(local)!,
      value: call.arguments[index]!,
      span,
    })),
    condition: all([first, ...others]),
    value: value === null ? null : copy(value),
    again: { ...call, arguments: fn.parameters.map(({ local }) => read(local)) },
  };
}

function readExit(fn: MirFunction, registry: LibraryRegistry): EarlyExit | null {
  const first = fn.body[0];
  if (fn.generic || first === undefined) return null;
  const exit =
    first.kind === 'if'
      ? exitOfIf(first)
      : first.kind === 'return' && first.value?.kind === 'conditional'
        ? exitOfChoice(first.value)
        : null;
  if (exit === null) return null;
  const nodes = [exit.condition, ...(exit.value === null ? [] : [exit.value])];
  const parameters = new Set(fn.parameters.map(({ local }) => local));
  const objects = new Set<LocalId>();
  let size = 0;
  let isAllowed = true;
  visitAll(nodes, (node) => {
    size += 1;
    isAllowed &&= mayStandInGuard(node, parameters, registry);
    if (node.kind === 'get-field' && node.object.kind === 'get-local') objects.add(node.object.local);
  });
  return isAllowed && size <= largest ? { fn, ...exit, objects } : null;
}

/** `if (condition) return value;` */
function exitOfIf({ arms }: Statement & { readonly kind: 'if' }): Pick<EarlyExit, 'condition' | 'value'> | null {
  const { condition, then } = arms[0]!;
  const [only, ...others] = then.flatMap((node) => (node.kind === 'block' ? node.statements : [node]));
  return only?.kind === 'return' && others.length === 0 ? { condition, value: only.value } : null;
}

/** `return condition ? value : …;`, or the other way round */
function exitOfChoice({
  condition,
  then,
  otherwise,
}: Expression & { readonly kind: 'conditional' }): Pick<EarlyExit, 'condition' | 'value'> | null {
  const calls = [then, otherwise].map((branch) => {
    let found = false;
    visitAll([branch], (node) => (found ||= calleeOf(node) !== null));
    return found;
  });
  if (calls[0] === calls[1]) return null;
  return calls[1] === true ? { condition, value: then } : { condition: not(condition), value: otherwise };
}

/**
 * Whether a guard may evaluate the node: it reads only parameters, has no effect except the allocation of a struct, and
 * fails only if an object in a local is null.
 */
function mayStandInGuard(node: Node, parameters: ReadonlySet<LocalId>, registry: LibraryRegistry): boolean {
  if (node.kind === 'get-local') return parameters.has(node.local);
  const isOfLocal = node.kind === 'get-field' && node.object.kind === 'get-local';
  return isOfLocal || node.kind === 'struct-literal' || isPure(effectsOf(node, registry));
}
