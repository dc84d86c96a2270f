// Why a loop inside another stays in its function: what loop outlining says.

import { visitAll } from '../../mir/children.ts';
import { isReturn } from '../../mir/kinds.ts';
import { localsSet } from '../../mir/locals.ts';
import type { LocalId, Loop } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import type { Span } from '../../source.ts';
import { nameOf } from './clobbers.ts';
import type { Remarks } from './remarks.ts';

/** The first thing in the loop that a function of its own could not do for it. */
export function remarkNotOutlined(remarks: Remarks, loop: Loop, fn: MirFunction, isInTry: boolean): void {
  if (isInTry) return remarks.add('outlinedNotInTry', loop.span, {});
  let leaves: Span | null = null;
  const texts = new Set<LocalId>();
  visitAll([loop], (node) => {
    if (isReturn(node) && (leaves === null || node.span.start < leaves.start)) leaves = node.span;
    if (node.kind !== 'try')
      for (const local of localsSet(node)) if (fn.locals[local]!.type.kind === 'string') texts.add(local);
  });
  if (leaves !== null) remarks.add('outlinedNotLeaving', loop.span, { at: leaves });
  else for (const local of texts) remarks.add('outlinedNotTexts', loop.span, { what: nameOf(fn, local) });
}
