// What the checker found out about the text as it was written, for editors: what each name means, the types of
// expressions, which function a call calls, and what is converted without being said. The typed tree tells none of
// it, since it has constants folded and conveniences spelled out. Filled only if somebody hands it in.

import type { Expression, Name, SourceModule } from '../1-parse/syntax-tree.ts';
import type { Type } from '../language/types.ts';
import type { Library, LibraryFunction } from '../library/declare.ts';
import type { SourceFile, Span } from '../source.ts';
import type { FunctionSymbol, StructSymbol, VariableSymbol } from './symbols.ts';

/** What a name stands for. */
export type Meaning =
  | FunctionSymbol
  | StructSymbol
  | VariableSymbol
  /** A field of a struct; `span` is its name in the declaration. */
  | {
      readonly kind: 'field';
      readonly struct: StructSymbol;
      readonly name: string;
      readonly type: Type;
      readonly span: Span;
    }
  /** The name of an import; `module` is null where it cannot be followed. */
  | { readonly kind: 'import'; readonly name: string; readonly span: Span; readonly module: string | null }
  | { readonly kind: 'namespace'; readonly library: Library }
  /** A function or a constant of a namespace, or a method. */
  | LibraryMeaning
  /** A key of a json, which may be there or not. */
  | { readonly kind: 'json-key' };

export interface LibraryMeaning {
  readonly kind: 'library';
  readonly row: LibraryFunction;
  /** What its type variable stands for. */
  readonly typeArgument: Type | null;
}

export type CallSyntax = Expression & { readonly kind: 'call' };

/** What a call calls; it is noted too where the arguments are at fault. */
export interface CallMeaning {
  readonly callee: FunctionSymbol | LibraryMeaning;
  /** What stands before the dot is the first argument. */
  readonly hasReceiver: boolean;
}

/** A value that becomes another one where nothing says so: an int a double, or a struct or array a copy as json. */
export interface Conversion {
  /** The value, as it is written. */
  readonly span: Span;
  readonly from: Type;
  readonly to: 'double' | 'json';
  /** The value is a constant, which is converted when the script is compiled. */
  readonly constant: boolean;
}

/** What a file declares and imports at its top level. */
export interface ModuleNames {
  readonly structs: ReadonlyMap<string, StructSymbol>;
  readonly functions: ReadonlyMap<string, FunctionSymbol>;
  readonly globals: ReadonlyMap<string, VariableSymbol>;
}

/** What was found out of one file. */
export interface FileNotes {
  readonly module: SourceModule;
  readonly names: ModuleNames;
  /** By the offset at which the name begins. */
  readonly meanings: Pick<ReadonlyMap<number, Meaning>, 'get'>;
  /** In the order of the text; one that was checked twice is there twice. */
  readonly conversions: readonly Conversion[];
}

/** A part of a file that is checked when somebody asks about it. */
interface LaterPart {
  readonly start: number;
  readonly end: number;
  readonly check: () => void;
}

class OpenFileNotes implements FileNotes {
  readonly module: SourceModule;
  readonly names: ModuleNames;
  readonly known = new Map<number, Meaning>();
  readonly found: Conversion[] = [];
  /** In the order of the text. */
  readonly later: LaterPart[] = [];
  readonly meanings: FileNotes['meanings'] = {
    get: (offset) => {
      this.settle(offset);
      return this.known.get(offset);
    },
  };

  constructor(module: SourceModule, names: ModuleNames) {
    this.module = module;
    this.names = names;
  }

  get conversions(): readonly Conversion[] {
    for (const { check } of this.later.splice(0)) check();
    return this.found.toSorted((a, b) => a.span.start - b.span.start);
  }

  /** Checks what stands at an offset, if that is still to be done. */
  settle(offset: number): void {
    // Who asks about all names of a file asks often.
    let low = 0;
    let high = this.later.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.later[middle]!.start <= offset) low = middle + 1;
      else high = middle;
    }
    const part = this.later[low - 1];
    if (part === undefined || part.end < offset) return;
    this.later.splice(low - 1, 1);
    part.check();
  }
}

export class Notes {
  readonly #files = new Map<SourceFile, OpenFileNotes>();
  readonly #types = new Map<Expression, Type>();
  readonly #expected = new Map<Expression, Type>();
  readonly #calls = new Map<CallSyntax, CallMeaning>();

  get files(): ReadonlyMap<SourceFile, FileNotes> {
    return this.#files;
  }

  /** The type of an expression before it is converted to what its place asks for; invalid where it is at fault. */
  typeOf(node: Expression): Type | undefined {
    this.#settle(node);
    return this.#types.get(node);
  }

  /** The type that the place of an expression asks for, if that is known before the expression is. */
  expectedAt(node: Expression): Type | undefined {
    this.#settle(node);
    return this.#expected.get(node);
  }

  callOf(node: CallSyntax): CallMeaning | undefined {
    this.#settle(node);
    return this.#calls.get(node);
  }

  open(module: SourceModule, names: ModuleNames): void {
    this.#files.set(module.file.source, new OpenFileNotes(module, names));
  }

  /** What stands in a span is checked by this when somebody asks about it. */
  later({ file, start, end }: Span, check: () => void): void {
    this.#files.get(file)?.later.push({ start, end, check });
  }

  #settle({ span }: Expression): void {
    this.#files.get(span.file)?.settle(span.start);
  }

  name({ span }: Pick<Name, 'span'>, meaning: Meaning): void {
    this.#files.get(span.file)?.known.set(span.start, meaning);
  }

  type(node: Expression, type: Type): void {
    // What is checked a second time, with more known about its place, may have a type only then.
    if (type.kind !== 'invalid' || !this.#types.has(node)) this.#types.set(node, type);
  }

  expect(node: Expression, type: Type): void {
    this.#expected.set(node, type);
  }

  call(node: CallSyntax, name: Pick<Name, 'span'>, meaning: CallMeaning): void {
    this.#calls.set(node, meaning);
    this.name(name, meaning.callee);
  }

  conversion(conversion: Conversion): void {
    this.#files.get(conversion.span.file)?.found.push(conversion);
  }
}
