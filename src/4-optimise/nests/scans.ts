// Index arrays are scanned in front of a nest: between their least and their greatest element all subscripts lie that
// come out of them. An array with more elements than the nest has iterations is not scanned.
//
//   $least = $elements[0]; $greatest = $elements[0]
//   loop  $least = $least.min($elements[$at]); $greatest = $greatest.max($elements[$at])
//
// Source: the inspector of Saltz, Mirchandaney, Crowley, "Run-time parallelization and scheduling of loops" (1991).

import { arithmetic, chosenOf, getLocal, inRange, int } from '../../mir/builders.ts';
import type { Expression, Loop, LoopId, LocalId, Statement } from '../../mir/mir.ts';
import { booleanType, intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { compareInts } from './conditions.ts';
import type { Scan } from './tree.ts';

export interface ScanContext {
  /** How many iterations the nest makes: longer arrays are not scanned. */
  readonly work: () => Expression;
  readonly newLocal: (name: string, type: Type) => LocalId;
  readonly newLoop: () => LoopId;
  readonly span: Span;
}

/** No subscript: where an array is too long, or empty, the nest does not run. */
const none = 1n << 32n;

/** Sets the locals of the scans. */
export function scanArrays(scans: readonly Scan[], context: ScanContext): readonly Statement[] {
  return scans.flatMap((scan) => scanArray(scan, context));
}

function scanArray(
  { array, least, greatest }: Scan,
  { work, newLocal, newLoop, span }: ScanContext,
): readonly Statement[] {
  const set = (local: LocalId, value: Expression): Statement => ({ kind: 'set-local', local, value, span });
  const read = (local: LocalId): Expression => getLocal(local, intType, span);
  const at = newLocal('at', intType);
  const element = newLocal('element', intType);
  const length = array.lengths[0]!;
  const hoisted = { array: array.base, elements: array.elements[0]!, length, window: null };
  const elementAt = (index: Expression): Expression => ({
    kind: 'get-hoisted',
    hoisted,
    index,
    checked: false,
    type: intType,
    span,
  });
  const extreme = (name: 'int.min' | 'int.max', local: LocalId): Statement =>
    set(local, chosenOf(name, read(local), read(element)));
  const loop: Loop = {
    kind: 'loop',
    id: newLoop(),
    condition: {
      kind: 'operate',
      operator: '<(int,int)',
      operands: [read(at), read(length)],
      type: booleanType,
      span,
    },
    testFirst: true,
    body: [set(element, elementAt(read(at))), extreme('int.min', least), extreme('int.max', greatest)],
    step: [set(at, arithmetic('+', read(at), int(1n, span)))],
    counted: {
      variable: at,
      comparison: '<',
      limit: read(length),
      step: int(1n, span),
      limitStep: 0n,
      start: null,
    },
    isShort: true,
    weight: 0,
    span,
  };
  const isScanned: Expression = {
    kind: 'logical',
    operator: '&&',
    operands: [inRange(int(0n, span), read(length)), compareInts('<=', read(length), work())],
    type: booleanType,
    span,
  };
  const then = [set(least, elementAt(int(0n, span))), set(greatest, read(least)), set(at, int(1n, span)), loop];
  return [
    set(least, int(none, span)),
    set(greatest, int(none, span)),
    { kind: 'if', arms: [{ condition: isScanned, then }], otherwise: [], span },
  ];
}
