// The documents that the language server knows: the script in the editor, and the scripts among the files of the page,
// which it imports.

import { LSPPlugin, Workspace } from '@codemirror/lsp-client';
import type { LSPClient, WorkspaceFile } from '@codemirror/lsp-client';
import { ChangeSet, Text } from '@codemirror/state';
import type { TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Files } from '../engine/messages.ts';
import { pathOf, uriOf } from '../names.ts';

/** Who has the files that no editor shows. */
export interface FileKeeper {
  /** A file has another text, as a new name in several files makes it. */
  readonly change: (path: string, text: string) => void;
  /** Somebody wants to see it. */
  readonly show: (path: string) => void;
}

const languageId = 'sluice';

export class PageWorkspace extends Workspace {
  files: WorkspaceFile[] = [];
  readonly #keeper: FileKeeper;
  /** The files without an editor, as they were handed over. */
  #closed: Files = {};

  constructor(client: LSPClient, keeper: FileKeeper) {
    super(client);
    this.#keeper = keeper;
  }

  /** From now on these are the files of the page. */
  setFiles(files: Files): void {
    const scripts = Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('.slu')));
    for (const path of Object.keys(this.#closed)) if (scripts[path] === undefined) this.#remove(uriOf(path));
    for (const [path, text] of Object.entries(scripts)) if (this.#closed[path] !== text) this.#set(uriOf(path), text);
    this.#closed = scripts;
  }

  override openFile(uri: string, _languageId: string, view: EditorView): void {
    this.#add({ uri, languageId, version: 0, doc: view.state.doc, getView: () => view });
  }

  override closeFile(uri: string): void {
    this.#remove(uri);
  }

  override syncFiles(): ReturnType<Workspace['syncFiles']> {
    return this.files.flatMap((file) => {
      const view = file.getView();
      const plugin = view === null ? null : LSPPlugin.get(view);
      if (plugin === null || plugin.unsyncedChanges.empty) return [];
      const update = { file, prevDoc: file.doc, changes: plugin.unsyncedChanges };
      file.doc = plugin.view.state.doc;
      file.version += 1;
      plugin.clear();
      return [update];
    });
  }

  override updateFile(uri: string, update: TransactionSpec): void {
    const file = this.getFile(uri);
    const view = file?.getView() ?? null;
    if (file === null) return;
    if (view !== null) view.dispatch(update);
    else {
      const { changes = [] } = update;
      const set = changes instanceof ChangeSet ? changes : ChangeSet.of(changes, file.doc.length);
      this.#keeper.change(pathOf(uri), set.apply(file.doc).toString());
    }
  }

  override async displayFile(uri: string): Promise<EditorView | null> {
    const view = this.getFile(uri)?.getView() ?? null;
    if (view === null) this.#keeper.show(pathOf(uri));
    return view;
  }

  #set(uri: string, text: string): void {
    const doc = Text.of(text.split(/\r\n?|\n/));
    const file = this.getFile(uri);
    if (file === null) return this.#add({ uri, languageId, version: 0, doc, getView: () => null });
    file.doc = doc;
    file.version += 1;
    this.client.notification('textDocument/didChange', {
      textDocument: { uri, version: file.version },
      contentChanges: [{ text: doc.toString() }],
    });
  }

  #add(file: WorkspaceFile): void {
    this.files.push(file);
    this.client.didOpen(file);
  }

  #remove(uri: string): void {
    if (this.getFile(uri) === null) return;
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }
}
