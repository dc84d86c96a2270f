// The state of one emission: the module, its types, and the functions, imports and string constants that have been
// requested so far. Functions are emitted on demand, so that a module contains only what the program can reach.

import { depthExport, runtimeImports, runtimeModule, stringBuiltinsModule } from '../abi/imports.ts';
import type { RuntimeImportName, WireType } from '../abi/imports.ts';
import type { ManifestPluginCall } from '../abi/manifest.ts';
import { nameInModule } from '../abi/names.ts';
import { wireType } from '../abi/values.ts';
import { hasLoop, nodesOf } from '../mir/children.ts';
import type { FunctionId, GlobalId, StructId } from '../mir/mir.ts';
import type { MirFunction, MirProgram, Global, Struct } from '../mir/program.ts';
import { hasStack, putOnStack } from '../mir/stack.ts';
import type { LibraryFunction } from '../library/declare.ts';
import type { LibraryRegistry } from '../library/registry.ts';
import type { PluginImplementation } from '../language/implementation.ts';
import { defaultDepth, defaultIterationsPerCall } from '../language/settings.ts';
import { typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { EmitOptions } from './emitted-program.ts';
import { createModule, externref, externString, f64, i32, i64, none, tupleType } from './binaryen.ts';
import type { ExpressionRef, WasmModule, WasmType } from './binaryen.ts';
import { HeapTypes } from './heap-types.ts';
import { LocationRecorder } from './locations.ts';
import type { Prelude } from './prelude.ts';
import { largestFunction } from './sizes.ts';
import type { FunctionTraits } from './sizes.ts';

/** A function to emit: a generic one has an instance for each type that replaces `T`. */
export interface FunctionInstance {
  readonly wasmName: string;
  readonly fn: MirFunction;
  readonly typeArgument: Type | null;
  /** Runtime code: its accesses are correct by construction and are not tested. */
  readonly trusted: boolean;
  /** Has a hidden last parameter: the place of the call in the script. */
  readonly takesPlace: boolean;
  /** Has a hidden last parameter: how many bytes the frames of further calls may take. */
  readonly takesDepth: boolean;
  /** Has a hidden last parameter, and a hidden last result: the fuel that is left. */
  readonly passesFuel: boolean;
  /** The depth and the fuel are one parameter, and one result; fuel.ts says more. */
  readonly takesBudget: boolean;
}

/** The engine's functions on JS strings that are used here, with their types. */
const stringBuiltins = {
  length: { parameters: [externref], result: i32 },
  charCodeAt: { parameters: [externref, i32], result: i32 },
  substring: { parameters: [externref, i32, i32], result: externString },
  concat: { parameters: [externref, externref], result: externString },
  equals: { parameters: [externref, externref], result: i32 },
  compare: { parameters: [externref, externref], result: i32 },
  fromCharCode: { parameters: [i32], result: externString },
  fromCharCodeArray: { parameters: ['codeUnits', i32, i32], result: externString },
  intoCharCodeArray: { parameters: [externref, 'codeUnits', i32], result: i32 },
} as const;

const wireWasmTypes: Readonly<Record<WireType, WasmType>> = { i32, i64, f64, string: externref };

export class Emitter {
  readonly module: WasmModule = createModule();
  readonly registry: LibraryRegistry;
  readonly types: HeapTypes;
  readonly locations = new LocationRecorder();
  readonly structs: ReadonlyMap<StructId, Struct>;
  /** Namespaces whose functions the program calls. */
  readonly namespaces = new Set<string>();
  /** The permissions that the program can ask for, such as `File.Read`. */
  readonly asks = new Set<string>();
  /** Functions of plugins that the program calls. */
  readonly pluginCalls = new Map<string, ManifestPluginCall>();
  readonly #program: MirProgram;
  readonly #prelude: Prelude;
  readonly #derived = new Map<string, MirFunction>();
  readonly #queue: FunctionInstance[] = [];
  /** How many functions of the queue have been emitted. */
  #written = 0;
  readonly #requested = new Map<string, FunctionInstance>();
  readonly #declared = new Set<string>();
  /** The names of exports that can reach a call which may wait for the host. */
  readonly suspendingExports: string[] = [];
  #names = 0;
  readonly #made = new Map<string, unknown>();
  /** The emitted functions, and the size of each. */
  readonly functionTraits = new Map<string, FunctionTraits>();
  /** Types of yielded values and of the entry's results. */
  readonly yields = new Set<Type>();
  readonly results = new Set<Type>();
  /** Structs whose values cross the boundary, by their index in the manifest. */
  readonly travellingStructs: StructId[] = [];
  readonly #structIndices = new Map<StructId, number>();

  /** A function returns at an OSR entry after this number of iterations of its loops. */
  readonly iterationsPerCall: number;
  /** Whether fuel is counted. */
  readonly counts: boolean;
  /** Whether the depth of calls is counted. */
  readonly countsDepth: boolean;
  /** Whether allocated bytes are counted. */
  readonly countsMemory: boolean;
  /** Whether the module traps where the compiler was wrong (assertions.ts). */
  readonly assertsBounds: boolean;
  /** Whether the work of the library is counted by the place in the script that it is for. */
  readonly attributes: boolean;
  /** Functions with more nodes are large (function-builder.ts). */
  readonly largestFunction: number;

  constructor(
    program: MirProgram,
    prelude: Prelude,
    { iterationsPerCall = defaultIterationsPerCall, guards = {} }: EmitOptions,
    largest = largestFunction,
  ) {
    this.largestFunction = largest;
    this.iterationsPerCall = iterationsPerCall;
    this.counts = guards.use === true;
    this.countsDepth = guards.depth === true;
    this.countsMemory = guards.memory === true;
    this.attributes = program.attributes === true;
    this.assertsBounds = program.assertsBounds === true;
    this.#program = program;
    this.registry = program.registry;
    this.#prelude = prelude;
    this.structs = new Map([...prelude.structs, ...program.structs]);
    this.types = new HeapTypes(this.structs, program.arrays);
  }

  /** Requests a function of the program or the prelude. */
  request(id: FunctionId, typeArgument: Type | null): FunctionInstance {
    const wasmName =
      typeArgument !== null ? `${id}<${typeKey(typeArgument)}>` : this.#derived.has(id) ? id : nameInModule(id);
    const known = this.#requested.get(wasmName);
    if (known !== undefined) return known;
    const fromScript = this.#program.functions.get(id);
    const fn = fromScript ?? this.#derived.get(id) ?? this.#prelude.function(id);
    const takesDepth = this.countsDepth && fn.frameBytes !== undefined;
    const passesFuel = fn.passesFuel === true;
    return this.enqueue({
      wasmName,
      fn,
      typeArgument,
      trusted: fromScript === undefined,
      takesPlace: fromScript === undefined && (this.#derived.has(id) || this.#prelude.throws(id)),
      takesDepth,
      passesFuel,
      takesBudget: takesDepth && passesFuel && !hasLoop(fn.body),
    });
  }

  /** Requests a prelude function by the name in its file. */
  requestPrelude(name: string, typeArgument: Type | null = null): FunctionInstance {
    return this.request(`prelude#${name}`, typeArgument);
  }

  /** How many bytes the frames of nested calls may take together; the host sets this. */
  readDepth(): ExpressionRef {
    const m = this.module;
    this.declare('$depth', () => {
      m.addGlobal('$depth', i32, true, m.i32.const(defaultDepth));
      m.addGlobalExport('$depth', depthExport);
    });
    return m.global.get('$depth', i32);
  }

  /** Requests a function that is generated for a type; `make` makes it on first use. */
  requestDerived(id: FunctionId, make: () => MirFunction): FunctionInstance {
    if (!this.#derived.has(id)) this.#derived.set(id, make());
    return this.request(id, null);
  }

  enqueue(instance: FunctionInstance): FunctionInstance {
    this.#requested.set(instance.wasmName, instance);
    this.#queue.push(instance);
    return instance;
  }

  /** The next requested function that has not been emitted. */
  next(): FunctionInstance | undefined {
    const next = this.#queue[this.#written];
    this.#written += 1;
    return next;
  }

  /** The initial value of a variable of the type. */
  zeroOf(type: Type): ExpressionRef {
    return this.zero(this.types.wasmType(type));
  }

  /** Any value of a wasm type that a variable can have. */
  zero(type: WasmType): ExpressionRef {
    const m = this.module;
    if (type === i64) return m.i64.const(0n);
    if (type === f64) return m.f64.const(0);
    return type === i32 ? m.i32.const(0) : m.ref.null(type);
  }

  /** The functions of the program, without those of the prelude. */
  get programFunctions(): readonly MirFunction[] {
    const { functions, entry, initialiser } = this.#program;
    return [...functions.values(), entry, initialiser].filter((fn) => fn !== null);
  }

  /** Whether arrays of the program lie on the stack. */
  get hasStack(): boolean {
    return hasStack(this.#program);
  }

  /** Whether the function puts arrays on the stack itself. */
  putsOnStack({ wasmName, fn, typeArgument }: FunctionInstance): boolean {
    return this.hasStack && this.once(`${wasmName} puts`, () => putOnStack(nodesOf(fn), fn, typeArgument));
  }

  findGlobal(id: GlobalId): Global {
    return this.#program.globals.get(id) ?? this.#prelude.global(id);
  }

  /** The result of the first call of `make` for this key. */
  once<Value>(key: string, make: () => Value): Value {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as Value;
  }

  noteFunction(wasmName: string, traits: FunctionTraits): void {
    this.functionTraits.set(wasmName, traits);
  }

  /** `suspends` says whether it can reach a call that may wait for the host. */
  exportFunction(wasmName: string, name: string, suspends: boolean): void {
    this.module.addFunctionExport(wasmName, name);
    if (suspends) this.suspendingExports.push(name);
  }

  /** The index of a struct in the manifest. */
  structIndex(id: StructId): number {
    const known = this.#structIndices.get(id);
    if (known !== undefined) return known;
    this.#structIndices.set(id, this.travellingStructs.length);
    return this.travellingStructs.push(id) - 1;
  }

  /** A name that no function has yet. */
  newName(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  /** Runs `add` when `key` is first declared. */
  isDeclared(key: string): boolean {
    return this.#declared.has(key);
  }

  declare(key: string, add: () => void): void {
    if (this.#declared.has(key)) return;
    this.#declared.add(key);
    add();
  }

  callRuntime(name: RuntimeImportName, operands: readonly ExpressionRef[]): ExpressionRef {
    const row: { readonly parameters: readonly WireType[]; readonly result: WireType | null } = runtimeImports[name];
    const result = row.result === null ? none : wireWasmTypes[row.result];
    return this.#callImport(
      `$${name}`,
      runtimeModule,
      name,
      row.parameters.map((type) => wireWasmTypes[type]),
      result,
      operands,
    );
  }

  callStringBuiltin(name: keyof typeof stringBuiltins, operands: readonly ExpressionRef[]): ExpressionRef {
    const row: { readonly parameters: readonly (WasmType | 'codeUnits')[]; readonly result: WasmType } =
      stringBuiltins[name];
    const parameters = row.parameters.map((type) =>
      type === 'codeUnits' ? this.types.wasmType({ kind: 'codeUnits' }) : type,
    );
    return this.#callImport(`$string.${name}`, stringBuiltinsModule, name, parameters, row.result, operands);
  }

  /** Calls a library function of the host; operands and result are wire values, or the result is a status. */
  callHost(row: LibraryFunction, operands: readonly ExpressionRef[]): ExpressionRef {
    const namespace = row.library;
    this.namespaces.add(namespace);
    const { implementation } = row;
    if (implementation.kind === 'host' && implementation.permission !== null) this.asks.add(implementation.permission);
    const parameters = row.parameters.map((parameter) => wireWasmTypes[wireType(parameter.type, namespace)]);
    const result = row.effects.waits
      ? i32
      : row.returns.kind === 'void'
        ? none
        : wireWasmTypes[wireType(row.returns, namespace)];
    return this.#callImport(row.id, namespace, row.name, parameters, result, operands);
  }

  /** Calls a plugin's function; a streamed one returns a status. */
  callPlugin(
    { plugin, importName, way, contract }: PluginImplementation,
    operands: readonly ExpressionRef[],
    wires: readonly WireType[],
    returns: Type,
  ): ExpressionRef {
    this.namespaces.add(plugin);
    this.pluginCalls.set(`${plugin}.${importName}`, { plugin, name: importName, contract });
    const result = way === 'streamed' ? i32 : returns.kind === 'void' ? none : wireWasmTypes[wireType(returns, plugin)];
    return this.#callImport(
      `${plugin}.${importName}`,
      plugin,
      importName,
      wires.map((wire) => wireWasmTypes[wire]),
      result,
      operands,
    );
  }

  #callImport(
    internalName: string,
    moduleName: string,
    name: string,
    parameters: readonly WasmType[],
    result: WasmType,
    operands: readonly ExpressionRef[],
  ): ExpressionRef {
    this.declare(internalName, () => {
      this.module.addFunctionImport(internalName, moduleName, name, tupleType(parameters), result);
    });
    return this.module.call(internalName, operands, result);
  }
}
