// Which scripts of the pages open in the playground, and the fragment of each.

import type { Page } from './contents.ts';
import { blocksOf } from '../../test/pages/blocks.ts';
import { packFragment } from '../playground/src/page/share.ts';

/** By the text of the script. Those that need other files or plugins have none. */
export async function fragmentsOf(pages: readonly Page[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  // Pages about the house show no scripts to try.
  for (const { text } of pages.filter(({ source }) => /^(?:docs|site|packages)\//.test(source))) {
    const blocks = blocksOf(text).filter(({ kind }) => kind === 'fence');
    for (const [at, block] of blocks.entries()) {
      if (block.language !== 'sluice' || /^import "|^\/\/ file: /m.test(block.text)) continue;
      const session = blocks.slice(at + 1).find(({ language }) => language === 'console');
      if (session !== undefined && / --plugin /.test(session.text) && session.text.includes(String(block.name)))
        continue;
      const values = session === undefined || block.name === null ? {} : argumentsOf(session.text, block.name);
      found.set(
        block.text,
        await packFragment({ script: block.text, ...(Object.keys(values).length > 0 ? { arguments: values } : {}) }),
      );
    }
  }
  return found;
}

/** Those of the first command that runs the script: `-a name=value`. */
function argumentsOf(session: string, name: string): Readonly<Record<string, string>> {
  const command = session.split('\n').find((line) => line.startsWith('$ ') && line.includes(`run ${name}`)) ?? '';
  const given = command.matchAll(/ -a (?:'(\w+)=([^']*)'|(\w+)=([^\s@][^\s]*))/g);
  return Object.fromEntries(Array.from(given, ([, quoted, text, bare, word]) => [quoted ?? bare!, text ?? word!]));
}
