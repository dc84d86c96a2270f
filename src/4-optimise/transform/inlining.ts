// Inlining: replaces calls of small functions of numbers by their bodies, so that the range analysis, narrowing and the
// loop passes see what the call computes.
//
//   int square(int x) { return (x * x) }
//   return #square((a + b))                   return ($x = (a + b); ($x * $x))
//
// Does not apply to functions that can fail, since the stack of the error would miss their frame; to functions with
// loops, with locals that are not numbers, or that call themselves; and if the caller would grow too much. If fuel is
// counted, an inlined call still uses a unit.
// Source: procedure integration; Muchnick, "Advanced Compiler Design and Implementation", section 15.2.

import { isConstant } from '../../mir/mir.ts';
import { asTemporary } from '../../mir/locals.ts';
import type { Expression, FunctionId, LocalId, Statement } from '../../mir/mir.ts';
import type { MirFunction, MirProgram, Local } from '../../mir/program.ts';
import type { Type } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { int } from '../../mir/builders.ts';
import { copyStatements } from '../../mir/clone.ts';
import { visitAll } from '../../mir/children.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import { arePure, effectsOf, isSilent } from '../../mir/effects.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';

/** Functions with more nodes than this are not inlined. */
const largest = 48;
/** Inlining adds at most this number of nodes to a function. */
const mostGrowth = 2000;

/** A function that can be inlined, with its body as one expression. */
interface Inlinable {
  readonly fn: MirFunction;
  readonly value: Expression;
  readonly size: number;
  /** How often the function reads each of its locals. */
  readonly reads: ReadonlyMap<LocalId, number>;
  readonly sets: ReadonlySet<LocalId>;
}

export const inlining: Pass = {
  name: 'inlining',
  summary: 'small functions of numbers become part of what calls them',
  isRequired: false,
  keeps: [],
  run: (program, context) => {
    const inliner = new Inliner(program, context.settings.countsFuel);
    return mapFunctions(program, context, (fn, id) =>
      program.functions.has(id) ? inliner.rewritten(id) : inliner.rewrite(fn),
    );
  },
};

class Inliner {
  readonly #functions: ReadonlyMap<FunctionId, MirFunction>;
  readonly #registry: LibraryRegistry;
  readonly #counts: boolean;
  readonly #rewritten = new Map<FunctionId, MirFunction>();
  /** Null for functions that are not inlined; a function that is being rewritten is one of them. */
  readonly #inlinable = new Map<FunctionId, Inlinable | null>();

  constructor({ functions, registry }: MirProgram, counts: boolean) {
    this.#functions = functions;
    this.#registry = registry;
    this.#counts = counts;
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
      const rewritten = this.rewrite(this.#functions.get(visit.id)!);
      this.#rewritten.set(visit.id, rewritten);
      this.#inlinable.set(visit.id, readInlinable(rewritten, this.#registry));
    }
    return this.#rewritten.get(id)!;
  }

  #begin(id: FunctionId): { readonly id: FunctionId; readonly callees: FunctionId[] } {
    this.#inlinable.set(id, null);
    const callees: FunctionId[] = [];
    visitAll(this.#functions.get(id)!.body, (node) => void (node.kind === 'call' && callees.push(node.function)));
    return { id, callees };
  }

  rewrite(fn: MirFunction): MirFunction {
    const locals = [...fn.locals];
    let growth = 0;
    const body = rewriteExpressions(fn.body, (node) => {
      if (node.kind !== 'call') return node;
      const callee = this.#find(node.function);
      if (callee === null || growth + callee.size > mostGrowth) return node;
      growth += callee.size;
      return inlineCall(callee, node, locals, { registry: this.#registry, counts: this.#counts });
    });
    return growth === 0 ? fn : { ...fn, locals, body };
  }

  #find(id: FunctionId): Inlinable | null {
    if (!this.#functions.has(id)) return null;
    if (!this.#inlinable.has(id)) this.rewritten(id);
    return this.#inlinable.get(id)!;
  }
}

function readInlinable(fn: MirFunction, registry: LibraryRegistry): Inlinable | null {
  if (fn.generic || !fn.locals.every(({ type }) => isNumber(type))) return null;
  const value = valueOf(fn.body);
  if (value === null) return null;
  let size = 0;
  let cannotFail = true;
  const reads = new Map<LocalId, number>();
  const sets = new Set<LocalId>();
  visitAll([value], (node) => {
    size += 1;
    cannotFail &&= isSilent(effectsOf(node, registry)) && node.kind !== 'if';
    if (node.kind === 'get-local') reads.set(node.local, (reads.get(node.local) ?? 0) + 1);
    if (node.kind === 'set-local') sets.add(node.local);
  });
  return cannotFail && size <= largest ? { fn, value, size, reads, sets } : null;
}

function isNumber({ kind }: Type): boolean {
  return kind === 'int' || kind === 'double' || kind === 'boolean';
}

/** Statements that always end in a `return`, as one expression; null for other statements, and if they are too many. */
function valueOf(statements: readonly Statement[], depth = 0): Expression | null {
  if (statements.length > largest || depth > largest) return null;
  const at = statements.findIndex(({ kind }) => kind === 'return' || kind === 'if' || kind === 'block');
  const node = statements[at];
  const rest = statements.slice(at + 1);
  const before = statements.slice(0, Math.max(at, 0));
  if (node === undefined || !before.every(({ kind }) => kind === 'set-local' || kind === 'set-global')) return null;
  const value =
    node.kind === 'return'
      ? node.value
      : node.kind === 'if'
        ? choiceOf(node, rest, depth + 1)
        : valueOf([...(node as Statement & { readonly kind: 'block' }).statements, ...rest], depth + 1);
  if (value === null || before.length === 0) return value;
  return { kind: 'sequence', statements: before, value, type: value.type, span: value.span };
}

function choiceOf(
  { arms, otherwise, span }: Statement & { readonly kind: 'if' },
  rest: readonly Statement[],
  depth: number,
): Expression | null {
  return arms.reduceRight<Expression | null>(
    (other, { condition, then }) => {
      const one = other === null ? null : valueOf(then, depth);
      return one === null || other === null
        ? null
        : { kind: 'conditional', condition, then: one, otherwise: other, type: one.type, span };
    },
    arms.length > largest ? null : valueOf([...otherwise, ...rest], depth),
  );
}

/**
 * `(parameter = argument …; charge 1; value)`. The charge comes after the arguments: if an argument fails, there is no
 * call. An argument whose value does not depend on where it is evaluated replaces the parameter.
 */
function inlineCall(
  { fn, value, reads, sets }: Inlinable,
  call: Expression & { readonly kind: 'call' },
  locals: Local[],
  { registry, counts }: { readonly registry: LibraryRegistry; readonly counts: boolean },
): Expression {
  const { span } = call;
  // If all are pure, an argument may be evaluated at the use of its parameter, or not at all.
  const mayMove = arePure([value, ...call.arguments], registry);
  const replaces = (argument: Expression, parameter: LocalId): boolean =>
    isConstant(argument)
      ? !sets.has(parameter)
      : mayMove && (argument.kind === 'get-local' || (reads.get(parameter) ?? 0) <= 1);
  const given = fn.parameters.map(({ local }, index): [LocalId, Expression] => [local, call.arguments[index]!]);
  const replaced = new Map(given.filter(([local, argument]) => replaces(argument, local)));
  const own = new Map<LocalId, LocalId>();
  /** Locals of the callee become new locals; replaced parameters get a negative number until they are substituted. */
  const rename = (local: LocalId): LocalId => {
    if (replaced.has(local)) return -1 - local;
    if (!own.has(local)) own.set(local, locals.push(asTemporary(fn.locals[local]!)) - 1);
    return own.get(local)!;
  };
  const settings = given
    .filter(([local]) => !replaced.has(local))
    .map(([local, argument]): Statement => ({
      kind: 'set-local',
      local: rename(local),
      value: argument,
      span: argument.span,
    }));
  const copy = copyStatements([{ kind: 'evaluate', expression: value, span }], rename);
  const [written] = rewriteExpressions(copy, (node) =>
    node.kind === 'get-local' && node.local < 0 ? replaced.get(-1 - node.local)! : node,
  );
  const result = (written as Statement & { readonly kind: 'evaluate' }).expression;
  const isSequence = result.kind === 'sequence';
  const statements: readonly Statement[] = [
    ...settings,
    ...(counts ? [{ kind: 'charge', units: int(1n, span), span } as const] : []),
    ...(isSequence ? result.statements : []),
  ];
  return statements.length === 0
    ? result
    : { kind: 'sequence', statements, value: isSequence ? result.value : result, type: call.type, span };
}
