// One function during its emission: its locals and temporaries, the constructs around the current node, and the
// instructions that carry a place. All emit functions use it to write instructions.

import type { Expression, LocalId, LoopId, Statement } from '../mir/mir.ts';
import { substitute } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { i32, i64, isConstant, isRepeatable, none, tupleType } from './binaryen.ts';
import { FunctionTooLarge } from '../stopping.ts';
import { findElementAliases } from './element-aliases.ts';
import { largestProduct, largestThorough, measure } from './sizes.ts';
import type { FunctionSize } from './sizes.ts';
import type { ExpressionRef, WasmModule, WasmType } from './binaryen.ts';
import type { Emitter, FunctionInstance } from './emitter.ts';
import type { SpilledLocals } from './spilled-locals.ts';
import { emitSetStackPointer, emitStackPointer } from './stack.ts';
import { attachPlace } from './locations.ts';

/** A construct that a jump may leave, innermost last. */
export type Context =
  | {
      readonly kind: 'loop';
      readonly id: LoopId;
      readonly breakLabel: string;
      readonly continueLabel: string;
      /** The local with the stack pointer as it is when an iteration begins, where some put arrays on the stack. */
      readonly savedStack: number | null;
      isContinued: boolean;
    }
  /**
   * A try body: a jump out of it restores the mask of caught errors, which a local holds. Another has the stack pointer,
   * where there are arrays on the stack.
   */
  | { readonly kind: 'try'; readonly savedMask: number; readonly savedStack: number | null }
  /** A clause for a guard error: however it is left, the error is raised again. */
  | { readonly kind: 'guard'; readonly payload: number };

/** The state of a function with OSR entries; osr.ts says more. */
export interface Osr {
  /** The wasm local with the number of the entry to which the function is on its way; 0 in normal execution. */
  readonly entry: number;
  /** The wasm local that says whether this call continues an earlier one. */
  readonly isContinued: number;
  readonly leaveLabel: string;
  /** The locals that are spilled at some entry. */
  readonly spilled: SpilledLocals;
  /** The last entry in the statement that is being emitted. */
  lastEntry: number;
}

/** A value whose evaluation also stores it in a local. */
export interface Tee {
  readonly first: ExpressionRef;
  readonly read: () => ExpressionRef;
}

/** Writes a call that may use units or fail. */
export type Around = (
  operands: readonly ExpressionRef[],
  call: (operands: readonly ExpressionRef[]) => ExpressionRef,
  type: WasmType,
) => ExpressionRef;

/** The result of a function that passes its fuel: its own result, if it has one, and the fuel or budget that is left. */
export function withFuel(type: WasmType, inBudget: boolean): WasmType {
  const rest = inBudget ? i64 : i32;
  return type === none ? rest : tupleType([type, rest]);
}

/**
 * Emits any expression or statement. It is passed as a parameter, so that the files of the constructs do not import it.
 */
export interface Dispatch {
  readonly expression: (fb: FunctionBuilder, node: Expression) => ExpressionRef;
  readonly statements: (
    fb: FunctionBuilder,
    nodes: readonly Statement[],
    before: readonly ExpressionRef[],
  ) => ExpressionRef[];
  /** Writes a call of a function that passes its fuel. */
  readonly passFuel: (fb: FunctionBuilder, target: FunctionInstance, ...call: Parameters<Around>) => ExpressionRef;
  /** How many bytes the frames of a called function may take. */
  readonly depth: (fb: FunctionBuilder) => ExpressionRef;
}

export class FunctionBuilder {
  readonly emitter: Emitter;
  readonly instance: FunctionInstance;
  readonly module: WasmModule;
  readonly contexts: Context[] = [];
  /**
   * The wasm local of the fuel that is left: units if fuel is counted, otherwise the iterations until the function
   * returns to be called again. An i64 that is also the depth in a function that passes its budget. Null if the function
   * has no such local.
   */
  fuelLocal: number | null = null;
  /** The units that were charged and are not yet subtracted from the local; owed-fuel.ts says more. */
  owed = 0;
  /** Whether a charge may be owed at this place. */
  mayOwe = false;
  /** The counter of the place that is being written; null where the work of the library is not counted. */
  attributed: number | null = null;
  /** The wasm local with what the frame takes from a budget, where it is given back; set at the beginning. */
  frameLocal: number | null = null;
  /** Writes a call that may use units or fail; fuel.ts says more. */
  around: Around | null = null;
  /** Null for a function without OSR entries. */
  osr: Osr | null = null;
  /**
   * Binaryen's passes that nest expressions skip this function: their time grows with the square of its length, and the
   * depth of their result grows with it too. No other pass merges temporaries, so the builder reuses them.
   */
  readonly isLarge: boolean;
  readonly #size: FunctionSize;
  /** Whether a branch of it must not become a select. */
  keepsBranches = false;
  /** The wasm types of the function's parameters. */
  readonly parameterTypes: readonly WasmType[];
  /** The wasm parameter with the number of bytes that the frames of further calls may take. */
  readonly depthParameter: number;
  readonly #dispatch: Dispatch;
  readonly #variables: WasmType[] = [];
  /** The wasm locals of Mir's locals, parameters first: each is allocated on first use. */
  readonly #locals: number[];
  /** Free temporaries of a large function, by type. */
  readonly #free = new Map<WasmType, number[]>();
  /** Temporaries of the statements that are being written. */
  readonly #taken: { readonly local: number; readonly type: WasmType }[] = [];
  readonly #pendingPlaces: [ExpressionRef, number][] = [];
  /** Whether no statement inside the current one has been emitted so far: only then it may take a free temporary. */
  #mayReuse = false;
  readonly #temporaries = new Map<WasmType, number>();
  #labels = 0;
  readonly #branches: number;

  constructor(emitter: Emitter, instance: FunctionInstance, dispatch: Dispatch, parametersAreLocals = true) {
    this.#dispatch = dispatch;
    this.emitter = emitter;
    this.instance = instance;
    this.module = emitter.module;
    const { fn } = instance;
    const parameters = parametersAreLocals ? fn.parameters.length : 0;
    this.parameterTypes = fn.locals.slice(0, parameters).map((local) => this.wasmType(local.type));
    // The hidden parameter comes directly behind the parameters.
    const inBudget = instance.takesBudget;
    if (instance.takesPlace || (instance.takesDepth && !inBudget)) this.parameterTypes = [...this.parameterTypes, i32];
    this.depthParameter = this.parameterTypes.length - 1;
    if (instance.passesFuel) {
      this.fuelLocal = this.parameterTypes.length;
      this.parameterTypes = [...this.parameterTypes, inBudget ? i64 : i32];
    }
    this.#locals = fn.locals.slice(0, parameters).map((_, index) => index);
    for (const [elements, array] of findElementAliases(fn, ({ array: { type } }) => this.#isItsElements(type)))
      if (array < parameters) this.#locals[elements] = array;
    const { nodes, branches } = measure(fn);
    this.#size = nodes > emitter.largestFunction ? 'large' : nodes > largestThorough ? 'medium' : 'small';
    this.isLarge = this.#size === 'large';
    this.#branches = branches;
  }

  expression(node: Expression): ExpressionRef {
    const { mayOwe } = this;
    this.mayOwe = false;
    const written = this.#dispatch.expression(this, node);
    this.mayOwe = mayOwe;
    return written;
  }

  /** A sequence of statements; `before` has been emitted already and comes first. */
  statements(nodes: readonly Statement[], before: readonly ExpressionRef[] = []): ExpressionRef[] {
    return this.#dispatch.statements(this, nodes, before);
  }

  /**
   * Emits one statement; in a large function its temporaries are free afterwards. The enclosing statement never reuses
   * them: a loop may allocate a temporary after its body has been emitted, and the temporary must keep its value while
   * the body runs.
   */
  inStatement(emit: () => ExpressionRef): ExpressionRef {
    if (!this.isLarge) return emit();
    const taken = this.#taken.length;
    this.#mayReuse = true;
    const written = emit();
    this.#mayReuse = false;
    for (const { local, type } of this.#taken.splice(taken)) {
      const free = this.#free.get(type);
      if (free === undefined) this.#free.set(type, [local]);
      else free.push(local);
    }
    return written;
  }

  /** Several statements as one instruction. */
  block(nodes: readonly Statement[]): ExpressionRef {
    return this.module.block(null, this.statements(nodes), none);
  }

  /** A type of Mir with `T` replaced. */
  resolve(type: Type): Type {
    return substitute(type, this.instance.typeArgument);
  }

  #isItsElements(type: Type): boolean {
    const array = this.resolve(type);
    return array.kind === 'array' && this.emitter.types.isItsElements(array.element);
  }

  wasmType(type: Type): WasmType {
    return this.emitter.types.wasmType(this.resolve(type));
  }

  localType(local: LocalId): WasmType {
    return this.wasmType(this.instance.fn.locals[local]!.type);
  }

  /** The wasm local of a local of Mir. */
  localNumber(local: LocalId): number {
    this.#locals[local] ??= this.#addLocal(this.localType(local));
    return this.#locals[local];
  }

  getLocal(local: LocalId): ExpressionRef {
    return this.module.local.get(this.localNumber(local), this.localType(local));
  }

  setLocal(local: LocalId, value: ExpressionRef): ExpressionRef {
    return this.module.local.set(this.localNumber(local), value);
  }

  /** A wasm local for the current statement: nothing reads it before it is set there. */
  newLocal(type: WasmType): number {
    if (!this.isLarge) return this.#addLocal(type);
    const local = (this.#mayReuse ? this.#free.get(type)?.pop() : undefined) ?? this.#addLocal(type);
    this.#taken.push({ local, type });
    return local;
  }

  #addLocal(type: WasmType): number {
    this.#variables.push(type);
    return this.parameterTypes.length + this.#variables.length - 1;
  }

  /** A wasm local for a value that is read directly after it is set: always the same one for a type. */
  temporary(type: WasmType): number {
    const local = this.#temporaries.get(type) ?? this.#addLocal(type);
    this.#temporaries.set(type, local);
    return local;
  }

  /** For a value that is read several times: `first` evaluates it, and must come before any `read`. */
  tee(value: ExpressionRef, type: WasmType): Tee {
    const m = this.module;
    if (isConstant(value)) return { first: value, read: () => m.copyExpression(value) };
    const local = this.newLocal(type);
    return { first: m.local.tee(local, value, type), read: () => m.local.get(local, type) };
  }

  newLabel(purpose: string): string {
    this.#labels += 1;
    return `${purpose}${this.#labels}`;
  }

  /**
   * Evaluates `value` once and gives `use` a function to read it repeatedly; `use` builds the whole expression, in
   * which the first read happens before all others.
   */
  reuse(
    value: ExpressionRef,
    type: WasmType,
    use: (read: () => ExpressionRef) => ExpressionRef,
    resultType: WasmType = none,
  ): ExpressionRef {
    const m = this.module;
    if (isRepeatable(value)) {
      let used = false;
      return use(() => {
        const first = !used;
        used = true;
        return first ? value : m.copyExpression(value);
      });
    }
    const local = this.newLocal(type);
    return m.block(null, [m.local.set(local, value), use(() => m.local.get(local, type))], resultType);
  }

  /**
   * The number of a span's place; `use` describes the use of a value there. Runtime code passes on its caller's place.
   */
  place(span: Span, use?: string): ExpressionRef {
    if (this.instance.trusted) {
      return this.instance.takesPlace
        ? this.module.local.get(this.instance.fn.parameters.length, i32)
        : this.module.i32.const(-1);
    }
    return this.module.i32.const(this.emitter.locations.placeOf(span, this.instance.fn.name, use));
  }

  /** The number of wasm locals so far, without those that hold values only briefly. */
  get variableCount(): number {
    return this.parameterTypes.length + this.#variables.length - this.#temporaries.size;
  }

  /** Gives an instruction the place of the span, for stacks. */
  at(span: Span, expression: ExpressionRef, use?: string): ExpressionRef {
    if (!this.instance.trusted) {
      this.#pendingPlaces.push([expression, this.emitter.locations.placeOf(span, this.instance.fn.name, use)]);
    }
    return expression;
  }

  /** Calls a function of the program or the prelude; `span` is the place of the call, and `use` as in `place`. */
  call(target: FunctionInstance, operands: readonly ExpressionRef[], span: Span, use?: string): ExpressionRef {
    return this.emitter.putsOnStack(target) && target.fn.leavesOnStack !== true
      ? this.#callWithStack(target, operands, span, use)
      : this.bareCall(target, operands, span, use);
  }

  /**
   * What the function puts on the stack is taken off behind the call, and what its operands put there stays.
   *
   * ```
   * result = f(…, (last = …; saved = $stack; last));  $stack = saved;  result
   * ```
   */
  #callWithStack(
    target: FunctionInstance,
    operands: readonly ExpressionRef[],
    span: Span,
    use?: string,
  ): ExpressionRef {
    const m = this.module;
    const { fn, typeArgument } = target;
    const typeOf = (type: Type): WasmType => this.emitter.types.wasmType(substitute(type, typeArgument));
    const saved = this.newLocal(i32);
    const save = m.local.set(saved, emitStackPointer(this.emitter));
    const restore = emitSetStackPointer(this.emitter, m.local.get(saved, i32));
    const before = operands.length === 0 ? [save] : [];
    const type = operands.length === 0 ? none : typeOf(fn.locals[operands.length - 1]!.type);
    const given = operands.map((operand, at) => {
      if (at < operands.length - 1) return operand;
      const last = this.newLocal(type);
      return m.block(null, [m.local.set(last, operand), save, m.local.get(last, type)], type);
    });
    const called = this.bareCall(target, given, span, use);
    const returns = typeOf(fn.returns);
    if (returns === none) return m.block(null, [...before, called, restore], none);
    const result = this.newLocal(returns);
    return m.block(null, [...before, m.local.set(result, called), restore, m.local.get(result, returns)], returns);
  }

  /** The call alone: what the function puts on the stack is still there. */
  bareCall(target: FunctionInstance, operands: readonly ExpressionRef[], span: Span, use?: string): ExpressionRef {
    const inBudget = target.takesBudget;
    const all = target.takesPlace
      ? [...operands, this.place(span, use)]
      : target.takesDepth && !inBudget
        ? [...operands, this.#dispatch.depth(this)]
        : operands;
    const returns = this.emitter.types.wasmType(substitute(target.fn.returns, target.typeArgument));
    const result = target.passesFuel ? withFuel(returns, inBudget) : returns;
    const call = (given: readonly ExpressionRef[]): ExpressionRef =>
      this.at(span, this.module.call(target.wasmName, given, result), use);
    if (target.passesFuel) return this.#dispatch.passFuel(this, target, all, call, returns);
    const isSeen = !target.trusted || target.takesPlace;
    return this.around === null || !isSeen ? call(all) : this.around(all, call, returns);
  }

  /** Adds the function to the module. */
  finish(body: ExpressionRef, returns: WasmType): void {
    if (this.#branches * this.variableCount > largestProduct) {
      const { name, span } = this.instance.fn;
      throw new FunctionTooLarge(`${name}, with ${this.#branches} branches and ${this.variableCount} variables,`, span);
    }
    const fn = this.module.addFunction(
      this.instance.wasmName,
      tupleType(this.parameterTypes),
      returns,
      this.#variables,
      body,
    );
    this.emitter.noteFunction(this.instance.wasmName, { size: this.#size, keepsBranches: this.keepsBranches });
    for (const [expression, place] of this.#pendingPlaces) attachPlace(this.module, fn, expression, place);
  }
}
