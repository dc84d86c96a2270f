// Diagnostics for programs: JSON lines, SARIF 2.1.0, and annotations of GitHub. All come from the same record. Lines
// and columns count from 1, columns in characters (Unicode code points); an end is behind the last character.

import { positionAt } from '../source.ts';
import type { Span } from '../source.ts';
import type { Diagnostic } from './diagnostic.ts';
import { escapeControls } from './display.ts';
import { shownExample } from './fault.ts';
import type { Fault } from './fault.ts';

function placeOf(span: Span) {
  const start = positionAt(span.file, span.start);
  const end = positionAt(span.file, span.end);
  return { file: span.file.name, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}

/** The JSON form of a diagnostic. */
export function diagnosticRecord({ type, code, severity, message, span, help, labels, fix }: Diagnostic) {
  return {
    type,
    code,
    severity,
    message,
    ...placeOf(span),
    help,
    labels: labels.map((label) => ({ message: label.text, ...placeOf(label.span) })),
    fix:
      fix === null
        ? null
        : { description: fix.description, sure: fix.sure, replacement: fix.replacement, ...placeOf(fix.span) },
  };
}

/** `{"diagnostics":[…]}` */
export function diagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  return JSON.stringify({ diagnostics: diagnostics.map(diagnosticRecord) });
}

// GitHub

/** A line of `::error …::…` or `::warning …::…` for each diagnostic; '' if there are none. */
export function githubAnnotations(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(githubAnnotation).join('\n');
}

function githubAnnotation({ code, type, severity, message, span, help, labels }: Diagnostic): string {
  const { file, line, column, endLine, endColumn } = placeOf(span);
  // GitHub refuses columns for a range of several lines.
  const columns = line === endLine ? { col: column, endColumn } : {};
  const properties = Object.entries({ file, line, endLine, ...columns, title: `${type} ${code}` });
  const said = [
    message,
    ...labels.map((label) => `${pointer(label.span)}: ${label.text}`),
    ...(help === null ? [] : [`help: ${help}`]),
  ];
  // People read these lines in the log too.
  const written = properties.map(([name, value]) => `${name}=${escapeControls(escapeProperty(String(value)))}`);
  return `::${severity} ${written.join(',')}::${escapeControls(escapeData(said.join('\n')))}`;
}

function pointer(span: Span): string {
  const { file, line, column } = placeOf(span);
  return `${file}:${line}:${column}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

// SARIF

/** What is known about each code: it becomes a SARIF rule if a diagnostic has the code. */
export type Rules = ReadonlyMap<string, Pick<Fault<never>, 'explanation' | 'help' | 'wrong' | 'right'>>;

/** One run of the tool. Labels become related locations; fixes become replacements. */
export function sarifLog(diagnostics: readonly Diagnostic[], rules: Rules, version: string): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  return JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Sluice',
            semanticVersion: version,
            rules: codes.map((code) => sarifRule(code, diagnostics, rules)),
          },
        },
        columnKind: 'unicodeCodePoints',
        results: diagnostics.map((diagnostic) => sarifResult(diagnostic, codes.indexOf(diagnostic.code))),
      },
    ],
  });
}

function sarifRule(code: string, diagnostics: readonly Diagnostic[], rules: Rules) {
  const { severity, type } = diagnostics.find((diagnostic) => diagnostic.code === code)!;
  const row = rules.get(code);
  const explanation = row?.explanation ?? type;
  const advice = row?.help ?? null;
  const examples = row === undefined ? '' : `\n\nWrong:\n\n${fence(row.wrong)}\n\nRight:\n\n${fence(row.right)}`;
  return {
    id: code,
    shortDescription: { text: firstSentence(explanation) },
    fullDescription: { text: explanation },
    help: {
      text: `${explanation}${advice === null ? '' : `\n\n${advice}`}`,
      markdown: `${explanation}${advice === null ? '' : `\n\n${advice}`}${examples}`,
    },
    defaultConfiguration: { level: severity },
    properties: { tags: [type] },
  };
}

function fence(script: string): string {
  return `\`\`\`\n${shownExample(script)}\n\`\`\``;
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function sarifResult({ code, severity, message, help, span, labels, fix }: Diagnostic, ruleIndex: number) {
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: help === null ? sentence(message) : `${sentence(message)} ${help}` },
    locations: [{ physicalLocation: physicalLocation(span) }],
    ...(labels.length === 0
      ? {}
      : {
          relatedLocations: labels.map((label, id) => ({
            id,
            physicalLocation: physicalLocation(label.span),
            message: { text: label.text },
          })),
        }),
    ...(fix === null
      ? {}
      : {
          fixes: [
            {
              description: { text: fix.description },
              artifactChanges: [
                {
                  artifactLocation: { uri: uriOf(fix.span.file.name) },
                  replacements: [{ deletedRegion: regionOf(fix.span), insertedContent: { text: fix.replacement } }],
                },
              ],
            },
          ],
        }),
  };
}

function sentence(message: string): string {
  return `${message}${/[.?!]$/.test(message) ? '' : '.'}`;
}

function physicalLocation(span: Span) {
  return { artifactLocation: { uri: uriOf(span.file.name) }, region: regionOf(span) };
}

function regionOf(span: Span) {
  const { line, column, endLine, endColumn } = placeOf(span);
  return { startLine: line, startColumn: column, endLine, endColumn };
}

/** A path as a URI reference of RFC 3986: a relative path without a scheme, an absolute path with one. */
function uriOf(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  if (path.startsWith('/')) return `file://${parts}`;
  return /^[A-Za-z]:[\\/]/.test(path) ? `file:///${parts.replace('%3A', ':')}` : parts;
}
