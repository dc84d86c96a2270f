// Names of imported files: `ns.f(…)`, `ns.g`, `ns.T`.

import type { Expression as Syntax, Name } from '../1-parse/syntax-tree.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import { spellingAdvice } from '../diagnostics/fixes.ts';
import type { Span } from '../source.ts';
import type { Checker, FunctionChecker, Import } from './checker.ts';
import type { FunctionSymbol, StructSymbol, VariableSymbol } from './symbols.ts';
import type { Expression } from './typed-tree.ts';

/** The import that an expression names, if no variable hides it. */
export function findImport(fc: FunctionChecker, node: Syntax): Import | undefined {
  if (node.kind !== 'name' || fc.find(node.text) !== undefined) return undefined;
  const found = fc.checker.import(node.text);
  if (found !== undefined) noteImport(fc.checker, node, found);
  return found;
}

/** Notes that a name is that of an import. */
export function noteImport(checker: Checker, name: Pick<Name, 'span'>, { alias, span, checker: owner }: Import): void {
  checker.notes?.name(name, { kind: 'import', name: alias, span, module: owner === null ? null : owner.moduleId });
}

/** What a name behind that of an import stands for; undefined for one that has been reported. */
export function findImported(
  fc: FunctionChecker,
  imported: Import,
  member: Name,
  what: 'function' | 'variable' | 'type',
): FunctionSymbol | StructSymbol | VariableSymbol | undefined {
  const { checker, alias } = imported;
  if (checker === null) return undefined;
  const found = checker.topLevel(member.text);
  // What it lacks may be what could not be read.
  if (found === undefined && checker.isBroken) return undefined;
  if (found === undefined)
    fc.report('notInImport', member.span, { alias, name: member.text, what }, adviceFor(checker, alias, member));
  else fc.checker.notes?.name(member, found);
  return found;
}

function adviceFor(checker: Checker, alias: string, { text: name, span }: Name): ReportOptions {
  if (name === 'main')
    return { help: `The main of an imported file is no function: move what you need of it into one, ${alias}.f(…).` };
  if (checker.imports.has(name))
    return { help: 'What an imported file imports is not visible here: import that file in this one too.' };
  const names = [...checker.functions.keys(), ...checker.structs.keys(), ...checker.globals.keys()];
  return spellingAdvice(span, name, names) ?? {};
}

/** Advice for a name without a qualifier that an imported file declares; null if no file declares it. */
export function findElsewhere(
  checker: Checker,
  kind: 'functions' | 'structs' | 'globals',
  name: string,
): string | null {
  for (const { alias, checker: imported } of checker.imports.values()) {
    if (imported?.[kind].has(name) === true)
      return `It is declared in an imported file: write ${alias}.${name}${kind === 'functions' ? '(…)' : ''}.`;
  }
  return null;
}

/** A function or a type of an imported file where a value should stand. */
export function reportNoValue(
  fc: FunctionChecker,
  imported: Import,
  symbol: FunctionSymbol | StructSymbol,
  span: Span,
): Expression {
  const name = `${imported.alias}.${symbol.name}`;
  const [what, help] =
    symbol.kind === 'function'
      ? ['a function', `Call it: ${name}(…).`]
      : ['a type', `A value of it is written as a literal: ${name} x = { … };`];
  return fc.fail('nameIsNoValue', span, { name, what }, { help });
}

/** Notes the imports of a file, by the names that it gives them. */
export function declareImports(
  checker: Checker,
  imports: Iterable<{ readonly alias: Name; readonly checker: Checker | null }>,
  isReserved: (name: Name) => boolean,
): void {
  for (const { alias, checker: owner } of imports) {
    const first = checker.imports.get(alias.text);
    if (first !== undefined)
      checker.report(
        'duplicateName',
        alias.span,
        { name: alias.text },
        { labels: [{ span: first.span, text: 'first declared here' }] },
      );
    else if (!isReserved(alias)) {
      const made: Import = { alias: alias.text, span: alias.span, checker: owner, used: false };
      checker.imports.set(alias.text, made);
      noteImport(checker, alias, made);
    }
  }
}
