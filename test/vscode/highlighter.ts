// Colours texts as VS Code does: its own engine of TextMate grammars and its own regular expressions, on the grammars
// of editors/vscode. A token comes with its scopes, the ending `.sluice` left out.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as oniguruma from 'vscode-oniguruma';
import * as textmate from 'vscode-textmate';

export const extensionFolder = join(import.meta.dirname, '../../editors/vscode');

export interface Token {
  readonly text: string;
  readonly scopes: readonly string[];
}

/** Grammars by the scope that they are for; the one for Markdown is a stand-in of the parts that matter here. */
const texts: Readonly<Record<string, () => string>> = {
  'source.sluice': () => readFileSync(join(extensionFolder, 'syntaxes/sluice.tmLanguage.json'), 'utf8'),
  'markdown.sluice.codeblock': () => readFileSync(join(extensionFolder, 'syntaxes/markdown.tmLanguage.json'), 'utf8'),
  'text.html.markdown': () => JSON.stringify({ scopeName: 'text.html.markdown', patterns: [], repository: {} }),
};

/** A function that splits a text into lines of tokens. */
export async function makeHighlighter(
  scope = 'source.sluice',
): Promise<(text: string) => readonly (readonly Token[])[]> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: (name) => Promise.resolve(textmate.parseRawGrammar(texts[name]!(), `${name}.json`)),
    getInjections: (name) => (name === 'text.html.markdown' ? ['markdown.sluice.codeblock'] : undefined),
  });
  const grammar = (await registry.loadGrammar(scope))!;
  return (text) => {
    let state = textmate.INITIAL;
    return text.split('\n').map((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens
        .map(({ startIndex, endIndex, scopes }) => ({
          text: line.slice(startIndex, endIndex),
          scopes: scopes.filter((one) => one !== scope).map((one) => one.replace(/\.sluice$/, '')),
        }))
        .filter((token) => token.text.trim() !== '');
    });
  };
}
