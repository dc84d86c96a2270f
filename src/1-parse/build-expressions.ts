// Expressions. What is nested to the left may be very long (a sum of thousands of terms, a chain of calls),
// so the left spine is walked in a loop.

import type { ParserRuleContext } from 'antlr4ng';
import { report } from '../diagnostics/catalog.ts';
import * as P from './generated/SluiceParser.ts';
import { buildDouble, buildInt, decodeString, decodeTemplateText } from './build-literals.ts';
import { buildBaseType, buildCastType } from './build-types.ts';
import type { Builder } from './builder.ts';
import { deepestNesting } from './nesting.ts';
import type { Expression, ObjectEntry, TypeSyntax } from './syntax-tree.ts';

export function buildExpression(b: Builder, context: P.ExpressionContext): Expression {
  const spine: P.ExpressionContext[] = [];
  let first = context;
  for (let left = leftOf(first); left !== null; left = leftOf(first)) {
    spine.push(first);
    first = left;
  }
  let built = buildFirst(b, first);
  for (const part of spine.reverse()) built = buildOnto(b, part, built);
  return built;
}

/** The expression that this one begins with, if it goes on from one. */
function leftOf(context: P.ExpressionContext): P.ExpressionContext | null {
  if (context instanceof P.PrimaryExpressionContext || context instanceof P.PrefixExpressionContext) return null;
  return context.getChild(0) as P.ExpressionContext;
}

function buildFirst(b: Builder, context: P.ExpressionContext): Expression {
  if (context instanceof P.PrefixExpressionContext) {
    const operator = context._operator!.text!;
    const operand = buildExpression(b, context.expression());
    const span = b.spanOf(context);
    return operator === '++' || operator === '--'
      ? { kind: 'update', operator, prefix: true, operand, span }
      : { kind: 'unary', operator: operator as '-' | '!' | '~', operand, span };
  }
  return buildPrimary(b, (context as P.PrimaryExpressionContext).primary());
}

/** An expression that goes on from `left`. */
function buildOnto(b: Builder, context: P.ExpressionContext, left: Expression): Expression {
  const span = b.spanOf(context);
  switch (context.constructor) {
    case P.MemberExpressionContext:
      return {
        kind: 'member',
        object: left,
        member: b.name((context as P.MemberExpressionContext).memberName()),
        span,
      };
    case P.IndexExpressionContext:
      return buildIndex(b, context as P.IndexExpressionContext, left);
    case P.CallExpressionContext: {
      const [, ...operands] = (context as P.CallExpressionContext).expression();
      return { kind: 'call', callee: left, arguments: operands.map((operand) => buildExpression(b, operand)), span };
    }
    case P.PostfixExpressionContext: {
      const operator = (context as P.PostfixExpressionContext)._operator!.text as '++' | '--';
      return { kind: 'update', operator, prefix: false, operand: left, span };
    }
    case P.CastExpressionContext:
      return {
        kind: 'cast',
        operand: left,
        type: buildCastType(b, (context as P.CastExpressionContext).castType()),
        span,
      };
    case P.BinaryExpressionContext: {
      const binary = context as P.BinaryExpressionContext;
      const operator = binary._operator!;
      const right = buildExpression(b, binary.expression(1)!);
      // What stands there may have meant something else.
      if (b.isMended(operator)) return { kind: 'invalid-expression', expressions: [left, right], span };
      return { kind: 'binary', operator: operator.text!, operatorSpan: b.spanOfToken(operator), left, right, span };
    }
    case P.ConditionalExpressionContext: {
      const [, then, otherwise] = (context as P.ConditionalExpressionContext).expression();
      return {
        kind: 'conditional',
        condition: left,
        then: buildExpression(b, then!),
        otherwise: buildExpression(b, otherwise!),
        span,
      };
    }
  }
  throw new Error(`no builder for ${context.constructor.name}`);
}

/** `new T[n][m]` reads as an index on `new T[n]`, and is one more length. */
function buildIndex(b: Builder, context: P.IndexExpressionContext, object: Expression): Expression {
  const span = b.spanOf(context);
  const index = buildExpression(b, context.expression(1)!);
  const written = context.expression(0);
  const isNew =
    object.kind === 'new-array' &&
    !(written instanceof P.PrimaryExpressionContext && written.primary() instanceof P.ParenthesizedExpressionContext);
  if (!isNew) return { kind: 'index', object, index, span };
  if (object.lengths.length < deepestNesting) return { ...object, lengths: [...object.lengths, index], span };
  // An array of as many dimensions is a type that nests as deep.
  report(b.sink, 'nestedTooDeep', b.spanOf(context.expression(1)!), { limit: deepestNesting });
  return { kind: 'invalid-expression', expressions: [], span };
}

function buildPrimary(b: Builder, context: P.PrimaryContext): Expression {
  const span = b.spanOf(context);
  if (context.start === context.stop && b.isMended(context.start!))
    return { kind: 'invalid-expression', expressions: [], span };
  switch (context.constructor) {
    case P.IntLiteralContext:
      return buildInt(context.getText(), span);
    case P.DoubleLiteralContext:
      return buildDouble(context.getText(), span);
    case P.StringLiteralContext:
      return {
        kind: 'string-literal',
        value: decodeString(b, (context as P.StringLiteralContext).STRING_LITERAL().symbol),
        span,
      };
    case P.BooleanLiteralContext:
      return { kind: 'boolean-literal', value: context.getText() === 'true', span };
    case P.NullLiteralContext:
      return { kind: 'null-literal', span };
    case P.TemplateLiteralContext:
      return buildTemplate(b, context as P.TemplateLiteralContext);
    case P.NameExpressionContext:
      return { kind: 'name', text: context.getText(), span };
    case P.ParenthesizedExpressionContext:
      return buildExpression(b, (context as P.ParenthesizedExpressionContext).expression());
    case P.ArrayLiteralContext: {
      const elements = (context as P.ArrayLiteralContext).expression().map((element) => buildExpression(b, element));
      return { kind: 'array-literal', elements, span };
    }
    case P.ObjectLiteralContext: {
      const entries = (context as P.ObjectLiteralContext).entry().map((entry) => buildEntry(b, entry));
      return { kind: 'object-literal', entries, span };
    }
    case P.NewArrayContext:
      return buildNew(b, context as P.NewArrayContext);
  }
  throw new Error(`no builder for ${context.constructor.name}`);
}

function buildNew(b: Builder, context: P.NewArrayContext): Expression {
  const [, ...emptyPairs] = context.RBRACKET();
  const element = emptyPairs.reduce(
    (type: TypeSyntax, bracket): TypeSyntax => ({
      kind: 'array-type',
      element: type,
      span: { ...type.span, end: b.spanOfToken(bracket.symbol).end },
    }),
    buildBaseType(b, context.baseType()),
  );
  return { kind: 'new-array', element, lengths: [buildExpression(b, context.expression())], span: b.spanOf(context) };
}

function buildEntry(b: Builder, context: P.EntryContext): ObjectEntry {
  const key: ParserRuleContext = context.entryKey();
  const quoted = key instanceof P.StringKeyContext;
  const text = quoted ? decodeString(b, key.STRING_LITERAL().symbol) : key.getText();
  return {
    key: { text, span: b.spanOf(key) },
    quoted,
    value: buildExpression(b, context.expression()),
    span: b.spanOf(context),
  };
}

/** Texts and expressions in turn, beginning and ending with a text. */
function buildTemplate(b: Builder, context: P.TemplateLiteralContext): Expression {
  const texts: string[] = [''];
  const expressions: Expression[] = [];
  for (const part of context.templatePart()) {
    if (part instanceof P.ExpressionPartContext) {
      expressions.push(buildExpression(b, part.expression()));
      texts.push('');
    } else texts[texts.length - 1] += decodeTemplateText(b, part.start!);
  }
  return { kind: 'template', texts, expressions, span: b.spanOf(context) };
}
