// Iterations at the ends of a loop in which none of the loops inside makes an iteration: the nest leaves them out, so that
// their subscripts need not be in range.
//
//   for (i = n - 1; i >= 0; i--) for (j = i + 1; j < n; j++) … t[i + 1][j]         begins with n - 2
//   for (i = 0; i < n; i++) for (j = i + 1; j < n; j++) … t[i + 1][j]              ends in front of n - 1
//
// The outermost loop makes its first ones in front of the nest; its last ones are left to the loop as it was. Of a loop
// inside they are but charged.

import type { Expression, Statement } from '../../mir/mir.ts';
import { arithmetic, chosenOf, getLocal, int } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { intType } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { add, coefficientOf, plus, substitute, toExpression } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { extremeOf } from './extremes.ts';
import { iterationsOf, visitParts } from './tree.ts';
import type { Nest, NestLoop, Part, Reference } from './tree.ts';

/** More iterations than these are not looked at. */
const mostSkips = 4n;

interface Context {
  /** The subscripts of a node; undefined where it has none. */
  readonly referenceOf: (node: Node) => Reference | undefined;
  /** Sums up what is charged; null where nothing is. */
  readonly spend: ((units: Expression, span: Span) => Statement) | null;
}

/** The nest without them, and how many its outermost loop makes in front of it. */
export function withoutEmpty(root: NestLoop, context: Context): Pick<Nest, 'root' | 'skips'> {
  const inside = withoutEmptyInside(root, context);
  // Where it is left its bounds say nothing.
  if (root.ends !== undefined) return { root: inside, skips: 0n };
  const skips = emptyAtFirst(root);
  const last = goesPast(root, context) ? emptyAtLast(root) : 0n;
  return { root: { ...inside, first: moved(root, root.first, skips), end: moved(root, root.end, -last) }, skips };
}

function withoutEmptyInside(loop: NestLoop, context: Context): NestLoop {
  const parts = loop.parts.flatMap((part): readonly Part[] => {
    if (part.kind === 'straight') return [part];
    const inner = withoutEmptyInside(part, context);
    const [first, last] = goesPast(part, context) ? [emptyAtFirst(part), emptyAtLast(part)] : [0n, 0n];
    if (first + last === 0n) return [inner];
    const shorter = { ...inner, first: moved(part, part.first, first), end: moved(part, part.end, -last) };
    const { spend } = context;
    if (spend === null) return [shorter];
    return [{ kind: 'straight', statements: [spend(unitsOf(part, first + last), part.source.span)] }, shorter];
  });
  return parts.every((part, index) => part === loop.parts[index]) ? loop : { ...loop, parts };
}

/** What so many iterations are charged, or those that there are. */
function unitsOf(loop: NestLoop, iterations: bigint): Expression {
  const { span } = loop.source;
  const some = chosenOf('int.max', toExpression(iterationsOf(loop), span), int(0n, span));
  const made = chosenOf('int.min', some, int(iterations, span));
  return arithmetic('*', made, int(BigInt(loop.weight), span));
}

/** How many of them a loop begins with, all of whose body are loops. */
function emptyAtFirst(loop: NestLoop): bigint {
  return countEmpty(loop, (index) => moved(loop, loop.first, index));
}

/** How many of them it ends with; the last value of longer steps is not known. */
function emptyAtLast(loop: NestLoop): bigint {
  return loop.step === 1n ? countEmpty(loop, (index) => moved(loop, loop.end, -index - 1n)) : 0n;
}

function countEmpty({ parts, variable }: NestLoop, valueOf: (index: bigint) => AffineForm): bigint {
  const isEmpty = (part: Part, at: AffineForm): boolean => {
    // Rows whose lengths are bounds are looked up in any case.
    if (part.kind !== 'loop' || part.rows.length > 0) return false;
    const [first, end] = [substitute(part.first, variable, at), substitute(part.end, variable, at)];
    const { terms, constant } = iterationsOf({ ...part, first, end });
    return terms.size === 0 && constant <= 0n;
  };
  if (parts.length === 0) return 0n;
  let count = 0n;
  while (count < mostSkips && parts.every((part) => isEmpty(part, valueOf(count)))) count += 1n;
  return count;
}

/** A value that the variable of a loop has so many iterations later. */
function moved({ goesUp, step }: NestLoop, from: AffineForm, iterations: bigint): AffineForm {
  return plus(from, goesUp ? iterations * step : -iterations * step);
}

/**
 * Whether a subscript goes past a loop inside, at its upper or its lower end, which it can only where that makes no
 * iteration. Others are in range anyway, and nothing would be gained.
 */
function goesPast(loop: NestLoop, { referenceOf }: Context): boolean {
  if (loop.step !== 1n) return false;
  let goes = false;
  visitParts(loop.parts, (part, inside) => {
    const around = [loop, ...inside];
    const inner = inside[0];
    if (part.kind === 'loop' || inner === undefined) return;
    const { goesUp, first, end } = inner;
    const isPast = (form: AffineForm): boolean => {
      if (coefficientOf(form, loop.variable) === 0n || coefficientOf(form, inner.variable) !== 0n) return false;
      const [least, greatest] = [extremeOf(form, around, false), extremeOf(form, around, true)];
      const [low, high] = goesUp ? [plus(first, -1n), end] : [end, plus(first, 1n)];
      const [above, below] = [add(greatest, high, -1n), add(low, least, -1n)];
      return [above, below].some(({ terms, constant }) => terms.size === 0 && constant >= 0n);
    };
    visitAll(part.statements, (node) => void (goes ||= referenceOf(node)?.subscripts.some(isPast) === true));
  });
  return goes;
}

/** Makes the first ones of the outermost loop: its variable moves, and they are charged. */
export function makeEmpty({ root, skips, span }: Nest, countsFuel: boolean): readonly Statement[] {
  if (skips === 0n) return [];
  const { variable, goesUp, step, weight, source } = root;
  const by = int(goesUp ? skips * step : -skips * step, span);
  const value = arithmetic('+', getLocal(variable, intType, source.span), by);
  const units = int(skips * BigInt(weight), span);
  const charge: readonly Statement[] = countsFuel ? [{ kind: 'charge', units, span }] : [];
  return [{ kind: 'set-local', local: variable, value, span }, ...charge];
}
