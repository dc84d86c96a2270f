// How large the code of each function is. A script is compiled aside for it, once nobody has typed for a while, and
// never twice in the same state; until it has been, what was known before stands.

import { CodeLensRefreshRequest } from 'vscode-languageserver';
import type { Analysis } from '../queries/index.ts';
import type { FunctionCost } from './environment.ts';
import { nameOfUri } from './names.ts';
import type { Session } from './session.ts';
import { WorkspaceReader } from './workspace-reader.ts';

const idleMs = 1000;

type ByName = ReadonlyMap<string, FunctionCost>;

export class Costs {
  readonly #session: Session;
  /** What was last measured of each open file. */
  readonly #last = new Map<string, ByName>();
  readonly #measured = new WeakSet<Analysis>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stop = new AbortController();

  constructor(session: Session) {
    this.#session = session;
    session.whenClosed((uri) => this.#last.delete(nameOfUri(uri)));
  }

  /** What is known of the functions of a file; asks for more if it has changed. */
  of(analysis: Analysis): ByName {
    const { name } = analysis.entry;
    const isOpen = this.#session.documents.byName(name) !== null;
    const isFaulty = analysis.diagnostics.some(({ severity }) => severity === 'error');
    if (isOpen && !isFaulty && !this.#measured.has(analysis)) this.#schedule(analysis);
    return this.#last.get(name) ?? new Map();
  }

  #schedule(analysis: Analysis): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#stop.abort();
    this.#timer = setTimeout(() => void this.#measure(analysis), idleMs);
  }

  async #measure(analysis: Analysis): Promise<void> {
    const { environment, documents, analyses, client, connection } = this.#session;
    const { name, source } = analysis.entry;
    // Typed meanwhile: the client asks again.
    if (environment.measureCosts === undefined || analyses.ofName(name) !== analysis) return;
    this.#measured.add(analysis);
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const reader = new WorkspaceReader(documents, environment.files);
    const task = { name, text: source.text, reader, plugins: analyses.plugins };
    try {
      const costs = await environment.measureCosts(task, signal);
      if (costs === null || documents.byName(name) === null) return;
      this.#last.set(name, new Map(costs.map((cost) => [cost.name, cost])));
      if (client.workspace?.codeLens?.refreshSupport === true)
        await connection.sendRequest(CodeLensRefreshRequest.type);
    } catch (error) {
      this.#measured.delete(analysis);
      if (!signal.aborted) connection.console.warn(error instanceof Error ? error.message : String(error));
    }
  }
}
