// Generate function: for a call of one that does not exist, a function that takes what the call gives and has the type
// that its place asks for. It throws until somebody writes it.

import type { Expression } from '../1-parse/syntax-tree.ts';
import type { CallSyntax } from '../2-check/notes.ts';
import { catalog } from '../diagnostics/catalog.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { keywords } from '../language/keywords.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import { typeText } from './descriptions.ts';
import { nameOfValue, typeIn } from './refactorings/names.ts';
import { lineBreakOf, step } from './refactorings/layout.ts';
import { pathInFile } from './refactorings/nodes.ts';
import { itemBehind } from './refactorings/new-function.ts';
import type { CodeAction } from './results.ts';
import type { SyntaxNode } from './syntax-nodes.ts';

const codes: readonly string[] = [catalog.unknownFunction.code, catalog.unknownMethod.code];

export function generateActions(
  analysis: Analysis,
  file: AnalysedFile,
  diagnostics: readonly Diagnostic[],
): readonly CodeAction[] {
  return diagnostics
    .filter(({ code }) => codes.includes(code))
    .flatMap((diagnostic) => {
      const entry = file.index.nameAt(diagnostic.span.start);
      const call = entry === null ? null : file.index.callOf(entry.node);
      return entry === null || call === null ? [] : (generate(analysis, file, diagnostic, entry.name.text, call) ?? []);
    });
}

function generate(
  analysis: Analysis,
  file: AnalysedFile,
  diagnostic: Diagnostic,
  name: string,
  call: CallSyntax,
): CodeAction | null {
  const path = pathInFile(file, call);
  const [item] = path;
  const isTaken =
    file.notes?.names.functions.has(name) === true || file.index.resolve(name, 0) !== null || keywords.includes(name);
  if (item === undefined || isTaken || 'isBroken' in item) return null;
  const receiver = call.callee.kind === 'member' ? [call.callee.object] : [];
  const parameters = parametersOf(analysis, file, [...receiver, ...call.arguments]);
  const lineBreak = lineBreakOf(file.source.text);
  const head = `${resultOf(analysis, file, call, path)} ${name}(${parameters.join(', ')}) {`;
  const body = `${step}throw "${name} is not written yet";`;
  const { end } = itemBehind(file, path);
  return {
    title: `Generate function '${name}'`,
    kind: 'quick-fix',
    edits: [
      {
        span: { file: file.source, start: end, end },
        text: `${lineBreak}${lineBreak}${head}${lineBreak}${body}${lineBreak}}`,
      },
    ],
    isPreferred: false,
    diagnostic,
    rename: null,
    disabled: null,
  };
}

/** Of each argument its type, and a name that no other one has. */
function parametersOf(analysis: Analysis, file: AnalysedFile, values: readonly Expression[]): readonly string[] {
  const used = new Set<string>();
  return values.map((value) => {
    const type = analysis.notes.typeOf(value);
    const wanted = type === undefined ? 'value' : nameOfValue(value, type);
    const isTaken = (name: string): boolean =>
      used.has(name) || keywords.includes(name) || analysis.registry.namespace(name) !== undefined;
    let name = wanted;
    for (let number = 2; isTaken(name); number++) name = `${wanted}${number}`;
    used.add(name);
    return `${typeOfValue(analysis, file, value)} ${name}`;
  });
}

/** The type of a value; json, which may be anything, where that is not known. */
function typeOfValue(analysis: Analysis, file: AnalysedFile, value: Expression): string {
  const type = analysis.notes.typeOf(value);
  const written = type === undefined ? null : typeIn(analysis, file, type);
  // Literals of a call that is wrong are not checked.
  return written ?? (value.kind === 'array-literal' ? typeOfElements(value.elements) : 'json');
}

const elementTypes: Readonly<Record<string, string>> = {
  'int-literal': 'int[]',
  'double-literal': 'double[]',
  'string-literal': 'string[]',
  template: 'string[]',
  'boolean-literal': 'boolean[]',
};

function typeOfElements(elements: readonly Expression[]): string {
  const types = new Set(elements.map(({ kind }) => elementTypes[kind] ?? 'json'));
  const [first] = types;
  if (first === undefined) return 'json';
  if (types.size === 1) return first;
  return types.size === 2 && types.has('int[]') && types.has('double[]') ? 'double[]' : 'json';
}

/** The type that the place of a call asks for. */
function resultOf(analysis: Analysis, file: AnalysedFile, call: CallSyntax, path: readonly SyntaxNode[]): string {
  const parent = path.at(-2);
  if (parent?.kind === 'expression-statement') return 'void';
  const expected = analysis.notes.expectedAt(call);
  const written = expected === undefined ? null : typeIn(analysis, file, expected);
  if (written !== null) return written;
  if (parent?.kind === 'binary') return resultBeside(analysis, file, parent, call);
  if (parent?.kind === 'unary') return parent.operator === '!' ? 'boolean' : 'int';
  if (parent?.kind === 'foreach') return `${typeText(parent.type)}[]`;
  if (parent?.kind === 'conditional')
    return typeOfValue(analysis, file, parent.then === call ? parent.otherwise : parent.then);
  return parent?.kind === 'template' || parent?.kind === 'throw' ? 'string' : 'json';
}

/** An operand is mostly of the type of the other one. */
function resultBeside(
  analysis: Analysis,
  file: AnalysedFile,
  { operator, left, right }: SyntaxNode & { readonly kind: 'binary' },
  call: CallSyntax,
): string {
  if (operator === '&&' || operator === '||') return 'boolean';
  const other = left === call ? right : left;
  const type = typeOfValue(analysis, file, other);
  return type === 'json' && operator !== '==' && operator !== '!=' ? 'int' : type;
}
