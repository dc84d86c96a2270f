// The children of each node of Mir, and how to rebuild a node with other children, so that analyses and rewrites need
// not know every kind.

import { hasOperandsAlone, isShortCircuit, isStructured } from './kinds.ts';
import type { Node, SimpleStatement } from './kinds.ts';
import type { Expression, Load, Statement, Store } from './mir.ts';
import type { MirFunction } from './program.ts';

export type { Node, SimpleStatement } from './kinds.ts';

/** Leaves are most of the nodes: all share this list. */
const nothing: readonly [] = [];

/** The expressions directly in a node, in the order of their evaluation, without the statements of a sequence. */
export function operandsOf(node: Expression | SimpleStatement): readonly Expression[] {
  switch (node.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'string':
    case 'null':
    case 'get-local':
    case 'get-global':
    case 'built-text':
    case 'out-of-fuel':
    case 'poll':
    case 'count':
    case 'attribute':
      return nothing;
    case 'get-field':
      return [node.object];
    case 'get-element':
      return [node.array, node.index];
    case 'get-hoisted':
      return node.checked ? [node.hoisted.array, node.index] : [node.index];
    case 'in-range':
      return [node.index, node.length];
    case 'in-bounds':
      return [node.index, node.elements];
    case 'operate':
    case 'lane-wise':
    case 'distinct-rows':
    case 'logical':
      return node.operands;
    case 'load':
      return [node.address, ...(node.asserted ?? [])];
    case 'reserve-scratch':
      return [node.bytes];
    case 'row-length':
      return [node.elements, ...node.counts, ...(node.most === null ? [] : [node.most])];
    case 'same-object':
      return [node.left, node.right];
    case 'conditional':
      return [node.condition, node.then, node.otherwise];
    case 'select':
      return [node.then, node.otherwise, node.condition];
    case 'wrap32':
    case 'splat':
    case 'extract-lane':
    case 'widen':
    case 'check-null':
    case 'is-null':
    case 'to-text':
    case 'character':
    case 'to-json':
    case 'cast':
      return [node.operand];
    case 'call':
    case 'library-call':
      return node.arguments;
    case 'array-literal':
    case 'json-array':
      return node.elements;
    case 'struct-literal':
      return node.fields.map(({ value }) => value);
    case 'json-object':
      return node.members.map(({ value }) => value);
    case 'new-array':
      return node.lengths;
    case 'concat':
      return node.parts;
    case 'build-text':
    case 'append-text':
      return node.pieces.map(({ value }) => value);
    case 'built-length':
      return [node.ofString];
    case 'get-member':
      return [node.json, node.key];
    case 'get-item':
      return [node.json, node.index];
    case 'item-count':
      return [node.json];
    case 'sequence':
      return [node.value];
    case 'set-global':
    case 'yield':
      return [node.value];
    case 'set-field':
      return [node.object, node.value];
    case 'set-element':
      return [node.array, node.index, node.value];
    case 'set-range':
      return [node.index, node.value, node.count];
    case 'store':
      return [node.address, node.value, ...(node.asserted ?? [])];
    case 'copy-elements':
      return [node.elements, node.address, ...node.counts];
    case 'set-member':
      return [node.json, node.key, node.value];
    case 'set-item':
      return [node.json, node.index, node.value];
    case 'evaluate':
      return [node.expression];
    case 'charge':
      return [node.units];
    case 'throw':
      return [node.message];
  }
}

/** The operands of a chain of logical operators. An operand that is a chain of the same operator is flattened. */
export function operandsOfLogical(operator: '&&' | '||', operands: readonly Expression[]): readonly Expression[] {
  const isChain = (node: Expression): node is Logical => node.kind === 'logical' && node.operator === operator;
  return operands.some(isChain) ? operands.flatMap((node) => (isChain(node) ? node.operands : [node])) : operands;
}

type Logical = Expression & { readonly kind: 'logical' };

/** The same node with other operands, as many as `operandsOf` gives, in the same order. */
export function withOperands<Kind extends Expression | SimpleStatement>(
  node: Kind,
  operands: readonly Expression[],
): Kind;
export function withOperands(
  node: Expression | SimpleStatement,
  operands: readonly Expression[],
): Expression | SimpleStatement {
  const [a, b, c] = operands as readonly [Expression, Expression, Expression];
  switch (node.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'string':
    case 'null':
    case 'get-local':
    case 'get-global':
    case 'built-text':
    case 'out-of-fuel':
    case 'poll':
    case 'count':
    case 'attribute':
      return node;
    case 'get-field':
      return { ...node, object: a };
    case 'get-element':
      return { ...node, array: a, index: b };
    case 'get-hoisted':
      return node.checked ? { ...node, hoisted: { ...node.hoisted, array: a }, index: b } : { ...node, index: a };
    case 'in-range':
      return { ...node, index: a, length: b };
    case 'in-bounds':
      return { ...node, index: a, elements: b };
    case 'operate':
    case 'lane-wise':
    case 'distinct-rows':
      return { ...node, operands };
    case 'load':
      return { ...node, address: a, ...assertedIn(node, operands.slice(1)) };
    case 'reserve-scratch':
      return { ...node, bytes: a };
    case 'row-length': {
      const counts = operands.slice(1, node.counts.length + 1);
      return { ...node, elements: a, counts, most: operands[counts.length + 1] ?? null };
    }
    case 'logical':
      return { ...node, operands: operandsOfLogical(node.operator, operands) };
    case 'same-object':
      return { ...node, left: a, right: b };
    case 'conditional':
      return { ...node, condition: a, then: b, otherwise: c };
    case 'select':
      return { ...node, then: a, otherwise: b, condition: c };
    case 'wrap32':
    case 'splat':
    case 'extract-lane':
    case 'widen':
    case 'check-null':
    case 'is-null':
    case 'to-text':
    case 'character':
    case 'to-json':
    case 'cast':
      return { ...node, operand: a };
    case 'call':
    case 'library-call':
      return { ...node, arguments: operands };
    case 'array-literal':
    case 'json-array':
      return { ...node, elements: operands };
    case 'struct-literal':
      return { ...node, fields: node.fields.map((field, index) => ({ ...field, value: operands[index]! })) };
    case 'json-object':
      return { ...node, members: node.members.map((member, index) => ({ ...member, value: operands[index]! })) };
    case 'new-array':
      return { ...node, lengths: operands };
    case 'concat':
      return { ...node, parts: operands };
    case 'build-text':
    case 'append-text':
      return { ...node, pieces: node.pieces.map((piece, index) => ({ ...piece, value: operands[index]! })) };
    case 'built-length':
      return { ...node, ofString: a };
    case 'get-member':
      return { ...node, json: a, key: b };
    case 'get-item':
      return { ...node, json: a, index: b };
    case 'item-count':
      return { ...node, json: a };
    case 'sequence':
    case 'set-global':
    case 'yield':
      return { ...node, value: a };
    case 'set-field':
      return { ...node, object: a, value: b };
    case 'set-element':
      return { ...node, array: a, index: b, value: c };
    case 'set-range':
      return { ...node, index: a, value: b, count: c };
    case 'store':
      return { ...node, address: a, value: b, ...assertedIn(node, operands.slice(2)) };
    case 'copy-elements':
      return { ...node, elements: a, address: b, counts: operands.slice(2) };
    case 'set-member':
      return { ...node, json: a, key: b, value: c };
    case 'set-item':
      return { ...node, json: a, index: b, value: c };
    case 'evaluate':
      return { ...node, expression: a };
    case 'charge':
      return { ...node, units: a };
    case 'throw':
      return { ...node, message: a };
  }
}

function assertedIn({ asserted }: Load | Store, operands: readonly Expression[]): Pick<Load, 'asserted'> {
  return asserted === undefined ? {} : { asserted: operands };
}

/** Everything directly in a node, statements too. */
export function partsOf(node: Node): readonly Node[] {
  if (hasOperandsAlone(node)) return operandsOf(node);
  switch (node.kind) {
    case 'sequence':
      return [...node.statements, node.value];
    case 'set-local':
      return [node.value];
    case 'hoist-array':
      return [node.array];
    case 'set-hoisted':
      return node.checked ? [node.hoisted.array, node.index, node.value] : [node.index, node.value];
    case 'if':
      return [...node.arms.flatMap(({ condition, then }) => [condition, ...then]), ...node.otherwise];
    case 'loop':
      return [...(node.condition === null ? [] : [node.condition]), ...node.body, ...node.step];
    case 'break':
    case 'continue':
    case 'call-outlined':
    case 'return-live-outs':
    case 'osr-exit':
      return nothing;
    case 'return':
    case 'finish':
      return node.value === null ? nothing : [node.value];
    case 'try':
      return [...node.body, ...node.clauses.flatMap(({ body }) => body)];
    case 'block':
      return node.statements;
  }
}

/** How many of its parts, from the first, are evaluated to their end whenever control comes to the end of the node. */
export function countSureParts(node: Node): number {
  if ('type' in node) return isShortCircuit(node) ? 1 : partsOf(node).length;
  if (!isStructured(node)) return partsOf(node).length;
  switch (node.kind) {
    case 'if':
      return 1;
    case 'loop':
      return node.testFirst && node.condition !== null ? 1 : 0;
    case 'try':
      return 0;
    case 'block':
      return node.statements.length;
  }
}

/** The lists of statements in a statement, without those of sequences, which hold no loops. */
export function blocksOf(node: Statement): readonly (readonly Statement[])[] {
  if (!isStructured(node)) return nothing;
  switch (node.kind) {
    case 'if':
      return [...node.arms.map(({ then }) => then), node.otherwise];
    case 'loop':
      return [node.body, node.step];
    case 'try':
      return [node.body, ...node.clauses.map(({ body }) => body)];
    case 'block':
      return [node.statements];
  }
}

/** The same statement with other lists of statements, as many as `blocksOf` gives, in the same order. */
export function withBlocks(node: Statement, blocks: readonly (readonly Statement[])[]): Statement {
  if (!isStructured(node)) return node;
  switch (node.kind) {
    case 'if':
      return {
        ...node,
        arms: node.arms.map((arm, index) => ({ ...arm, then: blocks[index]! })),
        otherwise: blocks[node.arms.length]!,
      };
    case 'loop':
      return { ...node, body: blocks[0]!, step: blocks[1]! };
    case 'try': {
      const [body, ...clauses] = blocks;
      return { ...node, body: body!, clauses: node.clauses.map((clause, at) => ({ ...clause, body: clauses[at]! })) };
    }
    case 'block':
      return { ...node, statements: blocks[0]! };
  }
}

/** Visits statements and the statements inside them, in no particular order, but not those inside expressions. */
export function visitStatements(nodes: readonly Statement[], visit: (node: Statement) => void): void {
  const pending = [...nodes];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visit(node);
    for (const block of blocksOf(node)) for (const part of block) pending.push(part);
  }
}

/** The statements without blocks around them. */
export function flatten(nodes: readonly Statement[]): readonly Statement[] {
  return nodes.flatMap((node) => (node.kind === 'block' ? flatten(node.statements) : [node]));
}

/** Whether there is a loop among the statements or in them. */
export function hasLoop(nodes: readonly Statement[]): boolean {
  let found = false;
  visitStatements(nodes, ({ kind }) => (found ||= kind === 'loop'));
  return found;
}

/** The statements of a function, and the default values that the host may leave to it. */
export function nodesOf({ body, parameters }: MirFunction): readonly Node[] {
  return [...body, ...parameters.flatMap(({ initialiser }) => initialiser ?? [])];
}

/** Visits nodes and everything inside them, in no particular order. It does not recurse, so any depth is fine. */
export function visitAll(nodes: readonly Node[], visit: (node: Node) => void): void {
  const pending = [...nodes];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visit(node);
    for (const part of partsOf(node)) pending.push(part);
  }
}

/** As `visitAll`, with the number of loops around each node. */
export function visitWithLoops(nodes: readonly Node[], visit: (node: Node, loops: number) => void): void {
  const pending = nodes.map((node) => ({ node, loops: 0 }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, loops } = next;
    visit(node, loops);
    const inside = node.kind === 'loop' ? loops + 1 : loops;
    for (const part of partsOf(node)) pending.push({ node: part, loops: inside });
  }
}
