// Every message of the compiler, once. A row gives the code, the sentence with its typed parameters,
// what to do, and the explanation that `sluice explain CODE` prints. Codes are never reused:
// E1xxx parse, E2xxx check, E3xxx limits, W5xxx warnings.

import type { Span } from '../source.ts';
import type { Diagnostic, DiagnosticSink, DiagnosticType, Fix, Label } from './diagnostic.ts';
import { importFaults } from './catalog/imports.ts';
import { jsonFaults } from './catalog/json.ts';
import { limitFaults } from './catalog/limits.ts';
import { literalFaults } from './catalog/literals.ts';
import { programFaults } from './catalog/programs.ts';
import { semanticFaults } from './catalog/semantic.ts';
import { syntaxFaults } from './catalog/syntax.ts';
import { warnings } from './catalog/warnings.ts';

export const catalog = {
  ...syntaxFaults,
  ...literalFaults,
  ...semanticFaults,
  ...programFaults,
  ...jsonFaults,
  ...importFaults,
  ...limitFaults,
  ...warnings,
};

export type FaultKey = keyof typeof catalog;
type Parameters<Key extends FaultKey> = (typeof catalog)[Key]['message'] extends (parameters: infer P) => string
  ? P
  : never;

const typeByPrefix: Readonly<Record<string, DiagnosticType>> = {
  E1: 'SyntaxError',
  E2: 'SemanticError',
  E3: 'LimitError',
  W5: 'Warning',
};

/** What a report may have besides the parameters of its message. */
export interface ReportOptions {
  /** Replaces the row's own advice. */
  readonly help?: string | null;
  readonly labels?: readonly Label[];
  readonly fix?: Fix;
}

/** Reports the fault `key` at `span`. */
export function report<Key extends FaultKey>(
  sink: DiagnosticSink,
  key: Key,
  span: Span,
  parameters: Parameters<Key>,
  options: ReportOptions = {},
): void {
  sink.add(createDiagnostic(key, span, parameters, options));
}

/** The diagnostic of a fault, for callers without a sink. */
export function createDiagnostic<Key extends FaultKey>(
  key: Key,
  span: Span,
  parameters: Parameters<Key>,
  options: ReportOptions = {},
): Diagnostic {
  const row = catalog[key];
  const type = typeByPrefix[row.code.slice(0, 2)]!;
  const message = (row.message as (parameters: Parameters<Key>) => string)(parameters);
  return {
    code: row.code,
    type,
    severity: type === 'Warning' ? 'warning' : 'error',
    message,
    help: options.help === undefined ? row.help : options.help,
    span,
    labels: options.labels ?? [],
    fix: options.fix ?? null,
  };
}
