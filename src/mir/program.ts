// A program as Mir: its functions with their locals, its structs and globals, and how its arrays lie in memory.

import { typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { LibraryRegistry } from '../library/registry.ts';
import type { Span } from '../source.ts';
import type { Constant, Expression, FunctionId, GlobalId, LocalId, Statement, StructId } from './mir.ts';
import type { ProgramOutputs } from './outputs.ts';

export interface MirProgram {
  /** The file that was compiled, as diagnostics call it. */
  readonly name: string;
  readonly headers: readonly { readonly tool: string; readonly key: string; readonly value: string }[];
  readonly structs: ReadonlyMap<StructId, Struct>;
  readonly globals: ReadonlyMap<GlobalId, Global>;
  readonly functions: ReadonlyMap<FunctionId, MirFunction>;
  /** Sets the globals that need code, imported files first; null where there is nothing to do. */
  readonly initialiser: MirFunction | null;
  /** In a script the entry sets them itself, among its other statements; the initialiser serves calls from the host. */
  readonly entrySetsGlobals: boolean;
  /** `main`, or the statements at top level; null for a library. */
  readonly entry: MirFunction | null;
  /** Functions that the host may call by name. */
  readonly exports: readonly ExportedFunction[];
  /** What the calls of library functions mean. */
  readonly registry: LibraryRegistry;
  /** The values that can go to the host; set only if a module is made of the program. */
  readonly outputs?: ProgramOutputs;
  readonly arrays: ArrayRepresentations;
  /** How many counters its `count` and `attribute` statements name; it has none if this is left out. */
  readonly counters?: number;
  /** It traps where the compiler was wrong about what is in range. */
  readonly assertsBounds?: true;
  /** It has `attribute` statements. */
  readonly attributes?: true;
}

/**
 * How arrays lie in memory. All arrays of one element type have the same representation, since one variable may hold
 * any of them.
 */
export interface ArrayRepresentations {
  /** By the keys of element types. */
  readonly byElement: ReadonlyMap<string, ArrayRepresentation>;
  /** Of all types that are not named. */
  readonly others: ArrayRepresentation;
}

export type ArrayRepresentation =
  /** The elements and a count: such arrays can get longer and shorter. */
  | { readonly kind: 'counted' }
  /** A raw array of the engine, whose length is the length of the array. */
  | { readonly kind: 'elements' };

export function representationOf({ byElement, others }: ArrayRepresentations, element: Type): ArrayRepresentation {
  return byElement.get(typeKey(element)) ?? others;
}

export interface ExportedFunction {
  readonly function: FunctionId;
  /** The last parameter, an array, takes the remaining arguments. */
  readonly variadic: boolean;
}

export interface Struct {
  readonly id: StructId;
  /** The name of the module that declares it; empty for the entry file. */
  readonly module: string;
  readonly name: string;
  readonly fields: readonly Field[];
  readonly span: Span;
}

export interface Field {
  readonly name: string;
  readonly type: Type;
}

export interface Global {
  readonly id: GlobalId;
  readonly name: string;
  readonly type: Type;
  /** A value known at compile time; null where code sets it (until then zero or null). */
  readonly value: Constant | null;
}

export interface MirFunction {
  readonly id: FunctionId;
  /** As stacks show it: the script's name, `main`, or `<top level>`. */
  readonly name: string;
  readonly parameters: readonly FunctionParameter[];
  /** Parameters first, then the variables and temporaries. */
  readonly locals: readonly Local[];
  /** void for the entry, whose results leave by finish nodes. */
  readonly returns: Type;
  readonly body: readonly Statement[];
  /** Prelude only: emitted once for each type that stands for `T`. */
  readonly generic: boolean;
  /** From the optimiser: the function whose loop it is. */
  readonly outlinedFrom?: FunctionId;
  /**
   * It is recursive, or called between recursive calls, and so passes on how deep calls may still go. A call of it counts
   * for at least so many bytes of the stack.
   */
  readonly frameBytes?: number;
  /** Its loops run to their end: it is not stopped and entered again in between. */
  readonly runsThrough?: boolean;
  /**
   * Whether its body, and whether its default values, can reach a host call that may wait; a call from the host
   * evaluates the defaults. Set behind all passes.
   */
  readonly suspends?: { readonly body: boolean; readonly defaults: boolean };
  /**
   * It keeps its fuel in a local: what the host has granted where fuel is counted, else how many iterations it makes in
   * one call.
   */
  readonly holdsFuel?: boolean;
  /** It takes the fuel from its caller, and returns what is left with its result. Only if fuel is counted. */
  readonly passesFuel?: boolean;
  /** What it has put on the stack stays there when it returns: its caller gets such an array, or globals have one. */
  readonly leavesOnStack?: boolean;
  readonly span: Span;
}

export interface FunctionParameter {
  readonly local: LocalId;
  /**
   * Entry and exports only: the value when the host passes none, which may use earlier parameters;
   * null for a required one. Calls within the script carry their defaults already.
   */
  readonly initialiser: Expression | null;
}

export interface Local {
  /** As written; of a temporary, what it is for. */
  readonly name: string;
  readonly type: Type;
  readonly origin: LocalOrigin;
}

export type LocalOrigin =
  /** A variable or parameter of the script. */
  | 'source'
  /** The compiler made it. */
  | 'temporary'
  /** The compiler made it for the array or json that a foreach goes through. */
  | 'foreach';
