// Functions of a script: each is checked by itself, in any order, so one that is as it was need not be checked again.

import { formatType } from '../language/types.ts';
import type { Span } from '../source.ts';
import { checkStatements } from './bodies.ts';
import { FunctionChecker } from './checker.ts';
import type { Checker } from './checker.ts';
import { testCount } from './declarations.ts';
import { defaultFunction } from './defaults.ts';
import { mostFilled } from './function-calls.ts';
import type { DefaultValue, FunctionSymbol } from './symbols.ts';
import type { Expression, FunctionParameter } from './typed-tree.ts';
import { declareParameter } from './variables.ts';

/** Temporaries of the checker and the emitter count too, so a script may have fewer of its own. */
const mostLocals = 20_000;

export function testLocals(fc: FunctionChecker, span: Span): void {
  testCount(fc.checker, 'variables', fc.locals.length, mostLocals, span);
}

/** The functions of a file. */
export function checkFunctions(checker: Checker): void {
  for (const fn of checker.functions.values()) checkFunctionOrSkip(checker, fn);
}

/** Skips a function that need not be checked; its names are noted when somebody asks what they mean. */
function checkFunctionOrSkip(checker: Checker, fn: FunctionSymbol): void {
  const { bodies, notes, tables } = checker;
  if (bodies === null || notes === null) {
    checkFunction(checker, fn);
    return;
  }
  const known = bodies.find(fn.node);
  if (known !== null && tables.filledArguments + known.filled <= mostFilled / 2) {
    // What is said of a default is said whether or not a call takes it.
    for (const parameter of fn.parameters)
      if (parameter.node.initialiser !== null) defaultFunction(checker, fn, parameter);
    for (const name of known.imports) checker.import(name);
    tables.filledArguments += known.filled;
    bodies.keep(fn.node, known);
    notes.later(fn.node.span, () => checker.quietly(() => checkFunction(checker, fn)));
    return;
  }
  const { findings, filledArguments, filledInDefaults } = tables;
  let hasUnread = false;
  const imports = checker.importsUsedIn(() => {
    hasUnread = checkFunction(checker, fn);
  });
  if (hasUnread || tables.findings > findings) return;
  const filled = tables.filledArguments - filledArguments - (tables.filledInDefaults - filledInDefaults);
  bodies.keep(fn.node, { imports, filled });
}

/** A function with a value must not be able to reach its end without one. Says whether something could not be read. */
function checkFunction(checker: Checker, fn: FunctionSymbol): boolean {
  const { node, returns } = fn;
  const declared = node.returnType.span;
  const fc = new FunctionChecker(checker, { kind: 'function', type: returns, declared }, node.isBroken);
  const parameters = fn.parameters.map((parameter, index): FunctionParameter => {
    declareParameter(fc, parameter.name, parameter.type, parameter.node.name.span);
    const standIn = parameter.node.initialiser === null ? null : defaultFunction(checker, fn, parameter);
    return {
      local: index,
      initialiser: node.exported && standIn !== null ? readDefault(standIn, fn, index, parameter.node.span) : null,
    };
  });
  const body = fc.inBody(() => checkStatements(fc, node.body.statements));
  if (fc.reachable && !fc.hasUnread && returns.kind !== 'void' && returns.kind !== 'invalid') {
    checker.report(
      'missingReturn',
      node.name.span,
      { name: fn.name, type: formatType(returns) },
      { labels: [{ span: declared, text: `${fn.name} returns ${formatType(returns)}` }] },
    );
  }
  testLocals(fc, node.name.span);
  checker.tables.functions.set(fn.id, {
    id: fn.id,
    name: fn.name,
    parameters,
    locals: fc.locals,
    returns,
    body,
    generic: fn.generic,
    span: node.name.span,
  });
  return fc.hasUnread;
}

/** The default of an exported function's parameter, which the host may leave out as a script may. */
function readDefault(standIn: DefaultValue, fn: FunctionSymbol, index: number, span: Span): Expression | null {
  switch (standIn.kind) {
    case 'constant':
      return standIn.value;
    case 'call': {
      const earlier = fn.parameters
        .slice(0, index)
        .map(({ type }, local): Expression => ({ kind: 'get-local', local, type, span }));
      return {
        kind: 'call',
        function: standIn.function,
        arguments: earlier,
        typeArgument: null,
        type: standIn.type,
        span,
      };
    }
    case 'invalid':
      return null;
  }
}
