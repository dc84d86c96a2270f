// Calls: which function one means. UFCS: `x.f(y)` is `f(x, y)`, where no method of the library is meant.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import { spellingFix, sureFix } from '../diagnostics/fixes.ts';
import { nearestName } from '../language/nearest-name.ts';
import { formatApart, formatType, sameType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { checkLoosely, unify } from './call-arguments.ts';
import type { CallNode } from './call-arguments.ts';
import { invalid, isInvalid } from './checker.ts';
import type { FunctionChecker, Import } from './checker.ts';
import { checkValue, converts } from './conversions.ts';
import { checkFunctionCall } from './function-calls.ts';
import { foreignFunction, foreignOutput, yieldFix } from './habits.ts';
import { findElsewhere, findImport, findImported, reportNoValue } from './imports.ts';
import { checkLibraryCall } from './library-calls.ts';
import { checkName, declaredHere, findNamespace, methodAdvice, reportUnknownFunction } from './members.ts';
import type { FunctionSymbol } from './symbols.ts';
import type { Expression } from './typed-tree.ts';

/** `isStatement` says that the call is a statement of its own. */
export function checkCall(fc: FunctionChecker, node: CallNode, isStatement = false): Expression {
  const { callee } = node;
  if (callee.kind === 'name') return checkNamedCall(fc, node, callee, isStatement);
  if (callee.kind === 'member') return reportForeignOutput(fc, node, isStatement) ?? checkMemberCall(fc, node, callee);
  const value = checkValue(fc, callee);
  checkLoosely(fc, node);
  return isInvalid(value)
    ? value
    : fc.fail('notCallable', callee.span, { what: `a value of type ${formatType(value.type)}` });
}

/** `console.log(x)` and its like; null for any other call. */
function reportForeignOutput(fc: FunctionChecker, node: CallNode, isStatement: boolean): Expression | null {
  const { file, start, end } = node.callee.span;
  const name = foreignOutput(file.text.slice(start, Math.min(end, start + 40)));
  if (name === null || fc.find(name) !== undefined) return null;
  checkLoosely(fc, node);
  const fix = yieldFix(
    node.span,
    node.arguments.map(({ span }) => span),
    isStatement,
  );
  return fc.fail(
    'unknownName',
    { file, start, end: start + name.length },
    { name },
    { help: 'Output is yielded: yield value;', ...fix },
  );
}

function checkNamedCall(
  fc: FunctionChecker,
  node: CallNode,
  callee: Syntax & { readonly kind: 'name' },
  isStatement: boolean,
): Expression {
  const name = callee.text;
  const variable = fc.find(name);
  const fn = variable === undefined || variable.storage.kind === 'global' ? fc.checker.functions.get(name) : undefined;
  if (fn !== undefined) return checkFunctionCall(fc, fn, null, node);
  checkLoosely(fc, node);
  if (variable !== undefined) {
    variable.used = true;
    fc.checker.notes?.name(callee, variable);
    return variable.type.kind === 'invalid'
      ? invalid(node.span)
      : fc.fail(
          'notCallable',
          callee.span,
          { what: `'${name}', a variable of type ${formatType(variable.type)}` },
          { labels: declaredHere(variable) },
        );
  }
  if (findImport(fc, callee) !== undefined) return checkName(fc, callee);
  return fc.fail('unknownFunction', callee.span, { name }, functionAdvice(fc, node, callee, isStatement));
}

/** Advice for the name of a function that does not exist: what was probably meant. */
function functionAdvice(
  fc: FunctionChecker,
  node: CallNode,
  { text: name, span }: Syntax & { readonly kind: 'name' },
  isStatement: boolean,
): ReportOptions {
  const struct = fc.checker.structs.get(name);
  if (struct !== undefined) {
    const fields = struct.fields.map((field) => `${field.name}: …`).join(', ');
    return {
      help: `${name} is a type; its values are written as literals: ${name} x = { ${fields} };`,
      labels: declaredHere(struct),
    };
  }
  const elsewhere = findElsewhere(fc.checker, 'functions', name);
  if (elsewhere !== null) return { help: elsewhere };
  if (name === 'main')
    return { help: 'main runs by itself, and nothing calls it: what is run again goes into a function of its own.' };
  const foreign = foreignFunction(
    name,
    span,
    node.span,
    node.arguments.map((argument) => argument.span),
    isStatement,
  );
  if (foreign !== null) return foreign;
  const near = nearestName(name, fc.checker.functions.keys());
  if (near !== null)
    return {
      help: `Did you mean '${near}'?`,
      fix: spellingFix(span, name, near),
      labels: declaredHere(fc.checker.functions.get(near)!),
    };
  const owners = fc.checker.registry.libraries.filter(
    (library) => !library.preludeOnly && library.functions.some((row) => row.name === name),
  );
  if (owners.length === 0) return {};
  const written = owners.map((library) => (library.receiver === null ? `${library.name}.${name}(…)` : `x.${name}(…)`));
  return { help: `It belongs to the library: write ${[...new Set(written)].join(' or ')}.` };
}

/** A namespace's function, a built-in method, or a function whose first parameter takes the receiver. */
function checkMemberCall(
  fc: FunctionChecker,
  node: CallNode,
  callee: Syntax & { readonly kind: 'member' },
): Expression {
  const { object, member } = callee;
  const namespace = findNamespace(fc, object);
  if (namespace !== undefined) {
    const row = namespace.functions.find(({ name }) => name === member.text);
    if (row !== undefined && row.implementation.kind !== 'constant') return checkLibraryCall(fc, row, null, null, node);
    checkLoosely(fc, node);
    if (row !== undefined)
      return fc.fail(
        'notCallable',
        callee.span,
        { what: `the constant ${row.id}` },
        {
          help: 'Leave the parentheses away.',
          ...(node.arguments.length > 0
            ? {}
            : { fix: sureFix('leave the parentheses away', { ...node.span, start: callee.span.end }, '') }),
        },
      );
    return reportUnknownFunction(fc, namespace, member.text, member.span);
  }
  const imported = findImport(fc, object);
  if (imported !== undefined) return checkImportedCall(fc, node, callee, imported);
  const receiver = checkValue(fc, object);
  if (isInvalid(receiver)) {
    checkLoosely(fc, node);
    return invalid(node.span);
  }
  const match = fc.checker.registry.method(receiver.type, member.text);
  if (match !== undefined) return checkLibraryCall(fc, match.method, receiver, match.typeArgument, node);
  const fn = fc.checker.functions.get(member.text);
  if (fn !== undefined && takesReceiver(fn, receiver.type)) return checkFunctionCall(fc, fn, receiver, node);
  checkLoosely(fc, node);
  const elsewhere = fn === undefined ? findElsewhere(fc.checker, 'functions', member.text) : null;
  const advice =
    fn !== undefined
      ? { help: `The function ${fn.name} takes ${firstParameter(fn, receiver.type)} first.`, labels: declaredHere(fn) }
      : elsewhere !== null
        ? { help: elsewhere }
        : methodAdvice(fc, receiver, member.text, member.span, true);
  return fc.fail('unknownMethod', member.span, { type: formatType(receiver.type), method: member.text }, advice);
}

/** `ns.f(…)`: a function of an imported file. */
function checkImportedCall(
  fc: FunctionChecker,
  node: CallNode,
  callee: Syntax & { readonly kind: 'member' },
  imported: Import,
): Expression {
  const symbol = findImported(fc, imported, callee.member, 'function');
  if (symbol?.kind === 'function') return checkFunctionCall(fc, symbol, null, node);
  checkLoosely(fc, node);
  if (symbol === undefined) return invalid(node.span);
  return symbol.kind === 'struct'
    ? reportNoValue(fc, imported, symbol, callee.span)
    : fc.fail('notCallable', callee.span, {
        what: `'${imported.alias}.${symbol.name}', a variable of type ${formatType(symbol.type)}`,
      });
}

/** Whether a function may stand behind a value and a dot. */
export function takesReceiver(fn: FunctionSymbol, receiver: Type): boolean {
  const first = fn.parameters[0];
  if (first === undefined) return false;
  const type =
    first.variadic && first.type.kind === 'array' && receiver.kind !== 'array' ? first.type.element : first.type;
  if (fn.generic) return unify(type, receiver) !== undefined || sameType(type, receiver);
  return converts(receiver, type) || type.kind === 'invalid';
}

function firstParameter(fn: FunctionSymbol, receiver: Type): string {
  const first = fn.parameters[0];
  return first === undefined ? 'nothing' : formatApart(first.type, receiver);
}
