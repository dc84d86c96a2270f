// Which functions are recursive, directly or through others, and which functions are called between recursive calls.

import { visitAll } from '../../mir/children.ts';
import { calleeOf } from '../../mir/locals.ts';
import type { FunctionId } from '../../mir/mir.ts';
import type { MirProgram } from '../../mir/program.ts';

interface Components {
  readonly recursive: ReadonlySet<FunctionId>;
  readonly leadsToRecursion: ReadonlySet<FunctionId>;
}

export class Recursion {
  readonly #calls: ReadonlyMap<FunctionId, ReadonlySet<FunctionId>>;
  #found: Components | null = null;

  constructor({ functions }: MirProgram) {
    this.#calls = new Map(
      [...functions].map(([id, { body }]) => {
        const called = new Set<FunctionId>();
        visitAll(body, (node) => {
          const callee = calleeOf(node);
          if (callee !== null && functions.has(callee)) called.add(callee);
        });
        return [id, called];
      }),
    );
  }

  /** The functions that can lead to another call of themselves. */
  recursive(): ReadonlySet<FunctionId> {
    return this.#components().recursive;
  }

  /** Those, and what leads from one of them to another. */
  betweenRecursion(): ReadonlySet<FunctionId> {
    const { recursive, leadsToRecursion } = this.#components();
    return new Set([...recursive, ...[...this.#reachedFrom(recursive)].filter((id) => leadsToRecursion.has(id))]);
  }

  /** Those that are recursive, and what they call. */
  calledByRecursion(): ReadonlySet<FunctionId> {
    const { recursive } = this.#components();
    return new Set([...recursive, ...this.#reachedFrom(recursive)]);
  }

  #components(): Components {
    this.#found ??= this.#find();
    return this.#found;
  }

  /**
   * The functions that are recursive, and those from which one of them can be reached.
   *
   * Source: strongly connected components; Tarjan, "Depth-first search and linear graph algorithms", 1972, with a stack
   * of its own, since functions may call each other in a row of any length.
   */
  #find(): Components {
    const numbers = new Map<FunctionId, number>();
    const lowest = new Map<FunctionId, number>();
    const open: FunctionId[] = [];
    const isOpen = new Set<FunctionId>();
    const recursive = new Set<FunctionId>();
    const leadsToRecursion = new Set<FunctionId>();
    const calls = (id: FunctionId): Iterable<FunctionId> => this.#calls.get(id) ?? [];
    const visits: { readonly id: FunctionId; readonly next: Iterator<FunctionId> }[] = [];
    const begin = (id: FunctionId): void => {
      numbers.set(id, numbers.size);
      lowest.set(id, numbers.get(id)!);
      open.push(id);
      isOpen.add(id);
      visits.push({ id, next: calls(id)[Symbol.iterator]() });
    };
    const lower = (id: FunctionId, to: number): void => void lowest.set(id, Math.min(lowest.get(id)!, to));
    const end = (id: FunctionId): void => {
      if (lowest.get(id) !== numbers.get(id)) return;
      const component = open.splice(open.lastIndexOf(id));
      for (const member of component) isOpen.delete(member);
      const isRecursive = component.length > 1 || this.#calls.get(id)!.has(id);
      const leads =
        isRecursive || component.some((member) => [...calls(member)].some((callee) => leadsToRecursion.has(callee)));
      for (const member of component) {
        if (isRecursive) recursive.add(member);
        if (leads) leadsToRecursion.add(member);
      }
    };
    for (const root of this.#calls.keys()) {
      if (!numbers.has(root)) begin(root);
      for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
        const next = visit.next.next();
        const callee = next.done === true ? null : next.value;
        if (callee === null) {
          visits.pop();
          end(visit.id);
          const caller = visits.at(-1);
          if (caller !== undefined) lower(caller.id, lowest.get(visit.id)!);
        } else if (!numbers.has(callee)) begin(callee);
        else if (isOpen.has(callee)) lower(visit.id, numbers.get(callee)!);
      }
    }
    return { recursive, leadsToRecursion };
  }

  #reachedFrom(callers: Iterable<FunctionId>): ReadonlySet<FunctionId> {
    const reached = new Set([...callers].flatMap((id) => [...(this.#calls.get(id) ?? [])]));
    for (const callee of reached) for (const next of this.#calls.get(callee) ?? []) reached.add(next);
    return reached;
  }
}
