// docs/api.md: every name that an embedder can import, with what its docstring says. The sources are read as they are
// written: a name is followed through the files that hand it on to the one that declares it.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { entries, root } from './entries.ts';

/** What is said of each, by what is written behind `from`. */
const about: Readonly<Record<string, string>> = {
  sluice: 'The compiler, in Node and in browsers.',
  'sluice/format': 'The formatter, in Node and in browsers: [formatting](formatting.md).',
  'sluice-host':
    'The runtime host, also as `sluice/host`. In browsers it has all of this but `formatLog`, ' +
    '`createNodePlatform` and what plugins are made with.',
  'sluice-host/plugins': 'What plugins are made with, also as `sluice/plugins`; in Node `sluice-host` has it too.',
  'prettier-plugin-sluice':
    'The plugin for Prettier, which takes it by its name: [With Prettier](formatting.md#with-prettier).',
  'unplugin-sluice': 'The plugin for bundlers: [Import a script](host.md#import-a-script).',
  'sluice-map': 'Scripts over records of files: [Map](map.md).',
};

/** What is imported, where it is in Node; what a worker runs is started. */
const importable = entries
  .filter(({ platform, subpath }) => platform !== 'browser' && subpath !== null && subpath !== './worker')
  .map(({ package: name, subpath, source }) => ({ from: `${name}${subpath!.slice(1)}`, file: source }))
  .toSorted((a, b) => (a.from < b.from ? -1 : 1));

/** A declaration that can be imported. */
interface Exported {
  readonly name: string;
  /** The declaration, without what `export` it stands behind. */
  readonly node: Node;
  readonly source: Source;
  readonly doc: string;
}

interface Source {
  readonly path: string;
  readonly text: string;
  readonly body: readonly Node[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const sources = new Map<string, Source>();

function read(path: string): Source {
  const known = sources.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(join(root, path), 'utf8');
  const source: Source = { path, text, body: (parseAst(text, { lang: 'ts' }) as unknown as Node)['body'] as Node[] };
  sources.set(path, source);
  return source;
}

/** By name, whatever file it is declared in. */
function exportsOf(path: string): ReadonlyMap<string, Exported> {
  const source = read(path);
  const found = new Map<string, Exported>();
  for (const statement of source.body) {
    const from = (statement['source'] as { readonly value: string } | null | undefined)?.value;
    const target = from?.startsWith('.') === true ? join(dirname(path), from) : null;
    if (statement.type === 'ExportAllDeclaration')
      for (const [name, exported] of exportsOf(target!)) found.set(name, exported);
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const declaration = statement['declaration'] as Node | null;
    if (declaration !== null) {
      for (const name of namesOf(declaration))
        found.set(name, { name, node: declaration, source, doc: docBefore(source.text, statement.start) });
      continue;
    }
    for (const specifier of statement['specifiers'] as readonly Node[]) {
      const [local, name] = [textOf(specifier['local']), textOf(specifier['exported'])];
      const exported = target === null ? declarationIn(source, local) : exportsOf(target).get(local);
      if (exported === undefined) throw new Error(`${path} hands on ${local}, which is not found`);
      found.set(name, { ...exported, name });
    }
  }
  return found;
}

/** A name that a file imports and hands on later. */
function declarationIn(source: Source, name: string): Exported | undefined {
  for (const statement of source.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    const specifier = (statement['specifiers'] as readonly Node[]).find((one) => textOf(one['local']) === name);
    if (specifier !== undefined)
      return exportsOf(join(dirname(source.path), (statement['source'] as { readonly value: string }).value)).get(
        textOf(specifier['imported']),
      );
  }
  return undefined;
}

function namesOf(declaration: Node): readonly string[] {
  if (declaration.type === 'VariableDeclaration')
    return (declaration['declarations'] as readonly Node[]).map((one) => textOf(one['id']));
  return [textOf(declaration['id'])];
}

function textOf(name: unknown): string {
  return (name as { readonly name: string }).name;
}

/** The text of the docstring that ends right before an offset; empty where there is none. */
function docBefore(text: string, offset: number): string {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, offset))?.[1];
  return comment === undefined
    ? ''
    : comment
        .split('\n')
        .map((line) => line.replace(/^\s*\* ?/, '').trim())
        .join(' ')
        .trim();
}

/** Each name of each entry, and its docstring. */
export function documentedExports(): readonly { readonly from: string; readonly name: string; readonly doc: string }[] {
  return importable.flatMap(({ from, file }) =>
    [...exportsOf(file).values()].map(({ name, doc }) => ({ from, name, doc })),
  );
}

export function apiPage(): string {
  const parts = importable.map(({ from, file }) => ({ from, names: inOrder(exportsOf(file)) }));
  const anchors = anchorsOf(parts.flatMap(({ from, names }) => [[from, ''], ...names.map(({ name }) => [from, name])]));
  return [
    '# The API',
    '',
    'Made from the docstrings of the sources by `tools/generate-docs.ts`. ' +
      '[host.md](host.md) and [plugins.md](plugins.md) tell how it is used.',
    '',
    ...parts.flatMap(({ from, names }) => {
      const offered = new Set(names.map(({ name }) => name));
      const link = (name: string): string => `[${name}](#${anchors.get(`${from} ${name}`)!})`;
      const index = `${names.map(({ name }) => link(name)).join(', ')}.`;
      return [`## ${from}`, '', about[from]!, '', index, '', ...names.flatMap((one) => section(one, offered, link))];
    }),
  ].join('\n');
}

/** Functions and classes first, then types. */
function inOrder(exported: ReadonlyMap<string, Exported>): readonly Exported[] {
  const all = [...exported.values()].toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  const isType = ({ node }: Exported): boolean => node.type.startsWith('TS');
  return [...all.filter((one) => !isType(one)), ...all.filter(isType)];
}

/** By entry and name, as GitHub makes them of the headings: a text that comes again is counted. */
function anchorsOf(headings: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  const seen = new Map<string, number>();
  return new Map(
    headings.map(([from, name]) => {
      const text = (name === '' ? from! : name!).toLowerCase().replace(/[^\w-]/g, '');
      const count = seen.get(text) ?? 0;
      seen.set(text, count + 1);
      return [`${from} ${name}`, count === 0 ? text : `${text}-${count}`];
    }),
  );
}

function section(exported: Exported, offered: ReadonlySet<string>, link: (name: string) => string): string[] {
  const { name, doc } = exported;
  const text = declared(exported, offered);
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, '');
  const named = new Set((code.match(/\b[A-Z]\w*/g) ?? []).filter((word) => word !== name && offered.has(word)));
  return [
    `### ${name}`,
    '',
    '```ts',
    text,
    '```',
    '',
    ...(doc === '' ? [] : [doc, '']),
    ...(named.size === 0 ? [] : [`See ${[...named].map(link).join(', ')}.`, '']),
  ];
}

/** The declaration without what only its author needs: bodies, and what is private. */
function declared({ name, node, source }: Exported, offered: ReadonlySet<string>): string {
  const { text } = source;
  const written = (part: unknown): string => text.slice((part as Node).start, (part as Node).end);
  switch (node.type) {
    case 'FunctionDeclaration':
      return `${text.slice(node.start, (node['body'] as Node).start).trim()};`;
    case 'ClassDeclaration': {
      const body = node['body'] as Node;
      const members = (body['body'] as readonly Node[])
        .filter((member) => isPublic(member, text))
        .map((member) => memberOf(member, text));
      return `${text.slice(node.start, body.start).trim()} {\n${members.join('')}}`;
    }
    case 'VariableDeclaration': {
      const one = (node['declarations'] as readonly Node[]).find((each) => textOf(each['id']) === name);
      const id = one!['id'] as Node;
      const hasType = id['typeAnnotation'] !== undefined && id['typeAnnotation'] !== null;
      return `const ${written(id)}${hasType ? '' : ` = ${written(one!['init'])}`};`;
    }
    case 'TSInterfaceDeclaration':
      return interfaceOf(node, source, offered);
    default:
      return written(node);
  }
}

/** With the members of those that it extends and that cannot be imported. */
function interfaceOf(node: Node, source: Source, offered: ReadonlySet<string>): string {
  const { text } = source;
  const inherited = ((node['extends'] ?? []) as readonly Node[]).map((one) => text.slice(one.start, one.end));
  const hidden = inherited
    .filter((name) => !offered.has(name))
    .map((name) => declarationIn(source, name) ?? exportsOf(source.path).get(name)!);
  const shown = inherited.filter((name) => offered.has(name));
  const head = text
    .slice(node.start, (node['body'] as Node).start)
    .replace(/ extends .*/s, ' ')
    .trim();
  const members = (declaration: Node, from: string): string =>
    from.slice((declaration['body'] as Node).start + 1, (declaration['body'] as Node).end - 1).trimEnd();
  return (
    `${head}${shown.length === 0 ? '' : ` extends ${shown.join(', ')}`} ` +
    `{${members(node, text)}${hidden.map((one) => members(one.node, one.source.text)).join('')}\n}`
  );
}

function isPublic(member: Node, text: string): boolean {
  const key = member['key'] as Node | null | undefined;
  if (key?.type === 'PrivateIdentifier' || member['accessibility'] === 'private' || member.type === 'StaticBlock')
    return false;
  return !docBefore(text, member.start).startsWith('@internal');
}

function memberOf(member: Node, text: string): string {
  const doc = docBefore(text, member.start);
  const body = (member['value'] as { readonly body?: Node | null } | null | undefined)?.body;
  const written =
    body === undefined || body === null
      ? text.slice(member.start, member.end).replace(/;$/, '')
      : text.slice(member.start, body.start).trim();
  return `${doc === '' ? '' : `  /** ${doc} */\n`}  ${written};\n`;
}
