// Lists in brackets: arguments, parameters, elements, entries. All on one line, or each on one of its own; numbers
// as many on a line as there is room for. A trailing comma that is written keeps a list broken.

import { builders } from 'prettier/doc';
import { together } from './printer.ts';
import type { Doc, Gap, Printer } from './printer.ts';

const { breakParent, conditionalGroup, fill, group, indent, softline } = builders;

interface Items {
  readonly open: Doc;
  /** What is in front of each item. */
  readonly gaps: readonly Doc[];
  /** With its comma. */
  readonly items: readonly Doc[];
  readonly end: Gap;
  readonly close: Doc;
  readonly isForced: boolean;
  /** Comments lie between the items. */
  readonly hasComments: boolean;
  /** What breaks in items other than the last. */
  readonly breaksBeforeLast: boolean;
  readonly breaksInLast: boolean;
}

/** Reads the items, `count` of them, and what is around them. */
function printItems(
  p: Printer,
  brackets: '()' | '[]' | '{}',
  count: number,
  print: (at: number) => Doc,
  isForced: boolean,
): Items {
  const open = p.token(brackets[0]!);
  const edge = brackets === '{}' && count > 0 ? 'line' : 'softline';
  const gaps: Doc[] = [];
  const items: Doc[] = [];
  let hasComments = false;
  let isBroken = isForced;
  const forced = p.forced;
  let forcedBeforeLast = forced;
  for (let at = 0; at < count; at++) {
    if (at === count - 1) forcedBeforeLast = p.forced;
    hasComments ||= p.hasComments();
    const before = p.forced;
    const gap = p.gap(at === 0 ? edge : 'list', at === 0 ? 'opening' : null);
    if (p.forced > before) isBroken = true;
    gaps.push(together(gap));
    const item = print(at);
    hasComments ||= p.hasComments();
    const isCommaNext = p.isNext(',');
    items.push(isCommaNext ? [item, p.token(',')] : item);
    if (isCommaNext && at === count - 1) isBroken = true;
  }
  const breaksInLast = p.forced > forcedBeforeLast;
  hasComments ||= p.hasComments();
  const before = p.forced;
  const end = p.gap(edge, 'closing');
  if (p.forced > before) isBroken = true;
  const close = p.token(brackets[1]!);
  const isReallyForced = p.force(isBroken);
  return {
    open,
    gaps,
    items,
    end,
    close,
    isForced: isReallyForced,
    hasComments,
    breaksBeforeLast: forcedBeforeLast > forced,
    breaksInLast,
  };
}

function allOrNone({ open, gaps, items, end, close, isForced }: Items): Doc {
  if (items.length === 0 && end.before === '') return [open, close];
  const content = items.map((item, at): Doc => [gaps[at]!, item]);
  return group([open, indent([...content, end.before]), end.last, close], { shouldBreak: isForced });
}

export function printList(
  p: Printer,
  brackets: '()' | '[]' | '{}',
  count: number,
  print: (at: number) => Doc,
  isForced = false,
): Doc {
  return allOrNone(printItems(p, brackets, count, print, isForced));
}

/** As many on a line as fit. */
export function printFilled(p: Printer, brackets: '()' | '[]', count: number, print: (at: number) => Doc): Doc {
  const list = printItems(p, brackets, count, print, false);
  if (list.hasComments) return allOrNone(list);
  const parts = list.items.flatMap((item, at): Doc[] => (at === 0 ? [item] : [list.gaps[at]!, item]));
  if (p.isFlat) return [list.open, ...parts, list.close];
  return group([list.open, indent([softline, fill(parts)]), softline, list.close], { shouldBreak: list.isForced });
}

/** Arguments, of which the last, a literal, may be broken alone: `f(a, {`. */
export function printArguments(p: Printer, count: number, print: (at: number) => Doc, isLastLiteral: boolean): Doc {
  const list = printItems(p, '()', count, print, false);
  if (!isLastLiteral || list.hasComments || list.isForced || list.breaksBeforeLast) return allOrNone(list);
  if (count === 1) return [list.open, list.items[0]!, list.close];
  const first = list.items.slice(0, -1).map((item): Doc => [item, ' ']);
  const last = list.items.at(-1)!;
  const states: Doc[] = [
    [list.open, ...first, last, list.close],
    [list.open, ...first, group(last, { shouldBreak: true }), list.close],
    allOrNone({ ...list, isForced: true }),
  ];
  return [list.breaksInLast ? breakParent : '', conditionalGroup(states)];
}
