// Loop unrolling: an innermost loop over ints, in linear memory, that goes on one iteration at a time, since its
// iterations need each other, does four of them one behind another. What counts it is done once for these, their
// addresses differ by constants, and an element that one of them sets is still at hand for the next.
//
//   loop j < end by 1  x[j] = …            loop j < end - 3 by 4  x[j] = … x[j + 1] = … x[j + 2] = … x[j + 3] = …
//                                          loop j < end by 1      x[j] = …
//
// Source: Allen, Kennedy, "Optimizing Compilers for Modern Architectures", section 8.4.

import type { Statement } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import { coefficientOf, plus } from './affine-forms.ts';
import { copyParts } from './copies.ts';
import { hasFewer, joinStraight } from './jam.ts';
import type { NestLog } from './log.ts';
import { sizeOf } from './tree.ts';
import type { Accesses, NestLoop, Part } from './tree.ts';

const copies = 4;

/** A body of more nodes is not there four times. */
const largestBody = 100;

/**
 * The loop with the innermost loops of ints in it unrolled, but for those that are jammed or do what others have left.
 * `log` is for remarks.
 */
export function unrollLoops(loop: NestLoop, accesses: Accesses, log: NestLog | null): NestLoop {
  const parts = loop.parts.map((part): readonly Part[] | Part => {
    if (part.kind === 'straight' || part.step !== 1n || part.continues === true) return part;
    const isInnermost = part.parts.every(({ kind }) => kind === 'straight');
    return isInnermost ? (unrolled(part, accesses, log) ?? part) : unrollLoops(part, accesses, log);
  });
  return { ...loop, parts: parts.flat() };
}

function unrolled(loop: NestLoop, accesses: Accesses, log: NestLog | null): readonly Part[] | null {
  if (hasFewer(loop, 2 * copies) || sizeOf(loop) > largestBody || setsSometimes(loop, accesses)) return null;
  if (!isOfInts(loop, accesses)) return null;
  const { variable, goesUp } = loop;
  log?.unrolled.push({ loop, copies });
  const parts = Array.from({ length: copies }, (_, index) =>
    copyParts(loop.parts, { variable, by: BigInt(goesUp ? index : -index), names: new Map() }, accesses),
  );
  const wide: NestLoop = {
    ...loop,
    step: BigInt(copies),
    end: plus(loop.end, BigInt(goesUp ? 1 - copies : copies - 1)),
    weight: loop.weight * copies,
    parts: joinStraight(parts.flat()),
  };
  return [wide, { ...loop, continues: true }];
}

/** Whether it works on ints along a row: doubles are waited for, and down a column each copy looks for its elements. */
function isOfInts({ parts, variable }: NestLoop, accesses: Accesses): boolean {
  let [is, goesAlong] = [true, false];
  for (const part of parts)
    visitAll(part.kind === 'straight' ? part.statements : [], (node) => {
      is &&= !('type' in node) || node.type.kind !== 'double';
      const last = accesses.get(node)?.subscripts.at(-1);
      goesAlong ||= last !== undefined && coefficientOf(last, variable) !== 0n;
    });
  return is && goesAlong;
}

/** Whether it sets other elements in each iteration under a condition: these would have to be fetched again. */
function setsSometimes({ parts, variable }: NestLoop, accesses: Accesses): boolean {
  const isMoved = (node: Statement): boolean => {
    let is = false;
    visitAll([node], (part) => {
      const access = accesses.get(part);
      is ||= access?.isWrite === true && access.subscripts.some((form) => coefficientOf(form, variable) !== 0n);
    });
    return is;
  };
  return parts.some(
    (part) => part.kind === 'straight' && part.statements.some((node) => node.kind === 'if' && isMoved(node)),
  );
}
