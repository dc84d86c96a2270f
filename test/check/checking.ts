// Scripts, checked: what the tests of the second room look at.

import { check } from '../../src/2-check/check.ts';
import type { CheckedFunction, CheckedProgram, Expression, Statement } from '../../src/2-check/typed-tree.ts';
import { loadModules } from '../../src/1-parse/load-modules.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { LibraryRegistry } from '../../src/library/registry.ts';
import { shownName } from '../../src/mir/locals.ts';
import { createSourceFile, positionAt } from '../../src/source.ts';

export interface Checked {
  readonly program: CheckedProgram;
  readonly diagnostics: readonly Diagnostic[];
}

export function checkText(text: string, options: { readonly prelude?: boolean } = {}): Checked {
  const sink = new DiagnosticSink();
  const modules = loadModules(createSourceFile('test.slu', text), sink, null);
  const program = check(modules, sink, { registry: new LibraryRegistry(), ...options });
  return { program, diagnostics: sink.sorted() };
}

/** Each diagnostic as `line:column message`. */
export function messagesOf(text: string): string[] {
  return checkText(text).diagnostics.map((diagnostic) => {
    const { line, column } = positionAt(diagnostic.span.file, diagnostic.span.start);
    return `${line}:${column} ${diagnostic.message}`;
  });
}

/** The only diagnostic of a script. */
export function onlyDiagnostic(text: string): Diagnostic {
  const { diagnostics } = checkText(text);
  if (diagnostics.length !== 1)
    throw new Error(`expected one diagnostic, got ${JSON.stringify(diagnostics.map(({ message }) => message))}`);
  return diagnostics[0]!;
}

/** The script with the fix of its only diagnostic applied. */
export function fixed(text: string): string {
  const { fix } = onlyDiagnostic(text);
  if (fix === null) throw new Error('there is no fix');
  return text.slice(0, fix.span.start) + fix.replacement + text.slice(fix.span.end);
}

/** The program of a script without any diagnostic. */
export function programOf(text: string, options: { readonly prelude?: boolean } = {}): CheckedProgram {
  const { program, diagnostics } = checkText(text, options);
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return program;
}

/** A function of the program as text: one line a statement, with names for locals. */
export function show(fn: CheckedFunction): string[] {
  const name = (local: number): string => shownName(fn.locals[local]!);
  const list = (nodes: readonly Expression[]): string => nodes.map(value).join(', ');

  function value(node: Expression): string {
    switch (node.kind) {
      case 'int':
      case 'boolean':
        return String(node.value);
      case 'double':
        return Number.isInteger(node.value) ? node.value.toFixed(1) : String(node.value);
      case 'string':
        return JSON.stringify(node.value);
      case 'null':
      case 'invalid':
        return node.kind;
      case 'get-local':
        return name(node.local);
      case 'get-global':
        return node.global;
      case 'get-field':
        return `${value(node.object)}.${node.field}`;
      case 'get-element':
        return `${value(node.array)}[${value(node.index)}]${node.checked ? '' : ' unchecked'}`;
      case 'operate':
        return node.operands.length === 1
          ? `(${node.operator.slice(0, node.operator.indexOf('('))}${value(node.operands[0]!)})`
          : `(${node.operands.map(value).join(` ${node.operator.slice(0, node.operator.indexOf('('))} `)})`;
      case 'logical':
        return `(${value(node.left)} ${node.operator} ${value(node.right)})`;
      case 'conditional':
        return `(${value(node.condition)} ? ${value(node.then)} : ${value(node.otherwise)})`;
      case 'widen':
        return `widen(${value(node.operand)})`;
      case 'is-null':
        return `isNull(${value(node.operand)})`;
      case 'same-object':
        return `same(${value(node.left)}, ${value(node.right)})`;
      case 'call':
      case 'library-call':
        return `${node.function}(${list(node.arguments)})`;
      case 'array-literal':
        return `[${list(node.elements)}]`;
      case 'struct-literal':
        return `{${node.fields.map((field) => `${field.field}: ${value(field.value)}`).join(', ')}}`;
      case 'new-array':
        return `new[${list(node.lengths)}]`;
      case 'to-text':
        return `text(${value(node.operand)})`;
      case 'concat':
        return `concat(${list(node.parts)})`;
      case 'to-json':
        return `json(${value(node.operand)})`;
      case 'json-object':
        return `{${node.members.map((member) => `${member.key}: ${value(member.value)}`).join(', ')}}`;
      case 'json-array':
        return `[${list(node.elements)}]`;
      case 'get-member':
        return `${value(node.json)}[${value(node.key)}]`;
      case 'get-item':
        return `${value(node.json)}[${value(node.index)}]`;
      case 'item-count':
        return `count(${value(node.json)})`;
      case 'cast':
        return `cast(${value(node.operand)})`;
      case 'sequence':
        return `(${node.statements.flatMap(lines).join('; ')}; ${value(node.value)})`;
    }
  }

  function lines(node: Statement): string[] {
    const indent = (nodes: readonly Statement[]): string[] => nodes.flatMap(lines).map((line) => `  ${line}`);
    switch (node.kind) {
      case 'set-local':
        return [`${name(node.local)} = ${value(node.value)}`];
      case 'set-global':
        return [`${node.global} = ${value(node.value)}`];
      case 'set-field':
        return [`${value(node.object)}.${node.field} = ${value(node.value)}`];
      case 'set-element':
        return [`${value(node.array)}[${value(node.index)}] = ${value(node.value)}`];
      case 'set-member':
        return [`${value(node.json)}[${value(node.key)}] = ${value(node.value)}`];
      case 'set-item':
        return [`${value(node.json)}[${value(node.index)}] = ${value(node.value)}`];
      case 'evaluate':
        return [value(node.expression)];
      case 'if':
        return [
          `if ${value(node.condition)}`,
          ...indent(node.then),
          ...(node.otherwise.length === 0 ? [] : ['else', ...indent(node.otherwise)]),
        ];
      case 'loop': {
        const test =
          `${node.testFirst ? 'while' : 'until not'} ` + (node.condition === null ? 'true' : value(node.condition));
        return [
          `loop ${test}`,
          ...indent(node.body),
          ...(node.step.length === 0 ? [] : ['step', ...indent(node.step)]),
        ];
      }
      case 'break':
      case 'continue':
        return [node.kind];
      case 'return':
      case 'finish':
        return [`${node.kind}${node.value === null ? '' : ` ${value(node.value)}`}`];
      case 'yield':
        return [`yield ${value(node.value)}`];
      case 'throw':
        return [`throw ${value(node.message)}`];
      case 'try':
        return [
          'try',
          ...indent(node.body),
          ...node.clauses.flatMap((clause) => [
            `catch ${clause.errorType ?? 'any'} ${name(clause.local)}`,
            ...indent(clause.body),
          ]),
        ];
      case 'block':
        return node.statements.flatMap(lines);
    }
  }

  return fn.body.flatMap(lines);
}

/** The entry of a program as text. */
export function showEntry(text: string): string[] {
  return show(programOf(text).entry!);
}
