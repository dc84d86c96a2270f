// The language server as the editor sees it: started, started again when a setting wants another one, stopped, and
// shown in the status of the language. Which program it is, the entry of the platform says.

import * as vscode from 'vscode';
import { State } from 'vscode-languageclient';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import { readSettings, section } from './settings.ts';
import type { ServerSettings } from './settings.ts';

/** Makes a client that has not been started, and says in words which server it is for. */
export type ClientMaker = (options: LanguageClientOptions) => Promise<NamedClient>;

export interface NamedClient {
  readonly client: BaseLanguageClient;
  readonly server: string;
}

export const clientId = 'sluice';
export const clientName = 'Sluice Language Server';

export class Session implements vscode.Disposable {
  readonly #makeClient: ClientMaker;
  readonly #canRun: boolean;
  readonly #output = vscode.window.createOutputChannel(clientName, { log: true });
  readonly #status = vscode.languages.createLanguageStatusItem(clientId, { language: 'sluice' });
  #running: NamedClient | null = null;
  /** Starts and stops follow one another. */
  #last: Promise<void> = Promise.resolve();

  /** `canRun` says whether the editor can start the command line: where it cannot, there are no lenses for it. */
  constructor(makeClient: ClientMaker, canRun: boolean) {
    this.#makeClient = makeClient;
    this.#canRun = canRun;
    this.#status.name = 'Sluice';
  }

  start(): Promise<void> {
    return this.#next(() => this.#start());
  }

  restart(): Promise<void> {
    return this.#next(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  stop(): Promise<void> {
    return this.#next(() => this.#stop());
  }

  showOutput(): void {
    this.#output.show();
  }

  dispose(): void {
    this.#status.dispose();
    this.#output.dispose();
  }

  /** Tells the server what the settings are now; it asks for what it shows anew. */
  async sendSettings(): Promise<void> {
    await this.#running?.client.sendNotification('workspace/didChangeConfiguration', {
      settings: { [section]: this.#serverSettings() },
    });
  }

  /** Tells the server that a document is closed which the editor has let go of before. */
  async closeDocument(document: vscode.Uri): Promise<void> {
    const client = this.#running?.client;
    const uri = client?.code2ProtocolConverter.asUri(document);
    await client?.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work, work);
    return this.#last;
  }

  async #start(): Promise<void> {
    this.#show('starting …', vscode.LanguageStatusSeverity.Information, true);
    try {
      const running = await this.#makeClient(this.#options());
      this.#running = running;
      running.client.onDidChangeState(({ newState }) => {
        if (this.#running !== running) return;
        if (newState === State.Running) this.#show(running.server, vscode.LanguageStatusSeverity.Information);
        if (newState === State.Stopped) this.#show('stopped', vscode.LanguageStatusSeverity.Error);
      });
      await running.client.start();
      const info = running.client.initializeResult?.serverInfo;
      const version = info?.version === undefined ? '' : ` ${info.version}`;
      this.#show(`${running.server}${version}`, vscode.LanguageStatusSeverity.Information);
    } catch (error) {
      this.#output.error(error instanceof Error ? error.message : String(error));
      this.#show('could not be started', vscode.LanguageStatusSeverity.Error);
    }
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    try {
      await running.client.dispose();
    } catch (error) {
      // A server that has not answered is ended by its client all the same.
      this.#output.warn(error instanceof Error ? error.message : String(error));
    }
  }

  #show(text: string, severity: vscode.LanguageStatusSeverity, busy = false): void {
    this.#status.text = 'Sluice';
    this.#status.detail = text;
    this.#status.severity = severity;
    this.#status.busy = busy;
    this.#status.command =
      severity === vscode.LanguageStatusSeverity.Error
        ? { command: 'sluice.restartServer', title: 'Start again' }
        : { command: 'sluice.showOutput', title: 'Show output' };
  }

  #serverSettings(): ServerSettings {
    const { server } = readSettings();
    return this.#canRun ? server : { ...server, lenses: { ...server.lenses, run: false } };
  }

  #options(): LanguageClientOptions {
    return {
      documentSelector: [{ language: 'sluice' }],
      outputChannel: this.#output,
      diagnosticCollectionName: clientId,
      initializationOptions: this.#serverSettings(),
      markdown: { supportHtml: false },
    };
  }
}
