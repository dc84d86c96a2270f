// How often the code of files ran: plain data, which adds up over tests and processes.

import { createSourceFile, lineIndexAt } from '../source.ts';
import type { SourceFile, Span } from '../source.ts';
import type { Counter, Outcome } from './counters.ts';

/** A part of a text, between two offsets, and how often it ran. */
export interface Counted {
  readonly start: number;
  readonly end: number;
  readonly count: bigint;
}

export interface CountedFunction extends Counted {
  readonly name: string;
}

export interface CountedOutcome extends Counted {
  /** What there is to say where it never happens. */
  readonly missing: string;
}

export interface Branch {
  readonly kind: Outcome['kind'];
  readonly start: number;
  readonly end: number;
  /** In the order of the text; at least one. */
  readonly outcomes: readonly CountedOutcome[];
}

export interface FileCoverage {
  /** As the compiler called the file. */
  readonly path: string;
  readonly text: string;
  /** The first of each line, in the order of the text, as all that follows. */
  readonly statements: readonly Counted[];
  readonly functions: readonly CountedFunction[];
  readonly branches: readonly Branch[];
}

/** What was counted, by file. */
export function coverageOf(counters: readonly Counter[], counts: readonly bigint[]): readonly FileCoverage[] {
  const counted = counters.map((counter, at) => ({ counter, count: counts[at] ?? 0n }));
  return [...Map.groupBy(counted, ({ counter }) => counter.span.file)].map(([file, own]) => {
    const statements: Counted[] = [];
    const functions: CountedFunction[] = [];
    const branches = new Map<string, Branch & { readonly outcomes: CountedOutcome[] }>();
    for (const { counter, count } of own) {
      const { start, end } = counter.span;
      if (counter.kind === 'statement') statements.push({ start, end, count });
      else if (counter.kind === 'function') functions.push({ start, end, count, name: counter.name });
      else {
        const { kind, whole, missing } = counter.outcome;
        const key = `${kind} ${whole.start} ${whole.end}`;
        const branch = branches.get(key) ?? { kind, start: whole.start, end: whole.end, outcomes: [] };
        branches.set(key, branch);
        branch.outcomes.push({ start, end, count, missing });
      }
    }
    return {
      path: file.name,
      text: file.text,
      statements: inOrder(statements),
      functions: inOrder(functions),
      branches: inOrder(
        [...branches.values()].map((branch) => ({ ...branch, outcomes: branch.outcomes.toSorted(byPlace) })),
      ),
    };
  });
}

function byPlace(a: Place, b: Place): number {
  return a.start - b.start || a.end - b.end;
}

type Place = Pick<Span, 'start' | 'end'>;

function inOrder<Item extends Place>(items: readonly Item[]): readonly Item[] {
  return items.toSorted(byPlace);
}

/** One entry for each path. The counts of the same code add up. */
export function mergeCoverage(files: readonly FileCoverage[]): readonly FileCoverage[] {
  return [...Map.groupBy(files, ({ path, text }) => `${path}\n${text}`).values()]
    .map((same) => same.reduce(added))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function added(one: FileCoverage, other: FileCoverage): FileCoverage {
  return {
    ...one,
    statements: addCounts(one.statements, other.statements, () => ''),
    functions: addCounts(one.functions, other.functions, ({ name }) => name),
    branches: mergeBy(
      one.branches,
      other.branches,
      ({ kind }) => kind,
      (a, b) => ({
        ...a,
        outcomes: addCounts(a.outcomes, b.outcomes, ({ missing }) => missing),
      }),
    ),
  };
}

function addCounts<Item extends Counted>(
  some: readonly Item[],
  others: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] {
  return mergeBy(some, others, nameOf, (a, b) => ({ ...a, count: a.count + b.count }));
}

/** What is at one place under one name is one: a file that is imported has no main, which it has itself. */
function mergeBy<Item extends Place>(
  some: readonly Item[],
  others: readonly Item[],
  nameOf: (item: Item) => string,
  merge: (a: Item, b: Item) => Item,
): readonly Item[] {
  const merged = new Map<string, Item>();
  for (const item of [...some, ...others]) {
    const key = `${item.start} ${item.end} ${nameOf(item)}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? item : merge(known, item));
  }
  return inOrder([...merged.values()]);
}

/** The lines on which statements begin, in order and from 1, with the greatest count of those that do. */
export function linesOf({ path, text, statements }: FileCoverage): ReadonlyMap<number, bigint> {
  const source = createSourceFile(path, text);
  const lines = new Map<number, bigint>();
  for (const { start, count } of statements) {
    const line = lineAt(source, start);
    const known = lines.get(line) ?? 0n;
    lines.set(line, count > known ? count : known);
  }
  return new Map([...lines].toSorted(([a], [b]) => a - b));
}

/** Whether control came to a branch: it had an outcome, or the statement that it is was begun. */
export function isReached({ statements }: FileCoverage, { start, outcomes }: Branch): boolean {
  return (
    outcomes.some(({ count }) => count > 0n) ||
    statements.some((statement) => statement.start === start && statement.count > 0n)
  );
}

/** The outcomes that branches never had, where control came to them. */
export function missedOutcomes(file: FileCoverage): readonly CountedOutcome[] {
  return file.branches
    .filter((branch) => isReached(file, branch))
    .flatMap(({ outcomes }) => outcomes.filter(({ count }) => count === 0n));
}

/** Counted from 1. */
export function lineAt(source: SourceFile, offset: number): number {
  return lineIndexAt(source, offset) + 1;
}

/** How many of a kind there are, and how many of them ran. */
export interface Share {
  readonly found: number;
  readonly hit: number;
}

export interface Summary {
  readonly lines: Share;
  readonly branches: Share;
  readonly functions: Share;
}

export function summaryOf(file: FileCoverage): Summary {
  return {
    lines: share([...linesOf(file).values()]),
    branches: share(file.branches.flatMap(({ outcomes }) => outcomes.map(({ count }) => count))),
    functions: share(file.functions.map(({ count }) => count)),
  };
}

function share(counts: readonly bigint[]): Share {
  return { found: counts.length, hit: counts.filter((count) => count > 0n).length };
}

export function totalOf(summaries: readonly Summary[]): Summary {
  const sum = (kind: keyof Summary): Share =>
    summaries.reduce(
      ({ found, hit }, summary) => ({ found: found + summary[kind].found, hit: hit + summary[kind].hit }),
      { found: 0, hit: 0 },
    );
  return { lines: sum('lines'), branches: sum('branches'), functions: sum('functions') };
}

/** From 0 to 100. Where there is nothing, all of it is covered. */
export function percentOf({ found, hit }: Share): number {
  return found === 0 ? 100 : (100 * hit) / found;
}

/** `84.3`, and 100 only where nothing is missing. */
export function formatPercent(share: Share): string {
  const percent = Math.floor(percentOf(share) * 10) / 10;
  return percent === 100 ? '100' : percent.toFixed(1);
}
