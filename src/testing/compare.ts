// Compares what a test did with what the comments of its file say.

import type { SourceFile, Span } from '../source.ts';
import type { Expectation } from './expectations.ts';
import { isSame } from './notation.ts';
import type { Event } from './notation.ts';
import type { Test } from './tests.ts';

/** A place in a stack of the script, innermost first. */
export interface Frame {
  readonly function: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something that a test handed out, or the error that ended it. */
export interface Seen {
  readonly event: Event;
  /** Empty where nothing is known, as of the result of a function. */
  readonly frames: readonly Frame[];
  /** Whether it is the result of the test's function. */
  readonly isResult: boolean;
}

/** Why a test fails. */
export type Failure =
  /** A line handed out something else than its comment says. */
  | {
      readonly kind: 'values';
      readonly span: Span;
      readonly expected: readonly Event[];
      readonly actual: readonly Event[];
    }
  /** An error that no comment speaks of ended the test. */
  | {
      readonly kind: 'error';
      readonly span: Span;
      readonly type: string;
      readonly message: string;
      readonly frames: readonly Frame[];
    }
  /** The test could not be run, or says nothing. */
  | { readonly kind: 'fault'; readonly span: Span; readonly message: string; readonly help: string | null };

/** What a test did, by the comments that speak of it. */
export interface Sorted {
  readonly seen: ReadonlyMap<Expectation, readonly Event[]>;
  /** The error that ended the test, where no comment speaks of it. */
  readonly error: Seen | null;
}

/**
 * Each value belongs to the innermost line on its stack that has a comment, so that a comment behind a call speaks of
 * what the called function yields. Values for which there is none are not compared.
 */
export function sortSeen(
  file: SourceFile,
  expectations: readonly Expectation[],
  test: Test,
  seen: readonly Seen[],
): Sorted {
  const found = new Map<Expectation, Event[]>();
  let error: Seen | null = null;
  for (const one of seen) {
    const about = expectationOf(file, expectations, test, one);
    if (about !== null) found.set(about, [...(found.get(about) ?? []), one.event]);
    else if (one.event.kind === 'error') error = one;
  }
  return { seen: found, error };
}

function expectationOf(
  file: SourceFile,
  expectations: readonly Expectation[],
  test: Test,
  { event, frames, isResult }: Seen,
): Expectation | null {
  if (isResult && frames.length === 0) {
    const returns = expectations.filter((one) => one.returns && isIn(one.span, test.span));
    return returns.find(({ events }) => events.some((expected) => isSame(expected, event))) ?? returns[0] ?? null;
  }
  for (const { file: name, line } of frames) {
    if (name !== file.name) continue;
    const about = expectations.find(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine);
    if (about === undefined) continue;
    // An error passes many lines, and only one that expects it is about it.
    if (event.kind === 'value' || about.events.some(({ kind }) => kind === 'error')) return about;
  }
  return null;
}

function isIn(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/**
 * Why the test fails; empty if it passes. Comments in the test's own function have to come true; those in functions
 * that several tests call only where the test reaches them.
 */
export function findFailures(
  expectations: readonly Expectation[],
  test: Test,
  { seen, error }: Sorted,
): readonly Failure[] {
  const failures: Failure[] = [];
  for (const one of expectations) {
    const actual = seen.get(one);
    if (actual === undefined && !isIn(one.span, test.span)) continue;
    if (!isSatisfied(one.events, actual ?? [], error !== null))
      failures.push({ kind: 'values', span: one.span, expected: one.events, actual: actual ?? [] });
  }
  if (error !== null && error.event.kind === 'error') failures.push(errorFailure(test, error));
  return failures;
}

/** Behind an error that ended the test nothing came: what is missing is no failure of its own. */
function isSatisfied(expected: readonly Event[], actual: readonly Event[], isCut: boolean): boolean {
  const begins = actual.every((event, at) => expected[at] !== undefined && isSame(expected[at], event));
  return begins && (isCut || expected.length === actual.length);
}

function errorFailure(test: Test, { event, frames }: Seen): Failure {
  const { type, message } = event as Event & { readonly kind: 'error' };
  return { kind: 'error', span: test.place, type, message: message ?? '', frames };
}
