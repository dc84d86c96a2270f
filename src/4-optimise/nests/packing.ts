// Packing: the arrays of a nest are copied into the scratch memory in front of it, where an access needs no look at a
// length and no row has to be looked up, and those that it sets are copied back behind it. Nothing of that memory
// outlives the nest. It pays where elements are used several times: where the nest is deeper than its arrays have
// dimensions, and only while it makes several times as many iterations as there are elements.
//
// Source: Lam, Rothberg, Wolf, "The cache performance and optimizations of blocked algorithms" (1991), section 5;
// docs/decisions/0050-linear-memory.md.

import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { bytesOf } from '../../mir/scratch.ts';
import type { MirProgram } from '../../mir/program.ts';
import { hasStack, headerBytes, isResident } from '../../mir/stack.ts';
import { booleanType, intType } from '../../language/types.ts';
import type { IntStorage, Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { keyOf, keyOfTerms } from './affine-forms.ts';
import { atMost, compareInts } from './conditions.ts';
import { relate } from './dependences.ts';
import type { Distinct } from './dependences.ts';
import { elementTypes, storageOf } from './references.ts';
import type { NestThresholds } from './thresholds.ts';
import { count } from './reading.ts';
import { deepestLoop, innermostLoops, isFlat, iterationsOf, visitParts } from './tree.ts';
import type { Nest, NestArray, NestLoop } from './tree.ts';

/** The bytes of a number, if it is no int that fits in fewer. */
const numberBytes = 8n;

/** Larger arrays are not copied, so that nobody waits longer for that than for other things that cannot be stopped. */
const mostElements = 1n << 24n;

/** Where the elements of an array are in the scratch memory. */
export interface PackedArray {
  readonly array: NestArray;
  readonly isWritten: boolean;
  readonly storage: IntStorage | undefined;
  /** It lies there already, on the stack, and is not copied. */
  readonly isResident: boolean;
  /** The local with the address of its first element. */
  readonly address: LocalId;
  /** Of each dimension but the last: the local with the bytes between two of its rows. */
  readonly strides: readonly LocalId[];
}

export interface Packing {
  /** By the keys of the arrays. */
  readonly arrays: ReadonlyMap<string, PackedArray>;
  /** Arrays that must be different, since each gets a place of its own. */
  readonly distinct: Distinct;
  /** Arrays that are larger together stay where they are; null where that is not looked at. */
  readonly mostBytes: bigint | null;
  /** Copies begin behind the arrays on the stack; there are none where this is false. */
  readonly isBehindStack: boolean;
}

/**
 * What is larger waits for memory, and ints take eight bytes of that in linear memory, on the heap perhaps one: nests of
 * which no more than the checks are spared leave it where it is.
 */
const bytesInCaches = 1n << 23n;

/** The plan for a nest that would gain nothing else by it. */
export function planWithinCaches(plan: Packing | null): Packing | null {
  const isCopied = plan !== null && [...plan.arrays.values()].some((array) => !array.isResident);
  return isCopied ? { ...plan, mostBytes: bytesInCaches } : plan;
}

/**
 * How the arrays of a nest are packed; null where it does not pay, and where one of them could be a part of another.
 */
export function planPacking(
  nest: Nest,
  program: MirProgram,
  { takesAll, leastUses }: NestThresholds,
  newLocal: (name: string, type: Type) => LocalId,
  isSteady: (local: LocalId) => boolean,
): Packing | null {
  const { root, accesses } = nest;
  const written = new Map<NestArray, boolean>();
  // What stands behind a guard could be read in front of it: memory has no lengths to stop that.
  if ([...accesses.values()].some(({ within }) => within !== undefined)) return null;
  for (const { array, isWrite } of accesses.values()) written.set(array, written.get(array) === true || isWrite);
  const arrays = [...written.keys()];
  const areResident = arrays.every(({ base }) => isResident(base.type));
  if (!areResident && isTile(root, isSteady)) return null;
  const depth = Math.max(0, ...innermostLoops(root).map(({ around }) => around.length + 1));
  const { loop, around } = deepestLoop(root);
  // Segments of an array are gone through once by the loops that move them.
  const isOnce = loop.segments !== undefined && around.length === 1 && usesIn(nest) < leastUses;
  const isUsed = takesAll || areResident || (!isOnce && arrays.every(({ dimensions }) => depth > dimensions));
  const areNumbers = arrays.every(({ base }) => isNumber(elementTypes(base.type).at(-1)!));
  const areNear = [...accesses.values()].every(({ subscripts }) =>
    subscripts.every(({ constant }) => -mostElements < constant && constant < mostElements),
  );
  if (arrays.length === 0 || !isUsed || !areNumbers || !areNear) return null;
  const distinct: Distinct = new Map();
  for (const [index, one] of arrays.entries())
    for (const other of arrays.slice(index + 1)) {
      if (written.get(one) !== true && written.get(other) !== true) continue;
      const relation = relate(one, other);
      if (relation === 'unknown') return null;
      if (relation === 'compare') distinct.set([one.key, other.key].toSorted().join(' '), [one, other]);
    }
  const places = new Map(
    arrays.map((array) => [
      array.key,
      {
        array,
        isWritten: written.get(array) === true,
        storage: storageOf(array),
        isResident: isResident(array.base.type),
        address: newLocal('address', intType),
        strides: array.lengths.slice(1).map(() => newLocal('stride', intType)),
      },
    ]),
  );
  return { arrays: places, distinct, mostBytes: null, isBehindStack: hasStack(program) };
}

/** Whether loops begin where a loop around the nest has come to: it works on a part of its arrays, again and again. */
function isTile(root: NestLoop, isSteady: (local: LocalId) => boolean): boolean {
  const variables = new Set<LocalId>();
  let is = false;
  visitParts([root], (part) => {
    if (part.kind !== 'loop') return;
    const least = part.goesUp ? part.first : part.end;
    // What is set inside comes out of an array of the nest.
    const isInside = (local: LocalId): boolean => variables.has(local) || part.ranges?.has(local) === true;
    is ||= ![...least.terms.keys()].every((local) => isInside(local) || isSteady(local));
    variables.add(part.variable);
  });
  return is;
}

/** How many elements there are along each dimension of the array itself. */
function countsOf(array: NestArray): readonly LocalId[] {
  return isFlat(array) ? array.lengths.slice(0, 1) : array.lengths;
}

function isNumber({ kind }: Type): boolean {
  return kind === 'int' || kind === 'double';
}

/**
 * The nest with its arrays in the scratch memory, where they are not too large for the work that it does.
 *
 * ```
 * if (the arrays are small)
 *   $a, $b, … = 0, 8 * rows * columns, …         (4 where ints are small)
 *   if (2 * iterations >= bytes) && (scratch of bytes)
 *     copy a, b, … into scratch;  the nest;  copy what it sets into array
 * ```
 */
export function packAround(
  nest: Nest,
  packing: Packing,
  emitted: readonly Statement[],
  distinctRows: readonly Expression[],
  work: () => Expression,
  { leastUses }: NestThresholds,
  newLocal: (name: string, type: Type) => LocalId,
): readonly Statement[] {
  const { span } = nest;
  const native = (id: string, operands: readonly Expression[]): Expression => ({
    kind: 'library-call',
    function: id,
    typeArgument: operands[0]?.type.kind === 'array' ? operands[0].type.element : null,
    arguments: operands,
    type: intType,
    span,
  });
  const [top, bytes] = [newLocal('top', intType), newLocal('bytes', intType)];
  const read = (local: LocalId): Expression => getLocal(local, intType, span);
  const places: Statement[] = [];
  const set = (local: LocalId, value: Expression): void => void places.push({ kind: 'set-local', local, value, span });
  /** How many elements there are in a row. */
  const inRow = (array: NestArray, dimension: number): Expression =>
    productOf(array.lengths.slice(dimension + 1).map(read));
  const small: Expression[] = [];
  // Those of eight bytes first, so that each begins at a multiple of the bytes of its elements.
  const inOrder = [...packing.arrays.values()].toSorted((a, b) => bytesOf(b.storage) - bytesOf(a.storage));
  const copied = inOrder.filter((packed) => !packed.isResident);
  // The first byte behind all copies so far, and how many there are.
  const behind = (): Expression => (packing.isBehindStack ? arithmetic('+', read(top), read(bytes)) : read(bytes));
  if (copied.length > 0 && packing.isBehindStack) set(top, native('Native.top', []));
  if (copied.length > 0) set(bytes, int(0n, span));
  for (const { array, address, strides, storage } of copied) {
    const size = BigInt(bytesOf(storage));
    const counts = countsOf(array).map(read);
    // From the outermost dimension on, so that no product wraps that is compared: that of two lengths never does.
    const sizes = counts.map((_, dimension) => productOf(counts.slice(0, dimension + 1)));
    small.push(...sizes.slice(Math.min(1, sizes.length - 1)).map((size) => atMost(size, mostElements)));
    strides.forEach((stride, dimension) => {
      set(stride, arithmetic('*', inRow(array, dimension), int(size, span)));
    });
    set(address, behind());
    set(bytes, arithmetic('+', read(bytes), arithmetic('*', sizes.at(-1)!, int(size, span))));
  }
  for (const { array, address, strides, storage } of inOrder.filter(({ isResident: is }) => is)) {
    const headers = isFlat(array) ? 1 : array.dimensions;
    const first = native('Native.address', [array.base]);
    set(address, arithmetic('+', first, int(BigInt(headers * headerBytes), span)));
    strides.forEach((stride, dimension) => {
      const flat = (): Expression => arithmetic('*', inRow(array, dimension), int(BigInt(bytesOf(storage)), span));
      const depth = int(BigInt(dimension), span);
      set(stride, isFlat(array) ? flat() : native('Native.rowBytes', [array.base, depth]));
    });
  }
  const isWorthIt = (): Expression => compareInts('>=', bytesPaid(nest, work(), leastUses), read(bytes));
  const isFast = packing.mostBytes === null ? [] : [atMost(read(bytes), packing.mostBytes)];
  const hasRoom: Expression = { kind: 'reserve-scratch', bytes: behind(), type: booleanType, span };
  const copies = (into: 'scratch' | 'array', packed: readonly PackedArray[]): readonly Statement[] =>
    packed.map(({ array, address }): Statement => ({
      kind: 'copy-elements',
      into,
      elements: elementsOf(array, span),
      address: read(address),
      counts: countsOf(array).map(read),
      span,
    }));
  const all = [...packing.arrays.values()];
  const inside = [
    ...emitted,
    ...copies(
      'array',
      all.filter(({ isWritten }) => isWritten),
    ),
  ];
  const packed = [
    ...copies('scratch', all),
    ...(distinctRows.length === 0 ? inside : [when(distinctRows, inside, span)]),
  ];
  if (copied.length === 0) return [...places, ...packed];
  const isPossible = [...(leastUses === 0n ? [] : [isWorthIt()]), ...isFast, hasRoom];
  return [when(small, [...places, when(isPossible, packed, span)], span)];
}

function elementsOf({ base, elements }: NestArray, span: Span): Expression {
  return getLocal(elements[0]!, { kind: 'elements', element: elementTypes(base.type)[0]! }, span);
}

/** So many bytes are worth to be copied for the work that the nest does. */
function bytesPaid(nest: Nest, work: Expression, leastUses: bigint): Expression {
  return arithmetic('*', work, int((usesIn(nest) * numberBytes) / leastUses, nest.span));
}

/** Whether an array with so many elements is worth to be looked at in front: in linear memory it must be worth a copy. */
export function isPaid(
  nest: Nest,
  packing: Packing | null,
  length: Expression,
  work: Expression,
  { leastUses }: NestThresholds,
): Expression {
  if (packing === null || leastUses === 0n) return compareInts('<=', length, work);
  return compareInts('>=', bytesPaid(nest, work, leastUses), arithmetic('*', length, int(numberBytes, length.span)));
}

/**
 * How many elements an iteration of the deepest loop uses that others do not, with those next to it that make about as
 * many: of those that they name half, since some stay in locals and copies cost more than they do.
 */
function usesIn({ root, accesses }: Nest): bigint {
  const deepest = lengthsOf(deepestLoop(root));
  const alike = innermostLoops(root).filter((inner) => lengthsOf(inner) === deepest);
  const statements = alike.flatMap(({ loop }) =>
    loop.parts.flatMap((part) => (part.kind === 'straight' ? part.statements : [])),
  );
  const named = count(statements, (node) => (accesses.has(node) ? [0] : [])).get(0);
  return BigInt(Math.max(1, Math.floor((named ?? 0) / 2)));
}

/** Shared by innermost loops that make about as many iterations, as those around them do. */
function lengthsOf({ loop, around }: ReturnType<typeof deepestLoop>): string {
  const lengths = [...around, loop].map(iterationsOf);
  // Beside a length that is not known a constant is nothing.
  return lengths.map((form) => (form.terms.size === 0 ? keyOf(form) : keyOfTerms(form))).join('; ');
}

function when(operands: readonly Expression[], then: readonly Statement[], span: Span): Statement {
  const condition: Expression =
    operands.length === 1 ? operands[0]! : { kind: 'logical', operator: '&&', operands, type: booleanType, span };
  return { kind: 'if', arms: [{ condition, then }], otherwise: [], span };
}

function productOf(counts: readonly Expression[]): Expression {
  return counts.reduce((product, count) => arithmetic('*', product, count));
}
