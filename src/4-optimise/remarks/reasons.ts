// Every reason that a pass gives for what it did with a loop, or did not: one row each, with the values that it needs,
// what it tells the person who wrote the loop, and what that person can write instead.
//
// A value that is a span is shown as its place, `14:3`. `what` is what the remark is about: remarks that differ in
// nothing else become one that names all of them.

import type { Span } from '../../source.ts';
import { boundsReasons } from './bounds-reasons.ts';
import { countReasons } from './count-reasons.ts';
import { lookupReasons } from './lookup-reasons.ts';
import { nestReasons } from './nest-reasons.ts';
import { obstacleReasons } from './obstacle-reasons.ts';
import { otherReasons } from './other-reasons.ts';
import type { Reason } from './reason.ts';

export const reasons = {
  ...countReasons,
  ...lookupReasons,
  ...boundsReasons,
  ...nestReasons,
  ...obstacleReasons,
  ...otherReasons,
};

/** The tables apart: a name stands in one of them alone. */
export const tables = [countReasons, lookupReasons, boundsReasons, nestReasons, obstacleReasons, otherReasons];

export type ReasonKey = keyof typeof reasons;

export type ValuesOf<Key extends ReasonKey> = (typeof reasons)[Key] extends Reason<infer Given> ? Given : never;

/** Values of any row. */
export type Values = Readonly<Record<string, string | Span>>;
