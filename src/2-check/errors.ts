// throw, try and catch.

import type { Statement as StatementSyntax, TryStatement } from '../1-parse/syntax-tree.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import { wordFix } from '../diagnostics/fixes.ts';
import { errorTypes, findErrorType } from '../language/errors.ts';
import { nearestName } from '../language/nearest-name.ts';
import { stringType } from '../language/types.ts';
import type { Span } from '../source.ts';
import { isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import { testReserved } from './declarations.ts';
import { checkAs } from './conversions.ts';
import { checkStatements } from './bodies.ts';
import type { CatchClause, Statement } from './typed-tree.ts';
import { declareParameter } from './variables.ts';

/** The script runs as it is, where the clause takes nothing: no edit is sure. */
function adviceForErrorType(name: string, span: Span): ReportOptions {
  const near = nearestName(
    name,
    errorTypes.map((type) => type.name),
  );
  return near === null
    ? { help: 'catch (e) takes every error.' }
    : { help: `Did you mean '${near}'?`, fix: wordFix(span, near, false) };
}

/** The message of an error is a string. */
export function checkThrow(fc: FunctionChecker, node: StatementSyntax & { readonly kind: 'throw' }): Statement[] {
  const message = checkAs(fc, node.value, stringType);
  fc.reachable = false;
  return isInvalid(message) ? [] : [{ kind: 'throw', message, span: node.span }];
}

/**
 * Clauses are tried in order. A clause whose error is unknown never takes one, and is left out. A clause for a guard
 * error ends the run, so control never goes on behind it.
 */
export function checkTry(fc: FunctionChecker, node: TryStatement): Statement[] {
  const before = fc.reachable;
  const body = fc.inScope(() => checkStatements(fc, node.body.statements));
  let reachable = fc.reachable;
  const clauses: CatchClause[] = [];
  for (const clause of node.clauses) {
    fc.reachable = before;
    const known = clause.errorType === null ? undefined : findErrorType(clause.errorType.text);
    if (clause.errorType !== null && known === undefined) {
      const { text: name, span } = clause.errorType;
      fc.checker.warn('unknownErrorType', span, { name }, adviceForErrorType(name, span));
    }
    testReserved(fc.checker, clause.name);
    fc.inScope(() => {
      const variable = declareParameter(fc, clause.name.text, stringType, clause.name.span);
      const statements = fc.inScope(() => checkStatements(fc, clause.body.statements));
      if (variable.storage.kind !== 'local' || (clause.errorType !== null && known === undefined)) return;
      const { local } = variable.storage;
      clauses.push({ errorType: known?.id ?? null, local, body: statements, span: clause.span });
    });
    const goesOn = clause.errorType === null || known?.guard === false;
    reachable ||= goesOn && fc.reachable;
  }
  fc.reachable = reachable;
  return [{ kind: 'try', body, clauses, span: node.span }];
}
