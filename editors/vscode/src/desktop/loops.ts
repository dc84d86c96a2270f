// `Explain Loops`: behind each loop of a script the most important remark of the compiler, and all of them when the
// mouse rests on it. They go when the script is changed.

import { basename, resolve } from 'node:path';
import * as vscode from 'vscode';
import { withBuild } from './build-output.ts';
import { describeLoop, readLoops, summaryOf } from './loop-remarks.ts';
import type { LoopReport } from './loop-remarks.ts';
import { savedFile } from './run-commands.ts';

export function registerLoops(context: vscode.ExtensionContext): void {
  const fast = vscode.window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3ch', color: new vscode.ThemeColor('editorCodeLens.foreground') },
  });
  const slow = vscode.window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3ch', color: new vscode.ThemeColor('editorWarning.foreground') },
  });
  const shown = new Map<string, readonly LoopReport[]>();

  const draw = (editor: vscode.TextEditor): void => {
    const loops = shown.get(editor.document.uri.toString()) ?? [];
    for (const [type, isSlow] of [
      [fast, false],
      [slow, true],
    ] as const)
      editor.setDecorations(
        type,
        loops.filter((loop) => summaryOf(loop).isSlow === isSlow).map((loop) => decorationOf(loop, editor.document)),
      );
  };
  const drawAll = (): void => {
    for (const editor of vscode.window.visibleTextEditors) draw(editor);
    void vscode.commands.executeCommand('setContext', 'sluice.showsLoops', shown.size > 0);
  };

  context.subscriptions.push(
    fast,
    slow,
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(draw)),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && shown.delete(document.uri.toString())) drawAll();
    }),
    vscode.commands.registerCommand('sluice.hideLoops', () => {
      shown.clear();
      drawAll();
    }),
    vscode.commands.registerCommand('sluice.explainLoops', async (place?: unknown) => {
      const file = await savedFile(place);
      if (file === null) return;
      await withBuild(file, ['--explain-loops=json'], async ({ stdout }) => {
        const loops = readLoops(stdout).filter((loop) => resolve(loop.file) === file.fsPath);
        shown.set(file.toString(), loops);
        drawAll();
        if (loops.length === 0)
          await vscode.window.showInformationMessage(`${basename(file.fsPath)} has no loop that is compiled.`);
      });
    }),
  );
}

function decorationOf(loop: LoopReport, document: vscode.TextDocument): vscode.DecorationOptions {
  const { range } = document.lineAt(Math.min(loop.line, document.lineCount) - 1);
  return {
    range: new vscode.Range(range.end, range.end),
    hoverMessage: new vscode.MarkdownString(describeLoop(loop)),
    renderOptions: { after: { contentText: summaryOf(loop).text } },
  };
}
