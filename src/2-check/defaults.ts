// Default values of parameters. A constant is copied to the call; anything else becomes a function of the
// parameters before it, which the call calls.

import { FunctionChecker } from './checker.ts';
import type { Checker } from './checker.ts';
import { checkAs } from './conversions.ts';
import type { DefaultValue, FunctionSymbol, ParameterSymbol } from './symbols.ts';
import { isConstant } from './typed-tree.ts';
import type { FunctionId } from './typed-tree.ts';
import { declareParameter } from './variables.ts';

/** A default is checked where it stands: with the names of the file that declares the function. */
export function defaultFunction(caller: Checker, fn: FunctionSymbol, parameter: ParameterSymbol): DefaultValue {
  const checker = caller.ownerOf(fn);
  const index = fn.parameters.indexOf(parameter);
  const id = `${fn.id}$default${index}`;
  const known = checker.tables.defaults.get(id);
  if (known !== undefined) return known;
  // Marked before it is checked, since a default may call its own function.
  checker.tables.defaults.set(id, { kind: 'call', function: id, type: parameter.type });
  const { tables } = checker;
  const filled = tables.filledArguments - tables.filledInDefaults;
  const made = makeDefault(checker, fn, parameter, index, id);
  tables.filledInDefaults = tables.filledArguments - filled;
  tables.defaults.set(id, made);
  return made;
}

function makeDefault(
  checker: Checker,
  fn: FunctionSymbol,
  parameter: ParameterSymbol,
  index: number,
  id: FunctionId,
): DefaultValue {
  const fc = new FunctionChecker(checker, { kind: 'function', type: parameter.type });
  const earlier = fn.parameters.slice(0, index);
  for (const { name, type, node } of earlier) declareParameter(fc, name, type, node.name.span);
  const syntax = parameter.node.initialiser!;
  const value = checkAs(fc, syntax, parameter.type);
  if (value.kind === 'invalid') return { kind: 'invalid' };
  if (isConstant(value)) return { kind: 'constant', value };
  checker.tables.functions.set(id, {
    id,
    name: fn.name,
    parameters: earlier.map((_, local) => ({ local, initialiser: null })),
    locals: fc.locals,
    returns: parameter.type,
    body: [{ kind: 'return', value, span: syntax.span }],
    generic: false,
    span: syntax.span,
  });
  return { kind: 'call', function: id, type: parameter.type };
}
