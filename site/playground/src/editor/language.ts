// Colours from the first moment on, before a language server has started: a tokenizer for CodeMirror with the words of
// the language, templates and what nests in them.

import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { StreamParser, StringStream } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { constants, control, declaring, namespaces, types } from './words.ts';

interface State {
  /** Depth of braces in each `${` that is open; empty outside of templates. */
  readonly open: number[];
  /** In the text of the innermost template. */
  inTemplate: boolean;
  inComment: boolean;
  /** After a dot every word is a member. */
  afterDot: boolean;
}

const kinds: ReadonlyMap<string, string> = new Map([
  ...control.map((word) => [word, 'controlKeyword'] as const),
  ...declaring.map((word) => [word, 'keyword'] as const),
  ...constants.map((word) => [word, 'atom'] as const),
  ...types.map((word) => [word, 'typeName'] as const),
  ...namespaces.map((word) => [word, 'namespace'] as const),
]);

const number = /^(?:0x[\da-f_]+|0b[01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?)/i;

const parser: StreamParser<State> = {
  name: 'sluice',
  startState: () => ({ open: [], inTemplate: false, inComment: false, afterDot: false }),
  copyState: (state) => ({ ...state, open: [...state.open] }),
  token(stream, state) {
    if (state.inComment) return comment(stream, state);
    if (state.inTemplate) return template(stream, state);
    if (stream.eatSpace()) return null;
    const { afterDot } = state;
    state.afterDot = false;
    if (stream.match('//')) return skip(stream, 'lineComment');
    if (stream.match('/*')) {
      state.inComment = true;
      return comment(stream, state);
    }
    if (stream.match(/^@tool:[\w-]+/)) return 'meta';
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.eat('`') !== undefined) {
      state.open.push(0);
      state.inTemplate = true;
      return 'string';
    }
    if (stream.match(number)) return 'number';
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word !== null) return kindOf(word[0], afterDot, stream.match(/^\s*\(/, false) !== null);
    return punctuation(stream, state);
  },
  languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, closeBrackets: closing() },
};

function closing(): object {
  return { brackets: ['(', '[', '{', '"', '`'] };
}

function skip(stream: StringStream, kind: string): string {
  stream.skipToEnd();
  return kind;
}

function comment(stream: StringStream, state: State): string {
  if (stream.match(/^.*?\*\//)) state.inComment = false;
  else stream.skipToEnd();
  return 'blockComment';
}

function template(stream: StringStream, state: State): string {
  while (!stream.eol()) {
    if (stream.match('${', false)) {
      if (stream.current() !== '') return 'string';
      stream.match('${');
      state.inTemplate = false;
      state.open[state.open.length - 1] = 1;
      return 'brace';
    }
    const character = stream.next();
    if (character === '\\') stream.next();
    if (character === '`') {
      state.open.pop();
      state.inTemplate = false;
      return 'string';
    }
  }
  return 'string';
}

function kindOf(word: string, afterDot: boolean, isCalled: boolean): string {
  const kind = afterDot ? undefined : kinds.get(word);
  if (kind !== undefined) return kind;
  if (isCalled) return 'function';
  if (afterDot) return 'propertyName';
  return /^[A-Z]/.test(word) ? 'typeName' : 'variableName';
}

function punctuation(stream: StringStream, state: State): string | null {
  const character = stream.next()!;
  const last = state.open.length - 1;
  if (character === '.') {
    state.afterDot = true;
    return 'punctuation';
  }
  if (character === '{' && last >= 0) state.open[last]! += 1;
  if (character === '}' && last >= 0 && --state.open[last]! === 0) {
    state.inTemplate = true;
    return 'brace';
  }
  if ('{}'.includes(character)) return 'brace';
  return '+-*/%=<>!&|^~?:'.includes(character) ? 'operator' : 'punctuation';
}

const style = HighlightStyle.define([
  { tag: tags.controlKeyword, class: 'tok-control' },
  { tag: tags.keyword, class: 'tok-keyword' },
  { tag: tags.atom, class: 'tok-constant' },
  { tag: tags.typeName, class: 'tok-type' },
  { tag: tags.namespace, class: 'tok-namespace' },
  { tag: [tags.string], class: 'tok-string' },
  { tag: tags.number, class: 'tok-number' },
  { tag: tags.comment, class: 'tok-comment' },
  { tag: tags.function(tags.variableName), class: 'tok-function' },
  { tag: tags.propertyName, class: 'tok-property' },
  { tag: tags.meta, class: 'tok-meta' },
  { tag: tags.operator, class: 'tok-operator' },
]);

/** The language with its colours. */
export const sluice: Extension = [
  new LanguageSupport(StreamLanguage.define({ ...parser, tokenTable: { function: tags.function(tags.variableName) } })),
  syntaxHighlighting(style),
];
