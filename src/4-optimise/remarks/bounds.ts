// Which accesses look whether their index is in range, and why: what bounds-check elimination says.

import { hasLoop, visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import type { CountedLoop, Expression, GetHoisted, LocalId, Loop } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import type { Span } from '../../source.ts';
import { isUnchanged } from '../analysis/access-paths.ts';
import type { Cause, FixedMatrices } from '../analysis/fixed-matrices.ts';
import { linearIn } from '../analysis/index-groups.ts';
import { isRowElement } from '../analysis/induction-variables.ts';
import type { Access } from '../analysis/induction-variables.ts';
import type { Changes } from '../analysis/mod-ref.ts';
import { settingsOf, sourceOf } from './index-sources.ts';
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
  const ends = new Map<string, number>();
  const keyOf = ({ file, start }: Span): string => `${start} ${file.name}`;
  for (const place of found.values()) ends.set(keyOf(place), Math.max(place.end, ends.get(keyOf(place)) ?? 0));
  return new Map([...found].filter(([, place]) => ends.get(keyOf(place)) === place.end));
}

/** Says of the loops that are not counted that all their accesses look. */
export function remarkUncounted(remarks: Remarks, fn: MirFunction): void {
  visitStatements(fn.body, (loop) => {
    // What a cold loop does a jammed nest does without looking.
    if (
      loop.kind !== 'loop' ||
      loop.isCold === true ||
      loop.counted !== undefined ||
      hasLoop([...loop.body, ...loop.step])
    )
      return;
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
  unchecked: ReadonlySet<Node>,
  negligible: ReadonlySet<Node>,
): void {
  const { loop } = checked;
  const rows = rowsIn(loop);
  for (const [access, what] of checkedIn(loop)) {
    const row = isRowElement(access) ? access.array : null;
    const isRowChecked = row?.checked === true && !unchecked.has(row);
    if (unchecked.has(access) && isRowChecked) remarkKept(remarks, checked, row, placeOf(row), rows);
    else if (unchecked.has(access)) remarks.add('unchecked', loop.span, { what });
    else if (negligible.has(access)) remarks.add('checkNegligible', loop.span, { what });
    else remarkKept(remarks, checked, access, what, rows);
  }
}

function remarkKept(
  remarks: Remarks,
  checked: CheckedLoop,
  access: CheckedAccess,
  what: Span,
  rows: ReadonlyMap<LocalId, GetHoisted>,
): void {
  const { fn, loop, counted, indices, changes, registry, matrices } = checked;
  const { span } = loop;
  const index = indices.get(access as Access);
  if (index === undefined) {
    const row = 'array' in access ? rowOf(access.array, rows) : null;
    // A row that stays the same is looked up there for another reason.
    if (row === null || isUnchanged(row.index, changes)) return remarks.add('checkedMoving', span, { what });
    const isColumn = isOfLoopAround(access.index, fn, loop);
    return remarks.add(isColumn ? 'checkedColumnStore' : 'checkedRowStore', span, { what });
  }
  const isLinear = linearIn(index, counted, changes, registry) !== null;
  if (!isLinear) return remarkIndex(remarks, checked, what, index);
  const cause = isRowElement(access) ? matrices().whyNotFixed(fn, access.array.hoisted.elements) : null;
  if (cause === null) return remarks.add('readUnderCondition', span, { what });
  const { at } = cause;
  remarks.add('rowsDiffer', span, { what, at, ...rowCauses[cause.kind](sourceText(cause.what)) });
}

/** Why an index is not known in front of the loop. */
function remarkIndex(
  remarks: Remarks,
  { fn, loop, counted, changes }: CheckedLoop,
  what: Span,
  index: Expression,
): void {
  const { span } = loop;
  const source = sourceOf(index, { fn, loop, changes, variable: counted.variable });
  switch (source?.kind) {
    case undefined:
      return remarks.add('indexIrregular', span, { what });
    case 'element':
      return remarks.add('indexElement', span, { what, variable: source.variable, array: source.array });
    case 'read':
      return remarks.add('indexRead', span, { what, source: source.source });
    case 'part':
      return remarks.add('indexPart', span, { what, part: source.part });
    case 'varies':
      return remarks.add('indexVaries', span, { what, variable: source.name });
    case 'step':
      return remarks.add('indexOtherStep', span, { what, variable: source.name });
    case 'memory':
      return remarks.add('indexInMemory', span, { what, place: source.name });
  }
}

/** The temporaries of compound assignments that hold rows of hoisted matrices, with these. */
function rowsIn(loop: Loop): ReadonlyMap<LocalId, GetHoisted> {
  const rows = new Map<LocalId, GetHoisted>();
  visitAll([loop], (node) => {
    if (node.kind === 'set-local' && node.value.kind === 'get-hoisted') rows.set(node.local, node.value);
  });
  return rows;
}

function rowOf(array: Expression, rows: ReadonlyMap<LocalId, GetHoisted>): GetHoisted | null {
  if (array.kind === 'get-local') return rows.get(array.local) ?? null;
  return array.kind === 'get-hoisted' ? array : null;
}

/** Whether an index is the variable of a loop around this one, with others perhaps. */
function isOfLoopAround(index: Expression, fn: MirFunction, loop: Loop): boolean {
  const counted = new Set<LocalId>();
  visitStatements(fn.body, (node) => {
    const isAround =
      node.kind === 'loop' &&
      node.id !== loop.id &&
      node.span.file === loop.span.file &&
      node.span.start < loop.span.start &&
      loop.span.end <= node.span.end;
    if (isAround)
      visitAll(node.step, (part) => ('type' in part ? [] : localsSet(part)).forEach((local) => counted.add(local)));
  });
  const [read] = index.kind === 'get-local' ? settingsOf(index.local, loop) : [];
  let is = false;
  visitAll([index, ...(read === undefined ? [] : [read])], (part) => {
    is ||= part.kind === 'get-local' && counted.has(part.local);
  });
  return is;
}

interface RowCause {
  readonly before: string;
  readonly behind: string;
}

/** How each cause reads in front of its place and behind it. */
export const rowCauses: { readonly [Kind in Cause['kind']]: (what: string) => RowCause } = {
  'row-stored': (what) => ({ before: `a row of '${what}' is stored`, behind: '' }),
  resized: (what) => ({ before: `'${what}'`, behind: ' may resize it' }),
  literal: (what) => ({ before: `'${what}'`, behind: ' lists them, and not all as literals of the same length' }),
  'no-rows': (what) => ({ before: `'${what}'`, behind: ' makes none' }),
  parameter: () => ({ before: 'the function', behind: ' takes them from the host' }),
  outside: (what) => ({ before: `'${what}'`, behind: ' gives them' }),
};
