// Who calls whom in the module, to find out which of its exports can reach a host call that may wait: the host lets
// the engine suspend those, and no others.

export class CallGraph {
  readonly #callers = new Map<string, Set<string>>();
  readonly #waiting = new Set<string>();

  /** Notes that a function of the module calls another. */
  note(caller: string, callee: string): void {
    const callers = this.#callers.get(callee);
    if (callers === undefined) this.#callers.set(callee, new Set([caller]));
    else callers.add(caller);
  }

  /** Notes that a function calls an import that may wait. */
  noteWaiting(caller: string): void {
    this.#waiting.add(caller);
  }

  /** The functions that can reach a call that may wait. */
  waiting(): ReadonlySet<string> {
    const found = new Set(this.#waiting);
    // What is added while walking is walked too.
    for (const fn of found) for (const caller of this.#callers.get(fn) ?? []) found.add(caller);
    return found;
  }
}
