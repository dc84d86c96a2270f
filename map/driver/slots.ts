// What crosses into the driver with each batch, in the order of its parameters: the text of the driver and whoever
// calls it follow this one list.

import type { InputColumn, Taken } from '../plan/plan.ts';

export type SlotKind =
  /** Numbers of the column; booleans are ints. */
  | 'doubles'
  | 'ints'
  /** A bit for each row that has a value; empty if all have one. */
  | 'valid'
  /** 1 for each row whose value has none in the script; empty if there are none. */
  | 'misfits'
  /** Positions in the dictionary; empty where the text holds the values. */
  | 'codes'
  /** The values of all rows, with `separator` between them. */
  | 'text'
  /** Whether a value of the text is `nullMark`. */
  | 'marked';

export interface Slot {
  readonly kind: SlotKind;
  readonly input: number;
  /** The parameter of the driver. */
  readonly name: string;
}

/** Between the values of a text. */
export const separator = '\u0000';
/** A null in a text. */
export const nullMark = '\u0001';

const types: Readonly<Record<SlotKind, string>> = {
  doubles: 'double[]',
  ints: 'int[]',
  valid: 'int[]',
  misfits: 'int[]',
  codes: 'int[]',
  text: 'string',
  marked: 'boolean',
};
const letters: Readonly<Record<SlotKind, string>> = {
  doubles: 'c',
  ints: 'c',
  valid: 'v',
  misfits: 'm',
  codes: 'c',
  text: 't',
  marked: 'h',
};

export function isText({ carrier }: InputColumn): boolean {
  return carrier === 'string' || carrier === 'json';
}

export function slotsOf({ inputs }: Pick<Taken, 'inputs'>): readonly Slot[] {
  return inputs.flatMap((input, at) => {
    const values: readonly SlotKind[] = isText(input)
      ? ['codes', 'text', 'marked']
      : [input.carrier === 'double' ? 'doubles' : 'ints', 'valid'];
    const kinds: readonly SlotKind[] = input.misfitSql === null ? values : [...values, 'misfits'];
    return kinds.map((kind) => ({ kind, input: at, name: `${letters[kind]}${at}` }));
  });
}

export function declareSlot({ kind, name }: Slot): string {
  return `${types[kind]} ${name}`;
}

/** A text that is written as it is read: one string for the rows of a batch. */
export function isWrittenAsText(carrier: string): boolean {
  return carrier === 'string' || carrier === 'json';
}
