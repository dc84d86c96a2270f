// Takes the text of a conformance case, compiles and runs it, and compares what happens with the expectations
// that stand in it, in any engine: conformance-cases.ts reads the files. README.md beside the cases describes the
// notation; conformance.test.ts runs them all, engines/ does so elsewhere.

import { loadScript, ScriptError } from '../runtime-host/api/index.ts';
import type { Arguments } from '../runtime-host/api/index.ts';
import { compile, memoryReader } from '../src/index.ts';
import type { Diagnostic, EmitOptions, SourceReader } from '../src/index.ts';
import { positionAt } from '../src/source.ts';
import { lab } from './lab.ts';
import { worldFor } from './world.ts';
import type { Grants } from './world.ts';

/** A text that a value must print as, and the line that says so. */
interface Output {
  readonly line: number;
  readonly text: string;
}

/** A diagnostic or run-time error; null parts are not compared. */
interface Fault {
  readonly line: number;
  readonly type: string | null;
  readonly code: string | null;
  readonly fragment: string | null;
}

export interface Case {
  /** `topic/rule.slu`. */
  readonly name: string;
  readonly text: string;
  /** In the order in which they must come. */
  readonly outputs: readonly Output[];
  readonly errors: readonly Fault[];
  readonly warnings: readonly Fault[];
  readonly throws: Fault | null;
  /** The host refuses the arguments. */
  readonly refused: Fault | null;
  readonly arguments: Arguments;
  readonly ignoresWarnings: boolean;
  /** What the host grants, as in world.ts. */
  readonly grants: Grants;
}

const marker = /\/\/ (expect|output|error|warning|throws|refused|args|allow|grants)(?::(?= |$)|(?=\s*$)|(?= \/\/ ))/g;

/** Throws an Error that says what is wrong with a case that is not well formed. */
export function readCase(name: string, text: string): Case {
  const found = {
    outputs: [] as Output[],
    listed: [] as Output[],
    error: [] as Fault[],
    warning: [] as Fault[],
    throws: [] as Fault[],
    refused: [] as Fault[],
  };
  let values: Arguments = {};
  let ignoresWarnings = false;
  let grants: Grants = {};
  text.split('\n').forEach((content, index) => {
    const line = index + 1;
    for (const { kind, argument } of readMarkers(content)) {
      switch (kind) {
        case 'expect':
          found.outputs.push(...readOutputs(argument).map((output) => ({ line, text: output })));
          break;
        case 'output':
          found.listed.push(...readOutputs(argument).map((output) => ({ line, text: output })));
          break;
        case 'error':
        case 'warning':
        case 'throws':
        case 'refused':
          found[kind].push(readFault(argument, line, name));
          break;
        case 'args':
          values = parseArguments(argument);
          break;
        case 'grants':
          grants = JSON.parse(argument) as Grants;
          break;
        case 'allow':
          if (argument !== 'warnings') throw new Error(`${name}:${line}: only warnings can be allowed`);
          ignoresWarnings = true;
          break;
        default:
          throw new Error(`${name}:${line}: unknown marker ${kind}`);
      }
    }
  });
  const runs = found.outputs.length + found.listed.length + found.throws.length;
  if (found.outputs.length > 0 && found.listed.length > 0) throw new Error(`${name}: either expect or output`);
  if (found.error.length > 0 && runs + found.refused.length > 0)
    throw new Error(`${name}: a case with errors does not run`);
  if (found.refused.length > 0 && runs > 0) throw new Error(`${name}: a case that is refused does not run`);
  if (found.throws.length > 1 || found.refused.length > 1) throw new Error(`${name}: a run fails once`);
  return {
    name,
    text,
    outputs: [...found.outputs, ...found.listed],
    errors: found.error,
    warnings: found.warning,
    throws: found.throws[0] ?? null,
    refused: found.refused[0] ?? null,
    arguments: values,
    ignoresWarnings,
    grants,
  };
}

function readMarkers(content: string): { kind: string; argument: string }[] {
  const matches = [...content.matchAll(marker)];
  return matches.map((match, at) => ({
    kind: match[1]!,
    argument: content.slice(match.index + match[0].length, matches[at + 1]?.index ?? content.length).trim(),
  }));
}

/** Texts between ` | `; one in double quotes is a JSON string. */
function readOutputs(argument: string): string[] {
  const outputs: string[] = [];
  let rest = argument;
  while (true) {
    const quoted = /^"(?:[^"\\]|\\.)*"(?= \| |$)/.exec(rest)?.[0];
    const end = rest.indexOf(' | ');
    const item = quoted ?? (end < 0 ? rest : rest.slice(0, end));
    outputs.push(quoted === undefined ? item : (JSON.parse(quoted) as string));
    if (item.length === rest.length) return outputs;
    rest = rest.slice(item.length + ' | '.length);
  }
}

/** `SemanticError E2001 "part of the message"`, any of the three. */
function readFault(argument: string, line: number, name: string): Fault {
  const match = /^(?<type>[A-Z][A-Za-z]*[a-z])? ?(?<code>[EW]\d{4})? ?(?<fragment>"(?:[^"\\]|\\.)*")?$/.exec(
    argument,
  )?.groups;
  if (match === undefined)
    throw new Error(`${name}:${line}: not a type, a code or a quoted part of a message: ${argument}`);
  const fragment = match['fragment'];
  return {
    line,
    type: match['type'] ?? null,
    code: match['code'] ?? null,
    fragment: fragment === undefined ? null : (JSON.parse(fragment) as string),
  };
}

/** JSON, with integers that a double does not hold exactly as bigint. */
function parseArguments(json: string): Arguments {
  const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context!.source!)
      : value;
  return JSON.parse(json, revive) as Arguments;
}

/**
 * The files of a text in which lines such as `// file: geometry.slu` begin another one. Line numbers stay those of the
 * whole text: a file has empty lines for all that is before it.
 */
export function splitFiles(name: string, text: string): { readonly text: string; readonly reader: SourceReader } {
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const files: Record<string, string> = {};
  const parts = [...text.matchAll(/^\/\/ file: (\S+)$/gm)];
  parts.forEach((part, at) => {
    const before = text.slice(0, part.index).replace(/[^\n]/g, '');
    files[folder + part[1]!] = before + text.slice(part.index, parts[at + 1]?.index ?? text.length);
  });
  return { text: text.slice(0, parts[0]?.index ?? text.length), reader: memoryReader({ ...files, [name]: text }) };
}

/** The plugins of a case: those of the topic `plugins` have one, and no other has. */
export function pluginsOf({ name }: Pick<Case, 'name'>): readonly unknown[] {
  return name.startsWith('plugins/') ? [lab] : [];
}

/** What a failing case prints, a line for each deviation: `file:line: expected …, got …`. */
export async function checkCase(testCase: Case, options: EmitOptions = {}): Promise<string[]> {
  const { text, reader } = splitFiles(testCase.name, testCase.text);
  const { diagnostics, artifact } = await compile(testCase.name, text, {
    ...options,
    reader,
    plugins: pluginsOf(testCase),
  });
  const complaints = [
    ...compareDiagnostics(
      testCase,
      testCase.errors,
      diagnostics.filter((found) => found.severity === 'error'),
    ),
    ...(testCase.ignoresWarnings
      ? []
      : compareDiagnostics(
          testCase,
          testCase.warnings,
          diagnostics.filter((found) => found.severity === 'warning'),
        )),
  ];
  if (complaints.length > 0 || testCase.errors.length > 0) return complaints;
  if (artifact === null) return [`${testCase.name}:1: expected a module, got none`];
  return runModule(testCase, artifact.wasm);
}

function compareDiagnostics(testCase: Case, expected: readonly Fault[], found: readonly Diagnostic[]): string[] {
  const left = [...found];
  const complaints: string[] = [];
  for (const fault of expected) {
    const at = left.findIndex((diagnostic) => matchesDiagnostic(fault, diagnostic));
    if (at >= 0) left.splice(at, 1);
    else
      complaints.push(
        `${testCase.name}:${fault.line}: expected ${describeFault(fault)}, got ${describeLine(found, fault.line)}`,
      );
  }
  for (const diagnostic of left) {
    complaints.push(
      `${testCase.name}:${lineOf(diagnostic)}: expected nothing more, got ${describeDiagnostic(diagnostic)}`,
    );
  }
  return complaints;
}

function matchesDiagnostic(fault: Fault, diagnostic: Diagnostic): boolean {
  return (
    fault.line === lineOf(diagnostic) &&
    (fault.type === null || fault.type === diagnostic.type) &&
    (fault.code === null || fault.code === diagnostic.code) &&
    (fault.fragment === null || `${diagnostic.message}\n${diagnostic.help ?? ''}`.includes(fault.fragment))
  );
}

async function runModule(testCase: Case, wasm: Uint8Array): Promise<string[]> {
  const script = await loadScript(wasm, { ...worldFor(testCase.grants), plugins: pluginsOf(testCase) });
  const outputs: string[] = [];
  let failure: ScriptError | null = null;
  try {
    const run = script.run(testCase.arguments);
    await run.forEach((_value, text) => outputs.push(text()));
    const result = await run.resultText;
    if (result !== undefined) outputs.push(result);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    failure = error;
  }
  return [...compareOutputs(testCase, outputs), ...compareFailure(testCase, failure)];
}

function compareOutputs(testCase: Case, outputs: readonly string[]): string[] {
  const complaints: string[] = [];
  for (let at = 0; at < Math.max(outputs.length, testCase.outputs.length); at++) {
    const expected = testCase.outputs[at];
    const found = outputs[at];
    if (expected?.text === found) continue;
    const line = expected?.line ?? testCase.outputs.at(-1)?.line ?? 1;
    const wanted = expected === undefined ? 'no more output' : JSON.stringify(expected.text);
    complaints.push(
      `${testCase.name}:${line}: expected ${wanted}, ` +
        `got ${found === undefined ? 'no more output' : JSON.stringify(found)}`,
    );
  }
  return complaints;
}

function compareFailure(testCase: Case, failure: ScriptError | null): string[] {
  const expected = testCase.throws ?? testCase.refused;
  if (expected === null && failure === null) return [];
  const place = failure?.frames[0];
  const found = failure === null ? 'no error' : `${failure.name} "${failure.message}" at line ${place?.line ?? 'none'}`;
  if (expected === null) return [`${testCase.name}:${place?.line ?? 1}: expected no error, got ${found}`];
  const matches =
    failure !== null &&
    (expected.type === null || expected.type === failure.name) &&
    (expected.fragment === null || failure.message.includes(expected.fragment)) &&
    (testCase.throws === null ? place === undefined : place?.line === expected.line);
  return matches ? [] : [`${testCase.name}:${expected.line}: expected ${describeFault(expected)}, got ${found}`];
}

function lineOf(diagnostic: Diagnostic): number {
  return positionAt(diagnostic.span.file, diagnostic.span.start).line;
}

function describeFault(fault: Fault): string {
  const parts = [fault.type ?? 'an error', fault.code, fault.fragment === null ? null : JSON.stringify(fault.fragment)];
  return parts.filter((part) => part !== null).join(' ');
}

function describeDiagnostic(diagnostic: Diagnostic): string {
  const help = diagnostic.help === null ? '' : ` (${diagnostic.help})`;
  return `${diagnostic.type} ${diagnostic.code} ${JSON.stringify(diagnostic.message)}${help}`;
}

function describeLine(found: readonly Diagnostic[], line: number): string {
  const here = found.filter((diagnostic) => lineOf(diagnostic) === line);
  return here.length === 0 ? 'nothing on that line' : here.map(describeDiagnostic).join(' and ');
}
