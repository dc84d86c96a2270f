// Loops that are replaced by copies: each has loops and locals of its own, so that passes can tell the copies apart.

import { blocksOf, visitAll, visitStatements, withBlocks } from '../mir/children.ts';
import { copyWithLoops } from '../mir/clone.ts';
import { localsSet } from '../mir/locals.ts';
import type { LocalId, Loop, LoopId, Statement } from '../mir/mir.ts';
import type { Local, MirFunction } from '../mir/program.ts';
import type { Type } from '../language/types.ts';
import { findLoopLiveness } from './analysis/liveness.ts';
import type { LoopLiveness } from './analysis/liveness.ts';

/** Replaces a loop, behind what stands in front of it in its block; null to look at the loops in it. */
type ReplaceLoop = (loop: Loop, before: readonly Statement[]) => readonly Statement[] | null;

/** The statements with loops replaced, the outermost first; the same list where none is another. */
export function replaceLoops(nodes: readonly Statement[], replace: ReplaceLoop): readonly Statement[] {
  let changes = false;
  const changed = nodes.flatMap((node, at): readonly Statement[] => {
    const replaced = node.kind === 'loop' ? replace(node, nodes.slice(0, at)) : null;
    if (replaced !== null) {
      changes ||= replaced.length !== 1 || replaced[0] !== node;
      return replaced;
    }
    const blocks = blocksOf(node);
    const inside = blocks.map((block) => replaceLoops(block, replace));
    const isSame = inside.every((block, index) => block === blocks[index]);
    changes ||= !isSame;
    return [isSame ? node : withBlocks(node, inside)];
  });
  return changes ? changed : nodes;
}

export class LoopCopies {
  /** Those of the function, and the new ones. */
  readonly locals: Local[];
  readonly #fn: MirFunction;
  #lastLoop: LoopId = 0;
  #liveness: ReadonlyMap<LoopId, LoopLiveness> | null = null;

  constructor(fn: MirFunction) {
    this.#fn = fn;
    this.locals = [...fn.locals];
    visitStatements(fn.body, (node) => {
      if (node.kind === 'loop') this.#lastLoop = Math.max(this.#lastLoop, node.id);
    });
  }

  /** What is live where an iteration of a loop of the function begins, and behind the loop. */
  liveOf({ id }: Loop): LoopLiveness {
    this.#liveness ??= findLoopLiveness(this.#fn);
    return this.#liveness.get(id) ?? { atIteration: [], behind: [] };
  }

  /**
   * Copies of statements of a loop, or of what was made of them. Locals that each iteration sets for itself are others, and
   * so is the loop's variable, where it is given.
   */
  of(nodes: readonly Statement[], loop: Loop, variable: LocalId | null = null): readonly Statement[] {
    const { atIteration, behind } = this.liveOf(loop);
    const shared = new Set([...atIteration, ...behind]);
    if (variable !== null) shared.delete(variable);
    const [names, loops] = [new Map<LocalId, LocalId>(), new Map<LoopId, LoopId>()];
    visitAll(nodes, (node) => {
      if (node.kind === 'loop') loops.set(node.id, (this.#lastLoop += 1));
      for (const local of localsSet(node))
        if (!shared.has(local) && !names.has(local)) names.set(local, this.#copyLocal(local));
    });
    const loopOf = (id: LoopId): LoopId => loops.get(id) ?? id;
    return copyWithLoops(nodes, (local) => names.get(local) ?? local, loopOf);
  }

  newLocal(name: string, type: Type): LocalId {
    return this.locals.push({ name, type, origin: 'temporary' }) - 1;
  }

  #copyLocal(local: LocalId): LocalId {
    const { name, type } = this.locals[local]!;
    return this.newLocal(name, type);
  }
}
