// How much fuel the functions and loops of a program have used.

import { positionAt } from '../source.ts';
import type { Charge, ChargedFunction } from './charges.ts';

export interface FunctionFuel {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** All units that it has used itself, without what it has called. */
  readonly units: bigint;
  readonly calls: bigint;
  /** Those that have used any, those with the most first. */
  readonly parts: readonly PartFuel[];
}

/** A loop, with a unit for each iteration, or the library's work for a line. */
export interface PartFuel {
  readonly kind: 'loop' | 'library';
  readonly line: number;
  readonly units: bigint;
}

export interface FuelProfile {
  /** All that was used. */
  readonly total: bigint;
  /** Those that have used any, those with the most first. */
  readonly functions: readonly FunctionFuel[];
}

/** `counts` are those of the counters; `total` is what the host was told of. */
export function fuelProfile(charges: readonly Charge[], counts: readonly bigint[], total: bigint): FuelProfile {
  const functions = new Map<string, FunctionFuel & { parts: PartFuel[] }>();
  for (const [at, charge] of charges.entries()) {
    const units = counts[at] ?? 0n;
    if (units === 0n || charge.kind === 'before') continue;
    const known = functions.get(keyOf(charge.function)) ?? emptyOf(charge.function);
    functions.set(keyOf(charge.function), {
      ...known,
      units: known.units + units,
      calls: known.calls + (charge.kind === 'call' ? units : 0n),
      parts:
        charge.kind === 'call'
          ? known.parts
          : [...known.parts, { kind: charge.kind, line: lineOf(charge), units }].toSorted(byUnits),
    });
  }
  return { total, functions: [...functions.values()].toSorted(byUnits) };
}

function keyOf({ name, span }: ChargedFunction): string {
  return `${name} ${span.start} ${span.file.name}`;
}

function emptyOf(fn: ChargedFunction): FunctionFuel & { parts: PartFuel[] } {
  return { name: fn.name, file: fn.span.file.name, line: lineOf(fn), units: 0n, calls: 0n, parts: [] };
}

function lineOf({ span }: Pick<ChargedFunction, 'span'>): number {
  return positionAt(span.file, span.start).line;
}

function byUnits(a: { readonly units: bigint; readonly line: number }, b: typeof a): number {
  return a.units === b.units ? a.line - b.line : a.units < b.units ? 1 : -1;
}
