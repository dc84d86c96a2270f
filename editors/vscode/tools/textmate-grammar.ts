// The TextMate grammar of the language, as data: what VS Code, Shiki and other highlighters colour scripts by. Words
// come from the language's own tables. It sees one line at a time and no types, so a name is a type where another name
// follows it, and a function where a parenthesis does. The patterns of one list are tried in their order.

import { errorTypes } from '../../../src/language/errors.ts';
import { keywords } from '../../../src/language/keywords.ts';
import { builtInLibraries } from '../../../src/library/registry.ts';

/** A rule of a grammar, or a list of rules. */
export interface Rule {
  readonly include?: string;
  readonly name?: string;
  readonly contentName?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Captures;
  readonly beginCaptures?: Captures;
  readonly endCaptures?: Captures;
  readonly patterns?: readonly Rule[];
}

type Captures = Readonly<Record<string, { readonly name?: string; readonly patterns?: readonly Rule[] }>>;

/** What each keyword is called in the vocabulary of themes. `main` has a rule of its own. */
export const wordScopes = {
  'keyword.control.conditional': ['if', 'else'],
  'keyword.control.loop': ['while', 'do', 'for', 'foreach', 'in', 'break', 'continue'],
  'keyword.control.flow': ['return', 'yield'],
  'keyword.control.exception': ['try', 'catch', 'throw'],
  'keyword.control.import': ['import', 'as'],
  'storage.modifier': ['export', 'const'],
  'storage.type.struct': ['type'],
  'keyword.operator.new': ['new'],
  'constant.language': ['null', 'true', 'false'],
  'storage.type.primitive': ['int', 'double', 'boolean', 'string', 'json', 'void'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const namespaces = builtInLibraries.filter(({ receiver, preludeOnly }) => receiver === null && !preludeOnly);

/** Namespaces that reach what is outside, by the host's leave, and those that only compute. */
export const namespaceScopes = {
  'support.class.permission': namespaces.filter(asksForPermission).map(({ name }) => name),
  'support.class.namespace': namespaces.filter((library) => !asksForPermission(library)).map(({ name }) => name),
};

function asksForPermission({ functions }: (typeof namespaces)[number]): boolean {
  return functions.some(({ implementation }) => implementation.kind === 'host' && implementation.permission !== null);
}

const language = 'sluice';
const name = String.raw`[A-Za-z_][A-Za-z0-9_]*`;
const oneOf = (words: readonly string[]): string => `(?:${words.join('|')})`;
const primitives = oneOf(wordScopes['storage.type.primitive']);
/** Words that stand before a name without being its type. */
const otherWords = oneOf(keywords.filter((word) => !new RegExp(`^${primitives}$`).test(word) && word !== 'main'));
const typeName = String.raw`(?!${otherWords}\b)${name}(?:\s*\.\s*${name})?`;
const typeSuffix = String.raw`(?:\s*\[\s*\]|\?)*`;
const escape = String.raw`\\(?:[btnfr"'\\]|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\})`;
const digits = '[0-9](?:_?[0-9])*';
const whole = '(?:0|[1-9](?:_?[0-9])*)';

/** Scopes end in the name of the language. */
function scope(words: string): string {
  return words
    .split(' ')
    .map((word) => `${word}.${language}`)
    .join(' ');
}

function named(...names: readonly (string | null)[]): Captures {
  const pairs = names.map((given, at) => [at + 1, given === null ? null : { name: scope(given) }] as const);
  return Object.fromEntries(pairs.flatMap(([at, given]) => (given === null ? [] : [[at, given] as const])));
}

const refer = (...names: readonly string[]): readonly Rule[] => names.map((one) => ({ include: `#${one}` }));

const comments: Rule = {
  patterns: [
    { name: scope('comment.line.shebang'), match: String.raw`\A#!.*$` },
    {
      name: scope('comment.line.double-slash'),
      match: String.raw`(//).*$`,
      captures: named('punctuation.definition.comment'),
    },
    {
      name: scope('comment.block'),
      begin: String.raw`/\*`,
      end: String.raw`\*/`,
      beginCaptures: { 0: { name: scope('punctuation.definition.comment') } },
      endCaptures: { 0: { name: scope('punctuation.definition.comment') } },
    },
  ],
};

/** `@tool:permission "File.Read"` */
const header: Rule = {
  name: scope('meta.header'),
  begin: String.raw`^\s*(@)\s*(${name})\s*(:)\s*(${name})`,
  end: '$',
  beginCaptures: named(
    'punctuation.definition.header',
    'keyword.other.header',
    'punctuation.separator.header',
    'entity.other.attribute-name',
  ),
  patterns: refer('comments', 'string'),
};

const importDeclaration: Rule = {
  name: scope('meta.import'),
  begin: String.raw`\b(import)\b`,
  end: '(;)|$',
  beginCaptures: named('keyword.control.import'),
  endCaptures: named('punctuation.terminator.statement'),
  patterns: [
    ...refer('comments', 'string'),
    {
      match: String.raw`\b(as)\s+(${name})`,
      captures: named('keyword.control.import', 'entity.name.namespace'),
    },
    { match: String.raw`\bas\b`, name: scope('keyword.control.import') },
  ],
};

const typeDeclaration: Rule = {
  match: String.raw`\b(type)\s+(${name})`,
  captures: named('storage.type.struct', 'entity.name.type.struct'),
};

/** `main(int n = 3) {`: elsewhere the word is a name like any other. */
const mainDeclaration: Rule = {
  match: String.raw`^\s*(main)\s*(?=\()`,
  captures: named('entity.name.function.main'),
};

/** The captures of a type are coloured by what they are themselves. */
const typeCapture = { patterns: refer('type') };

/** `Circle[] circles(`: two names and a parenthesis declare a function. */
const functionDeclaration: Rule = {
  match: String.raw`(?<![.\w])(${typeName}${typeSuffix})\s+(?!${otherWords}\b)(${name})\s*(?=\()`,
  captures: { 1: typeCapture, 2: { name: scope('entity.name.function') } },
};

/** `geo.Place? home`, `int ...xs[]`: a name in front of another is its type. */
const declaration: Rule = {
  match: String.raw`(?<![.\w])(${typeName}${typeSuffix})(?:\s*(\.\.\.)\s*|\s+)(?!${otherWords}\b)(?=${name})`,
  captures: { 1: typeCapture, 2: { name: scope('keyword.operator.rest') } },
};

/** `json type;`: a field may be called as a keyword is. */
const fieldDeclaration: Rule = {
  match: String.raw`(?<![.\w])(${typeName}${typeSuffix})\s+(${otherWords})\s*(?=;)`,
  captures: { 1: typeCapture, 2: { name: scope('variable.other') } },
};

/** `x as Point[]`, `new Point[3]` */
const typeBehindWord: Rule = {
  match: String.raw`(?<!\.)\b(?:(as)|(new))\s+(${typeName})((?:\s*\[\s*\])*)`,
  captures: {
    1: { name: scope('keyword.operator.cast') },
    2: { name: scope('keyword.operator.new') },
    3: typeCapture,
    4: { name: scope('punctuation.definition.array') },
  },
};

/** `catch (CastError e)` */
const catchClause: Rule = {
  match: String.raw`(?<!\.)\b(catch)\s*(\()\s*(${name})\s+(?=${name})`,
  captures: {
    1: { name: scope('keyword.control.exception') },
    2: { name: scope('punctuation.section.parens.begin') },
    3: {
      patterns: [
        { match: String.raw`\b${oneOf(errorTypes.map((type) => type.name))}\b`, name: scope('support.class.error') },
        { match: name, name: scope('entity.name.type.error') },
      ],
    },
  },
};

const type: Rule = {
  patterns: [
    { match: String.raw`\b${primitives}\b`, name: scope('storage.type.primitive') },
    {
      match: String.raw`(${name})\s*(\.)\s*(${name})`,
      captures: named('entity.name.namespace', 'punctuation.accessor', 'entity.name.type'),
    },
    { match: name, name: scope('entity.name.type') },
    { match: String.raw`\[\s*\]`, name: scope('punctuation.definition.array') },
    { match: String.raw`\?`, name: scope('keyword.operator.nullable') },
  ],
};

/** Keys of json and struct literals; every keyword may be one. A colon behind a condition has no comma before it. */
const objectKey: Rule = {
  match: String.raw`(?:(?<=[{,])|^)\s*(${name})\s*(:)(?!:)`,
  captures: named('variable.other.property.key', 'punctuation.separator.key-value'),
};

/** Every keyword may stand behind a dot. */
const members: Rule = {
  patterns: [
    ...Object.entries(namespaceScopes).flatMap(([given, names]): readonly Rule[] => [
      {
        match: String.raw`(?<![.\w])(${oneOf(names)})\s*(\.)\s*(${name})\s*(?=\()`,
        captures: named(given, 'punctuation.accessor', 'support.function'),
      },
      {
        match: String.raw`(?<![.\w])(${oneOf(names)})\s*(\.)\s*(${name})`,
        captures: named(given, 'punctuation.accessor', 'support.constant'),
      },
      { match: String.raw`(?<![.\w])${oneOf(names)}\b`, name: scope(given) },
    ]),
    {
      match: String.raw`(\.)\s*(${name})\s*(?=\()`,
      captures: named('punctuation.accessor', 'entity.name.function.member'),
    },
    { match: String.raw`(\.)\s*(${name})`, captures: named('punctuation.accessor', 'variable.other.property') },
  ],
};

const words: Rule = {
  patterns: Object.entries(wordScopes).map(([given, list]) => ({
    match: String.raw`\b${oneOf(list)}\b`,
    name: scope(given),
  })),
};

const numbers: Rule = {
  patterns: [
    { match: String.raw`\b0[xX][0-9a-fA-F](?:_?[0-9a-fA-F])*\b`, name: scope('constant.numeric.hex') },
    { match: String.raw`\b0[bB][01](?:_?[01])*\b`, name: scope('constant.numeric.binary') },
    {
      match: String.raw`\b${whole}(?:\.${digits}(?:[eE][+-]?${digits})?|[eE][+-]?${digits})(?![\w])`,
      name: scope('constant.numeric.double'),
    },
    { match: String.raw`\b${whole}\b(?!\.[0-9])`, name: scope('constant.numeric.int') },
    // 007, 1_, 0xG: longer than the literal that it begins with.
    { match: String.raw`\b[0-9]\w*(?:\.[0-9]\w*)?`, name: scope('invalid.illegal.number') },
  ],
};

const string: Rule = {
  name: scope('string.quoted.double'),
  begin: '"',
  // A text ends with its line, even where its closing quote is missing.
  end: String.raw`(")|((?<=[^\\])$|(?<=\\)$)`,
  beginCaptures: { 0: { name: scope('punctuation.definition.string.begin') } },
  endCaptures: named('punctuation.definition.string.end', 'invalid.illegal.newline'),
  patterns: [
    { match: escape, name: scope('constant.character.escape') },
    { match: String.raw`\\.`, name: scope('invalid.illegal.escape') },
  ],
};

const template: Rule = {
  name: scope('string.template'),
  begin: '`',
  end: '`',
  beginCaptures: { 0: { name: scope('punctuation.definition.string.template.begin') } },
  endCaptures: { 0: { name: scope('punctuation.definition.string.template.end') } },
  patterns: [
    { match: String.raw`${escape}|\\[${'`'}$]`, name: scope('constant.character.escape') },
    { match: String.raw`\\.`, name: scope('invalid.illegal.escape') },
    {
      name: scope('meta.template.expression'),
      contentName: `meta.embedded.line.${language}`,
      begin: String.raw`\$\{`,
      end: String.raw`\}`,
      beginCaptures: { 0: { name: scope('punctuation.definition.template-expression.begin') } },
      endCaptures: { 0: { name: scope('punctuation.definition.template-expression.end') } },
      patterns: refer('braces', 'code'),
    },
  ],
};

/** Inside a template a literal's closing brace is not that of the expression. */
const braces: Rule = {
  begin: String.raw`\{`,
  end: String.raw`\}`,
  beginCaptures: { 0: { name: scope('punctuation.section.braces.begin') } },
  endCaptures: { 0: { name: scope('punctuation.section.braces.end') } },
  patterns: refer('braces', 'code'),
};

const operators: Rule = {
  patterns: [
    { match: '===|!==|=>|->|\\*\\*|\\?\\?|::|:=', name: scope('invalid.illegal.operator') },
    { match: String.raw`\+\+|--`, name: scope('keyword.operator.increment') },
    { match: '>>>=|<<=|>>=|[-+*/%&|^]=', name: scope('keyword.operator.assignment.compound') },
    { match: '>>>|<<|>>', name: scope('keyword.operator.bitwise.shift') },
    { match: '==|!=|<=|>=|<|>', name: scope('keyword.operator.comparison') },
    { match: String.raw`&&|\|\||!`, name: scope('keyword.operator.logical') },
    { match: '=', name: scope('keyword.operator.assignment') },
    { match: '[-+*/%]', name: scope('keyword.operator.arithmetic') },
    { match: '[&|^~]', name: scope('keyword.operator.bitwise') },
    { match: '[?:]', name: scope('keyword.operator.conditional') },
  ],
};

const punctuation: Rule = {
  patterns: [
    { match: ';', name: scope('punctuation.terminator.statement') },
    { match: ',', name: scope('punctuation.separator.comma') },
    { match: String.raw`\{`, name: scope('punctuation.section.braces.begin') },
    { match: String.raw`\}`, name: scope('punctuation.section.braces.end') },
    { match: String.raw`\(`, name: scope('punctuation.section.parens.begin') },
    { match: String.raw`\)`, name: scope('punctuation.section.parens.end') },
    { match: String.raw`\[`, name: scope('punctuation.section.brackets.begin') },
    { match: String.raw`\]`, name: scope('punctuation.section.brackets.end') },
  ],
};

const names: Rule = {
  patterns: [
    { match: String.raw`\b${name}\s*(?=\()`, name: scope('entity.name.function.call') },
    { match: String.raw`\b${name}\b`, name: scope('variable.other') },
  ],
};

/** The grammar as VS Code reads it from `syntaxes/sluice.tmLanguage.json`. */
export const sluiceGrammar = {
  name: 'Sluice',
  scopeName: `source.${language}`,
  fileTypes: ['slu'],
  patterns: refer('header', 'mainDeclaration', 'code'),
  repository: {
    code: {
      patterns: refer(
        'comments',
        'string',
        'template',
        'importDeclaration',
        'typeDeclaration',
        'catchClause',
        'typeBehindWord',
        'objectKey',
        'functionDeclaration',
        'declaration',
        'fieldDeclaration',
        'members',
        'words',
        'numbers',
        'operators',
        'punctuation',
        'names',
      ),
    },
    header,
    mainDeclaration,
    comments,
    string,
    template,
    braces,
    importDeclaration,
    typeDeclaration,
    functionDeclaration,
    declaration,
    fieldDeclaration,
    typeBehindWord,
    catchClause,
    type,
    objectKey,
    members,
    words,
    numbers,
    operators,
    punctuation,
    names,
  },
} as const;

/** Fences of Markdown that say `sluice` or `slu` are coloured as scripts. */
export const markdownGrammar = {
  scopeName: `markdown.${language}.codeblock`,
  injectionSelector: 'L:text.html.markdown',
  patterns: [{ include: '#fence' }],
  repository: {
    fence: {
      begin: String.raw`(^|\G)(\s*)([${'`'}~]{3,})\s*(?i:(sluice|slu)((\s+|:|,|\{|\?)[^${'`'}]*)?$)`,
      end: String.raw`(^|\G)(\2|\s{0,3})(\3)\s*$`,
      name: 'markup.fenced_code.block.markdown',
      beginCaptures: {
        3: { name: 'punctuation.definition.markdown' },
        4: { name: 'fenced_code.block.language.markdown' },
        5: { name: 'fenced_code.block.language.attributes.markdown' },
      },
      endCaptures: { 3: { name: 'punctuation.definition.markdown' } },
      patterns: [
        {
          begin: String.raw`(^|\G)(\s*)(.*)`,
          while: String.raw`(^|\G)(?!\s*([${'`'}~]{3,})\s*$)`,
          contentName: `meta.embedded.block.${language}`,
          patterns: [{ include: `source.${language}` }],
        },
      ],
    },
  },
} as const;

/** What the files of the extension hold, by path from its folder. */
export const grammarFiles: Readonly<Record<string, string>> = {
  'syntaxes/sluice.tmLanguage.json': `${JSON.stringify(sluiceGrammar, null, 2)}\n`,
  'syntaxes/markdown.tmLanguage.json': `${JSON.stringify(markdownGrammar, null, 2)}\n`,
};
