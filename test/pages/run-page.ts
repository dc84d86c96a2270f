// Does what a page shows, from the top, in a scratch folder: writes its files, runs its commands, programs and scripts,
// and gives the page with what they print. A page that says what happens comes out as it went in.

import { checkCase, readCase } from '../conformance-harness.ts';
import { asCase, blocksOf, fileLanguages, hasNotes, isOutput, programLanguages } from './blocks.ts';
import type { Block } from './blocks.ts';
import type { ScratchFolder } from './scratch-folder.ts';

export interface PageRun {
  /** The page with what was printed in the place of what it says is printed. */
  readonly page: string;
  /** What is wrong apart from that, each with its line. */
  readonly problems: readonly string[];
}

/** What stands for some text in what is printed: times, addresses and the like. In a line of its own, for any lines. */
const ellipsis = '…';

export async function runPage(page: string, folder: ScratchFolder): Promise<PageRun> {
  const blocks = blocksOf(page);
  const problems: string[] = [];
  const printed = new Map<Block, string>();
  let before = '';
  for (const [at, block] of blocks.entries()) {
    const next = blocks[at + 1];
    const complain = (what: string): number => problems.push(`line ${block.line}: ${what}`);
    const show = ({ output, code }: { readonly output: string; readonly code: number }): void => {
      if (isOutput(next)) printed.set(next!, output);
      else if (output !== '' || code !== 0)
        complain(`ends with ${code} and prints what the page does not show: ${output}`);
    };
    if (isOutput(block)) {
      if (!printed.has(block)) complain('nothing before it prints this');
      continue;
    }
    if (block.kind === 'before') {
      before = block.text;
      continue;
    }
    if (block.name !== null) {
      folder.write(block.name, programLanguages.includes(block.language) ? before + block.text : block.text);
      const base = block.name
        .split('/')
        .at(-1)!
        .replace(/\.slu$/, '');
      const isUsed =
        block.kind === 'file' ||
        block.language === 'html' ||
        // Tools look for it by its name.
        /\.config\.[jt]s$|(?:^|\/)\.[^/]+$/.test(block.name) ||
        isOutput(next) ||
        (hasNotes(block.text) && !block.name.endsWith('.test.slu')) ||
        blocks
          .slice(at + 1)
          .some(({ text }) => text.includes(base) || (base.endsWith('.test') && text.includes('sluice test')));
      if (!isUsed) complain(`nothing on the page uses ${block.name}`);
    }
    if (block.kind === 'file') continue;
    if (block.language === 'console') printed.set(block, await runSession(block.text, folder, complain));
    else if (block.language === 'sh') await runCommands(block.text, folder, complain);
    else if (block.language === 'sluice') {
      // The comments of a file of tests are compared by `sluice test`, which the page goes on to call.
      if (block.name?.endsWith('.test.slu')) continue;
      if (hasNotes(block.text)) problems.push(...(await checkNotes(block)));
      else if (isOutput(next)) {
        const name = block.name ?? 'script.slu';
        folder.write(name, block.text);
        show(await folder.run(`sluice run ${name}`));
      } else if (block.name === null) complain('nothing says what the script does');
    } else if (programLanguages.includes(block.language)) {
      if (block.name === null || isOutput(next)) {
        const name = block.name ?? `program-${block.line}.${block.language === 'ts' ? 'ts' : 'mjs'}`;
        folder.write(name, before + block.text);
        show(await folder.run(`node ${name}`));
      }
      before = '';
    } else if (fileLanguages.includes(block.language) && block.name === null) complain('a file without a name');
  }
  return { page: fillIn(page, printed), problems };
}

/** Lines that begin with `$ ` are commands; what follows each is what it prints. */
async function runSession(text: string, folder: ScratchFolder, complain: (what: string) => void): Promise<string> {
  const shown: string[] = [];
  for (const part of text.split(/^(?=\$ )/m)) {
    const [, command, rest] = /^\$ ((?:.*\\\n)*.*)\n([^]*)$/.exec(part) ?? [];
    if (command === undefined) {
      complain(`a session begins with a command: ${part}`);
      continue;
    }
    const { output, code } = await folder.run(command);
    if (code !== 0 && output === '') complain(`${command} ends with ${code}`);
    const ended = output === '' || output.endsWith('\n') ? output : `${output}\n`;
    shown.push(`$ ${command}\n${agrees(rest!, ended) ? rest! : ended}`);
  }
  return shown.join('');
}

/** What installs packages, or this repository: tests of their own do that. */
const installing =
  /^npm install( (-g|--save-dev|sluice|sluice-host|unplugin-sluice|sluice-map|apache-arrow|lz4js|vega-datasets|esbuild|vite|@modelcontextprotocol\/\w+))+$|^npm install && npm (start|test)$/;

/** Commands whose output nobody looks at. */
async function runCommands(text: string, folder: ScratchFolder, complain: (what: string) => void): Promise<void> {
  for (const line of text.trim().split('\n')) {
    const command = line.replace(/ +#.*$/, '');
    if (command === '' || installing.test(command)) continue;
    const { output, code } = await folder.run(command);
    if (code !== 0) complain(`${command} ends with ${code}: ${output}`);
  }
}

async function checkNotes(block: Block): Promise<readonly string[]> {
  const place = `line ${block.line}`;
  const shown = ['error', 'warning'].filter((kind) => new RegExp(`// ${kind} [EW]\\d`).test(block.text));
  if (shown.join() !== block.words.join())
    return [`${place}: it opens with "${block.words.join()}" and shows "${shown.join()}"`];
  return (await checkCase(readCase(place, asCase(block.text)))).map((problem) => `${place}: ${problem}`);
}

function fillIn(page: string, printed: ReadonlyMap<Block, string>): string {
  let filled = page;
  for (const [block, output] of [...printed].toReversed()) {
    const ended = output === '' || output.endsWith('\n') ? output : `${output}\n`;
    if (agrees(block.text, ended)) continue;
    filled = filled.slice(0, block.start) + ended + filled.slice(block.start + block.text.length);
  }
  return filled;
}

/** Whether this is what was printed, where `…` stands for what differs from run to run. */
function agrees(shown: string, output: string): boolean {
  if (shown === output || !shown.includes(ellipsis)) return shown === output;
  const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const lines = shown
    .split('\n')
    .map((line) => (line.trim() === ellipsis ? '(?:.*\\n)*?.*' : line.split(ellipsis).map(escape).join('.*')));
  return new RegExp(`^${lines.join('\\n')}$`).test(output);
}
