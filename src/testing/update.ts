// `sluice test --update`: the text of a file with comments that say what its tests did. All else stays as it is.

import type { Sorted } from './compare.ts';
import type { SourceFile, Span } from '../source.ts';
import { lineIndexAt } from '../source.ts';
import type { Expectation } from './expectations.ts';
import { isSame, writeEvent, writeEvents } from './notation.ts';
import type { Event } from './notation.ts';
import type { Test } from './tests.ts';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * What the lines of a test did, by comment: a line of its own function that handed out nothing did nothing, and an
 * error that no comment speaks of belongs to the innermost line with one.
 */
export function eventsOfTest(
  file: SourceFile,
  expectations: readonly Expectation[],
  test: Test,
  { seen, error }: Sorted,
): ReadonlyMap<Expectation, readonly Event[]> {
  const events = new Map(seen);
  if (error === null) {
    for (const one of expectations)
      if (test.span.start <= one.span.start && one.span.end <= test.span.end && !events.has(one)) events.set(one, []);
    return events;
  }
  for (const { file: name, line } of error.frames) {
    const about = expectations.find(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine);
    if (name !== file.name || about === undefined) continue;
    return events.set(about, [...(events.get(about) ?? []), error.event]);
  }
  return events;
}

/** What each comment should say, by what the tests did; comments about which they disagree are left out. */
export function agreedEvents(
  runs: readonly ReadonlyMap<Expectation, readonly Event[]>[],
): ReadonlyMap<Expectation, readonly Event[]> {
  const agreed = new Map<Expectation, readonly Event[]>();
  const disputed = new Set<Expectation>();
  for (const run of runs)
    for (const [expectation, events] of run) {
      const known = agreed.get(expectation);
      if (known === undefined) agreed.set(expectation, events);
      else if (!areSame(known, events)) disputed.add(expectation);
    }
  for (const expectation of disputed) agreed.delete(expectation);
  return agreed;
}

/** The text with the comments that say something else rewritten, and how many those are. */
export function updateComments(
  file: SourceFile,
  agreed: ReadonlyMap<Expectation, readonly Event[]>,
): { readonly text: string; readonly changed: number } {
  const changes = [...agreed].filter(([{ events }, seen]) => !areSame(events, seen));
  const edits = changes.flatMap(([expectation, seen]) => editsOf(file, expectation, seen));
  let { text } = file;
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => b.start - a.start))
    text = text.slice(0, start) + replacement + text.slice(end);
  return { text, changed: changes.length };
}

function areSame(some: readonly Event[], others: readonly Event[]): boolean {
  return some.length === others.length && some.every((event, at) => isSame(event, others[at]!));
}

/** Several comments below a line stay several, with one value each. */
function editsOf(file: SourceFile, { comments }: Expectation, seen: readonly Event[]): Edit[] {
  const [first, ...others] = comments.map(({ span }) => span) as [Span, ...Span[]];
  const commented = (written: string): string => `// →${written === '' ? '' : ` ${written}`}`;
  if (others.length === 0 || seen.length === 0)
    return [
      { start: first.start, end: first.end, text: commented(writeEvents(seen)) },
      ...others.map((span) => wholeLine(file, span)),
    ];
  const newline = file.text[file.lineStarts[lineIndexAt(file, first.end) + 1]! - 2] === '\r' ? '\r\n' : '\n';
  const indent = ' '.repeat(others[0]!.start - file.lineStarts[lineIndexAt(file, others[0]!.start)]!);
  const [event, ...rest] = seen.map((one) => commented(writeEvent(one)));
  return [
    { start: first.start, end: first.end, text: [event!, ...rest.map((one) => indent + one)].join(newline) },
    ...others.map((span) => wholeLine(file, span)),
  ];
}

/** Removes the line of a comment that stands alone, with the end of the line before. */
function wholeLine(file: SourceFile, { start, end }: Span): Edit {
  const lineStart = file.lineStarts[lineIndexAt(file, start)]!;
  return { start: file.text.slice(0, lineStart).replace(/\r?\n$/, '').length, end, text: '' };
}
