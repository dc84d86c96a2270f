// The checked program: every name resolved, every type known, every conversion explicit, every
// convenience of the language spelled out in smaller nodes. The emitter transcribes it and decides
// nothing. Plain data throughout (functions, structs, globals and locals are named by id), so that the
// prelude's tree can be stored as text.
//
// Spelled out by the checker: compound assignment and ++ (temporary locals), for, while, do and foreach
// (one loop node), default and variadic arguments, templates (a concat of texts), UFCS, mixed
// arithmetic (convert nodes), main's `return` (a finish node).

import type { Type } from '../language/types.ts';
import type { LibraryRegistry } from '../library/registry.ts';
import type { Span } from '../source.ts';

/** `module#name`; the entry file's module is empty, the prelude's is `prelude`. */
export type FunctionId = string;
export type StructId = string;
export type GlobalId = string;
/** Index into the locals of the function. */
export type LocalId = number;
/** Unique within a function. */
export type LoopId = number;

export interface CheckedProgram {
  /** The file that was compiled, as diagnostics call it. */
  readonly name: string;
  readonly headers: readonly { readonly tool: string; readonly key: string; readonly value: string }[];
  readonly structs: ReadonlyMap<StructId, Struct>;
  readonly globals: ReadonlyMap<GlobalId, Global>;
  readonly functions: ReadonlyMap<FunctionId, CheckedFunction>;
  /** Sets the globals that need code, imported files first; null where there is nothing to do. */
  readonly initialiser: CheckedFunction | null;
  /** In a script the entry sets them itself, among its other statements; the initialiser serves calls from the host. */
  readonly entrySetsGlobals: boolean;
  /** `main`, or the statements at top level; null for a library. */
  readonly entry: CheckedFunction | null;
  /** Functions that the host may call by name. */
  readonly exports: readonly ExportedFunction[];
  /** What the calls of library functions mean. */
  readonly registry: LibraryRegistry;
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

export interface CheckedFunction {
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

// Statements

export type Statement =
  | { readonly kind: 'set-local'; readonly local: LocalId; readonly value: Expression; readonly span: Span }
  | { readonly kind: 'set-global'; readonly global: GlobalId; readonly value: Expression; readonly span: Span }
  /** Object, then value, then the null test. */
  | SetField
  /** Array, index, value, then the null and bounds tests. */
  | SetElement
  /** json, key, value; then the test that it is an object. */
  | SetMember
  /** json, index, value; then the tests that it is an array and the index within. */
  | SetItem
  /** Evaluated, its value dropped. */
  | { readonly kind: 'evaluate'; readonly expression: Expression; readonly span: Span }
  | If
  | Loop
  | { readonly kind: 'break'; readonly loop: LoopId; readonly span: Span }
  /** Goes on with the loop's step. */
  | { readonly kind: 'continue'; readonly loop: LoopId; readonly span: Span }
  | { readonly kind: 'return'; readonly value: Expression | null; readonly span: Span }
  /** `return` of the entry: hands the value to the host, then returns. A null value ends without a result. */
  | { readonly kind: 'finish'; readonly value: Expression | null; readonly span: Span }
  | { readonly kind: 'yield'; readonly value: Expression; readonly span: Span }
  /** `throw text;`: an error of type Error. A null text is a NullAccessError. */
  | { readonly kind: 'throw'; readonly message: Expression; readonly span: Span }
  | Try
  | { readonly kind: 'block'; readonly statements: readonly Statement[]; readonly span: Span };

export interface SetField {
  readonly kind: 'set-field';
  readonly object: Expression;
  readonly struct: StructId;
  readonly field: number;
  readonly value: Expression;
  readonly span: Span;
}

export interface SetElement {
  readonly kind: 'set-element';
  readonly array: Expression;
  readonly index: Expression;
  readonly value: Expression;
  readonly span: Span;
}

export interface SetMember {
  readonly kind: 'set-member';
  readonly json: Expression;
  readonly key: Expression;
  readonly value: Expression;
  readonly span: Span;
}

export interface SetItem {
  readonly kind: 'set-item';
  readonly json: Expression;
  readonly index: Expression;
  readonly value: Expression;
  readonly span: Span;
}

export interface If {
  readonly kind: 'if';
  readonly condition: Expression;
  readonly then: readonly Statement[];
  readonly otherwise: readonly Statement[];
  readonly span: Span;
}

/**
 * Every loop. `condition` is tested before each iteration, or after it (after the step) where `testFirst` is
 * false; null is true. `step` runs after the body and at `continue`.
 */
export interface Loop {
  readonly kind: 'loop';
  readonly id: LoopId;
  readonly condition: Expression | null;
  readonly testFirst: boolean;
  readonly body: readonly Statement[];
  readonly step: readonly Statement[];
  readonly span: Span;
}

export interface Try {
  readonly kind: 'try';
  readonly body: readonly Statement[];
  readonly clauses: readonly CatchClause[];
  readonly span: Span;
}

export interface CatchClause {
  /** Ids of the error types that it takes; null takes every error that is not a guard error. */
  readonly errorType: number | null;
  /** Holds the message. */
  readonly local: LocalId;
  readonly body: readonly Statement[];
  readonly span: Span;
}

// Expressions: each knows its type and where it was written

export type Constant =
  | { readonly kind: 'int'; readonly value: bigint; readonly type: Type; readonly span: Span }
  | { readonly kind: 'double'; readonly value: number; readonly type: Type; readonly span: Span }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly type: Type; readonly span: Span }
  | { readonly kind: 'string'; readonly value: string; readonly type: Type; readonly span: Span }
  /** `type` is the nullable type that was expected. */
  | { readonly kind: 'null'; readonly type: Type; readonly span: Span };

export type Expression =
  | Constant
  | { readonly kind: 'get-local'; readonly local: LocalId; readonly type: Type; readonly span: Span }
  | { readonly kind: 'get-global'; readonly global: GlobalId; readonly type: Type; readonly span: Span }
  /** Null test included. */
  | GetField
  /** Null and bounds tests included, unless `checked` is false. */
  | GetElement
  /** An operator of the table, with operands of exactly its types. */
  | {
      readonly kind: 'operate';
      readonly operator: string;
      readonly operands: readonly Expression[];
      readonly type: Type;
      readonly span: Span;
    }
  | {
      readonly kind: 'logical';
      readonly operator: '&&' | '||';
      readonly left: Expression;
      readonly right: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  | {
      readonly kind: 'conditional';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  /** int to double. */
  | { readonly kind: 'widen'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  | { readonly kind: 'is-null'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** Whether two structs or arrays are the same object; null is the same as null. */
  | {
      readonly kind: 'same-object';
      readonly left: Expression;
      readonly right: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  | Call
  | LibraryCall
  | {
      readonly kind: 'array-literal';
      readonly elements: readonly Expression[];
      readonly type: Type;
      readonly span: Span;
    }
  | StructLiteral
  /** `type` is the whole array type; one length for each dimension that is made. */
  | { readonly kind: 'new-array'; readonly lengths: readonly Expression[]; readonly type: Type; readonly span: Span }
  /** Any value as a template shows it; null is `null`. The result is never null. */
  | { readonly kind: 'to-text'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** Two or more texts, none of them null, joined. */
  | { readonly kind: 'concat'; readonly parts: readonly Expression[]; readonly type: Type; readonly span: Span }
  /** Any value but null as json: a copy, as deep as it is; CastError for a struct that holds itself. */
  | { readonly kind: 'to-json'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** A new json object; members in the order written, each key once. */
  | JsonObjectLiteral
  | { readonly kind: 'json-array'; readonly elements: readonly Expression[]; readonly type: Type; readonly span: Span }
  /** The value of a key; NullAccessError, TypeError or KeyNotFoundError if there is no such value. */
  | {
      readonly kind: 'get-member';
      readonly json: Expression;
      readonly key: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  /** An element of a json array; NullAccessError, TypeError or IndexOutOfBoundsError if there is no such element. */
  | {
      readonly kind: 'get-item';
      readonly json: Expression;
      readonly index: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  /** How many elements a json array has, for foreach; NullAccessError or TypeError if the value is no array. */
  | { readonly kind: 'item-count'; readonly json: Expression; readonly type: Type; readonly span: Span }
  /** A json as `type`, validated down to its leaves; CastError if it is not of the type. */
  | { readonly kind: 'cast'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** Statements, then a value. */
  | {
      readonly kind: 'sequence';
      readonly statements: readonly Statement[];
      readonly value: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  /** Already reported; never reaches the emitter. */
  | { readonly kind: 'invalid'; readonly type: Type; readonly span: Span };

export interface GetField {
  readonly kind: 'get-field';
  readonly object: Expression;
  readonly struct: StructId;
  readonly field: number;
  readonly type: Type;
  readonly span: Span;
}

export interface GetElement {
  readonly kind: 'get-element';
  readonly array: Expression;
  readonly index: Expression;
  /** False only where the checker wrote the index itself and knows that it is in range and the array not null. */
  readonly checked: boolean;
  readonly type: Type;
  readonly span: Span;
}

/** Arguments are complete, in parameter order, evaluated in that order. */
export interface Call {
  readonly kind: 'call';
  readonly function: FunctionId;
  readonly arguments: readonly Expression[];
  /** What stands for `T` in a generic prelude function. */
  readonly typeArgument: Type | null;
  readonly type: Type;
  readonly span: Span;
}

/**
 * A function of the library registry. A method's receiver is the first argument, and the emitter
 * tests it for null.
 */
export interface LibraryCall {
  readonly kind: 'library-call';
  /** Its id in the registry, such as `Math.sqrt`, `string.split` or `T[].push`. */
  readonly function: string;
  readonly arguments: readonly Expression[];
  readonly typeArgument: Type | null;
  readonly type: Type;
  readonly span: Span;
}

/** Fields are evaluated in the order written; every field of the struct is there once. */
export interface StructLiteral {
  readonly kind: 'struct-literal';
  readonly struct: StructId;
  readonly fields: readonly { readonly field: number; readonly value: Expression }[];
  readonly type: Type;
  readonly span: Span;
}

export interface JsonObjectLiteral {
  readonly kind: 'json-object';
  readonly members: readonly { readonly key: string; readonly value: Expression }[];
  readonly type: Type;
  readonly span: Span;
}

/** Whether the expression is a constant. */
export function isConstant(value: Expression): value is Constant {
  return (
    value.kind === 'int' ||
    value.kind === 'double' ||
    value.kind === 'boolean' ||
    value.kind === 'string' ||
    value.kind === 'null'
  );
}

/** An `if` and the `else if` that follow it; the last one's `otherwise` ends the chain. */
export function chainOf(node: If): readonly If[] {
  const chain = [node];
  for (let next = elseIf(node); next !== null; next = elseIf(next)) chain.push(next);
  return chain;
}

function elseIf(node: If): If | null {
  const [only, ...others] = node.otherwise;
  return only?.kind === 'if' && others.length === 0 ? only : null;
}
