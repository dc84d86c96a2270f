// The editor: CodeMirror with our colours, problems as they come, and fixes at the place of a mistake.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Prec } from '@codemirror/state';
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
} from '@codemirror/view';
import type { Edit, Problem } from '../engine/messages.ts';
import { sluice } from './language.ts';

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly onChange: () => void;
  readonly onRun: () => void;
  readonly onSave: () => void;
}

export class Editor {
  readonly view: EditorView;
  readonly #server = new Compartment();

  constructor({ parent, text, onChange, onRun, onSave }: EditorOptions) {
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
            ]),
          ),
          basics(),
          sluice,
          this.#server.of([]),
          EditorView.contentAttributes.of({ 'aria-label': 'Script' }),
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

  apply(edits: readonly Edit[]): void {
    this.view.dispatch({
      changes: edits.map(({ from, to, insert }) => ({ from, to, insert })),
      userEvent: 'input.fix',
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

  /** Line and column of an offset, both from 1. */
  placeOf(offset: number): { readonly line: number; readonly column: number } {
    const { number, from } = this.view.state.doc.lineAt(Math.min(offset, this.view.state.doc.length));
    return { line: number, column: offset - from + 1 };
  }

  /** Line and column count from 1, columns in characters. */
  revealLine(line: number, column: number): void {
    const { doc } = this.view.state;
    const { from, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.reveal(from + [...text].slice(0, column - 1).join('').length);
  }

  show(problems: readonly Problem[], apply: (problem: Problem, at: number) => void): void {
    const { length } = this.view.state.doc;
    const shown = problems.map((problem): Diagnostic => ({
      from: Math.min(problem.from, length),
      to: Math.min(problem.to, length),
      severity: problem.severity,
      source: problem.code,
      message: problem.help === null ? problem.message : `${problem.message}\n${problem.help}`,
      actions: problem.fixes.map(({ description }, at) => ({ name: description, apply: () => apply(problem, at) })),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, shown));
  }

  /** What a language server adds. */
  extend(extension: Extension): void {
    this.view.dispatch({ effects: this.#server.reconfigure(extension) });
  }
}

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
