// The editor: CodeMirror with our colours, problems as they come, and fixes at the place of a mistake. What the
// language server adds is handed in.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, Prec } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
  ViewPlugin,
} from '@codemirror/view';
import { scriptName } from '../names.ts';
import type { Fix, Problem } from '../server/problems.ts';
import { sluice } from './language.ts';

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly extension: Extension;
  readonly onChange: () => void;
  readonly onRun: () => void;
  readonly onSave: () => void;
  readonly onFix: (fix: Fix) => void;
}

export class Editor {
  readonly view: EditorView;
  readonly #onFix: (fix: Fix) => void;
  #problems: readonly Problem[] = [];

  constructor({ parent, text, extension, onChange, onRun, onSave, onFix }: EditorOptions) {
    this.#onFix = onFix;
    const done = (run: () => void) => () => {
      run();
      return true;
    };
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          Prec.highest(
            keymap.of([
              { key: 'Mod-Enter', run: done(onRun) },
              { key: 'Mod-s', run: done(onSave) },
              { key: 'Mod-.', run: () => this.#fixHere() },
            ]),
          ),
          basics(),
          sluice,
          extension,
          EditorView.contentAttributes.of({ 'aria-label': 'Script' }),
          cursorStays,
          EditorView.updateListener.of(({ docChanged }) => {
            if (docChanged) onChange();
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Another script: what was typed before stays in the history. */
  replace(text: string): void {
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      selection: { anchor: 0 },
    });
  }

  /** Shows a place, and puts the cursor there. */
  reveal(from: number, to = from): void {
    const { length } = this.view.state.doc;
    this.view.dispatch({
      selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
      effects: EditorView.scrollIntoView(Math.min(from, length), { y: 'center' }),
    });
    this.view.focus();
  }

  /** Line and column count from 1, columns in characters. */
  revealLine(line: number, column: number): void {
    const { doc } = this.view.state;
    const { from, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.reveal(from + [...text].slice(0, column - 1).join('').length);
  }

  /** Shows those of the script at their places. */
  show(problems: readonly Problem[]): void {
    this.#problems = problems.filter(({ place }) => place.file === scriptName);
    const shown = this.#problems.map(({ severity, code, message, help, place, fixes }): Diagnostic => ({
      ...place.range(),
      severity,
      source: code,
      message: help === '' ? message : `${message}\n${help}`,
      actions: fixes.map((fix) => ({ name: fix.title, apply: () => this.#onFix(fix) })),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, shown));
  }

  /** Makes the first fix of what is wrong where the cursor is, or else in its line. */
  #fixHere(): boolean {
    const { doc, selection } = this.view.state;
    const { head } = selection.main;
    const line = doc.lineAt(head);
    const touching = (from: number, to: number): Fix | undefined =>
      this.#problems.find(({ place, fixes }) => {
        const range = place.range();
        return fixes.length > 0 && range.from <= to && range.to >= from;
      })?.fixes[0];
    const fix = touching(head, head) ?? touching(line.from, line.to);
    if (fix !== undefined) this.#onFix(fix);
    return fix !== undefined;
  }
}

/** Where the editor becomes smaller, as when problems appear below it, who types still sees what. */
const cursorStays = ViewPlugin.define((view) => {
  const observer = new ResizeObserver(() => {
    if (view.hasFocus) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main) });
  });
  observer.observe(view.scrollDOM);
  return { destroy: () => observer.disconnect() };
});

function basics(): Extension {
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    foldGutter(),
    lintGutter(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.tabSize.of(2),
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion(),
    rectangularSelection(),
    crosshairCursor(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
  ];
}
