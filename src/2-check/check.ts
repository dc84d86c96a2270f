// The second room: syntax trees become a program in which every name and type is resolved. The passes, for one file
// after the other, imported files first:
//   1. names of types, functions and globals, and what the types in signatures mean
//   2. the form of the program: main, top-level statements, or a library
//   3. global variables
//   4. bodies of functions
//   5. the entry

import type {
  FunctionDeclaration,
  MainDeclaration,
  SourceModule,
  Statement as StatementSyntax,
  SyntaxFile,
  VariableDeclaration,
} from '../1-parse/syntax-tree.ts';
import { voidType } from '../language/types.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import type { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import { sureFix } from '../diagnostics/fixes.ts';
import type { Span } from '../source.ts';
import { Checker, FunctionChecker, isInvalid, ProgramTables } from './checker.ts';
import type { CheckOptions, Dispatch } from './checker.ts';
import { collectDeclarations, isFreeName, resolveParameters, resolveType, testReserved } from './declarations.ts';
import { checkAs } from './conversions.ts';
import { declareImports } from './imports.ts';
import { findMentionedNames } from './mentions.ts';
import { checkStatements } from './bodies.ts';
import { checkExpression } from './expressions.ts';
import { checkStatement } from './statements.ts';
import { readItems } from './unread.ts';
import type { VariableSymbol } from './symbols.ts';
import { checkFunctions, testLocals } from './functions.ts';
import { isConstant } from './typed-tree.ts';
import type {
  CheckedFunction,
  CheckedProgram,
  Expression,
  FunctionParameter,
  Statement,
  Struct,
} from './typed-tree.ts';
import { checkInitialiser, declareParameter, setVariable } from './variables.ts';

/**
 * Checks the files of a program, imported ones first. Never throws; the program is of use only if the sink holds no
 * error.
 */
export function check(modules: readonly SourceModule[], sink: DiagnosticSink, options: CheckOptions): CheckedProgram {
  const tables = new ProgramTables();
  options.bodies?.begin(modules, readItems(modules.at(-1)!.file), options.registry);
  for (const { file } of modules) for (const name of file.unreadNames ?? []) tables.unreadNames.add(name);
  const checkers = new Map<SourceModule, Checker>();
  const initialisers = new Map<SourceModule, CheckedFunction>();
  for (const module of modules.slice(0, -1)) {
    const checker = startFile(module, tables, checkers, sink, options);
    const initialiser = checkImportedFile(checker, module.file);
    if (initialiser === null) continue;
    tables.functions.set(initialiser.id, initialiser);
    initialisers.set(module, initialiser);
  }
  const entry = modules.at(-1)!;
  const program = checkEntryFile(
    startFile(entry, tables, checkers, sink, options),
    entry.file,
    callInitialisers(entry, initialisers),
  );
  for (const checker of checkers.values()) checker.warnOfUnused();
  return program;
}

/** The dispatch of this room; with notes it tells them the type of each expression. */
function dispatchFor(options: CheckOptions): Dispatch {
  const dispatch = polledDispatch(options);
  const { notes } = options;
  if (notes === undefined) return dispatch;
  return {
    expression: (fc, node, expected) => {
      if (expected !== null) notes.expect(node, expected);
      const value = dispatch.expression(fc, node, expected);
      notes.type(node, value.type);
      return value;
    },
    statement: dispatch.statement,
  };
}

/** Each call of it polls whether the compiler may go on. */
function polledDispatch({ poll }: CheckOptions): Dispatch {
  if (poll === undefined) return { expression: checkExpression, statement: checkStatement };
  return {
    expression: (fc, node, expected) => {
      poll();
      return checkExpression(fc, node, expected);
    },
    statement: (fc, node) => {
      poll();
      return checkStatement(fc, node);
    },
  };
}

function startFile(
  module: SourceModule,
  tables: ProgramTables,
  checkers: Map<SourceModule, Checker>,
  sink: DiagnosticSink,
  options: CheckOptions,
): Checker {
  const checker = new Checker(
    tables,
    module.id,
    { items: readItems(module.file), isBroken: module.file.unreadNames !== null },
    sink,
    options,
    dispatchFor(options),
  );
  checker.notes?.open(module, checker);
  checkers.set(module, checker);
  const imports = [...module.imports].map(([{ alias }, imported]) => ({
    alias,
    // Of a file without anything that could be read nothing is known.
    checker:
      imported === null || (imported.isBroken && imported.file.items.length === 0) ? null : checkers.get(imported)!,
  }));
  declareImports(checker, imports, (name) => !testReserved(checker, name));
  collectDeclarations(checker);
  for (const item of checker.items) {
    if (item.kind === 'variable-declaration')
      for (const { name } of item.declarators) checker.topLevelNames.add(name.text);
  }
  return checker;
}

/** All variables at top level are globals; main and other statements are checked, but are no part of the program. */
function checkImportedFile(checker: Checker, file: SyntaxFile): CheckedFunction | null {
  const form = findForm(checker);
  const initialiser = checkGlobals(
    checker,
    checker.items.filter((item) => item.kind === 'variable-declaration'),
    file,
  );
  checkFunctions(checker);
  if (form.kind === 'main') checkMain(checker, form.node);
  if (form.kind === 'script') checkScript(checker, form.statements);
  return initialiser;
}

function checkEntryFile(checker: Checker, file: SyntaxFile, before: readonly Statement[]): CheckedProgram {
  const { tables } = checker;
  const form = findForm(checker);
  const globals = checker.items.filter((item) => item.kind === 'variable-declaration');
  const exported = [...checker.functions.values()].filter(({ node }) => node.exported);
  const ready =
    form.kind === 'script'
      ? declareScriptGlobals(checker, globals, exported.length > 0)
      : checkGlobals(checker, globals, file);
  checkFunctions(checker);
  const main = form.kind === 'main' ? checkMain(checker, form.node) : null;
  const script = form.kind === 'script' ? checkScript(checker, form.statements) : null;
  const own = script !== null && exported.length > 0 ? script.initialiser : ready;
  return {
    name: file.source.name,
    headers: file.headers.map(({ tool, key, value }) => ({ tool, key, value })),
    structs: new Map(
      [...tables.structs.values()].map(({ id, module, name, fields, span }): [string, Struct] => [
        id,
        { id, module, name, fields, span },
      ]),
    ),
    globals: tables.globals,
    functions: tables.functions,
    initialiser:
      before.length === 0 || (script !== null && exported.length === 0)
        ? own
        : withImports(before, own ?? emptyInitialiser(checker, file)),
    entrySetsGlobals: script !== null,
    entry: main ?? (script === null ? null : withImports(before, script.entry)),
    exports: exported.map(({ id, parameters }) => ({ function: id, variadic: parameters.at(-1)?.variadic === true })),
    registry: checker.registry,
  };
}

/**
 * Sets the globals of imported files, each file after those that it imports itself. In stacks each call stands at the
 * import of the entry that leads to the file.
 */
function callInitialisers(
  entry: SourceModule,
  initialisers: ReadonlyMap<SourceModule, CheckedFunction>,
): readonly Statement[] {
  const reached = new Set<SourceModule>();
  const reach = (module: SourceModule | null, span: Span): Statement[] => {
    if (module === null || reached.has(module)) return [];
    reached.add(module);
    const before = [...module.imports.values()].flatMap((imported) => reach(imported, span));
    const initialiser = initialisers.get(module);
    if (initialiser === undefined) return before;
    const call: Expression = {
      kind: 'call',
      function: initialiser.id,
      arguments: [],
      typeArgument: null,
      type: voidType,
      span,
    };
    return [...before, { kind: 'evaluate', expression: call, span }];
  };
  return [...entry.imports].flatMap(([{ span }, module]) => reach(module, span));
}

function withImports(before: readonly Statement[], fn: CheckedFunction): CheckedFunction {
  return { ...fn, body: [...before, ...fn.body] };
}

function emptyInitialiser(checker: Checker, file: SyntaxFile): CheckedFunction {
  const span: Span = { file: file.source, start: 0, end: 0 };
  return {
    id: checker.idOf('<globals>'),
    name: '<globals>',
    parameters: [],
    locals: [],
    returns: voidType,
    body: [],
    generic: false,
    span,
  };
}

// The form of the program

type Form =
  | { readonly kind: 'main'; readonly node: MainDeclaration }
  | { readonly kind: 'script'; readonly statements: readonly StatementSyntax[] }
  | { readonly kind: 'library' };

/** Either a main, or statements at top level; variable declarations may stand beside both. */
function findForm(checker: Checker): Form {
  const mains = checker.items.filter((item) => item.kind === 'main-declaration');
  const statements = checker.items.filter(
    (item): item is StatementSyntax =>
      item.kind !== 'main-declaration' && item.kind !== 'function-declaration' && item.kind !== 'type-declaration',
  );
  const first = statements.find(({ kind }) => kind !== 'variable-declaration' && kind !== 'empty');
  const [main, second] = mains;
  if (second !== undefined)
    checker.report('secondMain', second.name.span, {}, { labels: [{ span: main!.name.span, text: 'the first one' }] });
  if (main !== undefined) {
    // Where a brace is missing or is one too many, parts of a function stand at the top level.
    if (first !== undefined && !checker.isBroken)
      checker.report(
        'mainAndStatements',
        first.span,
        {},
        { labels: [{ span: main.name.span, text: 'main is declared here' }], ...callOfMain(first) },
      );
    return { kind: 'main', node: main };
  }
  return first === undefined ? { kind: 'library' } : { kind: 'script', statements };
}

/** `main();` as other languages begin a program. */
function callOfMain(node: StatementSyntax): ReportOptions {
  const call = node.kind === 'expression-statement' ? node.expression : null;
  if (call?.kind !== 'call' || call.callee.kind !== 'name' || call.callee.text !== 'main') return {};
  if (call.arguments.length > 0)
    return { help: 'main runs by itself, with arguments that are given from outside: take this line away.' };
  const { file, start, end } = node.span;
  const before = file.text.slice(0, start).trimEnd().length;
  return {
    help: 'main runs by itself: take this line away.',
    fix: sureFix('take it away', { file, start: before, end }, ''),
  };
}

// Globals

/** Beside a main: set in textual order before it runs, those with constant values from the start. */
function checkGlobals(
  checker: Checker,
  nodes: readonly VariableDeclaration[],
  file: SyntaxFile,
): CheckedFunction | null {
  const fc = new FunctionChecker(checker, { kind: 'function', type: voidType });
  const body: Statement[] = [];
  for (const node of nodes) {
    const type = resolveType(checker, node.type);
    for (const { name, initialiser, span } of node.declarators) {
      const value = checkInitialiser(fc, initialiser, type, name.text, name.span);
      if (!isFreeName(checker, name)) continue;
      const variable = addGlobal(checker, name.text, type, name.span, node.constant);
      if (isInvalid(value)) continue;
      // A global that is declared behind one that runs code must not have its value earlier than that code runs.
      const isReady = isConstant(value) && !isLongText(value) && body.length === 0;
      if (node.constant && isReady) variable.value = value;
      checker.tables.globals.set(globalIdOf(variable), {
        id: globalIdOf(variable),
        name: name.text,
        type,
        value: isReady ? value : null,
      });
      if (!isReady) body.push(setVariable(variable, value, span));
    }
  }
  return body.length === 0 ? null : { ...emptyInitialiser(checker, file), locals: fc.locals, body };
}

/** A module holds constant texts as names of imports. A text that cannot be such a name is set by code. */
function isLongText(value: Expression): boolean {
  return value.kind === 'string' && (value.value.length > 10_000 || value.value.includes('\0'));
}

/**
 * In a script, variables that a function mentions are globals, and all others are locals of the entry. If the host can
 * call functions, all variables are globals, since the initialiser sets them before such a call, not the entry.
 */
function declareScriptGlobals(checker: Checker, nodes: readonly VariableDeclaration[], hasExports: boolean): null {
  const mentioned = findMentionedNames(
    checker.items.filter((item): item is FunctionDeclaration => item.kind === 'function-declaration'),
  );
  for (const node of nodes) {
    const found = node.declarators.filter(({ name }) => hasExports || mentioned.has(name.text));
    if (found.length === 0) continue;
    const type = resolveType(checker, node.type);
    for (const { name } of found) {
      if (!isFreeName(checker, name)) continue;
      const variable = addGlobal(checker, name.text, type, name.span, node.constant);
      checker.tables.globals.set(globalIdOf(variable), {
        id: globalIdOf(variable),
        name: name.text,
        type,
        value: null,
      });
    }
  }
  return null;
}

function addGlobal(
  checker: Checker,
  name: string,
  type: VariableSymbol['type'],
  span: Span,
  constant: boolean,
): VariableSymbol {
  const storage = { kind: 'global' as const, global: checker.idOf(name) };
  const variable: VariableSymbol = {
    kind: 'variable',
    name,
    type,
    constant,
    span,
    storage,
    mayGoUnused: true,
    used: false,
    value: null,
  };
  checker.globals.set(name, variable);
  checker.notes?.name({ span }, variable);
  return variable;
}

function globalIdOf({ storage }: VariableSymbol): string {
  return storage.kind === 'global' ? storage.global : '';
}

// Functions

/** The parameters of main are the input of the program; their defaults are worked out when it starts. */
function checkMain(checker: Checker, node: MainDeclaration): CheckedFunction {
  const fc = new FunctionChecker(checker, { kind: 'entry' }, node.isBroken);
  const symbols = resolveParameters(checker, node.parameters);
  const variables = symbols.map(({ name, type, node: parameter }) =>
    declareParameter(fc, name, type, parameter.name.span),
  );
  // A default sees the parameters before its own.
  fc.scope.clear();
  const parameters = symbols.map(({ name, type, variadic, node: parameter }, index): FunctionParameter => {
    if (variadic) checker.report('variadicMain', parameter.span, { name });
    const initialiser = parameter.initialiser === null ? null : checkAs(fc, parameter.initialiser, type);
    fc.scope.set(name, variables[index]!);
    return { local: index, initialiser };
  });
  const body = fc.inBody(() => checkStatements(fc, node.body.statements));
  testLocals(fc, node.name.span);
  return {
    id: checker.idOf('main'),
    name: 'main',
    parameters,
    locals: fc.locals,
    returns: voidType,
    body,
    generic: false,
    span: node.name.span,
  };
}

/** The entry is all statements, the initialiser the declarations of globals among them. */
function checkScript(
  checker: Checker,
  statements: readonly StatementSyntax[],
): { readonly entry: CheckedFunction; readonly initialiser: CheckedFunction | null } {
  // Where a brace is one too many, what ends a function may stand here.
  const fc = new FunctionChecker(checker, { kind: 'entry' }, checker.isBroken);
  const settings: Statement[] = [];
  const body = checkStatements(fc, statements, (node) => {
    if (node.kind !== 'variable-declaration') return checkStatement(fc, node);
    const set = checkTopLevelVariables(fc, node);
    settings.push(...set);
    return set;
  });
  fc.reportUnused(fc.scope.values());
  const span = statements[0]!.span;
  testLocals(fc, span);
  const entry: CheckedFunction = {
    id: checker.idOf('<top level>'),
    name: '<top level>',
    parameters: [],
    locals: fc.locals,
    returns: voidType,
    body,
    generic: false,
    span: { ...span, end: span.start },
  };
  return { entry, initialiser: settings.length === 0 ? null : { ...entry, body: settings } };
}

function checkTopLevelVariables(fc: FunctionChecker, node: VariableDeclaration): Statement[] {
  const { checker } = fc;
  return node.declarators.flatMap((declarator): Statement[] => {
    const { name, initialiser, span } = declarator;
    const global = checker.globals.get(name.text);
    if (global === undefined || global.span !== name.span) {
      const taken = checker.topLevel(name.text);
      if (taken !== undefined || checker.imports.has(name.text)) {
        if (taken?.kind !== 'variable') isFreeName(checker, name);
        return [];
      }
      return checkStatement(fc, { ...node, declarators: [declarator] });
    }
    const value = checkInitialiser(fc, initialiser, global.type, name.text, name.span);
    return isInvalid(value) ? [] : [setVariable(global, value, span)];
  });
}
