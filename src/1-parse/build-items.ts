// Files and declarations.

import {
  FunctionItemContext,
  MainItemContext,
  TypeItemContext,
  VariadicParameterContext,
} from './generated/SluiceParser.ts';
import type {
  FieldContext,
  FileContext,
  HeaderContext,
  ImportDeclarationContext,
  ItemContext,
  ParameterContext,
  ParameterListContext,
  PlainParameterContext,
  StatementItemContext,
  TypeDeclarationContext,
} from './generated/SluiceParser.ts';
import { buildExpression } from './build-expressions.ts';
import { decodeString } from './build-literals.ts';
import { buildBlock, buildStatement } from './build-statements.ts';
import { buildTypeReference } from './build-types.ts';
import type { Builder } from './builder.ts';
import type {
  FieldDeclaration,
  Header,
  ImportDeclaration,
  Item,
  Parameter,
  SyntaxFile,
  TypeDeclaration,
} from './syntax-tree.ts';

/** What stands in front of the items. */
export function buildHead(b: Builder, context: FileContext): Pick<SyntaxFile, 'headers' | 'imports'> {
  return {
    headers: context.header().map((header) => buildHeader(b, header)),
    imports: context.importDeclaration().map((declaration) => buildImport(b, declaration)),
  };
}

export function buildHeader(b: Builder, context: HeaderContext): Header {
  const [tool, key] = context.headerName().map((name) => name.getText());
  const value = decodeString(b, context.STRING_LITERAL().symbol);
  return { kind: 'header', tool: tool!, key: key!, value, span: b.spanOf(context) };
}

export function buildImport(b: Builder, context: ImportDeclarationContext): ImportDeclaration {
  const path = context.STRING_LITERAL().symbol;
  return {
    kind: 'import',
    path: decodeString(b, path),
    pathSpan: b.spanOfToken(path),
    alias: b.name(context.name()),
    span: b.spanOf(context),
  };
}

export function buildItem(b: Builder, context: ItemContext): Item {
  const span = b.spanOf(context);
  if (context instanceof TypeItemContext) return buildType(b, context.typeDeclaration());
  if (context instanceof MainItemContext) {
    const word = context.MAIN().symbol;
    const name = { text: 'main', span: b.spanOfToken(word) };
    return {
      kind: 'main-declaration',
      name,
      parameters: buildParameters(b, context.parameterList()),
      body: buildBlock(b, context.block()),
      span,
    };
  }
  if (context instanceof FunctionItemContext) {
    return {
      kind: 'function-declaration',
      exported: context.EXPORT() !== null,
      returnType: buildTypeReference(b, context.typeReference()),
      name: b.name(context.name()),
      parameters: buildParameters(b, context.parameterList()),
      body: buildBlock(b, context.block()),
      span,
    };
  }
  return buildStatement(b, (context as StatementItemContext).statement());
}

function buildType(b: Builder, context: TypeDeclarationContext): TypeDeclaration {
  const fields = context.field().map((field) => buildField(b, field));
  return { kind: 'type-declaration', name: b.name(context.name()), fields, span: b.spanOf(context) };
}

export function buildField(b: Builder, field: FieldContext): FieldDeclaration {
  return {
    type: buildTypeReference(b, field.typeReference()),
    name: b.name(field.memberName()),
    span: b.spanOf(field),
  };
}

function buildParameters(b: Builder, context: ParameterListContext): readonly Parameter[] {
  return context.parameter().map((parameter) => buildParameter(b, parameter));
}

export function buildParameter(b: Builder, context: ParameterContext): Parameter {
  const span = b.spanOf(context);
  if (context instanceof VariadicParameterContext) {
    const type = buildTypeReference(b, context.typeReference());
    return { type, name: b.name(context.name()), initialiser: null, variadic: true, span };
  }
  const plain = context as PlainParameterContext;
  const initialiser = plain.expression();
  return {
    type: buildTypeReference(b, plain.typeReference()),
    name: b.name(plain.name()),
    initialiser: initialiser === null ? null : buildExpression(b, initialiser),
    variadic: false,
    span,
  };
}
