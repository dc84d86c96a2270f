// Advice for calls of library functions with too few or too many arguments: what they would mean in other languages,
// written out.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import { possibleFix } from '../diagnostics/fixes.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import type { LibraryFunction } from '../library/declare.ts';
import { describeFunction } from '../library/registry.ts';
import type { CallNode } from './call-arguments.ts';

interface Meant {
  /** Ids of functions. */
  readonly of: readonly string[];
  /** The call that means the same, null where that cannot be said. */
  readonly write: (name: string, receiver: string, given: readonly string[]) => string | null;
  readonly help: string;
}

/** What is written twice is a name. */
const plainName = /^[A-Za-z_][\w.]*$/;
const negative = /^-/;

const rows: readonly Meant[] = [
  {
    of: ['Math.min', 'Math.max'],
    write: (name, _, given) => (given.length > 2 ? nest(name, given) : null),
    help: 'It takes two: of more, one call stands in another',
  },
  {
    of: ['string.substring', 'T[].slice'],
    write: (name, receiver, given) =>
      given.length !== 1 || negative.test(given[0]!) || !plainName.test(receiver)
        ? null
        : `${name}(${given[0]}, ${receiver}.length())`,
    help: 'The end is written too',
  },
];

/** `max(a, max(b, c))` */
function nest(name: string, [first, ...others]: readonly string[]): string {
  return others.length === 0 ? first! : `${name}(${first}, ${nest(name, others)})`;
}

/** Longer calls are not shown in full. */
const longest = 80;

export function argumentAdvice(row: LibraryFunction, node: CallNode): { readonly help: string; readonly fix?: Fix } {
  const declared = `It is declared ${describeFunction(row)}.`;
  const meant = rows.find(({ of }) => of.includes(row.id));
  const text = ({ span }: Syntax): string => span.file.text.slice(span.start, span.end);
  const receiver = node.callee.kind === 'member' ? text(node.callee.object) : '';
  const written = meant?.write(text(node.callee), receiver, node.arguments.map(text)) ?? null;
  if (meant === undefined || written === null || written.length > longest || written.includes('\n'))
    return { help: declared };
  return { help: `${meant.help}: ${written}.`, fix: possibleFix(`write ${written}`, node.span, written) };
}
