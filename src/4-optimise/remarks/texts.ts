// How loops put texts together, and what makes them slow at it: what the string builder says.

import { partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { nameOf } from './clobbers.ts';
import type { Remarks } from './remarks.ts';
import { placeOf } from './source-text.ts';

/** `appends` are the statements that let a text grow in its builder. */
export function remarkTexts(remarks: Remarks, fn: MirFunction, appends: ReadonlySet<Statement>): void {
  const growing = new Map<LocalId, readonly Loop[][]>();
  const reads: { readonly node: Expression & { readonly kind: 'get-local' }; readonly loops: readonly Loop[] }[] = [];
  const walk = (node: Node, loops: readonly Loop[]): void => {
    const loop = loops.at(-1);
    if (loop !== undefined && node.kind === 'set-local' && appends.has(node)) {
      remarks.add('textGrows', loop.span, { what: nameOf(fn, node.local) });
      growing.set(node.local, [...(growing.get(node.local) ?? []), [...loops]]);
      // The first part is the text itself, which stays where it is.
      const [, ...pieces] = (node.value as Expression & { readonly kind: 'concat' }).parts;
      for (const piece of pieces) walk(piece, loops);
      return;
    }
    if (loop !== undefined) remarkCopy(remarks, fn, loop, node);
    if (node.kind === 'get-local' && node.type.kind === 'string') reads.push({ node, loops });
    if (node.kind === 'library-call' && node.function === 'string.length' && node.arguments[0]!.kind === 'get-local')
      return;
    const inside = node.kind === 'loop' ? [...loops, node] : loops;
    for (const part of partsOf(node)) walk(part, inside);
  };
  for (const node of fn.body) walk(node, []);
  for (const { node, loops } of reads) {
    const loop = loops.at(-1);
    const growsInside = (growing.get(node.local) ?? []).some((around) => loop !== undefined && around.includes(loop));
    if (growsInside) remarks.add('textRead', loop!.span, { text: nameOf(fn, node.local), at: node.span });
  }
}

/** Says of a text to which something is added, but not in its builder. */
function remarkCopy(remarks: Remarks, fn: MirFunction, loop: Loop, node: Node): void {
  if (node.kind === 'set-local') {
    const { value, local, span: at } = node;
    if (value.kind !== 'concat' || !reads(value, local)) return;
    const what = nameOf(fn, local);
    const isFirst = reads(value.parts[0]!, local);
    return remarks.add(isFirst ? 'textTemplate' : 'textPrepended', loop.span, { what, at });
  }
  const isMemory =
    node.kind === 'set-global' ||
    node.kind === 'set-field' ||
    node.kind === 'set-element' ||
    node.kind === 'set-hoisted';
  if (!isMemory || node.value.kind !== 'concat') return;
  const first = node.value.parts[0]!;
  const isItself =
    first.kind === 'check-null' &&
    (first.operand.kind === 'get-global' ||
      first.operand.kind === 'get-field' ||
      first.operand.kind === 'get-element' ||
      first.operand.kind === 'get-hoisted');
  // `x += y` is one place for both; where it is written out, the texts are compared.
  if (isItself && isSamePlace(node, first.operand)) remarks.add('textElsewhere', loop.span, { what: placeOf(node) });
}

function reads(node: Expression, local: LocalId): boolean {
  let does = false;
  visitAll([node], (part) => (does ||= part.kind === 'get-local' && part.local === local));
  return does;
}

function isSamePlace(node: Statement, read: Expression): boolean {
  const [one, other] = [placeOf(node), read.span];
  const text = one.file.text.slice(one.start, one.end);
  return other.file === one.file && other.file.text.slice(other.start, other.end).startsWith(text);
}
