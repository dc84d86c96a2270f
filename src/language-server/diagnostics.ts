// Diagnostics as the protocol has them: other places as related information, advice behind the message, a link to the
// explanation, and the edit that mends the fault as data, which comes back when fixes are asked for.

import { DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type { Diagnostic as ProtocolDiagnostic, TextEdit } from 'vscode-languageserver';
import { catalog } from '../diagnostics/catalog.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Places } from './places.ts';

/** What a client gets with a diagnostic, and hands back with a request for code actions. */
export interface DiagnosticData {
  readonly fix: {
    readonly title: string;
    readonly sure: boolean;
    readonly uri: string;
    readonly edit: TextEdit;
  } | null;
}

/** `explanations` is what an address of an explanation begins with; the code follows. Null for no link. */
export function protocolDiagnostic(
  diagnostic: Diagnostic,
  places: Places,
  explanations: string | null,
): ProtocolDiagnostic {
  const { code, severity, message, help, span, labels, fix } = diagnostic;
  const data: DiagnosticData = {
    fix:
      fix === null
        ? null
        : {
            title: fix.description,
            sure: fix.sure,
            uri: places.uriOf(fix.span.file),
            edit: { range: places.range(fix.span), newText: fix.replacement },
          },
  };
  const tags = tagsOf(diagnostic);
  return {
    range: places.range(span),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    ...(explanations === null ? {} : { codeDescription: { href: explanations + code } }),
    source: 'sluice',
    message: help === null ? message : `${message}\n${help}`,
    ...(labels.length === 0
      ? {}
      : {
          relatedInformation: labels.map((label) => ({ location: places.location(label.span), message: label.text })),
        }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    data,
  };
}

/** Code that can go without anything being lost: editors fade it. */
const unnecessary: ReadonlySet<string> = new Set(
  [catalog.unreachableCode, catalog.unusedVariable, catalog.unusedImport].map(({ code }) => code),
);

function tagsOf({ code }: Diagnostic): readonly DiagnosticTag[] {
  return unnecessary.has(code) ? [DiagnosticTag.Unnecessary] : [];
}
