// What checking a merge has found: rows of summaries that should be the same, compared and told.

import type { OutputColumn } from './plan.ts';

/** How a result that was merged differs from that of all records in one state. */
export interface MergeDifference {
  /** The order in which pieces were merged. */
  readonly order: string;
  readonly isInOrder: boolean;
  /** How many groups differ. */
  readonly groups: number;
  /** The first of them, such as `country=DE`; empty where there is one group alone. */
  readonly group: string;
  /** Its row without a merge, and as it was merged; null where there is none. */
  readonly expected: string | null;
  readonly merged: string | null;
}

/** What came of merging the pieces of a sample in several orders. */
export interface MergeCheck {
  readonly records: number;
  /** Records that failed, and were left out. */
  readonly failed: number;
  readonly groups: number;
  readonly pieces: number;
  /** Orders that were tried. */
  readonly orders: number;
  /** Whether doubles differ, but in their last digits alone. */
  readonly isRounded: boolean;
  readonly differences: readonly MergeDifference[];
}

/** Rows of a summary as texts, without the columns of groups, by what is different for each group. */
export type SummaryRows = ReadonlyMap<string, readonly (string | null)[]>;

/** Sums of doubles that were added in other orders differ so little, as a share of the larger one. */
const rounding = 1e-9;

/** How many groups differ, the first of them, and whether there are doubles that differ in their last digits. */
export function compareRows(
  outputs: readonly OutputColumn[],
  expected: SummaryRows,
  merged: SummaryRows,
): Pick<MergeDifference, 'groups' | 'group' | 'expected' | 'merged'> & { readonly isRounded: boolean } {
  let isRounded = false;
  const differing = [...new Set([...expected.keys(), ...merged.keys()])].filter((group) => {
    const rows = [expected.get(group), merged.get(group)] as const;
    if (rows[0] === undefined || rows[1] === undefined) return true;
    const cells = outputs.map(({ carrier }, at) => compareCells(carrier, rows[0]![at]!, rows[1]![at]!));
    isRounded ||= cells.includes('rounded');
    return cells.includes('different');
  });
  const group = differing[0] ?? '';
  const told = (rows: SummaryRows): string | null => {
    const row = rows.get(group);
    return row === undefined ? null : outputs.map(({ name }, at) => `${name} = ${row[at] ?? 'null'}`).join(', ');
  };
  return { groups: differing.length, group, expected: told(expected), merged: told(merged), isRounded };
}

type Likeness = 'same' | 'rounded' | 'different';

function compareCells(carrier: OutputColumn['carrier'], one: string | null, other: string | null): Likeness {
  if (one === other) return 'same';
  if (one === null || other === null) return 'different';
  if (carrier === 'double') return compareDoubles(Number(one), Number(other));
  return carrier === 'json' ? compareJson(one, other) : 'different';
}

/** NaN and infinities have one text each, which was compared before. */
function compareDoubles(one: number, other: number): Likeness {
  return Math.abs(one - other) <= rounding * Math.max(Math.abs(one), Math.abs(other)) ? 'rounded' : 'different';
}

/** Numbers of JSON; texts in it are told apart first, since they may have numbers in them. */
const parts = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The same but for numbers with a point, in their last digits. */
function compareJson(one: string, other: string): Likeness {
  const isDouble = (part: string): boolean => /^-?\d.*[.eE]/.test(part);
  const without = (text: string): string => text.replaceAll(parts, (part) => (isDouble(part) ? '#' : part));
  if (without(one) !== without(other)) return 'different';
  const doubles = (text: string): number[] => (text.match(parts) ?? []).filter(isDouble).map(Number);
  const others = doubles(other);
  return doubles(one).every((value, at) => compareDoubles(value, others[at]!) === 'rounded') ? 'rounded' : 'different';
}

/** The result as text for people. */
export function describeMergeCheck({
  records,
  failed,
  groups,
  pieces,
  orders,
  isRounded,
  differences,
}: MergeCheck): string {
  const left = failed === 0 ? '' : `; ${count(failed, 'record')} that failed left out`;
  const sample = `${count(records, 'record')} in ${count(groups, 'group')}, cut into ${pieces} pieces${left}`;
  const faults = differences.filter(({ isInOrder }) => isInOrder);
  const digits = isRounded ? ', but for the last digits of doubles' : '';
  return [
    `sample       ${sample}`,
    ...(faults.length === 0
      ? [`merge        gives what one state of all records gives, in ${orders} orders${digits}`]
      : faults.flatMap((fault) => ['merge        gives another result', ...differenceOf(fault, groups)])),
    // Whoever mends the merge sees then whether its order matters.
    ...(faults.length > 0 ? [] : differences.flatMap((difference) => orderOf(difference, groups))),
  ].join('\n');
}

function orderOf(difference: MergeDifference, groups: number): string[] {
  return [
    'order        matters: a run merges in the order of records, and gives the same each time',
    ...differenceOf(difference, groups),
  ];
}

function differenceOf({ order, groups, group, expected, merged }: MergeDifference, all: number): string[] {
  const where = group === '' ? '' : `, in ${groups} of ${count(all, 'group')}, such as ${group}`;
  return [
    `  pieces merged ${order}${where}`,
    `    one state of all records  ${expected ?? 'no row'}`,
    `    merged                    ${merged ?? 'no row'}`,
  ];
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;
}
