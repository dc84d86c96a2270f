// Suspension: notes which functions can reach a host call that may wait. The host lets the engine suspend only the
// exports that call such functions.
//
//   void save() { File.write("a", "b"); }      save: suspends
//   export void all() { save(); }              all:  suspends
//   export int twice(int x) { return 2 * x; }
// An export that the engine may suspend returns a promise, and its call takes a hundred times as long. Only library
// calls in the program itself can wait: the functions of the runtime never wait.
//
// Source: backward reachability in the call graph, like the colouring of asynchronous functions.

import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { calleeOf } from '../../mir/locals.ts';
import type { FunctionId } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const suspension: Pass = {
  name: 'suspension',
  summary: 'functions that can reach a host call which may wait are noted',
  isRequired: true,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) => {
    const bodies = new Map([...program.functions].map(([id, { body }]) => [id, read(program, body)]));
    const suspending = findSuspending(bodies);
    const suspends = ({ waits, calls }: Reading): boolean =>
      waits || [...calls].some((callee) => suspending.has(callee));
    return mapFunctions(program, context, (fn, id) => ({
      ...fn,
      suspends: {
        body: suspends(bodies.get(id) ?? read(program, fn.body)),
        defaults: suspends(read(program, defaultsOf(fn))),
      },
    }));
  },
};

function defaultsOf({ parameters }: MirFunction): readonly Node[] {
  return parameters.flatMap(({ initialiser }) => initialiser ?? []);
}

function findSuspending(bodies: ReadonlyMap<FunctionId, Reading>): ReadonlySet<FunctionId> {
  const callers = new Map<FunctionId, FunctionId[]>();
  const found = new Set<FunctionId>();
  for (const [id, { waits, calls }] of bodies) {
    if (waits) found.add(id);
    for (const callee of calls) {
      const known = callers.get(callee);
      if (known === undefined) callers.set(callee, [id]);
      else known.push(id);
    }
  }
  // A Set iterates over members that are added during the iteration too, so this is a worklist.
  for (const id of found) for (const caller of callers.get(id) ?? []) found.add(caller);
  return found;
}

/** Whether nodes wait themselves, and what they call. */
interface Reading {
  readonly waits: boolean;
  readonly calls: ReadonlySet<FunctionId>;
}

function read({ registry }: MirProgram, nodes: readonly Node[]): Reading {
  const calls = new Set<FunctionId>();
  let waits = false;
  visitAll(nodes, (node) => {
    if (node.kind === 'library-call') waits ||= registry.byId(node.function).effects.waits;
    const callee = calleeOf(node);
    if (callee !== null) calls.add(callee);
  });
  return { waits, calls };
}
