// What a nest is charged under conditions: summed up in a local, and charged between two iterations of its outermost loop,
// since nothing may stop it in the middle of one.

import { getLocal, int } from '../../mir/builders.ts';
import type { LocalId, Statement } from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import type { Nest, Straight } from './tree.ts';

/** What is charged under conditions, at the end of each iteration of the outermost loop: `charge $spent; $spent = 0`. */
export function chargeOf(spent: LocalId, span: Span): Straight {
  const charge: Statement = { kind: 'charge', units: getLocal(spent, intType, span), span };
  return { kind: 'straight', statements: [charge, { kind: 'set-local', local: spent, value: int(0n, span), span }] };
}

/** The nest with what is charged under conditions in the iteration in which it is left. */
export function charged({ spent, span }: Nest, statements: readonly Statement[]): readonly Statement[] {
  if (spent === null) return statements;
  const [charge, clear] = chargeOf(spent, span).statements as [Statement, Statement];
  return [clear, ...statements, charge];
}
