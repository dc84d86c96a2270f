// The documents that are open in the editor, in the state that the client has told. They come before the disk: an
// imported file that has not been saved counts as it stands in its window.

import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { createSourceFile } from '../source.ts';
import type { SourceFile } from '../source.ts';
import { nameOfUri } from './names.ts';

export interface OpenDocument {
  /** As the client wrote it: answers must say the same. */
  readonly uri: string;
  readonly name: string;
  /** Where it lies behind all links; other names of it mean the same document. */
  readonly identity: string;
  readonly version: number;
  readonly text: TextDocument;
  /** Counts the changes of all documents: never the same for two states. */
  readonly stamp: string;
  readonly source: SourceFile;
}

export class Documents {
  readonly #identify: (name: string) => string;
  readonly #byName = new Map<string, OpenDocument>();
  readonly #byIdentity = new Map<string, OpenDocument>();
  #changes = 0;

  constructor(identify: (name: string) => string) {
    this.#identify = identify;
  }

  open(uri: string, languageId: string, version: number, text: string): OpenDocument {
    return this.#keep(uri, TextDocument.create(uri, languageId, version, text));
  }

  /** Applies changes in their order; null for a document that is not open. */
  change(uri: string, version: number, changes: TextDocumentContentChangeEvent[]): OpenDocument | null {
    const known = this.get(uri);
    return known === null ? null : this.#keep(uri, TextDocument.update(known.text, changes, version));
  }

  close(uri: string): OpenDocument | null {
    const known = this.get(uri);
    if (known === null) return null;
    this.#byName.delete(known.name);
    this.#byIdentity.delete(known.identity);
    return known;
  }

  get(uri: string): OpenDocument | null {
    return this.#byName.get(nameOfUri(uri)) ?? null;
  }

  byName(name: string): OpenDocument | null {
    return this.#byName.get(name.replaceAll('\\', '/')) ?? null;
  }

  byIdentity(identity: string): OpenDocument | null {
    return this.#byIdentity.get(identity) ?? null;
  }

  all(): readonly OpenDocument[] {
    return [...this.#byName.values()];
  }

  #keep(uri: string, text: TextDocument): OpenDocument {
    const name = nameOfUri(uri);
    const identity = this.#byName.get(name)?.identity ?? this.#identify(name);
    this.#changes += 1;
    const content = text.getText();
    const document: OpenDocument = {
      uri,
      name,
      identity,
      version: text.version,
      text,
      stamp: `open ${this.#changes}`,
      source: createSourceFile(name, content),
    };
    this.#byName.set(name, document);
    this.#byIdentity.set(identity, document);
    return document;
  }
}
