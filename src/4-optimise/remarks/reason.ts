// What a row of the reasons is.

/** A row. `Given` are the values that the pass gives; a span is shown as its place, and as `what` as its text. */
export interface Reason<Given> {
  /** The pass that gives it. */
  readonly pass: string;
  /** Whether the pass did something, or not; `analysis` where that makes no difference. */
  readonly outcome: 'applied' | 'missed' | 'analysis';
  /** Goes on where `fast:`, `slow:` or `note:` stands in front of it. */
  readonly text: (values: { readonly [Name in keyof Given]: string }) => string;
  /** What to write instead; null where nothing is better. */
  readonly help: string | null;
}

/** Declares a row. */
export function reason<Given>(row: Reason<Given>): Reason<Given> {
  return row;
}
