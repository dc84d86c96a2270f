// Statements.

import * as P from './generated/SluiceParser.ts';
import { buildExpression } from './build-expressions.ts';
import { buildTypeReference } from './build-types.ts';
import type { Builder } from './builder.ts';
import type { AssignmentOperator } from '../language/operators.ts';
import type { Block, CatchClause, ForStatement, Statement, VariableDeclaration } from './syntax-tree.ts';

export function buildBlock(b: Builder, context: P.BlockContext): Block {
  return {
    kind: 'block',
    statements:
      b.inside(context.LBRACE().symbol) ?? context.statement().map((statement) => buildStatement(b, statement)),
    span: b.spanOf(context),
  };
}

export function buildStatement(b: Builder, context: P.StatementContext): Statement {
  const span = b.spanOf(context);
  switch (context.constructor) {
    case P.BlockStatementContext:
      return buildBlock(b, (context as P.BlockStatementContext).block());
    case P.VariableStatementContext: {
      const declaration = buildVariable(b, (context as P.VariableStatementContext).variableDeclaration());
      return { ...declaration, span };
    }
    case P.IfStatementContext:
      return buildIf(b, context as P.IfStatementContext);
    case P.WhileStatementContext: {
      const loop = context as P.WhileStatementContext;
      return {
        kind: 'while',
        condition: buildExpression(b, loop.expression()),
        body: buildStatement(b, loop.statement()),
        span,
      };
    }
    case P.DoStatementContext: {
      const loop = context as P.DoStatementContext;
      return {
        kind: 'do-while',
        body: buildStatement(b, loop.statement()),
        condition: buildExpression(b, loop.expression()),
        span,
      };
    }
    case P.ForStatementContext:
      return buildFor(b, context as P.ForStatementContext);
    case P.ForeachStatementContext: {
      const loop = context as P.ForeachStatementContext;
      return {
        kind: 'foreach',
        type: buildTypeReference(b, loop.typeReference()),
        name: b.name(loop.name()),
        iterable: buildExpression(b, loop.expression()),
        body: buildStatement(b, loop.statement()),
        span,
      };
    }
    case P.BreakStatementContext:
      return { kind: 'break', span };
    case P.ContinueStatementContext:
      return { kind: 'continue', span };
    case P.ReturnStatementContext: {
      const value = (context as P.ReturnStatementContext).expression();
      return { kind: 'return', value: value === null ? null : buildExpression(b, value), span };
    }
    case P.YieldStatementContext:
      return { kind: 'yield', value: buildExpression(b, (context as P.YieldStatementContext).expression()), span };
    case P.ThrowStatementContext:
      return { kind: 'throw', value: buildExpression(b, (context as P.ThrowStatementContext).expression()), span };
    case P.TryStatementContext: {
      const statement = context as P.TryStatementContext;
      return {
        kind: 'try',
        body: buildBlock(b, statement.block()),
        clauses: statement.catchClause().map((clause) => buildClause(b, clause)),
        span,
      };
    }
    case P.PlainStatementContext: {
      const statement = buildSimple(b, (context as P.PlainStatementContext).simpleStatement());
      return { ...statement, span };
    }
    case P.EmptyStatementContext:
      return { kind: 'empty', span };
  }
  throw new Error(`no builder for ${context.constructor.name}`);
}

/** A chain of `else if` may be long, so it is gathered from the front and put together from its end. */
function buildIf(b: Builder, first: P.IfStatementContext): Statement {
  const chain: P.IfStatementContext[] = [];
  let last: P.StatementContext | null = first;
  while (last instanceof P.IfStatementContext) {
    chain.push(last);
    last = last.elseClause()?.statement() ?? null;
  }
  let otherwise = last === null ? null : buildStatement(b, last);
  for (const context of chain.reverse()) {
    const condition = buildExpression(b, context.expression());
    otherwise = {
      kind: 'if',
      condition,
      then: buildStatement(b, context.statement()),
      otherwise,
      span: b.spanOf(context),
    };
  }
  return otherwise!;
}

function buildFor(b: Builder, context: P.ForStatementContext): ForStatement {
  const first = context.forInitialiser();
  const initialisers =
    first instanceof P.DeclaringInitialiserContext
      ? [buildVariable(b, first.variableDeclaration())]
      : first instanceof P.PlainInitialiserContext
        ? buildSimples(b, first.simpleStatements())
        : [];
  const condition = context.expression();
  const steps = context.simpleStatements();
  return {
    kind: 'for',
    initialisers,
    condition: condition === null ? null : buildExpression(b, condition),
    steps: steps === null ? [] : buildSimples(b, steps),
    body: buildStatement(b, context.statement()),
    span: b.spanOf(context),
  };
}

function buildVariable(b: Builder, context: P.VariableDeclarationContext): VariableDeclaration {
  const declarators = context.declarator().map((declarator) => {
    const initialiser = declarator.expression();
    return {
      name: b.name(declarator.name()),
      initialiser: initialiser === null ? null : buildExpression(b, initialiser),
      span: b.spanOf(declarator),
    };
  });
  return {
    kind: 'variable-declaration',
    constant: context.CONST() !== null,
    type: buildTypeReference(b, context.typeReference()),
    declarators,
    span: b.spanOf(context),
  };
}

function buildSimples(b: Builder, context: P.SimpleStatementsContext): Statement[] {
  return context.simpleStatement().map((statement) => buildSimple(b, statement));
}

function buildSimple(b: Builder, context: P.SimpleStatementContext): Statement {
  const span = b.spanOf(context);
  if (context instanceof P.AssignStatementContext) {
    const operator = context._operator!;
    const target = buildExpression(b, context._target!);
    const value = buildExpression(b, context._value!);
    // `x := 1` declares x elsewhere.
    if (b.isMended(operator)) return { kind: 'broken', expressions: [target, value], statements: [], span };
    return {
      kind: 'assignment',
      operator: operator.text as AssignmentOperator,
      operatorSpan: b.spanOfToken(operator),
      target,
      value,
      span,
    };
  }
  return {
    kind: 'expression-statement',
    expression: buildExpression(b, (context as P.ExpressionStatementContext).expression()),
    span,
  };
}

function buildClause(b: Builder, context: P.CatchClauseContext): CatchClause {
  return {
    errorType: context._errorType === undefined ? null : b.name(context._errorType),
    name: b.name(context._variable!),
    body: buildBlock(b, context.block()),
    span: b.spanOf(context),
  };
}
