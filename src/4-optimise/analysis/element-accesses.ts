// The elements that a counted loop reads and sets, in the order of evaluation: of which array, at which distance from the
// variable that is counted, and whether every iteration does so.

import type { CountedLoop, Expression, GetHoisted, LocalId, Loop, SetHoisted, Statement } from '../../mir/mir.ts';
import { typeKey } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { countSureParts, partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf, every } from '../../mir/effects.ts';
import { localsSet } from '../../mir/locals.ts';
import { rewriteExpression } from '../../mir/rewrite.ts';
import { pathKey } from './access-paths.ts';
import { readLinear } from './affine.ts';
import { largestPath } from './local-paths.ts';
import type { Changes } from './mod-ref.ts';

export interface ElementAccess {
  readonly node: GetHoisted | SetHoisted;
  readonly elements: LocalId;
  /** The key of the type of the elements: those of different types are never the same. */
  readonly kind: string;
  /** By the variable and what the loop does not change. */
  readonly subscript: Expression;
  /** The subscript without its offset; null where it does not move with the variable, or in another way. */
  readonly base: string | null;
  readonly offset: bigint;
  /** The key of a subscript that does not move; null where it does. */
  readonly still: string | null;
  /** Every iteration comes here. */
  readonly always: boolean;
}

/**
 * The accesses in the body of a loop in the order in which they are made; null where something else in it may set
 * elements, or nothing is known of the order.
 */
export function findElementAccesses(
  loop: Loop & { readonly counted: CountedLoop },
  changes: Changes,
  registry: LibraryRegistry,
): readonly ElementAccess[] | null {
  const rest = [...(loop.condition === null ? [] : [loop.condition]), ...loop.step];
  if (!every(rest, ({ kind }) => kind !== 'get-hoisted' && kind !== 'set-hoisted')) return null;
  if (!every([...rest, ...loop.body], (node) => setsNoElements(node, registry))) return null;
  const found: ElementAccess[] = [];
  const settings = countSettings(loop);
  /** What locals stand for that the iteration has set, once. */
  let names: ReadonlyMap<LocalId, Expression> = new Map();
  const resolve = (index: Expression): Expression =>
    rewriteExpression(index, (part) => (part.kind === 'get-local' ? (names.get(part.local) ?? part) : part));
  const walk = (node: Node, always: boolean): void => {
    const sure = countSureParts(node);
    let comes = always;
    partsOf(node).forEach((part, index) => {
      const before = names;
      walk(part, comes && index < sure);
      comes &&= !mayLeave(part);
      // What is only sometimes set is no name behind that.
      if (index >= sure) names = before;
    });
    if (node.kind === 'set-local' && settings.get(node.local) === 1 && node.local !== loop.counted.variable) {
      const value = sizeOf(node.value, names) <= largestPath ? resolve(node.value) : null;
      if (value !== null && pathKey(value) !== null) names = new Map([...names, [node.local, value]]);
    }
    if (node.kind !== 'get-hoisted' && node.kind !== 'set-hoisted') return;
    found.push({ ...placeOf(node, resolve(node.index), loop.counted.variable, changes, registry), always });
  };
  const body: Statement = { kind: 'block', statements: loop.body, span: loop.span };
  walk(body, true);
  return found;
}

/** How many nodes an expression has once the names in it are written out: `x2 = x1 + x1` doubles with every line. */
function sizeOf(node: Expression, names: ReadonlyMap<LocalId, Expression>): number {
  let size = 0;
  visitAll([node], (part) => {
    size += 1;
    const name = part.kind === 'get-local' ? names.get(part.local) : undefined;
    if (name !== undefined) visitAll([name], () => void (size += 1));
  });
  return size;
}

function setsNoElements(node: Node, registry: LibraryRegistry): boolean {
  if (node.kind === 'set-hoisted') return true;
  if (node.kind === 'loop' || node.kind === 'try' || node.kind === 'hoist-array') return false;
  const { writes, calls, waits, isExternal } = effectsOf(node, registry);
  return (
    calls === null && !waits && !isExternal && writes.every(({ kind }) => kind !== 'contents' && kind !== 'length')
  );
}

function countSettings(loop: Loop): ReadonlyMap<LocalId, number> {
  const settings = new Map<LocalId, number>();
  visitAll([loop], (node) => {
    for (const local of localsSet(node)) settings.set(local, (settings.get(local) ?? 0) + 1);
  });
  return settings;
}

/** Whether what is behind it may be passed over. */
function mayLeave(node: Node): boolean {
  let leaves = false;
  visitAll([node], ({ kind }) => {
    leaves ||= kind === 'break' || kind === 'continue' || kind === 'return' || kind === 'finish';
    leaves ||= kind === 'osr-exit' || kind === 'return-live-outs';
  });
  return leaves;
}

function placeOf(
  node: GetHoisted | SetHoisted,
  subscript: Expression,
  variable: LocalId,
  changes: Changes,
  registry: LibraryRegistry,
): Omit<ElementAccess, 'always'> {
  const { elements, array } = node.hoisted;
  const kind = elementKind(array.type);
  const linear = changes.locals.has(elements) ? null : readLinear(subscript, variable, changes, registry);
  const moves = linear !== null && linear.coefficient === 1n && linear.base !== null;
  return {
    node,
    elements,
    kind,
    subscript,
    base: moves ? pathKey(linear.base) : null,
    offset: moves ? linear.offset : 0n,
    still: linear?.coefficient === 0n ? pathKey(subscript) : null,
  };
}

function elementKind(type: Type): string {
  return type.kind === 'array' ? typeKey(type.element) : typeKey(type);
}

export function isNumeric({ type }: Expression): boolean {
  return type.kind === 'int' || type.kind === 'double' || type.kind === 'boolean';
}
