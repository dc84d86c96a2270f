// Where an array can get from the place where it is made or returned: the locals, globals and results that may hold it, or a
// row of it, whatever the order in which things happen. Unlike the classes of alias-classes.ts, which say which arrays may
// be the same, this knows directions: what is given to a function does not become what others give to it.
//
// Source: points-to analysis by inclusion; Andersen, "Program Analysis and Specialization for the C Programming Language"
// (1994), chapter 4. Elements are not followed: arrays in arrays are the business of who asks.

import { nodesOf, visitAll } from '../../mir/children.ts';
import type { Expression } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { assignmentsOf, localKey } from './assignments.ts';

/** A place by its key, as in assignments.ts, or an expression that makes or returns an array. */
type Source = string | Expression;

export class ArrayFlow {
  readonly #targets = new Map<Source, Set<string>>();

  constructor(program: MirProgram, functions: readonly MirFunction[]) {
    for (const fn of functions)
      visitAll(nodesOf(fn), (node) => {
        for (const { target, value, fn: of } of assignmentsOf(program, fn, node))
          if (typeof target === 'string' && value.type.kind === 'array')
            for (const source of sourcesOf(of, value)) this.#note(source, target);
      });
  }

  /** The keys of all places that may hold the array which the expression makes or returns. */
  reachedFrom(node: Expression): ReadonlySet<string> {
    const reached = new Set(this.#targets.get(node));
    // A set goes on to what is added to it meanwhile.
    for (const place of reached) for (const next of this.#targets.get(place) ?? []) reached.add(next);
    return reached;
  }

  #note(source: Source, target: string): void {
    const targets = this.#targets.get(source) ?? new Set();
    this.#targets.set(source, targets.add(target));
  }
}

/** Where an expression has its array from: places, or itself. */
function sourcesOf(fn: MirFunction, node: Expression): readonly Source[] {
  if (node.kind === 'get-local') return [localKey(fn.id, node.local)];
  if (node.kind === 'get-global') return [`global ${node.global}`];
  if (node.kind === 'call') return [node, `return ${node.function}`];
  if (node.kind === 'get-element') return sourcesOf(fn, node.array);
  if (node.kind === 'check-null') return sourcesOf(fn, node.operand);
  if (node.kind === 'sequence') return sourcesOf(fn, node.value);
  if (node.kind === 'conditional' || node.kind === 'select')
    return [...sourcesOf(fn, node.then), ...sourcesOf(fn, node.otherwise)];
  return [node];
}
