// The loops at which a function can be left and entered again: numbered in the order in which they are written, each
// where it can be found from the beginning of the function, and left where an iteration ends.

import { lastEntryOf } from '../re-entry.ts';
import type { Loop, Statement } from '../mir.ts';
import { visitAll } from '../children.ts';
import { isStructured } from '../kinds.ts';
import type { FunctionVerifier } from './function-verifier.ts';

export function verifyReentry(v: FunctionVerifier): void {
  const numbering = new Numbering(v);
  numbering.statements(v.fn.body);
  let [entries, exits] = [0, 0];
  visitAll(v.fn.body, (node) => {
    if (node.kind === 'loop' && node.osr !== undefined) entries += 1;
    if (node.kind === 'osr-exit') exits += 1;
  });
  if (entries > numbering.entries) v.fault(null, 'a loop has an entry where nothing finds it');
  if (exits > numbering.exits) v.fault(null, 'the function is left where no iteration of a loop with this entry ends');
  if (entries > 0 && v.fn.body.at(-1)?.kind === 'return-live-outs')
    v.fault(null, 'an outlined loop is entered in its midst');
}

class Numbering {
  entries = 0;
  exits = 0;
  readonly #v: FunctionVerifier;

  constructor(v: FunctionVerifier) {
    this.#v = v;
  }

  statements(nodes: readonly Statement[]): void {
    for (const node of nodes) this.#statement(node);
  }

  #statement(node: Statement): void {
    if (!isStructured(node)) return;
    switch (node.kind) {
      case 'loop':
        return this.#loop(node);
      case 'if':
        return this.#around(node, [...node.arms.map(({ then }) => then), node.otherwise]);
      case 'block':
        return this.#around(node, [node.statements]);
      // Only a failure leads into a clause.
      case 'try':
        return this.#around(node, [node.body]);
    }
  }

  /** A statement that says which entry inside it is the last. */
  #around(node: Statement, blocks: readonly (readonly Statement[])[]): void {
    const before = this.entries;
    for (const block of blocks) this.statements(block);
    const last = this.entries === before ? null : this.entries;
    if (lastEntryOf(node) !== last)
      this.#v.fault(node, `the last entry inside is ${last ?? 'none'}, not ${lastEntryOf(node) ?? 'none'}`);
  }

  #loop(node: Loop): void {
    const { osr, isShort, outlined, body, step } = node;
    if (osr === undefined) return this.#around(node, [body]);
    this.entries += 1;
    if (osr.entry !== this.entries) this.#v.fault(node, `entry ${osr.entry} is the ${this.entries}. of the function`);
    if (isShort === true || outlined !== undefined) this.#v.fault(node, 'a loop that runs through has an entry');
    for (const local of osr.live) this.#v.localType(node, local);
    if (new Set(osr.live).size < osr.live.length) this.#v.fault(node, 'a local is kept twice');
    this.statements(body);
    if (node.lastEntry !== this.entries)
      this.#v.fault(node, `the last entry inside is ${this.entries}, not ${node.lastEntry ?? 'none'}`);
    visitAll(step, (part) => {
      if (part.kind === 'osr-exit' && part.entry.entry === osr.entry) this.exits += 1;
    });
  }
}
