// Partial inlining: most recursive functions begin with the test for their base case, and half of their calls or more
// return there. The pass copies this test in front of the calls that recursive functions make, as a guard: a call that
// would return at once is not made.
//
//   if (n < 2)                                if (n < 2)
//     return n                                  return n
//   return #f((n - 1))                        return ($n = (n - 1); (($n < 2) ? $n : #f($n)))
//
// The statements that the function executes before it returns, before the test and after it, are copied too:
//
//   p.count = (p.count + 1)                   $n = (n - 1)
//   if (n == 0)                               if ($n == 0)
//     return                                    p.count = (p.count + 1)
//   #f(p, (n - 1))                            else
//                                               #f(p, $n)
//
// A base case may do as much as the other calls do, such as a leaf of a tree, if few calls get a copy.
//
// Does not apply if the statements before the test can change what it reads, if the test can fail, and if there is a call,
// a loop or anything else that takes longer than a call before the return. If an object that the test reads is null, the
// call is made, and fails as without the pass.
// Source: Muth, Debray, "Partial inlining", 1997; LLVM's partial-inliner.

import { asTemporary, calleeOf, localsSet } from '../../mir/locals.ts';
import type { Expression, FunctionId, LocalId, Statement } from '../../mir/mir.ts';
import type { MirFunction, MirProgram, Local } from '../../mir/program.ts';
import { booleanType } from '../../language/types.ts';
import { copyStatements, placeInCaller } from '../../mir/clone.ts';
import { all, getLocal, int, not } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf, isPure } from '../../mir/effects.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { isCheap } from '../analysis/inlinable.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';

/** A test with what is done then is copied to every call if it has at most so many nodes. */
const small = 24;
/** The largest number of guards in a function. */
const mostGuards = 16;
/** Larger ones, up to this number of nodes, are copied to few calls: a leaf of a tree that does what the others do too. */
const largest = 96;
/** The copies of larger ones in a function have at most this number of nodes together. */
const mostCopied = 240;

/** The base case of a function: the condition under which it returns at once, what it executes then, and its value. */
interface EarlyExit {
  readonly fn: MirFunction;
  /** Reads the parameters alone and has no effect; it fails only if one of `objects` is null. */
  readonly condition: Expression;
  readonly statements: readonly Statement[];
  /** Null for a function without a result. */
  readonly value: Expression | null;
  /** The parameters whose fields the condition reads. */
  readonly objects: ReadonlySet<LocalId>;
  readonly size: number;
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
    let copied = 0;
    const exitOf = (node: Expression): EarlyExit | null => {
      const exit = node.kind === 'call' ? this.#exits.get(node.function) : undefined;
      if (exit === undefined || guards === mostGuards) return null;
      if (exit.size > small) {
        if (copied + exit.size > mostCopied) return null;
        copied += exit.size;
      }
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
    const { settings, condition, statements, value, again } = bind(exit, call, locals);
    const { type, span } = call;
    const before = [...(this.#counts ? [charge(call)] : []), ...statements];
    const ended: Expression =
      before.length === 0 ? value! : { kind: 'sequence', statements: before, value: value!, type, span };
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
    const { settings, condition, statements, again } = bind(exit, call, locals);
    const { span } = call;
    const evaluate: Statement = { kind: 'evaluate', expression: again, span };
    const guard: Statement = {
      kind: 'if',
      arms: [{ condition, then: [...(this.#counts ? [charge(call)] : []), ...statements] }],
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
  { fn, condition, statements, value, objects }: EarlyExit,
  call: Call,
  locals: Local[],
): {
  readonly settings: readonly Statement[];
  readonly condition: Expression;
  readonly statements: readonly Statement[];
  readonly value: Expression | null;
  readonly again: Expression;
} {
  const { span } = call;
  const own = new Map<LocalId, LocalId>();
  const rename = (local: LocalId): LocalId => {
    if (!own.has(local)) own.set(local, locals.push(asTemporary(fn.locals[local]!)) - 1);
    return own.get(local)!;
  };
  const read = (local: LocalId): Expression => getLocal(rename(local), fn.locals[local]!.type, span);
  const place = placeInCaller(fn.name, span);
  const copyAll = (nodes: readonly Statement[]): readonly Statement[] => copyStatements(nodes, rename, place);
  const copy = (node: Expression): Expression => {
    const [copied] = copyAll([{ kind: 'evaluate', expression: node, span }]);
    return (copied as Evaluate).expression;
  };
  const settings = fn.parameters.map(({ local }, index): Statement => ({
    kind: 'set-local',
    local: rename(local),
    value: call.arguments[index]!,
    span,
  }));
  const areThere = [...objects].map((local) => not({ kind: 'is-null', operand: read(local), type: booleanType, span }));
  const [first, ...others] = [...areThere, copy(condition)];
  return {
    settings,
    condition: all([first, ...others]),
    statements: copyAll(statements),
    value: value === null ? null : copy(value),
    again: { ...call, arguments: fn.parameters.map(({ local }) => read(local)) },
  };
}

type Exit = Pick<EarlyExit, 'condition' | 'statements' | 'value'>;

function readExit(fn: MirFunction, registry: LibraryRegistry): EarlyExit | null {
  const at = fn.body.findIndex(({ kind }) => kind === 'if' || kind === 'return');
  const first = fn.body[at];
  if (fn.generic || first === undefined || at > small) return null;
  const exit =
    first.kind === 'if'
      ? exitOfIf(first)
      : first.kind === 'return' && first.value?.kind === 'conditional'
        ? exitOfChoice(first.value)
        : null;
  if (exit === null) return null;
  const before = fn.body.slice(0, at);
  const parameters = new Set(fn.parameters.map(({ local }) => local));
  let size = 0;
  let isAllowed = true;
  visitAll(before, (node) => {
    for (const local of localsSet(node)) parameters.delete(local);
  });
  const objects = new Set<LocalId>();
  visitAll([exit.condition], (node) => {
    isAllowed &&= mayStandInGuard(node, parameters, registry) && (at === 0 || readsNoMemory(node, registry));
    if (node.kind === 'get-field' && node.object.kind === 'get-local') objects.add(node.object.local);
  });
  const statements = [...before, ...exit.statements];
  visitAll([...statements, ...(exit.value === null ? [] : [exit.value])], (node) => {
    isAllowed &&= node.kind !== 'call' && node.kind !== 'return' && isCheap(node, registry);
  });
  visitAll([exit.condition, ...statements, ...(exit.value === null ? [] : [exit.value])], () => void (size += 1));
  return isAllowed && size <= largest ? { fn, ...exit, statements, objects, size } : null;
}

/** `if (condition) { …; return value; }` */
function exitOfIf({ arms }: Statement & { readonly kind: 'if' }): Exit | null {
  const { condition, then } = arms[0]!;
  const all = then.flatMap((node) => (node.kind === 'block' ? node.statements : [node]));
  const last = all.at(-1);
  return last?.kind === 'return' ? { condition, statements: all.slice(0, -1), value: last.value } : null;
}

/** `return condition ? value : …;`, or the other way round */
function exitOfChoice({ condition, then, otherwise }: Expression & { readonly kind: 'conditional' }): Exit | null {
  const calls = [then, otherwise].map((branch) => {
    let found = false;
    visitAll([branch], (node) => (found ||= calleeOf(node) !== null));
    return found;
  });
  if (calls[0] === calls[1]) return null;
  return calls[1] === true
    ? { condition, statements: [], value: then }
    : { condition: not(condition), statements: [], value: otherwise };
}

/**
 * Whether the test of a guard may evaluate the node: it reads parameters only, has no effect, and fails only if an object
 * in a local is null.
 */
function mayStandInGuard(node: Node, parameters: ReadonlySet<LocalId>, registry: LibraryRegistry): boolean {
  if (node.kind === 'get-local') return parameters.has(node.local);
  const isOfLocal = node.kind === 'get-field' && node.object.kind === 'get-local';
  return isOfLocal || isPure(effectsOf(node, registry));
}

/** Whether nothing but a setting of a local can change its value. */
function readsNoMemory(node: Node, registry: LibraryRegistry): boolean {
  return effectsOf(node, registry).reads.every(({ kind }) => kind === 'local');
}
