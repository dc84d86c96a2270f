// Copies of loops and statements, with changes.

import type {
  CountedLoop,
  Expression,
  HoistedArray,
  LocalId,
  Loop,
  LoopId,
  LoopVersions,
  OutlinedLoop,
  Statement,
} from './mir.ts';
import type { Span } from '../source.ts';
import { operandsOf, withOperands } from './children.ts';
import { isSimple, isStrict, namesLocals } from './kinds.ts';
import type { Node } from './children.ts';

/** What a copy changes. */
interface Differences {
  readonly local: (local: LocalId) => LocalId;
  readonly loop: (loop: LoopId) => LoopId;
  /** Accesses that lose their checks. */
  readonly unchecked: ReadonlySet<Node>;
  readonly span?: (span: Span) => Span;
}

/** A copy of an innermost loop with another id; the accesses in `unchecked` lose their checks. */
export function copyLoop(loop: Loop, id: LoopId, unchecked: ReadonlySet<Node>): Loop {
  return copyStatement(
    { local: (local) => local, loop: (other) => (other === loop.id ? id : other), unchecked },
    loop,
  ) as Loop;
}

/** Copies with other locals, with other places in the script, and with other loops. */
export function copyStatements(
  nodes: readonly Statement[],
  local: (local: LocalId) => LocalId,
  span?: (span: Span) => Span,
  loop: (loop: LoopId) => LoopId = (same) => same,
): readonly Statement[] {
  const differences: Differences = {
    local,
    loop,
    unchecked: new Set(),
    ...(span === undefined ? {} : { span }),
  };
  return nodes.map((node) => copyStatement(differences, node));
}

/** Copies with other locals, and with other loops: those in the statements. */
export function copyWithLoops(
  nodes: readonly Statement[],
  local: (local: LocalId) => LocalId,
  loop: (loop: LoopId) => LoopId,
): readonly Statement[] {
  return nodes.map((node) => copyStatement({ local, loop, unchecked: new Set() }, node));
}

function copyExpression(to: Differences, node: Expression): Expression {
  const copy = copyOfExpression(to, node);
  return to.span === undefined ? copy : { ...copy, span: to.span(copy.span) };
}

function copyOfExpression(to: Differences, node: Expression): Expression {
  const copy = withOperands(
    node,
    operandsOf(node).map((operand) => copyExpression(to, operand)),
  );
  if (copy.kind === 'get-element') return { ...copy, checked: copy.checked && !to.unchecked.has(node) };
  if (isStrict(copy)) return copy;
  switch (copy.kind) {
    case 'logical':
    case 'conditional':
      return copy;
    case 'get-local':
      return { ...copy, local: to.local(copy.local) };
    case 'built-text':
    case 'built-length':
      return { ...copy, local: to.local(copy.local), builder: to.local(copy.builder) };
    case 'sequence':
      return { ...copy, statements: copy.statements.map((statement) => copyStatement(to, statement)) };
    case 'get-hoisted':
      return { ...copy, hoisted: copyHoisted(to, copy.hoisted), checked: copy.checked && !to.unchecked.has(node) };
  }
}

function copyHoisted<Held extends HoistedArray>(to: Differences, hoisted: Held): Held {
  const { elements, length, window } = hoisted;
  return {
    ...hoisted,
    elements: to.local(elements),
    length: to.local(length),
    window: window === null ? null : { start: to.local(window.start), size: to.local(window.size) },
  };
}

function copyStatement(to: Differences, node: Statement): Statement {
  const copy = copyOfStatement(to, node);
  return to.span === undefined ? copy : { ...copy, span: to.span(copy.span) };
}

function copyOfStatement(to: Differences, node: Statement): Statement {
  const expression = (part: Expression): Expression => copyExpression(to, part);
  const statements = (parts: readonly Statement[]): readonly Statement[] =>
    parts.map((part) => copyStatement(to, part));
  if (isSimple(node) && !namesLocals(node)) return withOperands(node, operandsOf(node).map(expression));
  switch (node.kind) {
    case 'set-local':
      return { ...node, local: to.local(node.local), value: expression(node.value) };
    case 'append-text':
      return {
        ...withOperands(node, operandsOf(node).map(expression)),
        local: to.local(node.local),
        builder: to.local(node.builder),
      };
    case 'set-hoisted':
      return {
        ...node,
        hoisted: { ...copyHoisted(to, node.hoisted), array: expression(node.hoisted.array) },
        index: expression(node.index),
        value: expression(node.value),
        checked: node.checked && !to.unchecked.has(node),
      };
    case 'set-range':
      return {
        ...withOperands(node, operandsOf(node).map(expression)),
        hoisted: { ...copyHoisted(to, node.hoisted), array: expression(node.hoisted.array) },
      };
    case 'hoist-array':
      return { ...copyHoisted(to, node), array: expression(node.array) };
    case 'if':
      return {
        ...node,
        arms: node.arms.map((arm) => ({ ...arm, condition: expression(arm.condition), then: statements(arm.then) })),
        otherwise: statements(node.otherwise),
        ...(node.versions === undefined ? {} : { versions: copyVersions(to, node.versions) }),
      };
    case 'loop':
      return {
        ...node,
        id: to.loop(node.id),
        condition: node.condition === null ? null : expression(node.condition),
        body: statements(node.body),
        step: statements(node.step),
        ...(node.counted === undefined ? {} : { counted: copyCount(to, node.counted) }),
        ...(node.outlined === undefined ? {} : { outlined: copyOutlined(to, node.outlined) }),
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
    case 'call-outlined':
      return { ...node, outlined: copyOutlined(to, node.outlined) };
    case 'return-live-outs':
    case 'osr-exit':
      throw new Error('a place where a function is left between iterations is copied');
  }
}

/** The call of an outlined loop, with its inputs and outputs in the same order. */
function copyOutlined(to: Differences, { inputs, outputs, ...outlined }: OutlinedLoop): OutlinedLoop {
  return { ...outlined, inputs: inputs.map(to.local), outputs: outputs.map(to.local) };
}

function copyVersions(to: Differences, { inRange }: LoopVersions): LoopVersions {
  return { inRange: inRange.map((range) => ({ ...range, elements: to.local(range.elements) })) };
}

function copyCount(to: Differences, counted: CountedLoop): CountedLoop {
  return {
    ...counted,
    variable: to.local(counted.variable),
    limit: copyExpression(to, counted.limit),
    ...(counted.textLength === undefined ? {} : { textLength: to.local(counted.textLength) }),
    step: copyExpression(to, counted.step),
  };
}

/** The places of a function's code where it is inlined, each made once. */
export function placeInCaller(callee: string, at: Span): (span: Span) => Span {
  const known = new Map<Span, Span>();
  const place = (span: Span): Span => {
    const found = known.get(span);
    if (found !== undefined) return found;
    const { inlined } = span;
    const made = { ...span, inlined: inlined === undefined ? { callee, at } : { ...inlined, at: place(inlined.at) } };
    known.set(span, made);
    return made;
  };
  return place;
}
