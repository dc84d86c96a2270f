// What is shared while one program is checked, and what is shared while one of its functions is.

import type { Expression as ExpressionSyntax, Item, Statement as StatementSyntax } from '../1-parse/syntax-tree.ts';
import type { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import { report } from '../diagnostics/catalog.ts';
import type { FaultKey, ReportOptions } from '../diagnostics/catalog.ts';
import { pluginFile } from '../library/plugins.ts';
import type { LibraryRegistry } from '../library/registry.ts';
import { invalidType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import type { Poll } from '../stopping.ts';
import type { BodyCache } from './body-cache.ts';
import { isConsequence } from './consequences.ts';
import type { Notes } from './notes.ts';
import type { DefaultValue, FunctionSymbol, StructSymbol, TopLevelSymbol, VariableSymbol } from './symbols.ts';
import type {
  CheckedFunction,
  Expression,
  FunctionId,
  Global,
  GlobalId,
  Local,
  LocalId,
  LoopId,
  Statement,
  StructId,
} from './typed-tree.ts';

export interface CheckOptions {
  readonly registry: LibraryRegistry;
  /** Throws if the compiler must stop. */
  readonly poll?: Poll;
  /** The file is part of the prelude: it sees `Native` and the type variable `T`. */
  readonly prelude?: boolean;
  /** Is told what the names, calls and conversions in the files mean. */
  readonly notes?: Notes;
  /** What the check before has kept. With notes a check may leave functions out of its result. */
  readonly bodies?: BodyCache;
}

/** Chains such as `a.b.c` nest here. The parser does not count them, since it counts brackets only. */
const deepestExpression = 500;

/** The dispatch of this room, which the files of the topics call: a parameter, so that they need not import it. */
export interface Dispatch {
  readonly expression: (fc: FunctionChecker, node: ExpressionSyntax, expected: Type | null) => Expression;
  readonly statement: (fc: FunctionChecker, node: StatementSyntax) => Statement[];
}

/** What the files of a program share: the checked declarations, by id. */
export class ProgramTables {
  readonly structs = new Map<StructId, StructSymbol>();
  readonly functions = new Map<FunctionId, CheckedFunction>();
  readonly globals = new Map<GlobalId, Global>();
  /** Default values that calls have asked for. */
  readonly defaults = new Map<FunctionId, DefaultValue>();
  /** How many default values have been added to calls so far. */
  filledArguments = 0;
  /** Those among them that were added to the calls in defaults. */
  filledInDefaults = 0;
  /** How often there was something to say, whether it was said or not. */
  findings = 0;
  /** Names in what could not be read, of all files. */
  readonly unreadNames = new Set<string>();
  /** Structs some of whose fields could perhaps not be read. */
  readonly partialStructs = new Set<string>();
  /** The checker of each file, by the id of its module. */
  readonly checkers = new Map<string, Checker>();
}

/** An import of the file; `checker` is null where it cannot be followed, which has been reported. */
export interface Import {
  readonly alias: string;
  readonly span: Span;
  readonly checker: Checker | null;
  used: boolean;
}

/** One file of a program. */
export class Checker {
  readonly dispatch: Dispatch;
  readonly tables: ProgramTables;
  readonly imports = new Map<string, Import>();
  readonly moduleId: string;
  readonly sink: DiagnosticSink;
  readonly registry: LibraryRegistry;
  readonly isPrelude: boolean;
  readonly notes: Notes | null;
  readonly bodies: BodyCache | null;
  readonly #unused: VariableSymbol[] = [];
  readonly structs = new Map<string, StructSymbol>();
  readonly functions = new Map<string, FunctionSymbol>();
  readonly globals = new Map<string, VariableSymbol>();
  /** Variables at the top level of the file, including those that are declared further down. */
  readonly topLevelNames = new Set<string>();
  /** The items of the file, as far as they could be read. */
  readonly items: readonly Item[];
  /** The file has a mistake in its syntax. */
  readonly isBroken: boolean;
  #isQuiet = false;
  /** Names of imports that what is being checked uses. */
  #usedImports = new Set<string>();

  constructor(
    tables: ProgramTables,
    moduleId: string,
    file: { readonly items: readonly Item[]; readonly isBroken: boolean },
    sink: DiagnosticSink,
    options: CheckOptions,
    dispatch: Dispatch,
  ) {
    this.tables = tables;
    this.moduleId = options.prelude === true ? 'prelude' : moduleId;
    this.items = file.items;
    this.isBroken = file.isBroken;
    this.sink = sink;
    this.dispatch = dispatch;
    this.registry = options.registry;
    this.isPrelude = options.prelude === true;
    this.notes = options.notes ?? null;
    this.bodies = this.notes === null ? null : (options.bodies ?? null);
    tables.checkers.set(this.moduleId, this);
  }

  /** The id of something declared in the file. */
  idOf(name: string): string {
    return `${this.moduleId}#${name}`;
  }

  /** The checker of the file that declares a function. */
  ownerOf({ module }: FunctionSymbol): Checker {
    return this.tables.checkers.get(module)!;
  }

  /** The file that declares the types of a plugin, if a name stands for one that has any. */
  pluginTypes(name: string): Checker | undefined {
    return this.tables.checkers.get(pluginFile(name));
  }

  /** The import that a name stands for. */
  import(name: string): Import | undefined {
    const found = this.imports.get(name);
    if (found === undefined) return undefined;
    found.used = true;
    this.#usedImports.add(name);
    return found;
  }

  /** The imports that `check` uses. */
  importsUsedIn(check: () => void): readonly string[] {
    const around = this.#usedImports;
    this.#usedImports = new Set();
    check();
    const used = [...this.#usedImports];
    this.#usedImports = around;
    return used;
  }

  report<Key extends FaultKey>(
    key: Key,
    span: Span,
    parameters: Parameters<typeof report<Key>>[3],
    options: ReportOptions = {},
  ): void {
    this.tables.findings += 1;
    if (this.#isQuiet || isConsequence(this.tables, key, parameters as object)) return;
    report(this.sink, key, span, parameters, options);
  }

  warn<Key extends FaultKey>(
    key: Key,
    span: Span,
    parameters: Parameters<typeof report<Key>>[3],
    options: ReportOptions = {},
  ): void {
    this.tables.findings += 1;
    if (!this.isPrelude && !this.#isQuiet) report(this.sink, key, span, parameters, options);
  }

  /** Notes a variable that nothing uses. In a program with errors, its use may be in code that could not be checked. */
  noteUnused(variable: VariableSymbol): void {
    this.tables.findings += 1;
    if (!this.isPrelude) this.#unused.push(variable);
  }

  warnOfUnused(): void {
    if (this.sink.hasErrors) return;
    for (const { alias, span, used } of this.imports.values())
      if (!used) this.warn('unusedImport', span, { name: alias });
    for (const { name, span } of this.#unused) this.warn('unusedVariable', span, { name });
  }

  /** Says nothing of what `check` finds. */
  quietly(check: () => void): void {
    const before = this.#isQuiet;
    this.#isQuiet = true;
    check();
    this.#isQuiet = before;
  }

  topLevel(name: string): TopLevelSymbol | undefined {
    return this.functions.get(name) ?? this.structs.get(name) ?? this.globals.get(name);
  }
}

/** A loop around the statement being checked. */
export interface LoopState {
  readonly id: LoopId;
  /** Some break leaves it. */
  hasBreak: boolean;
  hasContinue: boolean;
}

/** What `return` means in the function. */
export type ReturnRule =
  | { readonly kind: 'entry' }
  | {
      readonly kind: 'function';
      readonly type: Type;
      /** Where the type is written. */
      readonly declared?: Span;
    };

export class FunctionChecker {
  readonly checker: Checker;
  readonly returnRule: ReturnRule;
  readonly locals: Local[] = [];
  readonly loops: LoopState[] = [];
  /** Names that have been reported as unknown. */
  readonly unknownNames = new Set<string>();
  /** Variables of blocks that have ended, by name: the last one of each. */
  readonly gone = new Map<string, VariableSymbol>();
  /** The statements of the blocks around, from the outermost. */
  readonly blocks: (readonly StatementSyntax[])[] = [];
  /** Whether control can reach the statement that is checked next. */
  reachable = true;
  /** Something in it could not be read, which may leave the function, or a loop, or be one. */
  hasUnread: boolean;
  /** How many expressions are around the one being checked. */
  #nesting = 0;
  readonly #scopes: Map<string, VariableSymbol>[] = [new Map<string, VariableSymbol>()];
  #loopCount = 0;
  #parameters: ReadonlyMap<string, VariableSymbol> = new Map();

  constructor(checker: Checker, returnRule: ReturnRule, hasUnread = false) {
    this.checker = checker;
    this.hasUnread = hasUnread;
    this.returnRule = returnRule;
  }

  /** Checks an expression inside the one being checked, unless that is too deep. */
  inside(span: Span, check: () => Expression): Expression {
    if (this.#nesting >= deepestExpression) return this.fail('nestedTooDeep', span, { limit: deepestExpression });
    this.#nesting += 1;
    const value = check();
    this.#nesting -= 1;
    return value;
  }

  report<Key extends FaultKey>(
    key: Key,
    span: Span,
    parameters: Parameters<typeof report<Key>>[3],
    options: ReportOptions = {},
  ): void {
    this.checker.report(key, span, parameters, options);
  }

  /** Reports the fault and gives the expression that accepts every use. */
  fail<Key extends FaultKey>(
    key: Key,
    span: Span,
    parameters: Parameters<typeof report<Key>>[3],
    options: ReportOptions = {},
  ): Expression {
    this.checker.report(key, span, parameters, options);
    return invalid(span);
  }

  /** A local without a name in the script. */
  temporary(purpose: string, type: Type, origin: 'temporary' | 'foreach' = 'temporary'): LocalId {
    return this.locals.push({ name: purpose, type, origin }) - 1;
  }

  newLocal(name: string, type: Type): LocalId {
    return this.locals.push({ name, type, origin: 'source' }) - 1;
  }

  newLoop(): LoopState {
    this.#loopCount += 1;
    return { id: this.#loopCount, hasBreak: false, hasContinue: false };
  }

  /** Runs `check` in a scope of its own; variables that it leaves unused are warned of. */
  inScope<Result>(check: () => Result): Result {
    this.#scopes.push(new Map());
    const result = check();
    const scope = this.#scopes.pop()!;
    for (const [name, variable] of scope) this.gone.set(name, variable);
    this.reportUnused(scope.values());
    return result;
  }

  reportUnused(variables: Iterable<VariableSymbol>): void {
    for (const variable of variables) {
      if (variable.used || variable.mayGoUnused || variable.type.kind === 'invalid') continue;
      this.checker.noteUnused(variable);
    }
  }

  /** Runs `check` in the outermost block of the function, where a variable must not be called like a parameter. */
  inBody<Result>(check: () => Result): Result {
    this.#parameters = this.scope;
    return this.inScope(check);
  }

  get parameters(): ReadonlyMap<string, VariableSymbol> {
    return this.#parameters;
  }

  /** The innermost scope, for declarations. */
  get scope(): Map<string, VariableSymbol> {
    return this.#scopes.at(-1)!;
  }

  get depth(): number {
    return this.#scopes.length;
  }

  find(name: string): VariableSymbol | undefined {
    for (let at = this.#scopes.length - 1; at >= 0; at--) {
      const found = this.#scopes[at]!.get(name);
      if (found !== undefined) return found;
    }
    return this.checker.globals.get(name);
  }

  /** Names of variables that can be seen here. */
  visibleNames(): string[] {
    return [...this.#scopes.flatMap((scope) => [...scope.keys()]), ...this.checker.globals.keys()];
  }
}

export function invalid(span: Span): Expression {
  return { kind: 'invalid', type: invalidType, span };
}

export function isInvalid(node: Expression): boolean {
  return node.type.kind === 'invalid';
}

/** Puts statements in front of a value. */
export function sequence(statements: readonly Statement[], value: Expression): Expression {
  return statements.length === 0 ? value : { kind: 'sequence', statements, value, type: value.type, span: value.span };
}
