// Diagnostics that are sent without being asked for: of each open document, and of the files that it imports and that
// are not open. Documents are analysed one after the other; what is typed meanwhile comes first. A client that asks
// for diagnostics itself is told when those that it has are out of date.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { protocolDiagnostic } from './diagnostics.ts';
import type { Session } from './session.ts';
import { nextMessage } from './session.ts';

/**
 * Milliseconds after a change: several that come at once, as when a text is pasted or replaced everywhere, are one.
 * Nobody types so fast that waiting longer would save work.
 */
const shortestDelay = 5;
const longestDelay = 20;

export class Publisher {
  readonly #session: Session;
  /** What was last sent, as text, by URI. */
  readonly #sent = new Map<string, string>();
  /** Diagnostics of closed files, by the open document that imports them. */
  readonly #ofImported = new Map<string, ReadonlyMap<string, readonly Diagnostic[]>>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isRunning = false;
  #isOutdated = false;
  #duration = 0;
  #first: string | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Something has changed; `name` is the document that the user looks at. */
  schedule(name: string | null = null): void {
    this.#first = name ?? this.#first;
    this.#isOutdated = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        void this.#run();
      },
      Math.min(longestDelay, Math.max(shortestDelay, this.#duration / 4)),
    );
  }

  /** A document was closed: what was said of it is taken back, unless another one imports it. */
  forget(name: string): void {
    this.#ofImported.delete(name);
    this.schedule();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isOutdated && this.#timer === null) {
        this.#isOutdated = false;
        if (!this.#isPulled) await this.#publishAll();
        else if (this.#isTold) await this.#session.connection.languages.diagnostics.refresh();
      }
    } catch (error) {
      // The client has gone, or cannot do what it said.
      this.#session.connection.console.warn(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isRunning = false;
    }
  }

  /** Whether the client asks for diagnostics by itself. */
  get #isPulled(): boolean {
    return this.#session.client.textDocument?.diagnostic !== undefined;
  }

  /** Whether the client can be told that it shall ask again; others ask whenever they have changed something. */
  get #isTold(): boolean {
    return this.#session.client.workspace?.diagnostics?.refreshSupport === true;
  }

  async #publishAll(): Promise<void> {
    const { documents, analyses } = this.#session;
    const names = documents.all().map(({ name }) => name);
    const first = this.#first;
    const ordered =
      first !== null && names.includes(first) ? [first, ...names.filter((name) => name !== first)] : names;
    for (const name of ordered) {
      const start = performance.now();
      const wasCurrent = analyses.isCurrent(name);
      this.#publishDocument(name);
      if (wasCurrent) continue;
      if (name === first) this.#duration = performance.now() - start;
      await nextMessage();
      // Typed meanwhile: begin again with that.
      if (this.#isOutdated) return;
    }
    this.#publishImported();
  }

  #publishDocument(name: string): void {
    const { documents, analyses } = this.#session;
    const document = documents.byName(name);
    const analysis = document === null ? null : analyses.ofName(name);
    if (document === null || analysis === null) return;
    const byFile = Map.groupBy(analysis.diagnostics, ({ span }) => span.file.name);
    this.#send(document.uri, byFile.get(name) ?? [], document.version);
    const closed = [...byFile].filter(([other]) => other !== name && documents.byName(other) === null);
    this.#ofImported.set(name, new Map(closed));
  }

  #publishImported(): void {
    const { documents, places } = this.#session;
    const found = new Map<string, readonly Diagnostic[]>();
    for (const [name, byFile] of this.#ofImported)
      if (documents.byName(name) !== null)
        for (const [other, diagnostics] of byFile)
          if (documents.byName(other) === null) found.set(places.uriOfName(other), diagnostics);
    for (const [uri, diagnostics] of found) this.#send(uri, diagnostics);
    for (const uri of this.#sent.keys()) if (documents.get(uri) === null && !found.has(uri)) this.#send(uri, []);
  }

  #send(uri: string, found: readonly Diagnostic[], version?: number): void {
    const { places, settings, connection } = this.#session;
    const diagnostics = found.map((diagnostic) => protocolDiagnostic(diagnostic, places, settings.explanations));
    const text = JSON.stringify([version, diagnostics]);
    if (this.#sent.get(uri) === text) return;
    if (version === undefined && diagnostics.length === 0) this.#sent.delete(uri);
    else this.#sent.set(uri, text);
    void connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
  }
}
