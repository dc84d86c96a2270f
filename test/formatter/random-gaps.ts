// Programs as nobody writes them: what stands between the tokens of a good one becomes anything that may stand there.

import type { Dice } from '../fuzz/random-text.ts';
import { read } from './checks.ts';

const spaces = ['', ' ', '  ', '\t', '\n', '\r\n', '\n\n', '\n  \n\n\t', ' \n'];
const comments = [
  ' // why\n',
  '\n// on its own\n',
  '//tight\n',
  '// spaces behind  \t\n',
  '/* a */',
  ' /* a */ ',
  '\n/* on its own */\n',
  '/* two\n lines */',
  '\n  /*\n     * with\n * stars   \n  */\n',
  ' /* one */ // and another\n',
  '\n\n// apart\n\n\n',
  '/**/',
  '// 😀 é\n',
];

/** The same tokens with other gaps; in some programs many comments, in others few or none. */
export function withRandomGaps(text: string, dice: Dice): string {
  const { tokens } = read(text).file;
  const share = dice.pick([0, 1, 5, 30]);
  const wildness = dice.pick([5, 30, 100]);
  const parts: string[] = [];
  let last = 0;
  for (const { kind, start, end } of tokens) {
    const gap = text.slice(last, start);
    const isText = kind === 'template-text' || kind === 'template-end' || kind === 'expression-start';
    if (!isText) parts.push(drawGap(gap, dice, share, wildness));
    if (kind !== 'line-comment' && kind !== 'block-comment') parts.push(text.slice(start, end));
    last = end;
  }
  return parts.join('') + dice.pick(spaces);
}

function drawGap(gap: string, dice: Dice, share: number, wildness: number): string {
  if (dice.chance(share)) return dice.pick(comments);
  if (!dice.chance(wildness)) return gap;
  const space = dice.pick(spaces);
  // Words stay apart.
  return space === '' && gap !== '' ? ' ' : space;
}

/** A text cut off somewhere, or less a part of it, or with a stray one. */
export function damaged(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  const end = Math.min(text.length, at + 1 + dice.below(dice.pick([2, 20, 200])));
  const strays = ['}', '{', '(', ')', ';', '`', '"', '${', '/*', '//', 'if', '=', '.', '#', '007', '===', 'int', '\\'];
  const ways = [
    () => text.slice(0, at),
    () => text.slice(at),
    () => text.slice(0, at) + text.slice(end),
    () => text.slice(0, at) + dice.pick(strays) + text.slice(at),
    () => text.slice(0, at) + dice.pick(strays) + text.slice(end),
  ];
  return dice.pick(ways)();
}
