// Entries for on-stack replacement: an engine runs a function in baseline code until the next call of the function, so
// a long-running function must return now and then and be called again. Each loop gets the number of its entry and the
// locals that are live there, which are spilled between the two calls. The fuel pass decides when a function leaves at
// an entry.
//
//   loop 1 while (i < n) #counted …           loop 1 while (i < n) #counted … #osr entry 1 (n, total, i)
//     total = (total + i)                       total = (total + i)
//
// The iterations of short loops are not counted, so an iteration of a loop that contains a short loop counts as
// sixteen.
//
// Does not apply to short loops, to loops that an outlined function continues, in clauses of a try, to cold loops each
// of whose iterations comes to another loop, which has an entry, and to functions that recursion calls, since those are
// called often enough.
// Source: Fink, Qian, "Design, implementation and evaluation of adaptive recompilation with on-stack replacement",
// 2003; here the compiler does it, for engines that do not (docs/decisions/0011-loops.md).

import { isStructured } from '../../mir/kinds.ts';
import type { If, LocalId, Loop, LoopId, OsrEntry, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { hasLoop as containsLoop } from '../../mir/children.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import { findLiveLocals } from '../analysis/liveness.ts';

export const osrEntries: Pass = {
  name: 'osr-entries',
  summary: 'loops at which a function is left, and entered by another call of it',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) => {
    // A function that is called often need not return in the middle of a loop to be called again.
    const often = context.analyses.get('recursion').calledByRecursion();
    return mapFunctions(program, context, (fn, id) => {
      if (often.has(id) || !containsLoop(fn.body)) return fn;
      // If fuel is counted, the iterations of short loops are counted too.
      const weighted = context.settings.countsFuel ? fn : { ...fn, body: weigh(fn.body) };
      return fn.runsThrough === true ? weighted : addOsrEntries(weighted);
    });
  },
};

/**
 * The function with an OSR entry at every loop, except loops in clauses of a try, short loops, and loops that an
 * outlined function continues.
 */
export function addOsrEntries(fn: MirFunction): MirFunction {
  if (!fn.body.some(hasLoop)) return fn;
  return { ...fn, body: new Numbering(findLiveLocals(fn)).statements(fn.body) };
}

/**
 * The weight of an iteration that contains short loops. Their own iterations are not counted, and are usually far fewer
 * than a short loop may have.
 */
const shortLoopWeight = 16;

function weigh(nodes: readonly Statement[]): readonly Statement[] {
  return rewriteBlocks(nodes, (block) =>
    block.map((node) =>
      node.kind === 'loop' && node.isShort !== true && node.weight === undefined && node.body.some(hasShortLoop)
        ? { ...node, weight: shortLoopWeight }
        : node,
    ),
  );
}

/** Whether the statement contains a loop whose iterations are not counted. */
function hasShortLoop(node: Statement): boolean {
  if (!isStructured(node)) return false;
  switch (node.kind) {
    case 'loop':
      return node.isShort === true;
    case 'if':
      return node.arms.some(({ then }) => then.some(hasShortLoop)) || node.otherwise.some(hasShortLoop);
    case 'block':
      return node.statements.some(hasShortLoop);
    case 'try':
      return node.body.some(hasShortLoop);
  }
}

class Numbering {
  readonly #live: ReadonlyMap<LoopId, readonly LocalId[]>;
  #entries = 0;

  constructor(live: ReadonlyMap<LoopId, readonly LocalId[]>) {
    this.#live = live;
  }

  statements(nodes: readonly Statement[]): readonly Statement[] {
    return nodes.map((node) => this.#statement(node));
  }

  #statement(node: Statement): Statement {
    if (!isStructured(node) || !hasLoop(node)) return node;
    switch (node.kind) {
      case 'loop':
        return this.#loop(node);
      case 'if':
        return this.#if(node);
      case 'block': {
        const statements = this.statements(node.statements);
        return { ...node, statements, lastEntry: this.#entries };
      }
      case 'try': {
        const body = this.statements(node.body);
        return { ...node, body, lastEntry: this.#entries };
      }
    }
  }

  #loop(node: Loop): Loop {
    if (node.isCold === true && node.body.some(alwaysReachesLoop)) {
      const body = this.statements(node.body);
      return { ...node, body, lastEntry: this.#entries };
    }
    this.#entries += 1;
    const osr: OsrEntry = { entry: this.#entries, live: this.#live.get(node.id)! };
    const body = this.statements(node.body);
    return { ...node, body, osr, lastEntry: this.#entries };
  }

  #if(node: If): If {
    const arms = node.arms.map((arm) => ({ ...arm, then: this.statements(arm.then) }));
    const otherwise = this.statements(node.otherwise);
    return { ...node, arms, otherwise, lastEntry: this.#entries };
  }
}

/** Whether the statement is a loop that gets an OSR entry, or has such a loop outside all branches. */
function alwaysReachesLoop(node: Statement): boolean {
  return node.kind === 'block' ? node.statements.some(alwaysReachesLoop) : node.kind === 'loop' && hasLoop(node);
}

/** Whether the statement contains a loop that gets an OSR entry. */
function hasLoop(node: Statement): boolean {
  if (!isStructured(node)) return false;
  switch (node.kind) {
    case 'loop':
      return node.isShort !== true && node.outlined === undefined;
    case 'if':
      return node.arms.some(({ then }) => then.some(hasLoop)) || node.otherwise.some(hasLoop);
    case 'block':
      return node.statements.some(hasLoop);
    case 'try':
      return node.body.some(hasLoop);
  }
}
