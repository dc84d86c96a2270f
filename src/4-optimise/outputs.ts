// What can leave main and each exported function for the host, for those who declare the types of a script. Worked out
// on the program as it was written, so that no setting of the compiler changes a type.

import type {
  MirFunction,
  MirProgram,
  Expression,
  FunctionId,
  LoopId,
  Output,
  Outputs,
  ProgramOutputs,
  Statement,
} from '../mir/mir.ts';
import { isNullable } from '../language/types.ts';
import type { LibraryFunction } from '../library/declare.ts';
import { nodesOf, visitAll } from '../mir/children.ts';
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

/** What one function does by itself. */
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
    const own = givesLocals ? readOwn(noteNonNull(fn)) : found;
    this.#own.set(fn, own);
    return own;
  }

  /** Whether a value may be null, of a text, an array or a struct: null is one of the values of json. */
  #isNullable(value: Expression): boolean {
    const { type } = value;
    if (type.kind !== 'string' && type.kind !== 'array' && type.kind !== 'struct') return false;
    switch (value.kind) {
      case 'string':
      case 'concat':
      case 'to-text':
      case 'array-literal':
      case 'struct-literal':
      case 'new-array':
        return false;
      case 'get-local':
        return value.nonNull !== true;
      case 'conditional':
        return this.#isNullable(value.then) || this.#isNullable(value.otherwise);
      case 'sequence':
        return this.#isNullable(value.value);
      case 'call':
        return this.#returnsNull(value.function);
      case 'library-call':
        return mayGiveNull(this.#program.registry.byId(value.function));
      default:
        return true;
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
    if (node.kind === 'yield') yields.push(node.value);
    else if (node.kind === 'call') calls.add(node.function);
    else if (node.kind !== 'return' && node.kind !== 'finish') return;
    else if (node.value === null) returnsNothing = true;
    else returns.push(node.value);
  });
  // The walk takes the last of a function first.
  return { yields: yields.reverse(), returns: returns.reverse(), calls, returnsNothing };
}

/** Texts and arrays of the library are never null, unless their row says so, or a default that is passed may be. */
function mayGiveNull({ returns, signature, parameters }: LibraryFunction): boolean {
  if (returns.kind !== 'string' && returns.kind !== 'array') return true;
  return /^\S+\? /.test(signature) || parameters.some(({ nullable }) => nullable);
}

/** Whether control can come to the end of the statements. */
function completes(statements: readonly Statement[]): boolean {
  return statements.every((statement) => {
    switch (statement.kind) {
      case 'return':
      case 'finish':
      case 'throw':
      case 'break':
      case 'continue':
        return false;
      case 'block':
        return completes(statement.statements);
      case 'if':
        return statement.arms.some(({ then }) => completes(then)) || completes(statement.otherwise);
      case 'loop': {
        const { id, condition, testFirst, body } = statement;
        const isEndless = condition === null || (condition.kind === 'boolean' && condition.value);
        const comesToTest = testFirst || completes(body) || leaves(body, 'continue', id);
        return (!isEndless && comesToTest) || leaves(body, 'break', id);
      }
      case 'try':
        return completes(statement.body) || statement.clauses.some(({ body }) => completes(body));
      default:
        return true;
    }
  });
}

function leaves(body: readonly Statement[], kind: 'break' | 'continue', loop: LoopId): boolean {
  let found = false;
  visitAll(body, (node) => (found ||= node.kind === kind && node.loop === loop));
  return found;
}
