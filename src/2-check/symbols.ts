// What names stand for.

import type { FunctionDeclaration, Parameter, TypeDeclaration } from '../1-parse/syntax-tree.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import type { Constant, FunctionId, GlobalId, LocalId, StructId } from './typed-tree.ts';

export interface VariableSymbol {
  readonly kind: 'variable';
  readonly name: string;
  readonly type: Type;
  readonly constant: boolean;
  readonly span: Span;
  /** Where it lives: in the function being checked, or in the program. */
  readonly storage:
    | { readonly kind: 'local'; readonly local: LocalId }
    | { readonly kind: 'global'; readonly global: GlobalId };
  /** True for parameters, variables of clauses and foreach, and globals: unused ones are not reported. */
  readonly mayGoUnused: boolean;
  used: boolean;
  /** The value of a `const` with a constant initialiser, which stands in for every read. */
  value: Constant | null;
}

export interface FunctionSymbol {
  readonly kind: 'function';
  readonly id: FunctionId;
  /** The id of the module that declares it. */
  readonly module: string;
  readonly name: string;
  readonly span: Span;
  readonly node: FunctionDeclaration;
  readonly returns: Type;
  readonly parameters: readonly ParameterSymbol[];
  readonly generic: boolean;
}

export interface ParameterSymbol {
  readonly name: string;
  /** For a variadic parameter the array type. */
  readonly type: Type;
  readonly node: Parameter;
  readonly variadic: boolean;
}

export interface StructSymbol {
  readonly kind: 'struct';
  readonly id: StructId;
  /** The id of the module that declares it. */
  readonly module: string;
  readonly name: string;
  readonly span: Span;
  readonly node: TypeDeclaration;
  /** Filled in once every type's name is known. */
  fields: readonly { readonly name: string; readonly type: Type; readonly span: Span }[];
}

export type TopLevelSymbol = FunctionSymbol | StructSymbol | VariableSymbol;

/** The default value of a parameter: a constant, or a function of the parameters before it. */
export type DefaultValue =
  | { readonly kind: 'constant'; readonly value: Constant }
  | { readonly kind: 'call'; readonly function: FunctionId; readonly type: Type }
  | { readonly kind: 'invalid' };
