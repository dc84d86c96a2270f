// Variables: their declarations and names that stand for them.

import type { Declarator, Name, VariableDeclaration } from '../1-parse/syntax-tree.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import { formatType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { checkValue } from './conversions.ts';
import { foreignValues } from './foreign-names.ts';
import { isReserved } from './function-checker.ts';
import type { FunctionChecker } from './function-checker.ts';
import { defaultValue } from './literals.ts';
import { invalid, readVariable, writeVariable } from './nodes.ts';
import type { Variable } from './scope.ts';
import { resolveType } from './type-names.ts';
import type { Expression, Statement } from './typed-tree.ts';
import { purpose } from './wording.ts';

/**
 * A declaration has an initialiser, except for int (0), double (0.0) and boolean (false). The variable is
 * visible behind it.
 */
export function checkVariableDeclaration(fc: FunctionChecker, node: VariableDeclaration): Statement[] {
  const type = resolveType(fc.checker, node.type);
  return node.declarators.map((declarator, index) => {
    const value = checkInitialiser(fc, declarator, type);
    const variable = fc.declareLocal(declarator.name, type, { constant: node.constant, mustBeRead: true });
    return writeVariable(variable, value, index === 0 ? { ...declarator.span, start: node.span.start } : declarator.span);
  });
}

export function checkInitialiser(fc: FunctionChecker, declarator: Declarator, type: Type): Expression {
  const { name, initialiser, span } = declarator;
  if (initialiser !== null) {
    return checkValue(fc, initialiser, type, purpose(`'${name.text}' is`, type, [{ span: name.span, text: `declared as ${formatType(type)}` }]));
  }
  const value = defaultValue(type, span);
  if (value !== null) return value;
  if (type.kind !== 'invalid') {
    fc.report('missingInitialiser', name.span, { name: name.text, type: formatType(type) }, {
      fix: { description: 'begin with null', span: { ...span, start: span.end }, replacement: ' = null' },
    });
  }
  return invalid(span);
}

/** A name stands for the variable of the innermost scope that has it. */
export function checkName(fc: FunctionChecker, name: Name): Expression {
  const variable = findVariable(fc, name);
  if (variable === null) return invalid(name.span);
  variable.wasRead = true;
  return variable.type.kind === 'invalid' ? invalid(name.span) : readVariable(variable, name.span);
}

/** The variable of that name; what else it may be is reported. */
export function findVariable(fc: FunctionChecker, name: Name): Variable | null {
  const found = lookUp(fc, name.text);
  if (found !== undefined) return found;
  reportNoVariable(fc, name);
  return null;
}

function lookUp(fc: FunctionChecker, name: string): Variable | undefined {
  return fc.scope.find(name) ?? (fc.isTopLevel ? undefined : fc.checker.globals.get(name));
}

function reportNoVariable(fc: FunctionChecker, { text, span }: Name): void {
  const { checker } = fc;
  const known = checker.names.get(text);
  const labels = known === undefined ? [] : [{ span: known.declared, text: `'${text}' is declared here` }];
  if (isReserved(checker, text)) return reportNamespace(fc, text, span);
  if (known?.kind === 'function') {
    const fix = { description: `call ${text}`, span: { ...span, start: span.end }, replacement: '()' };
    const takesNothing = checker.functions.get(text)?.parameters.length === 0;
    return fc.report('functionAsValue', span, { name: text }, { labels, ...(takesNothing ? { fix } : {}) });
  }
  if (known?.kind === 'type') return fc.report('typeAsValue', span, { name: text }, { labels });
  if (known?.kind === 'variable') return fc.report('usedBeforeDeclaration', span, { name: text }, { labels });
  const help = foreignValues.get(text) ?? didYouMean(text, visibleNames(fc));
  fc.report('unknownName', span, { name: text }, help === null ? {} : { help });
}

function reportNamespace(fc: FunctionChecker, name: string, span: Span): void {
  const example = fc.checker.registry.namespace(name)?.functions[0];
  fc.report('namespaceAsValue', span, { name }, example === undefined ? {} : { help: `Use something of it, such as ${name}.${example.name}.` });
}

/** Names that may stand where a value is expected, for suggestions. */
export function visibleNames(fc: FunctionChecker): string[] {
  const { checker } = fc;
  const namespaces = checker.registry.libraries.filter((library) => library.receiver === null && (!library.preludeOnly || checker.isPrelude));
  return [...fc.scope.names(), ...checker.globals.keys(), ...checker.functions.keys(), ...namespaces.map((library) => library.name)];
}
