// Index arrays are scanned in front of a nest: between their least and their greatest element all subscripts lie that
// come out of them; not where one is longer than there are iterations. Where the nest reads one element, that is it.
//
//   $least = $elements[0]; $greatest = $elements[0]; $ascends = true
//   loop  $ascends = $ascends && $elements[$at] >= $greatest
//         $least = $least.min($elements[$at]); $greatest = $greatest.max($elements[$at])
//
// Source: the inspector of Saltz, Mirchandaney, Crowley, "Run-time parallelization and scheduling of loops" (1991).

import { all, arithmetic, chosenOf, getLocal, inRange, int } from '../../mir/builders.ts';
import type { Expression, Loop, LoopId, LocalId, Statement } from '../../mir/mir.ts';
import { booleanType, intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { toExpression } from './affine-forms.ts';
import { compareInts, isSmallInt } from './conditions.ts';
import { usedScans } from './element-places.ts';
import { visitParts } from './tree.ts';
import type { Nest, Scan } from './tree.ts';

export interface ScanContext {
  /** How many iterations the nest makes: longer arrays of bounds are not scanned. */
  readonly work: () => Expression;
  /** Whether another array of a length is. */
  readonly isPaid: (length: Expression) => Expression;
  /** What sets that behind the scans of the bounds of loops. */
  readonly setWork: Statement;
  readonly newLocal: (name: string, type: Type) => LocalId;
  readonly newLoop: () => LoopId;
}

/** No subscript: where an array is too long, or empty, the nest does not run. */
const none = 1n << 32n;

/** Statements behind the scans of a nest, of which those come first that say how many iterations it makes. */
export function behindScans(nest: Nest, then: readonly Statement[], context: ScanContext): readonly Statement[] {
  const { root, scans, span } = nest;
  const bounds = usedScans({ root, accesses: new Map(), rows: new Map(), requirements: new Map() }, scans);
  const ordered = new Set<Scan>();
  visitParts([root], (part) => {
    if (part.kind === 'loop' && part.segments !== undefined) ordered.add(part.segments);
  });
  const isInWork = (length: Expression): Expression => compareInts('<=', length, context.work());
  const scan = (some: readonly Scan[], isFew: ScanContext['isPaid']): readonly Statement[] =>
    some.flatMap((one) => scanArray(one, ordered.has(one), isFew, context, span));
  const rest = scans.filter((one) => !bounds.includes(one));
  const others = [...scan(rest, context.isPaid), ...then];
  if (bounds.length === 0) return others;
  const small = bounds.flatMap(({ least, greatest }) => [isSmallInt(least, span), isSmallInt(greatest, span)]);
  const condition = all(small as [Expression, ...Expression[]]);
  const inside = [context.setWork, ...others];
  return [...scan(bounds, isInWork), { kind: 'if', arms: [{ condition, then: inside }], otherwise: [], span }];
}

function scanArray(
  { array, least, greatest, ascends, position }: Scan,
  isOrdered: boolean,
  isFew: ScanContext['isPaid'],
  { newLocal, newLoop }: ScanContext,
  span: Span,
): readonly Statement[] {
  const set = (local: LocalId, value: Expression): Statement => ({ kind: 'set-local', local, value, span });
  const read = (local: LocalId): Expression => getLocal(local, intType, span);
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
  const inFront: readonly Statement[] = [
    set(least, int(none, span)),
    set(greatest, int(none, span)),
    ...(isOrdered ? [set(ascends, { kind: 'boolean', value: true, type: booleanType, span })] : []),
  ];
  if (position !== null) {
    const index = toExpression(position, span);
    const condition = inRange(index, read(length));
    const then = [set(least, elementAt(index)), set(greatest, read(least))];
    return [...inFront, { kind: 'if', arms: [{ condition, then }], otherwise: [], span }];
  }
  const at = newLocal('at', intType);
  const element = newLocal('element', intType);
  const extreme = (name: 'int.min' | 'int.max', local: LocalId): Statement =>
    set(local, chosenOf(name, read(local), read(element)));
  const stays: Expression = {
    kind: 'logical',
    operator: '&&',
    operands: [getLocal(ascends, booleanType, span), compareInts('>=', read(element), read(greatest))],
    type: booleanType,
    span,
  };
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
    body: [
      set(element, elementAt(read(at))),
      ...(isOrdered ? [set(ascends, stays)] : []),
      extreme('int.min', least),
      extreme('int.max', greatest),
    ],
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
    operands: [inRange(int(0n, span), read(length)), isFew(read(length))],
    type: booleanType,
    span,
  };
  const then = [set(least, elementAt(int(0n, span))), set(greatest, read(least)), set(at, int(1n, span)), loop];
  return [...inFront, { kind: 'if', arms: [{ condition: isScanned, then }], otherwise: [], span }];
}
