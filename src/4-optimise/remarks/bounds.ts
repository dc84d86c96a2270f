// Which accesses look whether their index is in range, and why: what bounds-check elimination says.

import { hasLoop, visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { CountedLoop, Expression, Loop } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import type { Span } from '../../source.ts';
import type { Cause, FixedMatrices } from '../analysis/fixed-matrices.ts';
import { linearIn } from '../analysis/index-groups.ts';
import { isRowElement } from '../analysis/induction-variables.ts';
import type { Access } from '../analysis/induction-variables.ts';
import type { Changes } from '../analysis/mod-ref.ts';
import { nameOf } from './clobbers.ts';
import type { Remarks } from './remarks.ts';
import { placeOf, sourceText } from './source-text.ts';

type CheckedAccess = Node & { readonly kind: 'get-element' | 'set-element' | 'get-hoisted' | 'set-hoisted' };

/** The accesses of a loop that look at their index, and where they are written; `b[k]` of `b[k][j]` goes with that. */
function checkedIn(loop: Loop): ReadonlyMap<CheckedAccess, Span> {
  const found = new Map<CheckedAccess, Span>();
  visitAll([loop], (node) => {
    const isAccess =
      ((node.kind === 'get-element' || node.kind === 'get-hoisted' || node.kind === 'set-hoisted') && node.checked) ||
      node.kind === 'set-element';
    if (isAccess) found.set(node, placeOf(node));
  });
  const places = [...found.values()];
  const isBegun = ({ file, start, end }: Span): boolean =>
    places.some((other) => other.file === file && other.start === start && other.end > end);
  return new Map([...found].filter(([, place]) => !isBegun(place)));
}

/** Says of the loops that are not counted that all their accesses look. */
export function remarkUncounted(remarks: Remarks, fn: MirFunction): void {
  visitStatements(fn.body, (loop) => {
    if (loop.kind !== 'loop' || loop.counted !== undefined || hasLoop([...loop.body, ...loop.step])) return;
    for (const what of checkedIn(loop).values()) remarks.add('checkedUncounted', loop.span, { what });
  });
}

/** A counted loop as bounds-check elimination finds it. */
export interface CheckedLoop {
  readonly fn: MirFunction;
  readonly loop: Loop;
  readonly counted: CountedLoop;
  readonly indices: ReadonlyMap<Access, Expression>;
  readonly changes: Changes;
  readonly registry: LibraryRegistry;
  readonly matrices: () => FixedMatrices;
}

/** Why no access of a loop is freed of its check. */
export function remarkAllChecked(remarks: Remarks, loop: Loop, key: 'fewIterations' | 'limitUnknown'): void {
  for (const what of checkedIn(loop).values()) remarks.add(key, loop.span, { what });
}

/** Which accesses are freed of their checks, and why others are not; `negligible` ones could be. */
export function remarkChecks(
  remarks: Remarks,
  checked: CheckedLoop,
  unchecked: readonly Node[],
  negligible: readonly Node[],
): void {
  const { loop } = checked;
  for (const [access, what] of checkedIn(loop)) {
    if (unchecked.includes(access)) remarks.add('unchecked', loop.span, { what });
    else if (negligible.includes(access)) remarks.add('checkNegligible', loop.span, { what });
    else remarkKept(remarks, checked, access, what);
  }
}

function remarkKept(remarks: Remarks, checked: CheckedLoop, access: CheckedAccess, what: Span): void {
  const { fn, loop, counted, indices, changes, registry, matrices } = checked;
  const { span } = loop;
  const index = indices.get(access as Access);
  if (index === undefined) {
    const isRow = 'array' in access && isMovingRow(access.array, loop);
    return remarks.add(isRow ? 'checkedRowStore' : 'checkedMoving', span, { what });
  }
  const isLinear = linearIn(index, counted, changes, registry) !== null;
  if (!isLinear) return remarks.add('indexIrregular', span, { what, variable: nameOf(fn, counted.variable) });
  const cause = isRowElement(access) ? matrices().whyNotFixed(fn, access.array.hoisted.elements) : null;
  if (cause === null) return remarks.add('readUnderCondition', span, { what });
  const { at } = cause;
  remarks.add('rowsDiffer', span, { what, at, ...rowCauses[cause.kind](sourceText(cause.what)) });
}

/** Whether an array is a row of a hoisted matrix, itself or in the temporary of a compound assignment. */
function isMovingRow(array: Expression, loop: Loop): boolean {
  if (array.kind !== 'get-local') return array.kind === 'get-hoisted';
  let is = false;
  visitAll([loop], (node) => {
    is ||= node.kind === 'set-local' && node.local === array.local && node.value.kind === 'get-hoisted';
  });
  return is;
}

interface RowCause {
  readonly before: string;
  readonly behind: string;
}

/** How each cause reads in front of its place and behind it. */
const rowCauses: { readonly [Kind in Cause['kind']]: (what: string) => RowCause } = {
  'row-stored': (what) => ({ before: `a row of '${what}' is stored`, behind: '' }),
  resized: (what) => ({ before: `'${what}'`, behind: ' may resize it' }),
  literal: (what) => ({ before: `'${what}'`, behind: ' lists them one by one' }),
  'no-rows': (what) => ({ before: `'${what}'`, behind: ' makes none' }),
  parameter: () => ({ before: 'the function', behind: ' takes them from the host' }),
  outside: (what) => ({ before: `'${what}'`, behind: ' gives them' }),
};
