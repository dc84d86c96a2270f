// The reference interpreter: runs the typed tree of the checker, before anything is optimised, one node after the
// other. It says what a program hands out, how it ends, and what it uses: a unit for each call of a function of the
// script, and one for each iteration of a loop once it is over. What the nodes mean stands in typed-tree.ts.

import type {
  CheckedFunction,
  CheckedProgram,
  Expression,
  FunctionId,
  LocalOrigin,
  Loop,
  LoopId,
  Statement,
  Try,
} from '../../../src/2-check/typed-tree.ts';
import { findErrorType } from '../../../src/language/errors.ts';
import type { Type } from '../../../src/language/types.ts';
import { positionAt } from '../../../src/source.ts';
import type { Span } from '../../../src/source.ts';
import { Evaluator } from './evaluator.ts';
import type { Locals, Machine } from './evaluator.ts';
import { DeepFailure, Exhausted, Failure, nullAccess, shown } from './values.ts';
import type { Value } from './values.ts';
import { World } from './world.ts';

/** A place in the script as stacks show it. */
export interface Place {
  readonly function: string;
  readonly line: number;
  readonly column: number;
}

export interface Outcome {
  /** As they are shown. */
  readonly yields: readonly string[];
  /** As it is shown; undefined if there is none. */
  readonly result: string | undefined;
  readonly failure: {
    readonly type: string;
    readonly message: string;
    /** Innermost first. */ readonly places: readonly Place[];
  } | null;
  /** Null where the library took units too. */
  readonly used: number | null;
}

/** Throws Exhausted for a program that does too much. */
export function interpret(program: CheckedProgram): Outcome {
  const run = new Run(program);
  let failure: Outcome['failure'] = null;
  try {
    run.run();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failure = { type: error.type, message: error.message, places: run.places.get(error) ?? [] };
  }
  return { yields: run.yields, result: run.result, failure, used: run.isCounted ? run.used : null };
}

/** How a statement ended, if not at its end. */
type Jump =
  | { readonly kind: 'break' | 'continue'; readonly loop: LoopId }
  | { readonly kind: 'return'; readonly value: Value };

interface Frame {
  readonly fn: CheckedFunction;
  /** Where the function below was called from. */
  readonly calledAt: Span | null;
}

const mostUnits = 20_000;
const mostSteps = 400_000;
const mostYields = 2000;
const deepestCall = 300;

class Run implements Machine {
  readonly program: CheckedProgram;
  readonly yields: string[] = [];
  readonly globals = new Map<string, Value>();
  readonly world = new World();
  /** Where each error came from. */
  readonly places = new WeakMap<Failure, readonly Place[]>();
  result: string | undefined = undefined;
  used = 0;
  isCounted = true;
  #steps = 0;
  /** Set once a clause for a guard error has ended: from then on no clause takes anything. */
  #isEnding = false;
  readonly #frames: Frame[] = [];
  readonly #evaluator: Evaluator;

  constructor(program: CheckedProgram) {
    this.program = program;
    this.#evaluator = new Evaluator(this);
    for (const { id, type, value } of program.globals.values())
      this.globals.set(id, value === null ? zeroOf(type) : ((value as { value?: Value }).value ?? null));
  }

  run(): void {
    const { entry, initialiser, entrySetsGlobals } = this.program;
    if (entry === null) throw new Error('there is nothing to run');
    if (initialiser !== null && !entrySetsGlobals) this.call(initialiser, [], initialiser.span);
    const values: Value[] = [];
    for (const { local, initialiser: otherwise } of entry.parameters)
      values[local] = this.#evaluator.evaluate(otherwise!, values);
    this.call(entry, values, entry.span);
  }

  /** Ends with the error as one of the node, unless it came from inside. */
  at<Result>(span: Span, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof DeepFailure) this.isCounted = false;
      if (error instanceof Failure && !this.places.has(error)) this.places.set(error, this.#stack(span));
      throw error;
    }
  }

  #stack(span: Span): readonly Place[] {
    const spans = [...this.#frames.map(({ calledAt }) => calledAt).slice(1), span];
    return this.#frames
      .map(({ fn }, at) => ({ function: fn.name, ...positionAt(spans[at]!.file, spans[at]!.start) }))
      .reverse();
  }

  originOfLocal(local: number): LocalOrigin {
    return this.#frames.at(-1)!.fn.locals[local]!.origin;
  }

  callById(id: FunctionId, operands: readonly Value[], span: Span): Value {
    return this.call(this.program.functions.get(id)!, operands, span);
  }

  call(fn: CheckedFunction, operands: readonly Value[], calledAt: Span): Value {
    this.#use();
    if (this.#frames.length > deepestCall) throw new Exhausted();
    this.#frames.push({ fn, calledAt });
    const locals: Value[] = [];
    fn.parameters.forEach(({ local }, at) => (locals[local] = operands[at]!));
    const jump = this.execute(fn.body, locals);
    this.#frames.pop();
    return jump?.kind === 'return' ? jump.value : null;
  }

  #use(): void {
    this.used += 1;
    if (this.used > mostUnits) throw new Exhausted();
  }

  step(count: number): void {
    this.#steps += count;
    if (this.#steps > mostSteps) throw new Exhausted();
  }

  execute(nodes: readonly Statement[], locals: Locals): Jump | null {
    for (const node of nodes) {
      const jump = this.#executeOne(node, locals);
      if (jump !== null) return jump;
    }
    return null;
  }

  #executeOne(node: Statement, locals: Locals): Jump | null {
    const evaluate = (expression: Expression): Value => this.#evaluator.evaluate(expression, locals);
    this.step(1);
    switch (node.kind) {
      case 'set-local':
        locals[node.local] = evaluate(node.value);
        return null;
      case 'set-global':
        this.globals.set(node.global, evaluate(node.value));
        return null;
      case 'set-field':
      case 'set-element':
      case 'set-member':
      case 'set-item':
        this.#evaluator.assign(node, locals);
        return null;
      case 'evaluate':
        evaluate(node.expression);
        return null;
      case 'if':
        return this.execute(evaluate(node.condition) === true ? node.then : node.otherwise, locals);
      case 'loop':
        return this.#loop(node, locals);
      case 'break':
      case 'continue':
        return { kind: node.kind, loop: node.loop };
      case 'return':
        return { kind: 'return', value: node.value === null ? null : evaluate(node.value) };
      case 'finish':
        if (node.value !== null) this.result = this.#show(node.value, locals, node.span);
        return { kind: 'return', value: null };
      case 'yield':
        this.yields.push(this.#show(node.value, locals, node.span));
        if (this.yields.length > mostYields) throw new Exhausted();
        return null;
      case 'throw': {
        const message = evaluate(node.message);
        return this.at(node.span, () => {
          throw message === null ? nullAccess('the message of throw') : new Failure('Error', message as string);
        });
      }
      case 'try':
        return this.#try(node, locals);
      case 'block':
        return this.execute(node.statements, locals);
    }
  }

  #show(node: Expression, locals: Locals, span: Span): string {
    const value = this.#evaluator.evaluate(node, locals);
    return this.at(span, () => shown(value, node.type));
  }

  #loop(node: Loop, locals: Locals): Jump | null {
    const goesOn = (): boolean => node.condition === null || this.#evaluator.evaluate(node.condition, locals) === true;
    if (node.testFirst && !goesOn()) return null;
    do {
      const jump = this.execute(node.body, locals);
      const isOwn = jump !== null && jump.kind !== 'return' && jump.loop === node.id;
      if (jump !== null && !isOwn) return jump;
      if (jump?.kind === 'break') return null;
      this.execute(node.step, locals);
      this.#use();
    } while (goesOn());
    return null;
  }

  /**
   * A clause that names a guard error may tidy up; however it ends, the error goes on, and no other clause takes it.
   */
  #try(node: Try, locals: Locals): Jump | null {
    const depth = this.#frames.length;
    try {
      return this.execute(node.body, locals);
    } catch (error) {
      if (!(error instanceof Failure) || this.#isEnding) throw error;
      const type = findErrorType(error.type)!;
      const clause = node.clauses.find(({ errorType }) => (errorType === null ? !type.guard : errorType === type.id));
      if (clause === undefined) throw error;
      this.#frames.length = depth;
      locals[clause.local] = error.message;
      if (!type.guard) return this.execute(clause.body, locals);
      this.#tidyUp(() => this.execute(clause.body, locals));
      throw error;
    }
  }

  #tidyUp(work: () => void): void {
    const { result } = this;
    try {
      work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    this.result = result;
    this.#isEnding = true;
  }
}

function zeroOf({ kind }: Type): Value {
  return kind === 'int' ? 0n : kind === 'double' ? 0 : kind === 'boolean' ? false : null;
}
