// One function being emitted: its locals, its temporaries, the constructs it is inside of, and the
// instructions that want a place. Everything that the topics need in order to write instructions.

import type { Expression, LocalId, LoopId, Statement } from '../mir/mir.ts';
import { substitute } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { i32, isConstant, isRepeatable, none, tupleType } from './binaryen.ts';
import { FunctionTooLarge } from '../stopping.ts';
import { largestProduct, measure } from './sizes.ts';
import type { ExpressionRef, WasmModule, WasmType } from './binaryen.ts';
import type { Emitter, FunctionInstance } from './emitter.ts';
import type { SpilledLocals } from './spilled-locals.ts';
import { attachPlace } from './locations.ts';

/** How many operations in a row stand in one instruction; the value of more of them goes through a local. */
export const longestRow = 100;

/** A construct that a jump may leave, innermost last. */
export type Context =
  | {
      readonly kind: 'loop';
      readonly id: LoopId;
      readonly breakLabel: string;
      readonly continueLabel: string;
      isContinued: boolean;
    }
  /** A try body: leaving it puts back the mask of caught errors, which a local holds. */
  | { readonly kind: 'try'; readonly savedMask: number }
  /** A clause for a guard error: leaving it in any way raises the error again. */
  | { readonly kind: 'guard'; readonly payload: number };

/** How a function that can stop in the midst of its loops keeps track of itself; osr.ts says more. */
export interface Osr {
  /** The wasm local that says to which point the function is on its way; 0 when it runs as it is written. */
  readonly entry: number;
  /** Whether this call goes on with one before. */
  readonly isContinued: number;
  readonly leaveLabel: string;
  /** The locals that are kept at some point. */
  readonly kept: SpilledLocals;
  /** The last point of the statement that is being written. */
  lastEntry: number;
}

/** A value that is kept in a local where it is evaluated. */
export interface Tee {
  readonly first: ExpressionRef;
  readonly read: () => ExpressionRef;
}

/** Writes a call of what may use units or fail. */
export type Around = (
  operands: readonly ExpressionRef[],
  call: (operands: readonly ExpressionRef[]) => ExpressionRef,
  type: WasmType,
) => ExpressionRef;

/** The dispatch of the room, which the topics come back to: handed in, so that topics need not import them. */
export interface Dispatch {
  readonly expression: (fb: FunctionBuilder, node: Expression) => ExpressionRef;
  readonly statements: (
    fb: FunctionBuilder,
    nodes: readonly Statement[],
    before: readonly ExpressionRef[],
  ) => ExpressionRef[];
}

export class FunctionBuilder {
  readonly emitter: Emitter;
  readonly instance: FunctionInstance;
  readonly module: WasmModule;
  readonly contexts: Context[] = [];
  /**
   * The wasm local of the fuel that is left: of all units where they are counted, else of the iterations until the
   * function stops. Null where there is none.
   */
  fuelLocal: number | null = null;
  /** Writes a call that may use units or fail; fuel.ts says more. */
  around: Around | null = null;
  /** Null for a function that never stops inside a loop. */
  osr: Osr | null = null;
  /**
   * Binaryen's passes that move values into each other are not for it: their time grows with the square of the length,
   * and so does the depth of what they make. No pass finds out which temporaries could be one, so that is done here.
   */
  readonly isLarge: boolean;
  /** The wasm types of its parameters. */
  readonly parameterTypes: readonly WasmType[];
  readonly #dispatch: Dispatch;
  readonly #variables: WasmType[] = [];
  /** Wasm locals of the locals of Mir, parameters first: each gets its own when it is first used. */
  readonly #locals: number[];
  /** Temporaries of a large function that are free again, by type. */
  readonly #free = new Map<WasmType, number[]>();
  /** Temporaries of the statements that are being written. */
  readonly #taken: { readonly local: number; readonly type: WasmType }[] = [];
  readonly #pendingPlaces: [ExpressionRef, number][] = [];
  /** Whether no statement inside the one that is being written has been written yet. */
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
    // The hidden place comes right behind the parameters.
    if (instance.takesPlace || instance.takesDepth) this.parameterTypes = [...this.parameterTypes, i32];
    this.#locals = fn.locals.slice(0, parameters).map((_, index) => index);
    const { nodes, branches } = measure(fn);
    this.isLarge = nodes > emitter.largestFunction;
    this.#branches = branches;
  }

  expression(node: Expression): ExpressionRef {
    return this.#dispatch.expression(this, node);
  }

  /** Statements in a row; `before` has been emitted already and goes in front of them. */
  statements(nodes: readonly Statement[], before: readonly ExpressionRef[] = []): ExpressionRef[] {
    return this.#dispatch.statements(this, nodes, before);
  }

  /**
   * Writes one statement; the temporaries of a large function are free behind it. What is around it gets others: a loop
   * may take one after its body has been written, and it is in use while the body runs.
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

  /** A type of Mir, `T` replaced. */
  resolve(type: Type): Type {
    return substitute(type, this.instance.typeArgument);
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

  /** A wasm local for the statement that is being written, by number: nothing reads it before it is set there. */
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

  /** A wasm local of the type for a value that is read right after it was set: the same one every time. */
  temporary(type: WasmType): number {
    const local = this.#temporaries.get(type) ?? this.#addLocal(type);
    this.#temporaries.set(type, local);
    return local;
  }

  /** A value that is read more than once: `first` evaluates it, before any `read` is evaluated. */
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
   * Evaluates `value` once and hands `use` a way to read it again and again; `use` makes the whole
   * expression, in which the first read happens before every other.
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
   * The number of the place of a span, and of what is used there; runtime code passes on the place of the call in the
   * script.
   */
  place(span: Span, use?: string): ExpressionRef {
    if (this.instance.trusted) {
      return this.instance.takesPlace
        ? this.module.local.get(this.instance.fn.parameters.length, i32)
        : this.module.i32.const(-1);
    }
    return this.module.i32.const(this.emitter.locations.placeOf(span, this.instance.fn.name, use));
  }

  /** The number of the wasm parameter that says how many bytes of frames there may still be. */
  get depthParameter(): number {
    return this.parameterTypes.length - 1;
  }

  /** How many bytes of frames what is called may take. */
  depth(): ExpressionRef {
    return this.instance.takesDepth ? this.module.local.get(this.depthParameter, i32) : this.emitter.readDepth();
  }

  /** How many wasm locals there are by now; those that hold nothing for long are left out. */
  get variableCount(): number {
    return this.parameterTypes.length + this.#variables.length - this.#temporaries.size;
  }

  /** Marks an instruction with the place of the span, for stacks. */
  at(span: Span, expression: ExpressionRef, use?: string): ExpressionRef {
    if (!this.instance.trusted) {
      this.#pendingPlaces.push([expression, this.emitter.locations.placeOf(span, this.instance.fn.name, use)]);
    }
    return expression;
  }

  /** Calls a function of the program or the prelude; `span` is the place of the call, and of what is used there. */
  call(target: FunctionInstance, operands: readonly ExpressionRef[], span: Span, use?: string): ExpressionRef {
    const all = target.takesPlace
      ? [...operands, this.place(span, use)]
      : target.takesDepth
        ? [...operands, this.depth()]
        : operands;
    const returns = this.emitter.types.wasmType(substitute(target.fn.returns, target.typeArgument));
    const call = (given: readonly ExpressionRef[]): ExpressionRef =>
      this.at(span, this.module.call(target.wasmName, given, returns), use);
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
    this.emitter.noteFunction(this.instance.wasmName, this.isLarge);
    for (const [expression, place] of this.#pendingPlaces) attachPlace(this.module, fn, expression, place);
  }
}
