// What must hold in front of a loop nest for nothing in it to fail and for its dependences to be as they were taken to
// be: that all subscripts are in range, that arrays which must be different are, and that it is neither tiny nor so long
// that nobody could stop it meanwhile. Failing needlessly is harmless, since the nest as it was stays behind it.

import type { Expression, HoistedArray, LocalId, Statement } from '../../mir/mir.ts';
import {
  areDifferent,
  arithmetic,
  asNullable,
  getLocal,
  inRange,
  int,
  not,
  withoutRepeats,
  zeroOf,
} from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import { booleanType, intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { constantForm, isSmall, keyOfTerms, localForm, plus, toExpression } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import type { Distinct } from './dependences.ts';
import { guessedIterations } from './exits.ts';
import { boundOf, extremeOf, hullOf } from './extremes.ts';
import { ifInRange } from './places.ts';
import { elementTypes } from './references.ts';
import type { NestThresholds } from './thresholds.ts';
import { deepestLoop, isFlat, iterationsOf, rangesIn, visitParts } from './tree.ts';
import type { Invariant, Nest, NestArray, NestLoop, Reference } from './tree.ts';

/**
 * A program can be stopped between two iterations of the outermost loop: those of the loops inside take some fifty
 * milliseconds at most.
 */
const mostIterations = 1n << 26n;

/**
 * Whether the least and the greatest values of all bounds and subscripts are small forms again, so that neither the
 * conditions nor the nest wrap.
 */
export function hasSmallExtremes(nest: Nest): boolean {
  const { root, accesses, rows } = nest;
  let has = requirementsOf(nest).every(isSmall);
  const look = (form: AffineForm, loops: readonly NestLoop[]): void =>
    void (has &&= isSmall(extremeOf(form, loops, false)) && isSmall(extremeOf(form, loops, true)));
  visitParts([root], (part, loops) => {
    if (part.kind === 'loop') {
      const hull = hullOf(part);
      for (const form of [hull.first, hull.end, iterationsOf(hull), ...part.rows.flatMap(formsOf)]) look(form, loops);
    } else
      visitAll(part.statements, (node) => {
        const reference = accesses.get(node) ?? rows.get(node);
        for (const form of reference === undefined ? [] : formsOf(reference)) look(form, loops);
      });
  });
  return has;
}

/** Its subscripts, at the ends of their ranges where they have but these. */
function formsOf({ subscripts, ranges }: Reference): readonly AffineForm[] {
  if (ranges === undefined) return subscripts;
  return subscripts.flatMap((form) => [boundOf(form, ranges, false), boundOf(form, ranges, true)]);
}

/** The conditions that can be worked out at once: they make sure that the others do not wrap. */
export function listFirstConditions(nest: Nest, { fewestIterations }: NestThresholds): readonly Expression[] {
  const { root, accesses, rows, arrays, invariants, guarding, scans, span } = nest;
  const forms: AffineForm[] = [];
  visitParts([root], (part) => {
    if (part.kind === 'loop') forms.push(hullOf(part).first, hullOf(part).end, ...part.rows.flatMap(formsOf));
  });
  for (const reference of [...accesses.values(), ...rows.values()]) forms.push(...formsOf(reference));
  forms.push(...requirementsOf(nest));
  // What is scanned is looked at behind that.
  const variables = new Set(scans.flatMap(({ least, greatest }) => [least, greatest]));
  visitParts([root], (part) => void (part.kind === 'loop' && variables.add(part.variable)));
  const sizes = new Set([...arrays.values()].flatMap((array) => (isFlat(array) ? array.lengths.slice(1) : [])));
  const used = forms.flatMap(({ terms }) => [...terms.keys()]).filter((local) => !variables.has(local));
  const compared = rangesIn(nest).flatMap((range) => range.guarding);
  const locals = new Set([...used, ...sizes, ...guarding, ...compared.filter((local) => !variables.has(local))]);
  return [
    ...withoutRepeats(invariants.flatMap(({ struct }) => (struct === null ? [] : [not(isNull(struct))]))),
    ...[...locals].map((local) => isSmallInt(local, span)),
    atLeast(iterationsOf(root), constantForm(fewestIterations), span),
    ...[...sizes].map((size) => atLeast(localForm(size), constantForm(1n), span)),
  ];
}

export function isSmallInt(local: LocalId, span: Span): Expression {
  return inRange(arithmetic('+', getLocal(local, intType, span), int(1n << 31n, span)), int(1n << 32n, span));
}

/**
 * At most so many iterations the loops of the nest make that have the most loops around them, all together; it does not
 * wrap where the conditions hold. In front of the scans a loop between elements of an array is taken to make a few.
 */
function iterationsAtMost({ root, scans, span }: Nest, place: Place): Expression {
  const deepest = deepestLoop(root);
  const loops = [...deepest.around, deepest.loop];
  if (place === 'behind') return productOf(loops, 0, span);
  const scanned = new Set(scans.flatMap(({ least, greatest }) => [least, greatest]));
  return loops
    .map((loop, depth) => mostOf(loop, loops.slice(0, depth)))
    .map((form) => ([...form.terms.keys()].some((local) => scanned.has(local)) ? constantForm(fewIterations) : form))
    .map((form) => toExpression(form, span))
    .reduce((product, iterations) => arithmetic('*', product, iterations));
}

/** Sets a local to that. */
export function setWork(local: LocalId, nest: Nest, place: Place): Statement {
  return { kind: 'set-local', local, value: iterationsAtMost(nest, place), span: nest.span };
}

type Place = 'in front of scans' | 'behind';

/** So many iterations a loop between elements of an array is taken to make. */
const fewIterations = 2n;

/** How many iterations a loop makes at most. */
function mostOf(loop: NestLoop, around: readonly NestLoop[]): AffineForm {
  return extremeOf(iterationsOf(hullOf(loop)), around, true);
}

/** How many iterations the last of these loops, each in the one before, makes at most in one of those around `from`. */
function productOf(loops: readonly NestLoop[], from: number, span: Span): Expression {
  return loops
    .slice(from)
    .flatMap((loop, index): readonly Expression[] => {
      // Segments of one array are, all together, no longer than that.
      if (loops[from + index + 1]?.segments !== undefined) return [];
      return [toExpression(mostOf(loop, loops.slice(0, from + index)), span)];
    })
    .reduce((product, iterations) => arithmetic('*', product, iterations));
}

/** The other conditions: of the lengths of arrays, of the arrays themselves, and what else must be at least 0. */
export function listConditions(
  nest: Nest,
  distinct: Distinct,
  required: readonly AffineForm[],
  { fewestInside }: NestThresholds,
): readonly Expression[] {
  const { root, span } = nest;
  const scanned = nest.scans.flatMap(({ least, greatest }) => [isSmallInt(least, span), isSmallInt(greatest, span)]);
  const conditions: Expression[] = [
    ...scanned,
    ...required.map((form) => atLeast(form, constantForm(0n), span)),
    ...requirementsOf(nest).map((form) => atLeast(form, constantForm(0n), span)),
  ];
  visitParts([root], (part, around) => {
    if (part.kind !== 'loop') return;
    if (part.segments !== undefined) conditions.push(getLocal(part.segments.ascends, booleanType, span));
    if (around.length === 0) return;
    // How many the loop makes, and then all together for one iteration of the outermost.
    const loops = [...around, part];
    for (let depth = 1; depth < loops.length; depth++) {
      conditions.push(atMost(toExpression(mostOf(loops[depth]!, loops.slice(0, depth)), span), mostIterations));
      conditions.push(atMost(productOf(loops.slice(0, depth + 1), 1, span), mostIterations));
    }
  });
  if (root.ends === 'uncounted')
    conditions.push(compareInts('>=', iterationsAtMost(nest, 'behind'), int(fewestInside * guessedIterations, span)));
  for (const array of nest.measured.keys()) conditions.push(not(isNull(elementsOf(array, span))));
  conditions.push(...listRanges(nest));
  for (const [one, other] of distinct.values()) {
    const [left, right] = [elementsOf(one, span), elementsOf(other, span)];
    conditions.push(areDifferent(left, right, span));
  }
  return withoutRepeats(conditions);
}

function isNull(operand: Expression): Expression {
  return { kind: 'is-null', operand, type: booleanType, span: operand.span };
}

/** The elements of the array itself. */
export function elementsOf({ base, elements }: Pick<NestArray, 'base' | 'elements'>, span: Span): Expression {
  return getLocal(elements[0]!, { kind: 'elements', element: elementTypes(base.type)[0]! }, span);
}

export function atMost(value: Expression, most: bigint): Expression {
  return compareInts('<=', value, int(most, value.span));
}

export function compareInts(comparison: '<=' | '>=', left: Expression, right: Expression): Expression {
  const operands = [left, right];
  return { kind: 'operate', operator: `${comparison}(int,int)`, operands, type: booleanType, span: left.span };
}

/** What must be at least 0 for statements to be as they are written, and for the ranges of subscripts. */
function requirementsOf(nest: Nest): readonly AffineForm[] {
  return [
    ...[...nest.requirements.values()].flat(),
    ...rangesIn(nest).flatMap((range) => range.requirements.map(({ form }) => form)),
  ];
}

/** That every subscript is in range. */
function listRanges({ root, accesses, rows, span }: Nest): readonly Expression[] {
  const ranges = new Map<string, Range>();
  const note = (access: Reference, loops: readonly NestLoop[]): void => {
    for (const [dimension, subscript] of access.subscripts.entries())
      for (const isGreatest of [false, true]) {
        const bounds = access.within?.[dimension];
        const form =
          (isGreatest ? bounds?.greatest : bounds?.least) ??
          extremeOf(boundOf(subscript, access.ranges, isGreatest), loops, isGreatest);
        const key = `${access.array.key} ${dimension} ${isGreatest} ${keyOfTerms(form)}`;
        const known = ranges.get(key);
        const isFurther = known === undefined || form.constant > known.form.constant === isGreatest;
        const { lengths } = access.array;
        const sizes = dimension === 0 && isFlat(access.array) ? lengths.slice(1) : [];
        if (isFurther) ranges.set(key, { form, isGreatest, length: lengths[dimension]!, sizes });
      }
  };
  visitParts([root], (part, loops) => {
    if (part.kind === 'loop') return part.rows.forEach((row) => note(row, loops));
    visitAll(part.statements, (node) => {
      const access = accesses.get(node) ?? rows.get(node);
      if (access !== undefined) note(access, loops);
    });
  });
  return [...ranges.values()].flatMap(({ form, isGreatest, length, sizes }) => {
    // The least is at most the greatest, where there is an iteration at all.
    const isPlain = !isGreatest && form.terms.size === 0 && form.constant >= 0n;
    const isInRange = inRange(toExpression(form, span), getLocal(length, intType, span));
    return isPlain ? [] : [isInRange, ...(isGreatest ? listWholeRows(form, length, sizes, span) : [])];
  });
}

/**
 * That rows which lie one behind another are there up to this one. Each product is below 2^62, since the one before is
 * at most the length of the array.
 */
function listWholeRows(
  last: AffineForm,
  length: LocalId,
  sizes: readonly LocalId[],
  span: Span,
): readonly Expression[] {
  let rows = toExpression(plus(last, 1n), span);
  return sizes.map((size) => {
    rows = arithmetic('*', rows, getLocal(size, intType, span));
    return compareInts('<=', rows, getLocal(length, intType, span));
  });
}

interface Range {
  readonly form: AffineForm;
  readonly isGreatest: boolean;
  readonly length: LocalId;
  /** If it is a row of some that lie one behind another: the lengths of the dimensions inside. */
  readonly sizes: readonly LocalId[];
}

function atLeast(form: AffineForm, least: AffineForm, span: Span): Expression {
  return compareInts('>=', toExpression(form, span), toExpression(least, span));
}

/**
 * The length of the rows of a matrix along a dimension: that of the first row, or of all of them, if they are equally
 * long and no more than `most`, and else -1.
 */
export function rowLengthOf(
  { base, elements, lengths }: NestArray,
  dimension: number,
  most: Expression | null,
  span: Span,
): Expression {
  const counts = lengths.slice(0, dimension).map((length) => getLocal(length, intType, base.span));
  const matrix = elementsOf({ base, elements }, span);
  return { kind: 'row-length', elements: matrix, counts, most, type: intType, span };
}

/** Looks up the arrays of a nest and the lengths of their rows: without an error, null and 0 where there are none. */
export function lookUpArrays(arrays: readonly NestArray[], span: Span): readonly Statement[] {
  // An array that is several matrices has its elements in one local.
  const once = new Map(arrays.map((array) => [array.elements[0]!, array]));
  return [...once.values()].flatMap((found): readonly Statement[] => {
    const { elements, lengths } = found;
    const [statements, array] = lookUpBaseOf(found, span);
    statements.push({ kind: 'hoist-array', array, elements: elements[0]!, length: lengths[0]!, window: null, span });
    for (let dimension = 1; dimension < elements.length; dimension++) {
      const value = rowLengthOf(found, dimension, null, span);
      statements.push({ kind: 'set-local', local: lengths[dimension]!, value, span });
    }
    return statements;
  });
}

/** `local = value`; of a field `local = 0; if (struct != null) local = struct.field`. */
export function setInvariant({ local, value, struct }: Invariant, span: Span): readonly Statement[] {
  const set = (to: Expression): Statement => ({ kind: 'set-local', local, value: to, span });
  if (struct === null) return [set(value)];
  const isThere = not(isNull(struct));
  return [
    set(zeroOf(value.type, span)),
    { kind: 'if', arms: [{ condition: isThere, then: [set(value)] }], otherwise: [], span },
  ];
}

/** What an array is looked up by, behind what has to be looked up first. */
function lookUpBaseOf({ base, of }: NestArray, span: Span): readonly [Statement[], Expression] {
  if (of === undefined || base.kind !== 'get-local') return [[], lookUpBase(base, span)];
  const [statements, array] = lookUpBaseOf(of.array, span);
  const { elements, lengths } = of.array;
  const hoisted = { array, elements: elements[0]!, length: lengths[0]!, window: null };
  statements.push({ kind: 'hoist-array', ...hoisted, span });
  statements.push(lookUpRow(base.local, hoisted, toExpression(of.subscript, span), base.type, span));
  return [statements, getLocal(base.local, base.type, span)];
}

/** Sets a local to a row; to null where there is none. */
function lookUpRow(local: LocalId, hoisted: HoistedArray, index: Expression, type: Type, span: Span): Statement {
  const value = ifInRange({ kind: 'get-hoisted', hoisted, index, checked: false, type, span });
  return { kind: 'set-local', local, value, span };
}

/** A field of null is null here. */
function lookUpBase(known: Expression, span: Span): Expression {
  const base = asNullable(known);
  if (base.kind !== 'get-field') return base;
  return {
    kind: 'conditional',
    condition: isNull(base.object),
    then: { kind: 'null', type: base.type, span },
    otherwise: base,
    type: base.type,
    span,
  };
}
