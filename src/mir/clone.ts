// Copies of loops, with what is different in them.

import type {
  CountedLoop,
  Expression,
  HeldArray,
  Local,
  LocalId,
  Loop,
  LoopId,
  LoopPart,
  Statement,
} from '../2-check/typed-tree.ts';
import { operandsOf, visitAll, withOperands } from './children.ts';
import type { Node } from './children.ts';

/** What is different in a copy. */
interface Differences {
  readonly local: (local: LocalId) => LocalId;
  readonly loop: (loop: LoopId) => LoopId;
  /** Accesses that lose their checks. */
  readonly unchecked: ReadonlySet<Node>;
}

/** A copy with another id; the accesses among `unchecked` lose their checks. There is no other loop in it. */
export function copyLoop(loop: Loop, id: LoopId, unchecked: ReadonlySet<Node>): Loop {
  return copyStatement(
    { local: (local) => local, loop: (other) => (other === loop.id ? id : other), unchecked },
    loop,
  ) as Loop;
}

/** Copies with other locals. */
export function copyStatements(nodes: readonly Statement[], local: (local: LocalId) => LocalId): readonly Statement[] {
  const differences: Differences = { local, loop: (loop) => loop, unchecked: new Set() };
  return nodes.map((node) => copyStatement(differences, node));
}

function copyExpression(to: Differences, node: Expression): Expression {
  const copy = withOperands(
    node,
    operandsOf(node).map((operand) => copyExpression(to, operand)),
  );
  switch (copy.kind) {
    case 'get-local':
      return { ...copy, local: to.local(copy.local) };
    case 'sequence':
      return { ...copy, statements: copy.statements.map((statement) => copyStatement(to, statement)) };
    case 'get-held':
      return { ...copy, held: copyHeld(to, copy.held), checked: copy.checked && !to.unchecked.has(node) };
    default:
      return copy;
  }
}

function copyHeld<Held extends HeldArray>(to: Differences, held: Held): Held {
  const { elements, length, window } = held;
  return {
    ...held,
    elements: to.local(elements),
    length: to.local(length),
    window: window === null ? null : { start: to.local(window.start), size: to.local(window.size) },
  };
}

function copyStatement(to: Differences, node: Statement): Statement {
  const expression = (part: Expression): Expression => copyExpression(to, part);
  const statements = (parts: readonly Statement[]): readonly Statement[] =>
    parts.map((part) => copyStatement(to, part));
  switch (node.kind) {
    case 'set-local':
      return { ...node, local: to.local(node.local), value: expression(node.value) };
    case 'set-held':
      return {
        ...node,
        held: { ...copyHeld(to, node.held), array: expression(node.held.array) },
        index: expression(node.index),
        value: expression(node.value),
        checked: node.checked && !to.unchecked.has(node),
      };
    case 'hold-array':
      return { ...copyHeld(to, node), array: expression(node.array) };
    case 'if':
      return {
        ...node,
        condition: expression(node.condition),
        then: statements(node.then),
        otherwise: statements(node.otherwise),
      };
    case 'loop':
      return {
        ...node,
        id: to.loop(node.id),
        condition: node.condition === null ? null : expression(node.condition),
        body: statements(node.body),
        step: statements(node.step),
        ...(node.counted === undefined ? {} : { counted: copyCount(to, node.counted) }),
        ...(node.part === undefined ? {} : { part: copyPart(to, node.part) }),
      };
    case 'break':
    case 'continue':
      return { ...node, loop: to.loop(node.loop) };
    case 'return':
    case 'finish':
      return { ...node, value: node.value === null ? null : expression(node.value) };
    case 'try':
      return {
        ...node,
        body: statements(node.body),
        clauses: node.clauses.map((clause) => ({
          ...clause,
          local: to.local(clause.local),
          body: statements(clause.body),
        })),
      };
    case 'block':
      return { ...node, statements: statements(node.statements) };
    case 'call-part':
      return { ...node, part: copyPart(to, node.part) };
    case 'hand-back':
      throw new Error('a part is copied');
    default:
      return withOperands(node, operandsOf(node).map(expression));
  }
}

/** The call of a part, by the same order of what goes in and out. */
function copyPart(to: Differences, { inputs, outputs, ...part }: LoopPart): LoopPart {
  return { ...part, inputs: inputs.map(to.local), outputs: outputs.map(to.local) };
}

function copyCount(to: Differences, counted: CountedLoop): CountedLoop {
  return {
    ...counted,
    variable: to.local(counted.variable),
    limit: copyExpression(to, counted.limit),
    step: copyExpression(to, counted.step),
  };
}

/**
 * The loop without the settings of the checker's temporaries that it no longer reads, as far as working them out does
 * nothing else.
 */
export function withoutUnread(loop: Loop, locals: readonly Local[]): Loop {
  const read = new Set<LocalId>();
  let dropped = false;
  visitAll([loop], (node) => {
    if (node.kind === 'get-local') read.add(node.local);
  });
  const isUnread = (node: Statement): boolean =>
    node.kind === 'set-local' &&
    locals[node.local]!.name.startsWith('$') &&
    !read.has(node.local) &&
    isQuiet(node.value);
  const keep = (nodes: readonly Statement[]): readonly Statement[] =>
    nodes
      .filter((node) => {
        if (isUnread(node)) dropped = true;
        return !isUnread(node);
      })
      .map((node) => {
        if (node.kind === 'block') return { ...node, statements: keep(node.statements) };
        return node.kind === 'if' ? { ...node, then: keep(node.then), otherwise: keep(node.otherwise) } : node;
      });
  const kept = { ...loop, body: keep(loop.body), step: keep(loop.step) };
  return dropped ? withoutUnread(kept, locals) : kept;
}

/** Whether evaluating the node has no effect and cannot fail. */
function isQuiet(node: Expression): boolean {
  switch (node.kind) {
    case 'int':
    case 'get-local':
    case 'get-global':
      return true;
    case 'get-held':
      return !node.checked && isQuiet(node.index);
    case 'operate':
      return (
        node.operator.endsWith('(int,int)') && !['/', '%'].includes(node.operator[0]!) && node.operands.every(isQuiet)
      );
    default:
      return false;
  }
}
