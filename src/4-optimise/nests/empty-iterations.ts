// Iterations with which the outermost loop of a nest begins, and in which none of the loops inside makes an iteration:
// the nest begins behind them, so that their subscripts need not be in range.
//
//   for (i = n - 1; i >= 0; i--) for (j = i + 1; j < n; j++) … t[i + 1][j]         begins with n - 2

import type { Statement } from '../../mir/mir.ts';
import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { intType } from '../../language/types.ts';
import { add, plus, substitute } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import type { Nest, NestLoop, Part } from './tree.ts';

/** More iterations than these are not looked at. */
const mostSkips = 4n;

/** How many such iterations a loop begins with, all of whose body are loops. */
export function emptyAtFirst(loop: NestLoop): bigint {
  const { parts, variable } = loop;
  const isEmpty = (part: Part, at: AffineForm): boolean => {
    if (part.kind !== 'loop') return false;
    const first = substitute(part.first, variable, at);
    const end = substitute(part.end, variable, at);
    const iterations = part.goesUp ? add(end, first, -1n) : add(first, end, -1n);
    return iterations.terms.size === 0 && iterations.constant <= 0n;
  };
  if (parts.length === 0) return 0n;
  let skips = 0n;
  while (skips < mostSkips && parts.every((part) => isEmpty(part, firstBehind(loop, skips)))) skips += 1n;
  return skips;
}

/** With what the variable of a loop begins behind so many of its iterations. */
export function firstBehind({ first, goesUp, step }: NestLoop, skips: bigint): AffineForm {
  return plus(first, distance(goesUp, step, skips));
}

function distance(goesUp: boolean, step: bigint, skips: bigint): bigint {
  return goesUp ? skips * step : -skips * step;
}

/** Makes these iterations: the variable moves, and they are charged. */
export function makeEmpty({ root, skips, span }: Nest, countsFuel: boolean): readonly Statement[] {
  if (skips === 0n) return [];
  const { variable, goesUp, step, weight, source } = root;
  const value = arithmetic('+', getLocal(variable, intType, source.span), int(distance(goesUp, step, skips), span));
  const units = int(skips * BigInt(weight), span);
  const charge: readonly Statement[] = countsFuel ? [{ kind: 'charge', units, span }] : [];
  return [{ kind: 'set-local', local: variable, value, span }, ...charge];
}
