// Imports as JavaScript writes them, of files of the language: what they are here.

import type { Token } from 'antlr4ng';
import { importAlias } from '../language/import-alias.ts';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import { is } from './place-situation.ts';
import type { Mending } from './place-situation.ts';

/** `import …` up to the path, and the same file under one name; null if no file of the language is named. */
export function mendImport(statement: readonly Token[]): Mending | null {
  const end = statement.findIndex((token) => is(token, P.STRING_LITERAL, P.SEMICOLON));
  const [last, behind] = [statement[end], statement[end + 1] ?? null];
  const path = last?.text ?? '';
  if (!/^"[^"]*\.slu"$/.test(path) || is(behind, P.AS)) return null;
  const names = statement.slice(1, end);
  if (names.length > 0 && names.at(-1)!.text !== 'from') return null;
  const alias = aliasIn(names) ?? importAlias(path.slice(1, -1));
  return { first: statement[0]!, last: last!, text: `import ${path} as ${alias}${is(behind, P.SEMICOLON) ? '' : ';'}` };
}

/** The name for all of a file: `import shapes from …`, `import * as shapes from …`. */
function aliasIn([first, second, third]: readonly Token[]): string | null {
  if (is(first ?? null, P.STAR) && is(second ?? null, P.AS) && is(third ?? null, P.NAME)) return third!.text!;
  return is(first ?? null, P.NAME) && second?.text === 'from' ? first!.text! : null;
}
