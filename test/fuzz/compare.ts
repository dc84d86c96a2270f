// Compares what the reference interpreter says of a program with what the compiled module does, by settings of the
// compiler.

import { checkSource } from '../../src/compile.ts';
import type { CheckedProgram } from '../../src/2-check/typed-tree.ts';
import { runCompiled, settings } from './compiled.ts';
import type { FoundOutcome, Setting } from './compiled.ts';
import { interpret } from './reference/interpreter.ts';
import type { Outcome, Place } from './reference/interpreter.ts';
import { Exhausted } from './reference/values.ts';

export type Verdict =
  | { readonly kind: 'same' }
  /** It does more than the interpreter follows. */
  | { readonly kind: 'too-much' }
  /** The compiler does not take it. */
  | { readonly kind: 'refused'; readonly why: string }
  | ({ readonly kind: 'different'; readonly setting: Setting } & Difference);

export interface Difference {
  /** Of the outcome. */
  readonly part: 'yield' | 'end' | 'places' | 'units' | 'fault';
  readonly expected: string;
  readonly found: string;
}

/** Runs a program by the reference and by each of the settings, up to the first difference. */
export async function compareProgram(text: string, by: readonly Setting[] = settings): Promise<Verdict> {
  const { program, diagnostics } = checkSource('random.slu', text);
  if (program === null)
    return {
      kind: 'refused',
      why: diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ message, help, span }) => `${message} ${help ?? ''} (${span.file.text.slice(span.start, span.end)})`)
        .join('\n'),
    };
  if (program.entry === null) return { kind: 'refused', why: 'there is nothing to run' };
  let expected: Outcome;
  try {
    expected = interpret(program);
  } catch (error) {
    if (error instanceof Exhausted) return { kind: 'too-much' };
    throw error;
  }
  for (const setting of by) {
    const difference = await compareBy(program, expected, setting);
    if (difference !== null) return difference;
  }
  return { kind: 'same' };
}

async function compareBy(program: CheckedProgram, expected: Outcome, setting: Setting): Promise<Verdict | null> {
  try {
    const difference = compareOutcomes(expected, await runCompiled(program, setting));
    return difference === null ? null : { kind: 'different', setting, ...difference };
  } catch (error) {
    return {
      kind: 'different',
      setting,
      part: 'fault',
      expected: 'none',
      found: String(error instanceof Error ? error.stack : error),
    };
  }
}

/** The first part in which they differ; null if they are the same. */
export function compareOutcomes(expected: Outcome, found: FoundOutcome): Difference | null {
  const at = [...expected.yields.keys(), expected.yields.length].find(
    (index) => expected.yields[index] !== found.yields[index],
  );
  if (at !== undefined)
    return {
      part: 'yield',
      expected: expected.yields[at] ?? describeEnd(expected),
      found: found.yields[at] ?? describeEnd(found),
    };
  if (describeEnd(expected) !== describeEnd(found))
    return { part: 'end', expected: describeEnd(expected), found: describeEnd(found) };
  const [places, foundPlaces] = [expected.failure?.places ?? [], found.failure?.places ?? []];
  if (!fits(places, foundPlaces))
    return { part: 'places', expected: describePlaces(places), found: describePlaces(foundPlaces) };
  return found.used === null || expected.used === null || found.used === expected.used
    ? null
    : { part: 'units', expected: String(expected.used), found: String(found.used) };
}

function describeEnd({ failure, result }: Pick<Outcome, 'failure' | 'result'>): string {
  return failure === null ? `returns ${result}` : `${failure.type}: ${failure.message}`;
}

const samePlace = (a: Place, b: Place): boolean =>
  a.function === b.function && a.line === b.line && a.column === b.column;

/** The innermost place is the same; functions that are written into their callers may have no place of their own. */
function fits(expected: readonly Place[], found: readonly Place[]): boolean {
  if (expected.length > 0 && (found.length === 0 || !samePlace(expected[0]!, found[0]!))) return false;
  let at = 0;
  for (const place of found) {
    while (at < expected.length && !samePlace(expected[at]!, place)) at += 1;
    if (at === expected.length) return false;
    at += 1;
  }
  return true;
}

function describePlaces(places: readonly Place[]): string {
  return places.map(({ function: name, line, column }) => `${name} ${line}:${column}`).join(', ');
}
