// What the kinds of nodes have in common, for walks that treat many kinds alike: a row for each kind, a column for each
// question. The type checker asks for the row of a new kind, and then, by what the row says, in each walk that has to
// know the kind itself.

import type { Expression, Statement } from './mir.ts';

export type Node = Expression | Statement;

type ExpressionTraits = Evaluation & {
  /**
   * Where its value comes from: it is a `constant`; what a variable, a field or an element holds, a `place`; that of one
   * of its `operands`; what a function gives, a `call`; a new array or struct, an `object`, with what is assigned to it
   * alone; a `copy` as deep as it is, whose contents no node assigns; or another `result`, no array and no struct.
   */
  readonly value: 'constant' | 'place' | 'operand' | 'call' | 'object' | 'copy' | 'result';
  /** Paths are made of these (src/4-optimise/analysis/access-paths.ts). */
  readonly inPaths?: true;
  /** It puts values into variables, fields or elements, or has a function do so. */
  readonly assigns?: true;
  /** It runs a function of the program. */
  readonly runsFunction?: true;
};

/**
 * Which of its operands are evaluated, before it does one thing with them: `all`, in their order, or the `first` and
 * perhaps others; `own` where it is not only about operands. Such a one may read or set locals that it names itself.
 */
type Evaluation =
  | { readonly evaluates: 'all' | 'first'; readonly namesLocals?: never }
  | { readonly evaluates: 'own'; readonly namesLocals?: true };

const expressions = {
  int: { evaluates: 'all', value: 'constant', inPaths: true },
  double: { evaluates: 'all', value: 'constant' },
  boolean: { evaluates: 'all', value: 'constant' },
  string: { evaluates: 'all', value: 'constant', inPaths: true },
  null: { evaluates: 'all', value: 'constant' },
  'get-local': { evaluates: 'own', value: 'place', inPaths: true, namesLocals: true },
  'get-global': { evaluates: 'all', value: 'place', inPaths: true },
  'get-field': { evaluates: 'all', value: 'place', inPaths: true },
  'get-element': { evaluates: 'all', value: 'place', inPaths: true },
  'get-hoisted': { evaluates: 'own', value: 'place', namesLocals: true },
  'in-range': { evaluates: 'all', value: 'result' },
  'in-bounds': { evaluates: 'all', value: 'result' },
  'out-of-fuel': { evaluates: 'all', value: 'result' },
  wrap32: { evaluates: 'all', value: 'result' },
  operate: { evaluates: 'all', value: 'result', inPaths: true },
  logical: { evaluates: 'first', value: 'result' },
  conditional: { evaluates: 'first', value: 'operand' },
  select: { evaluates: 'all', value: 'operand' },
  load: { evaluates: 'all', value: 'result' },
  'reserve-scratch': { evaluates: 'all', value: 'result' },
  'row-length': { evaluates: 'all', value: 'result' },
  'distinct-rows': { evaluates: 'all', value: 'result' },
  splat: { evaluates: 'all', value: 'result' },
  'extract-lane': { evaluates: 'all', value: 'result' },
  'lane-wise': { evaluates: 'all', value: 'result' },
  widen: { evaluates: 'all', value: 'result' },
  'check-null': { evaluates: 'all', value: 'operand' },
  'is-null': { evaluates: 'all', value: 'result' },
  'same-object': { evaluates: 'all', value: 'result' },
  call: { evaluates: 'all', value: 'call', assigns: true, runsFunction: true },
  'library-call': { evaluates: 'all', value: 'call', assigns: true },
  'array-literal': { evaluates: 'all', value: 'object', assigns: true },
  'struct-literal': { evaluates: 'all', value: 'object', assigns: true },
  'new-array': { evaluates: 'all', value: 'object' },
  'to-text': { evaluates: 'all', value: 'result' },
  character: { evaluates: 'all', value: 'result' },
  concat: { evaluates: 'all', value: 'result' },
  'build-text': { evaluates: 'all', value: 'result' },
  'built-text': { evaluates: 'own', value: 'place', namesLocals: true },
  'built-length': { evaluates: 'own', value: 'result', namesLocals: true },
  'to-json': { evaluates: 'all', value: 'copy' },
  'json-object': { evaluates: 'all', value: 'result' },
  'json-array': { evaluates: 'all', value: 'result' },
  'get-member': { evaluates: 'all', value: 'result' },
  'get-item': { evaluates: 'all', value: 'result' },
  'item-count': { evaluates: 'all', value: 'result' },
  cast: { evaluates: 'all', value: 'copy' },
  sequence: { evaluates: 'own', value: 'operand' },
} as const satisfies Record<Expression['kind'], ExpressionTraits>;

interface StatementTraits {
  /**
   * Where control goes behind it: to the `next` statement; into the `blocks` of statements in it; elsewhere in the
   * function, a `jump`; out of the function, which `returns`; or to a clause around, which `throws`.
   */
  readonly control: 'next' | 'blocks' | 'jump' | 'returns' | 'throws';
  /** It evaluates expressions, in their order, and does one thing with them, which sets no local but texts that grow. */
  readonly isSimple?: true;
  /** As those of expressions. */
  readonly assigns?: true;
  readonly namesLocals?: true;
  readonly runsFunction?: true;
}

const statements = {
  'set-local': { control: 'next', assigns: true, namesLocals: true },
  'set-global': { control: 'next', isSimple: true, assigns: true },
  'set-field': { control: 'next', isSimple: true, assigns: true },
  'set-element': { control: 'next', isSimple: true, assigns: true },
  'set-member': { control: 'next', isSimple: true },
  'set-item': { control: 'next', isSimple: true },
  store: { control: 'next', isSimple: true },
  'copy-elements': { control: 'next', isSimple: true },
  charge: { control: 'next', isSimple: true },
  poll: { control: 'next', isSimple: true },
  count: { control: 'next', isSimple: true },
  attribute: { control: 'next', isSimple: true },
  evaluate: { control: 'next', isSimple: true },
  if: { control: 'blocks' },
  loop: { control: 'blocks', assigns: true, namesLocals: true, runsFunction: true },
  break: { control: 'jump' },
  continue: { control: 'jump' },
  return: { control: 'returns', assigns: true },
  finish: { control: 'returns' },
  yield: { control: 'next', isSimple: true },
  throw: { control: 'throws', isSimple: true },
  try: { control: 'blocks', namesLocals: true },
  'hoist-array': { control: 'next', assigns: true, namesLocals: true },
  'set-hoisted': { control: 'next', assigns: true, namesLocals: true },
  'set-range': { control: 'next', isSimple: true, assigns: true, namesLocals: true },
  'append-text': { control: 'next', isSimple: true, namesLocals: true },
  'call-outlined': { control: 'next', assigns: true, namesLocals: true, runsFunction: true },
  'return-live-outs': { control: 'returns', namesLocals: true },
  'osr-exit': { control: 'returns', namesLocals: true },
  block: { control: 'blocks' },
} as const satisfies Record<Statement['kind'], StatementTraits>;

type KindsWith<Table, Traits> = { [Kind in keyof Table]: Table[Kind] extends Traits ? Kind : never }[keyof Table];
type ExpressionWith<Traits extends Partial<ExpressionTraits>> = Extract<
  Expression,
  { readonly kind: KindsWith<typeof expressions, Traits> }
>;
type StatementWith<Traits extends Partial<StatementTraits>> = Extract<
  Statement,
  { readonly kind: KindsWith<typeof statements, Traits> }
>;

/** Whether it evaluates all its operands, in their order, and then does one thing with them. */
export function isStrict(node: Expression): node is ExpressionWith<{ readonly evaluates: 'all' }> {
  return expressions[node.kind].evaluates === 'all';
}

/** Whether it is sure to evaluate the first of its operands alone. */
export function isShortCircuit(node: Expression): node is ExpressionWith<{ readonly evaluates: 'first' }> {
  return expressions[node.kind].evaluates === 'first';
}

/** Whether it works its value out: no variable, field or element has held it before, and no function has seen it. */
export function isWorkedOut(
  node: Expression,
): node is ExpressionWith<{ readonly value: 'constant' | 'object' | 'copy' | 'result' }> {
  const { value } = expressions[node.kind];
  return value === 'constant' || value === 'object' || value === 'copy' || value === 'result';
}

/** Whether it makes a copy, of which nothing says what is in it. */
export function isCopy(node: Node): node is ExpressionWith<{ readonly value: 'copy' }> {
  return 'type' in node && expressions[node.kind].value === 'copy';
}

export type AnyCall = ExpressionWith<{ readonly value: 'call' }>;

/** Whether a function of the program, the runtime or the library gives its value. */
export function isCall(node: Node): node is AnyCall {
  return 'type' in node && expressions[node.kind].value === 'call';
}

export type NewObject = ExpressionWith<{ readonly value: 'object' }>;

/** Whether it makes an array or a struct. */
export function isNewObject(node: Node): node is NewObject {
  return 'type' in node && expressions[node.kind].value === 'object';
}

/** Whether it can be part of a path. */
export function isInPaths(node: Expression): node is ExpressionWith<{ readonly inPaths: true }> {
  return 'inPaths' in expressions[node.kind];
}

/** A statement with blocks of statements in it. */
export type StructuredStatement = StatementWith<{ readonly control: 'blocks' }>;

export function isStructured(node: Statement): node is StructuredStatement {
  return statements[node.kind].control === 'blocks';
}

/** Whether the statement behind it never comes next. */
export function isJump(node: Statement): node is StatementWith<{ readonly control: 'jump' | 'returns' | 'throws' }> {
  const { control } = statements[node.kind];
  return control === 'jump' || control === 'returns' || control === 'throws';
}

/** Whether it ends its function. */
export function isReturn(node: Node): node is StatementWith<{ readonly control: 'returns' }> {
  return !('type' in node) && statements[node.kind].control === 'returns';
}

/** A statement that holds expressions alone, and neither branches nor sets a local. */
export type SimpleStatement = StatementWith<{ readonly isSimple: true }>;

export function isSimple(node: Statement): node is SimpleStatement {
  return simple.has(node.kind);
}

const nodes: Readonly<Record<Node['kind'], ExpressionTraits | StatementTraits>> = { ...expressions, ...statements };

/** Walks ask these questions of every node: a set answers in half the time. */
const simple = kindsWith('isSimple');
const naming = kindsWith('namesLocals');
const withOperandsAlone: ReadonlySet<Node['kind']> = new Set([
  ...(Object.keys(expressions) as Expression['kind'][]).filter((kind) => kind !== 'sequence'),
  ...simple,
]);

/** Whether there are no statements in it, and its children are its operands. */
export function hasOperandsAlone(
  node: Node,
): node is Exclude<Expression, { readonly kind: 'sequence' }> | SimpleStatement {
  return withOperandsAlone.has(node.kind);
}

function kindsWith(trait: 'isSimple' | 'namesLocals'): ReadonlySet<Node['kind']> {
  return new Set((Object.keys(nodes) as Node['kind'][]).filter((kind) => trait in nodes[kind]));
}

type Naming = { readonly namesLocals: true };

export function namesLocals(node: Node): node is ExpressionWith<Naming> | StatementWith<Naming> {
  return naming.has(node.kind);
}

type Running = { readonly runsFunction: true };

export function runsFunction(node: Node): node is ExpressionWith<Running> | StatementWith<Running> {
  return nodes[node.kind].runsFunction === true;
}

type Assigning = { readonly assigns: true };

export function assigns(node: Node): node is ExpressionWith<Assigning> | StatementWith<Assigning> {
  return nodes[node.kind].assigns === true;
}

type Fixed = { readonly value: 'constant' };

export function isConstant(node: Expression): node is ExpressionWith<Fixed> {
  return expressions[node.kind].value === 'constant';
}
