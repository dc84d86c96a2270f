// Statements, and lists of what ends with a line: statements, fields, items of a file.

import { builders } from 'prettier/doc';
import type { Block, Expression, Statement, TryStatement, VariableDeclaration } from '../1-parse/syntax-tree.ts';
import type { Span } from '../source.ts';
import { printAssigned } from './assignments.ts';
import { indented, Mismatch, together } from './printer.ts';
import type { Doc, Gap, Printer } from './printer.ts';

const { group, hardline, indent } = builders;

/** A comment above a statement that leaves it as it is. */
const ignoreComment = /^(?:\/\/|\/\*)\s*sluice-fmt-ignore\b/;

/**
 * What stands line by line up to an offset. What has no node, or does not fit together with it, did not parse: it
 * stays as it is, with what lies between two such, since the lines around may decide whether they are two or one.
 */
export function printLines<Node extends { readonly span: Span }>(
  p: Printer,
  nodes: readonly Node[],
  end: number,
  edge: 'file' | 'opening',
  print: (node: Node) => Doc,
): Doc[] {
  const lines: Doc[] = [];
  let broken: { readonly gap: Gap; readonly at: number; readonly forced: number } | null = null;
  const gapAhead = (): Gap => p.gap('hardline', lines.length === 0 ? edge : null);
  const keep = (gap: Gap, to: number): Doc => [gap.before, gap.raw ?? gap.last, p.verbatim(to)];
  const keepBroken = (gap: Gap, to: number): void => {
    if (broken === null) broken = { gap, at: p.at, forced: p.forced };
    else {
      lines.pop();
      p.reset(broken.at, broken.forced);
    }
    lines.push(keep(broken.gap, to));
  };
  for (const node of nodes) {
    if (p.nextStart() < node.span.start) keepBroken(gapAhead(), node.span.start);
    if (p.nextStart() >= node.span.end) continue;
    const gap = gapAhead();
    if (isIgnored(p)) {
      lines.push(keep(gap, node.span.end));
      broken = null;
      continue;
    }
    const { at, forced } = p;
    try {
      const doc = print(node);
      if (p.nextStart() < node.span.end) throw new Mismatch(`a token at ${p.nextStart()} has no place`);
      lines.push([together(gap), doc]);
      broken = null;
    } catch (fault) {
      if (!(fault instanceof Mismatch)) throw fault;
      p.reset(at, forced);
      keepBroken(gap, node.span.end);
    }
  }
  if (p.nextStart() < end) keepBroken(gapAhead(), end);
  return lines;
}

function isIgnored(p: Printer): boolean {
  const before = p.pieces[p.at - 1];
  return before !== undefined && before.kind.endsWith('comment') && ignoreComment.test(before.text);
}

export function printBlock(p: Printer, { statements, span }: Block): Doc {
  const open = p.token('{');
  if (p.nextStart() >= span.end - 1) {
    const gap = p.gap('line', 'closing');
    const close = p.token('}');
    return gap.before === '' ? [open, close] : group([open, indent(gap.before), gap.last, close]);
  }
  const lines = printLines(p, statements, span.end - 1, 'opening', (statement) => p.statement(p, statement));
  const gap = p.gap('hardline', 'closing');
  return [open, indent([...lines, gap.before]), gap.last, p.token('}')];
}

const simpleKinds: ReadonlySet<Statement['kind']> = new Set([
  'variable-declaration',
  'assignment',
  'return',
  'yield',
  'throw',
  'expression-statement',
]);

/** The body of a function: one statement may stay on the line that it was written on. */
export function printBody(p: Printer, block: Block): Doc {
  const [only] = block.statements;
  const isShort = only !== undefined && block.statements.length === 1 && simpleKinds.has(only.kind);
  if (!isShort || !p.isOnOneLine(block.span.end)) return printBlock(p, block);
  const parts: Doc[] = [p.token('{'), indent([p.gapOf('line'), p.statement(p, only)])];
  return group([...parts, p.gapOf('line'), p.token('}')]);
}

export function printStatement(p: Printer, node: Statement): Doc {
  switch (node.kind) {
    case 'block':
      return printBlock(p, node);
    case 'empty':
      return p.token(';');
    case 'variable-declaration':
    case 'assignment':
    case 'expression-statement':
      return [printSimple(p, node), p.token(';')];
    case 'break':
    case 'continue':
      return [p.token(node.kind), p.token(';')];
    case 'return':
    case 'yield':
    case 'throw':
      return [p.token(node.kind), node.value === null ? '' : printOperand(p, node.value), p.token(';')];
    case 'if':
      return printIf(p, node);
    case 'while':
      return group([p.token('while'), p.gapOf('space'), printHead(p, node.condition), printClause(p, node.body)]);
    case 'do-while':
      return [
        p.token('do'),
        group(printClause(p, node.body)),
        p.gapOf(node.body.kind === 'block' ? 'space' : 'hardline'),
        p.token('while'),
        p.gapOf('space'),
        printHead(p, node.condition),
        p.token(';'),
      ];
    case 'for':
      return group([p.token('for'), p.gapOf('space'), printForHead(p, node), printClause(p, node.body)]);
    case 'foreach':
      return group([p.token('foreach'), p.gapOf('space'), printForeachHead(p, node), printClause(p, node.body)]);
    case 'try':
      return printTry(p, node);
    case 'broken':
      throw new Mismatch('it did not parse');
  }
}

/** Without the `;`. */
function printSimple(p: Printer, node: Statement): Doc {
  switch (node.kind) {
    case 'variable-declaration':
      return printVariable(p, node);
    case 'assignment':
      return printAssigned(p, p.expression(p, node.target, 'indent'), node.operator, node.value);
    case 'expression-statement':
      return p.expression(p, node.expression, 'indent');
    case 'block':
    case 'empty':
    case 'break':
    case 'continue':
    case 'return':
    case 'yield':
    case 'throw':
    case 'if':
    case 'while':
    case 'do-while':
    case 'for':
    case 'foreach':
    case 'try':
    case 'broken':
      throw new Mismatch(`a ${node.kind} stands where none can`);
  }
}

function printVariable(p: Printer, { constant, type, declarators }: VariableDeclaration): Doc {
  const head: Doc[] = constant ? [p.token('const'), p.gapOf('space')] : [];
  head.push(p.tight(type.span.end), indented(p.gapOf('space')));
  const [first, ...rest] = declarators.map(({ initialiser }, at): Doc => {
    const gap = at === 0 ? '' : [p.token(','), p.gapOf('line')];
    const name = p.anyToken();
    return [gap, initialiser === null ? name : printAssigned(p, name, '=', initialiser)];
  });
  return rest.length === 0 ? [...head, first!] : group([...head, first!, indent(rest)]);
}

/** Behind `return` and its like. */
function printOperand(p: Printer, value: Expression): Doc {
  return [indented(p.gapOf('space')), p.expression(p, value, 'indent')];
}

/** `(condition)` */
function printHead(p: Printer, condition: Expression): Doc {
  return inParentheses(p, () => p.expression(p, condition, 'flush'));
}

function inParentheses(p: Printer, print: () => Doc): Doc {
  const open = p.token('(');
  const gap = p.gapOf('softline');
  const inner = print();
  const end = p.gap('softline', 'closing');
  return group([open, indent([gap, inner, end.before]), end.last, p.token(')')]);
}

function printForHead(p: Printer, node: Extract<Statement, { readonly kind: 'for' }>): Doc {
  return inParentheses(p, () => {
    const parts: Doc[] = [printSimples(p, node.initialisers), p.token(';')];
    if (node.condition !== null) parts.push(p.gapOf('line'), p.expression(p, node.condition, 'indent'));
    parts.push(p.token(';'));
    if (node.steps.length > 0) parts.push(p.gapOf('line'), printSimples(p, node.steps));
    return parts;
  });
}

function printSimples(p: Printer, nodes: readonly Statement[]): Doc {
  const parts = nodes.map((node, at): Doc => [at === 0 ? '' : [p.token(','), p.gapOf('line')], printSimple(p, node)]);
  return parts.length < 2 ? parts : group(indent(parts));
}

function printForeachHead(p: Printer, node: Extract<Statement, { readonly kind: 'foreach' }>): Doc {
  return inParentheses(p, () => [
    p.tight(node.type.span.end),
    p.gapOf('space'),
    p.anyToken(),
    p.gapOf('space'),
    p.token('in'),
    p.gapOf('space'),
    p.expression(p, node.iterable, 'indent'),
  ]);
}

const loopKinds: ReadonlySet<Statement['kind']> = new Set(['for', 'foreach', 'while', 'do-while']);

/**
 * What a loop or a branch does: a block on the same line; one statement there too, or below, if that together with
 * what is in front of it does not fit. A loop in a loop is always below.
 */
function printClause(p: Printer, body: Statement, isOfLoop = true): Doc {
  if (body.kind === 'block') return [p.gapOf('space'), printBlock(p, body)];
  if (body.kind === 'empty') return p.statement(p, body);
  if (isOfLoop && loopKinds.has(body.kind)) return indent([noBlank(p), p.statement(p, body)]);
  return indent([p.gapOf('line'), p.statement(p, body)]);
}

/** `else if` goes on at the same depth, however long the chain. */
function printIf(p: Printer, first: Extract<Statement, { readonly kind: 'if' }>): Doc {
  const parts: Doc[] = [];
  let otherwise: Doc[] = [];
  for (let node: Statement | null = first; node !== null;) {
    if (node.kind !== 'if') {
      parts.push(group([...otherwise, printClause(p, node, false)]));
      break;
    }
    if (otherwise.length > 0) otherwise.push(p.gapOf('space'));
    const { condition, then, otherwise: rest }: Extract<Statement, { readonly kind: 'if' }> = node;
    parts.push(
      group([...otherwise, p.token('if'), p.gapOf('space'), printHead(p, condition), printClause(p, then, false)]),
    );
    if (rest !== null) {
      parts.push(then.kind === 'block' ? p.gapOf('space') : noBlank(p));
      otherwise = [p.token('else')];
    }
    node = rest;
  }
  return parts;
}

/** A line end without a blank line. */
function noBlank(p: Printer): Doc {
  if (p.hasComments()) return p.gapOf('hardline');
  p.gapOf('space');
  p.forced += 1;
  return hardline;
}

function printTry(p: Printer, { body, clauses }: TryStatement): Doc {
  const parts: Doc[] = [p.token('try'), p.gapOf('space'), printBlock(p, body)];
  for (const clause of clauses) {
    parts.push(p.gapOf('space'), p.token('catch'), p.gapOf('space'));
    parts.push(
      inParentheses(p, () =>
        clause.errorType === null ? p.anyToken() : [p.anyToken(), p.gapOf('space'), p.anyToken()],
      ),
    );
    parts.push(p.gapOf('space'), printBlock(p, clause.body));
  }
  return parts;
}
