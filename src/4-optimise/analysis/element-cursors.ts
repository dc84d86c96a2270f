// Element cursors: variables that hold an element of an array for the rest of their block, and are asked for its fields
// and have them set, but are seen by nobody as a whole.
//
//   p = ps[i];  p.x = (p.x + p.vx)

import { blocksOf, flatten, nodesOf, operandsOf, visitAll } from '../../mir/children.ts';
import { isConstant, isStrict } from '../../mir/kinds.ts';
import { isGet, localsRead, localsSet } from '../../mir/locals.ts';
import type { Expression, GetElement, GetField, LocalId, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { localsSetIn } from './invariance.ts';

export interface Cursor {
  /** Locals that are set while the cursor is in use: what reads them has to be worked out in front. */
  readonly changed: ReadonlySet<LocalId>;
  /** The field that is asked for first. */
  readonly field: number;
  /** If the next statement asks for a field before it does anything else, and so tests the index: where it does so. */
  readonly testedBy: GetField | null;
}

/** The cursors of a function, by their locals. */
export function findCursors(fn: MirFunction): ReadonlyMap<LocalId, Cursor> {
  const sets = new Map<LocalId, number>(fn.parameters.map(({ local }) => [local, 1]));
  const reads = new Map<LocalId, number>();
  const fields = new Map<LocalId, number>();
  const elements = new Set<LocalId>();
  visitAll(nodesOf(fn), (node) => {
    for (const local of localsRead(node)) reads.set(local, (reads.get(local) ?? 0) + 1);
    for (const local of localsSet(node)) sets.set(local, (sets.get(local) ?? 0) + 1);
    if (node.kind === 'set-local' && isStructElement(node.value)) elements.add(node.local);
    if ((node.kind === 'get-field' || node.kind === 'set-field') && node.object.kind === 'get-local')
      fields.set(node.object.local, (fields.get(node.object.local) ?? 0) + 1);
  });
  const found = new Map<LocalId, Cursor>();
  if (elements.size === 0) return found;
  const pending: (readonly Statement[])[] = [flatten(fn.body)];
  for (let block = pending.pop(); block !== undefined; block = pending.pop())
    for (const [at, node] of block.entries()) {
      pending.push(...blocksOf(node).map(flatten));
      if (node.kind !== 'set-local' || !isStructElement(node.value)) continue;
      const { local } = node;
      const all = reads.get(local) ?? 0;
      if (sets.get(local) !== 1 || all === 0 || all !== fields.get(local)) continue;
      const behind = inUse(block.slice(at + 1), local, all);
      if (behind === null) continue;
      const changed = new Set(behind.flatMap((part) => [...localsSetIn(part)]));
      const read = firstRead(behind[0]!);
      const testedBy = read !== null && isGet(read.object, local) ? read : null;
      found.set(local, { changed, field: firstField(behind, local), testedBy });
    }
  return found;
}

function isStructElement(node: Expression): node is GetElement {
  return node.kind === 'get-element' && node.type.kind === 'struct';
}

/** The statements up to the last that reads the local; null if there are reads elsewhere. */
export function inUse(behind: readonly Statement[], local: LocalId, reads: number): readonly Statement[] | null {
  let left = reads;
  for (const [at, node] of behind.entries()) {
    visitAll([node], (part) => {
      for (const read of localsRead(part)) if (read === local) left -= 1;
    });
    if (left === 0) return behind.slice(0, at + 1);
  }
  return null;
}

function firstField(nodes: readonly Statement[], local: LocalId): number {
  let first: number | null = null;
  for (const statement of nodes) {
    visitAll([statement], (node) => {
      if ((node.kind === 'get-field' || node.kind === 'set-field') && isGet(node.object, local)) first ??= node.field;
    });
    if (first !== null) return first;
  }
  return 0;
}

/** The read of a field of a local that a statement begins with, before it does anything that may fail or be seen. */
function firstRead(node: Statement): GetField | null {
  if (node.kind === 'set-local') return firstReadOf(node.value);
  if (node.kind === 'set-field') return node.object.kind === 'get-local' ? firstReadOf(node.value) : null;
  return node.kind === 'evaluate' ? firstReadOf(node.expression) : null;
}

function firstReadOf(node: Expression): GetField | null {
  if (node.kind === 'get-field' && node.object.kind === 'get-local') return node;
  if (!isStrict(node)) return null;
  const isPlain = (operand: Expression): boolean =>
    isConstant(operand) || operand.kind === 'get-local' || operand.kind === 'get-global';
  const first = operandsOf(node).find((operand) => !isPlain(operand));
  return first === undefined ? null : firstReadOf(first);
}
