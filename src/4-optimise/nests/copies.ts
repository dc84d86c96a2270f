// Copies of the parts of a nest for another iteration: the variable of a loop moved on, private locals under other
// names.

import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { localForm, plus, substitute } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import type { Accesses, NestLoop, Part, SymbolicRange } from './tree.ts';

export interface Difference {
  readonly variable: LocalId;
  /** How much is added to the variable. */
  readonly by: bigint;
  readonly names: ReadonlyMap<LocalId, LocalId>;
}

export function copyParts(parts: readonly Part[], difference: Difference, accesses: Accesses): readonly Part[] {
  return parts.map((part) => {
    if (part.kind === 'straight') return { ...part, statements: copyStatements(part.statements, difference, accesses) };
    return { ...copyBounds(part, difference), parts: copyParts(part.parts, difference, accesses) };
  });
}

/** The loop with other bounds. */
export function copyBounds(loop: NestLoop, difference: Difference): NestLoop {
  const { first, end, ranges } = loop;
  const copy = (form: AffineForm): AffineForm => copyForm(form, difference);
  const copyRange = ([local, range]: readonly [LocalId, SymbolicRange]): [LocalId, SymbolicRange] => [
    difference.names.get(local) ?? local,
    { ...range, least: copy(range.least), greatest: copy(range.greatest) },
  ];
  const moved = ranges === undefined ? {} : { ranges: new Map([...ranges].map(copyRange)) };
  return { ...loop, first: copy(first), end: copy(end), ...moved };
}

function copyForm(form: AffineForm, { variable, by, names }: Difference): AffineForm {
  const renamed = [...names].reduce((sum, [from, to]) => substitute(sum, from, localForm(to)), form);
  return substitute(renamed, variable, plus(localForm(variable), by));
}

function copyStatements(
  statements: readonly Statement[],
  difference: Difference,
  accesses: Accesses,
): readonly Statement[] {
  const { variable, by, names } = difference;
  const copyAccess = <Kind extends Expression | Statement>(copy: Kind, original: Kind): Kind => {
    const access = accesses.get(original);
    if (access === undefined) return copy;
    const subscripts = access.subscripts.map((form) => copyForm(form, difference));
    const made = { ...copy };
    const ranges = access.ranges && {
      ranges: new Map([...access.ranges].map(([local, range]) => [names.get(local) ?? local, range])),
    };
    accesses.set(made, { ...access, subscripts, ...ranges });
    return made;
  };
  return rewriteExpressions(
    statements,
    (node, original) => {
      if (node.kind !== 'get-local') return copyAccess(node, original);
      if (node.local === variable) return arithmetic('+', node, int(by, node.span));
      const name = names.get(node.local);
      return name === undefined ? node : getLocal(name, node.type, node.span);
    },
    (node, original) => {
      if (node.kind !== 'set-local') return copyAccess(node, original);
      return { ...node, local: names.get(node.local) ?? node.local };
    },
  );
}
