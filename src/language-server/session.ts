// What all requests of one client share: its documents, the analyses of files, the folders of the workspace, and what
// the client can do and has chosen.

import type { ClientCapabilities, Connection } from 'vscode-languageserver';
import { Analyses } from './analyses.ts';
import { Documents } from './documents.ts';
import type { Environment } from './environment.ts';
import { nameOfUri } from './names.ts';
import { Places } from './places.ts';
import { defaultSettings } from './settings.ts';
import type { Settings } from './settings.ts';

export class Session {
  readonly connection: Connection;
  readonly environment: Environment;
  readonly documents: Documents;
  readonly analyses: Analyses;
  readonly places: Places;
  settings: Settings = defaultSettings;
  client: ClientCapabilities = {};
  /** Names of the folders of the workspace. */
  folders: readonly string[] = [];
  readonly #closing: ((uri: string) => void)[] = [];

  constructor(connection: Connection, environment: Environment) {
    this.connection = connection;
    this.environment = environment;
    const { reader } = environment.files;
    this.documents = new Documents((name) => reader.identify(name));
    this.analyses = new Analyses(this.documents, environment.files);
    this.places = new Places(this.documents);
  }

  /** Hears of each document that is closed, to forget what belongs to it. */
  whenClosed(hear: (uri: string) => void): void {
    this.#closing.push(hear);
  }

  closed(uri: string): void {
    for (const hear of this.#closing) hear(uri);
  }

  changeFolders(added: readonly string[], removed: readonly string[]): void {
    const gone = new Set(removed.map(nameOfFolder));
    this.folders = [...new Set([...this.folders.filter((name) => !gone.has(name)), ...added.map(nameOfFolder)])];
  }

  /** The scripts of the workspace, open ones first; each by one name. */
  async listScripts(): Promise<readonly string[]> {
    const open = this.documents.all();
    const names = new Set(open.map(({ name }) => name));
    for (const folder of this.folders) {
      for (const name of await this.environment.files.listScripts(folder)) {
        const other = this.documents.byIdentity(this.environment.files.reader.identify(name));
        names.add(other?.name ?? name);
      }
    }
    return [...names];
  }
}

function nameOfFolder(uri: string): string {
  return nameOfUri(uri).replace(/\/$/, '');
}

/** Lets messages in that have come meanwhile, such as one that cancels what is being done. */
export async function nextMessage(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}
