// Declarations as one line of the language, for hovers, completion and signatures.

import type { FunctionDeclaration, MainDeclaration, Parameter, TypeSyntax } from '../1-parse/syntax-tree.ts';
import { formatType, substitute } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { LibraryFunction } from '../library/declare.ts';
import type { LibraryParameter } from '../library/signature.ts';
import { describeFunction } from '../library/registry.ts';
import type { Declaration } from './file-index.ts';

/** A type as it is written. */
export function typeText(node: TypeSyntax): string {
  return node.span.file.text.slice(node.span.start, node.span.end);
}

export function parameterText(parameter: Parameter): string {
  const { file, start, end } = parameter.span;
  return file.text.slice(start, end).replace(/\s+/g, ' ');
}

/** `int f(int a, int b = 2)` */
export function functionText(node: FunctionDeclaration | MainDeclaration): string {
  const parameters = node.parameters.map(parameterText).join(', ');
  return node.kind === 'main-declaration'
    ? `main(${parameters})`
    : `${node.exported ? 'export ' : ''}${typeText(node.returnType)} ${node.name.text}(${parameters})`;
}

/** `boolean string.contains(string part)`, with the type variable replaced where it is known what it stands for. */
export function libraryText(row: LibraryFunction, typeArgument: Type | null): string {
  const text = describeFunction(row);
  return typeArgument === null ? text : text.replaceAll(/\bT\b/g, formatType(typeArgument));
}

/** `string fill = " "` */
export function libraryParameterText(
  { name, type, nullable, initialiser, isType }: LibraryParameter,
  typeArgument: Type | null,
): string {
  if (isType) return `type ${formatType(substitute(type, typeArgument))}`;
  const value = initialiser === null ? '' : ` = ${initialiser}`;
  return `${formatType(substitute(type, typeArgument))}${nullable ? '?' : ''} ${name}${value}`;
}

/** A declaration without its body or value. */
export function declarationText({ kind, name, node, whole, container }: Declaration): string {
  switch (kind) {
    case 'function':
    case 'main':
      return node.kind === 'function-declaration' || node.kind === 'main-declaration' ? functionText(node) : name.text;
    case 'type':
      return node.kind === 'type-declaration'
        ? `type ${name.text} {\n${node.fields.map((field) => `  ${typeText(field.type)} ${field.name.text};\n`).join('')}}`
        : name.text;
    case 'field':
      return node.kind === 'field'
        ? `${typeText(node.part.type)} ${container?.name.text ?? ''}.${name.text}`
        : name.text;
    case 'parameter':
      return node.kind === 'parameter' ? parameterText(node.part) : name.text;
    case 'import':
      return node.kind === 'import' ? `import "${node.path}" as ${name.text}` : name.text;
    case 'foreach':
      return node.kind === 'foreach' ? `${typeText(node.type)} ${name.text}` : name.text;
    case 'catch':
      return `string ${name.text}`;
    case 'global':
    case 'local':
      return whole.kind === 'variable-declaration'
        ? `${whole.constant ? 'const ' : ''}${typeText(whole.type)} ${name.text}`
        : name.text;
  }
}

/** What a declaration is called in a hover. */
export const kindWords: Readonly<Record<Declaration['kind'], string>> = {
  function: 'function',
  main: 'entry',
  type: 'type',
  field: 'field',
  global: 'variable of the file',
  local: 'variable',
  parameter: 'parameter',
  foreach: 'variable of the loop',
  catch: 'message of the error',
  import: 'imported file',
};
