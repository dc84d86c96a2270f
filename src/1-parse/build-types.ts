// Types as they are written.

import { NullableSuffixContext, PrimitiveTypeContext } from './generated/SluiceParser.ts';
import type {
  BaseTypeContext,
  CastTypeContext,
  NamedTypeContext,
  TypeReferenceContext,
} from './generated/SluiceParser.ts';
import type { Builder } from './builder.ts';
import type { TypeSyntax } from './syntax-tree.ts';

export function buildTypeReference(b: Builder, context: TypeReferenceContext): TypeSyntax {
  return context.typeSuffix().reduce(
    (type: TypeSyntax, suffix): TypeSyntax => {
      const span = { ...type.span, end: b.spanOf(suffix).end };
      return suffix instanceof NullableSuffixContext
        ? { kind: 'nullable-type', inner: type, span }
        : { kind: 'array-type', element: type, span };
    },
    buildBaseType(b, context.baseType()),
  );
}

export function buildCastType(b: Builder, context: CastTypeContext): TypeSyntax {
  return context.RBRACKET().reduce(
    (type: TypeSyntax, bracket): TypeSyntax => ({
      kind: 'array-type',
      element: type,
      span: { ...type.span, end: b.spanOfToken(bracket.symbol).end },
    }),
    buildBaseType(b, context.baseType()),
  );
}

export function buildBaseType(b: Builder, context: BaseTypeContext): TypeSyntax {
  const span = b.spanOf(context);
  if (context instanceof PrimitiveTypeContext) return { kind: 'primitive-type', name: context.getText(), span };
  const names = (context as NamedTypeContext).name();
  return names.length === 1
    ? { kind: 'named-type', qualifier: null, name: b.name(names[0]!), span }
    : { kind: 'named-type', qualifier: b.name(names[0]!), name: b.name(names[1]!), span };
}
