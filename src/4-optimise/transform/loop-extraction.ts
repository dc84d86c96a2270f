// Loop extraction: the outermost loops of a function that runs a few times only become functions of their own, each as
// it is. Engines optimise a function as a whole and run it in baseline code until then, so the first loop would wait
// for the code of all of them, and the loops that come later would begin in baseline code nevertheless.
//
//   loop 1 while (i < n) #counted …          i = run #f#1(i, n, a)
//   loop 2 while (j < n) #counted …          j = run #f#2(j, n, a)
//
// Applies to functions that no loop, no recursion and not the host calls, if they have several such loops, or one and
// its cold form; the call itself costs nothing that could be measured, since there are few. Cold loops, and versions
// with all checks, stay in the function, which is left and entered at them. Does not apply in a try, since its clause
// reads what the loop has set before it failed; to loops that return, set texts, or never end, from which no call comes
// back; and to loops with more than a hundred inputs.
// Source: LLVM's loop-extract; docs/decisions/0087-first-runs.md.

import { outlinedSuffix } from '../../abi/names.ts';
import { isStructured } from '../../mir/kinds.ts';
import type { FunctionId, Loop, LoopId, OutlinedLoop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { reachesEnd } from '../../mir/reachability.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { calledOutsideLoops } from '../analysis/call-frequency.ts';
import { findLoopLiveness } from '../analysis/liveness.ts';
import { canOutline, describeOutlined, innerLoopsRunThrough, outlineLoop } from '../outlined-loops.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const loopExtraction: Pass = {
  name: 'loop-extraction',
  summary: 'outermost loops of functions that run a few times become functions of their own',
  isRequired: false,
  keeps: ['recursion'],
  run: (program, context) => {
    const seldom = calledOutsideLoops(program, context.analyses.get('recursion'));
    const extracted: MirFunction[] = [];
    const others = mapFunctions(program, context, (fn, id) => {
      // In a function that never stops, each loop that can be outlined is that already.
      if (!seldom.has(fn) || fn.runsThrough === true) return fn;
      const loops = outermostLoops(fn.body);
      if (loops.length < 2) return fn;
      const found = describeLoops(loops, fn, newIds(id, program.functions));
      if (found.size === 0) return fn;
      for (const loop of loops) {
        const outlined = found.get(loop.id);
        if (outlined !== undefined) extracted.push(outlineLoop([loop], outlined, fn));
      }
      return { ...fn, body: withCalls(fn.body, found) };
    });
    if (extracted.length === 0) return program;
    return { ...others, functions: new Map([...extracted.map((fn) => [fn.id, fn] as const), ...others.functions]) };
  },
};

/**
 * The loops in no other loop and in no try, but for versions with all checks: of versions, the first form alone is
 * likely to run.
 */
function outermostLoops(nodes: readonly Statement[]): readonly Loop[] {
  return nodes.flatMap(outermostIn);
}

function outermostIn(node: Statement): readonly Loop[] {
  if (!isStructured(node)) return [];
  switch (node.kind) {
    case 'loop':
      return node.isShort === true ? [] : [node];
    case 'if': {
      const otherwise = node.versions === undefined ? node.otherwise : [];
      return outermostLoops([...node.arms.flatMap(({ then }) => then), ...otherwise]);
    }
    case 'block':
      return outermostLoops(node.statements);
    case 'try':
      return [];
  }
}

/** Ids for outlined loops of a function that no function has yet. */
function newIds(id: FunctionId, known: ReadonlyMap<FunctionId, MirFunction>): () => FunctionId {
  let at = 0;
  const idAt = (): FunctionId => `${id}${outlinedSuffix}${at}`;
  return () => {
    do at += 1;
    while (known.has(idAt()));
    return idAt();
  };
}

/** The loops that become functions. */
function describeLoops(
  loops: readonly Loop[],
  fn: MirFunction,
  newId: () => FunctionId,
): ReadonlyMap<LoopId, OutlinedLoop> {
  const liveness = findLoopLiveness(fn);
  const found = new Map<LoopId, OutlinedLoop>();
  for (const loop of loops) {
    if (loop.isCold === true || loop.outlined !== undefined) continue;
    if (!reachesEnd(loop) || !canOutline(loop, fn.locals) || !innerLoopsRunThrough(loop)) continue;
    const { atIteration, behind } = liveness.get(loop.id)!;
    const outlined = describeOutlined(loop, newId(), fn, [], (local) => behind.includes(local));
    // What is set in the loop and read behind it alone has no value in front of it that could be passed.
    if (outlined === null || outlined.outputs.some((local) => !atIteration.includes(local))) continue;
    found.set(loop.id, outlined);
  }
  return found;
}

function withCalls(nodes: readonly Statement[], outlined: ReadonlyMap<LoopId, OutlinedLoop>): readonly Statement[] {
  return rewriteBlocks(nodes, (block) =>
    block.map((node) => {
      const found = node.kind === 'loop' ? outlined.get(node.id) : undefined;
      return found === undefined ? node : { kind: 'call-outlined', outlined: found, span: node.span };
    }),
  );
}
