// What can leave main and each exported function for the host, for those who declare the types of a script. Worked out
// on the program as it was written, so that no setting of the compiler changes a type.

import type { Expression, FunctionId } from '../mir/mir.ts';
import type { MirFunction, MirProgram } from '../mir/program.ts';
import type { Output, Outputs, ProgramOutputs } from '../mir/outputs.ts';
import { isNullable } from '../language/types.ts';
import type { LibraryFunction } from '../library/declare.ts';
import { nodesOf, visitAll } from '../mir/children.ts';
import { isReturn, isWorkedOut } from '../mir/kinds.ts';
import { calleeOf } from '../mir/locals.ts';
import { completes } from '../mir/reachability.ts';
import { isNeverNull } from '../mir/never-null.ts';
import { noteNonNull } from './transform/nullness.ts';

/** What main can yield and return, and each exported function. */
export function outputsOf(program: MirProgram): ProgramOutputs {
  const { entry, initialiser, entrySetsGlobals, exports, functions } = program;
  const reading = new Reading(program);
  // Globals are set before the first call, and what is yielded meanwhile belongs to that.
  const before = initialiser === null ? [] : [initialiser];
  return {
    entry: entry === null ? null : reading.outputs(entry, entrySetsGlobals ? [] : before),
    exports: new Map(exports.map(({ function: id }) => [id, reading.outputs(functions.get(id)!, before)])),
  };
}

/** The outputs of one function, without its callees. */
interface Own {
  readonly yields: readonly Expression[];
  readonly returns: readonly Expression[];
  readonly calls: ReadonlySet<FunctionId>;
  readonly returnsNothing: boolean;
}

class Reading {
  readonly #program: MirProgram;
  readonly #own = new Map<MirFunction, Own>();
  /** Whether functions may return null; those that are being looked at count as if they did. */
  readonly #mayBeNull = new Map<FunctionId, boolean>();

  constructor(program: MirProgram) {
    this.#program = program;
  }

  outputs(fn: MirFunction, before: readonly MirFunction[]): Outputs {
    const { returns, returnsNothing } = this.#ownOf(fn);
    const reached = new Set([...before, fn]);
    for (const one of reached)
      for (const id of this.#ownOf(one).calls) {
        const called = this.#program.functions.get(id);
        // The prelude yields nothing.
        if (called !== undefined) reached.add(called);
      }
    const yields = [...reached].flatMap((one) => this.#ownOf(one).yields);
    return {
      yields: yields.map((value) => this.#output(value)),
      returns: returns.map((value) => this.#output(value)),
      returnsNothing,
    };
  }

  #output(value: Expression): Output {
    return { type: value.type, nullable: this.#isNullable(value) };
  }

  #ownOf(fn: MirFunction): Own {
    const known = this.#own.get(fn);
    if (known !== undefined) return known;
    const found = readOwn(fn);
    const givesLocals = [...found.yields, ...found.returns].some(
      ({ kind, type }) => kind === 'get-local' && isNullable(type),
    );
    const own = givesLocals ? readOwn(noteNonNull(fn, this.#program.registry)) : found;
    this.#own.set(fn, own);
    return own;
  }

  /** Whether a value may be null, of a text, an array or a struct: null is one of the values of json. */
  #isNullable(value: Expression): boolean {
    const { type } = value;
    if (type.kind !== 'string' && type.kind !== 'array' && type.kind !== 'struct') return false;
    if (isWorkedOut(value)) return !isNeverNull(value);
    switch (value.kind) {
      case 'get-local':
      case 'built-text':
        return value.nonNull !== true;
      case 'get-global':
      case 'get-field':
      case 'get-element':
      case 'get-hoisted':
        return true;
      case 'conditional':
      case 'select':
        return this.#isNullable(value.then) || this.#isNullable(value.otherwise);
      case 'check-null':
        return false;
      case 'sequence':
        return this.#isNullable(value.value);
      case 'call':
        return this.#returnsNull(value.function);
      case 'library-call':
        return mayGiveNull(this.#program.registry.byId(value.function));
    }
  }

  #returnsNull(id: FunctionId): boolean {
    const known = this.#mayBeNull.get(id);
    const fn = this.#program.functions.get(id);
    if (known !== undefined || fn === undefined) return known ?? true;
    this.#mayBeNull.set(id, true);
    const found = this.#ownOf(fn).returns.some((value) => this.#isNullable(value));
    this.#mayBeNull.set(id, found);
    return found;
  }
}

function readOwn(fn: MirFunction): Own {
  const yields: Expression[] = [];
  const returns: Expression[] = [];
  const calls = new Set<FunctionId>();
  let returnsNothing = completes(fn.body);
  visitAll(nodesOf(fn), (node) => {
    const callee = calleeOf(node);
    if (callee !== null) calls.add(callee);
    if (node.kind === 'yield') yields.push(node.value);
    if (!isReturn(node)) return;
    switch (node.kind) {
      case 'return':
      case 'finish':
        if (node.value === null) returnsNothing = true;
        else returns.push(node.value);
        return;
      // What it gives back stays in the program.
      case 'return-live-outs':
      case 'osr-exit':
        return;
    }
  });
  // The walk takes the last of a function first.
  return { yields: yields.reverse(), returns: returns.reverse(), calls, returnsNothing };
}

/** Texts and arrays of the library are never null, unless their row says so, or a default that is passed may be. */
function mayGiveNull({ returns, signature, parameters }: LibraryFunction): boolean {
  if (returns.kind !== 'string' && returns.kind !== 'array') return true;
  return /^\S+\? /.test(signature) || parameters.some(({ nullable }) => nullable);
}
