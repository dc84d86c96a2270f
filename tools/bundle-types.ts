// The types of the packages: one file for each package, of the declarations that its entries reach and no others, made
// from what tsc says of the sources in `dist`. The file of an entry names what it has of them.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { allPackages, entries, packageFolder, reExports, root } from './entries.ts';
import type { PackageName } from './entries.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A name at the top of a file. */
interface Place {
  readonly file: string;
  readonly name: string;
  readonly isTypeOnly: boolean;
}

interface DeclarationFile {
  readonly text: string;
  /** By name: overloads are several, as are a value and a type of one name. */
  readonly declared: ReadonlyMap<string, readonly { readonly node: Node; readonly comment: string }[]>;
  readonly imported: ReadonlyMap<string, Place>;
  readonly exported: ReadonlyMap<string, Place>;
  readonly stars: readonly string[];
}

/** Types of the engine that not every TypeScript project has. */
const needed = [
  {
    name: 'WebAssemblyModule',
    text:
      '/** WebAssembly.Module, where that is declared. */\ntype WebAssemblyModule = typeof globalThis extends { ' +
      'WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;\n',
  },
];

/** What is reached of a package: each declaration under a name of its own. */
class Reached {
  readonly #files = new Map<string, DeclarationFile>();
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #public = new Set<string>();
  readonly #texts: string[] = [];

  /** The exports of a file: each with the name that its declaration has here. */
  exportsOf(
    path: string,
  ): readonly { readonly exported: string; readonly name: string; readonly isTypeOnly: boolean }[] {
    return [...this.#exportedNames(path)].toSorted().map((exported) => {
      const place = this.#findExport(path, exported)!;
      const name = this.#nameOf(place);
      this.#public.add(name);
      return { exported, name, isTypeOnly: place.isTypeOnly };
    });
  }

  get text(): string {
    const libraries = this.#texts.some((text) => text.includes('[Symbol.asyncDispose]'))
      ? '/// <reference lib="esnext.disposable" />\n'
      : '';
    return `${libraries}${needed
      .filter(({ name }) => this.#taken.has(name))
      .map(({ text }) => text)
      .join('')}${this.#texts.join('\n')}\nexport { ${[...this.#public].join(', ')} };\n`;
  }

  #exportedNames(path: string): Set<string> {
    const { exported, stars } = this.#file(path);
    return new Set([...exported.keys(), ...stars.flatMap((star) => [...this.#exportedNames(star)])]);
  }

  /** Where what is exported under this name is declared. */
  #findExport(path: string, name: string): Place | null {
    const { exported, stars } = this.#file(path);
    const own = exported.get(name);
    if (own !== undefined) return this.#follow(own);
    for (const star of stars) {
      const found = this.#findExport(star, name);
      if (found !== null) return found;
    }
    return null;
  }

  #follow(place: Place): Place {
    const { declared, imported } = this.#file(place.file);
    if (declared.has(place.name)) return place;
    const found = imported.has(place.name)
      ? this.#follow(imported.get(place.name)!)
      : this.#findExport(place.file, place.name);
    if (found === null) throw new Error(`${place.file} has no ${place.name}`);
    return { ...found, isTypeOnly: place.isTypeOnly || found.isTypeOnly };
  }

  #nameOf({ file, name }: Place): string {
    const key = `${file} ${name}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    let own = name;
    for (let count = 1; this.#taken.has(own); count++) own = `${name}${count}`;
    this.#taken.add(own);
    this.#names.set(key, own);
    const { text, declared } = this.#file(file);
    for (const { node, comment } of declared.get(name)!) this.#texts.push(comment + this.#rewrite(file, text, node));
    return own;
  }

  /** The text of a declaration, with the names that those have here to which it refers. */
  #rewrite(file: string, text: string, declaration: Node): string {
    const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
    const { declared, imported } = this.#file(file);
    const parameters = new Set<string>();
    walk(declaration, (node) => {
      if (node.type === 'TSTypeParameter') parameters.add(nameIn(node['name']));
    });
    walk(declaration, (node) => {
      if (node.type === 'TSImportType') {
        const target = join(dirname(file), ((node['source'] ?? node['argument']) as { readonly value: string }).value);
        const qualifier = node['qualifier'] as Node;
        edits.push({
          start: node.start,
          end: qualifier.end,
          text: this.#nameOf(this.#findExport(declarationOf(target), nameIn(qualifier))!),
        });
      } else if (node.type === 'Identifier') {
        const name = nameIn(node);
        if (parameters.has(name) || !(declared.has(name) || imported.has(name))) return;
        const given = this.#nameOf(this.#follow({ file, name, isTypeOnly: false }));
        // An identifier may span its type, too.
        if (given !== name) edits.push({ start: node.start, end: node.start + name.length, text: given });
      } else if (node.type === 'TSQualifiedName' && text.slice(node.start, node.end) === 'WebAssembly.Module') {
        this.#taken.add('WebAssemblyModule');
        edits.push({ start: node.start, end: node.end, text: 'WebAssemblyModule' });
      } else {
        const start = internalStart(text, node);
        if (start === null) return;
        const type = node['typeAnnotation'] as Node | undefined;
        if (node.type === 'TSPropertySignature')
          edits.push({ start, end: node.start, text: '' }, { start: type!.start, end: type!.end, text: ': unknown' });
        else if (node['kind'] === 'constructor') edits.push({ start, end: node.end, text: 'private constructor();' });
        // With the line that it is in.
        else edits.push({ start: text.lastIndexOf('\n', start), end: node.end, text: '' });
        // What a name is computed of is reached all the same.
        return node.type === 'TSPropertySignature' ? 'key' : false;
      }
      return true;
    });
    let result = '';
    let at = declaration.start;
    for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
      result += text.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return result + text.slice(at, declaration.end);
  }

  #file(path: string): DeclarationFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const read = readDeclarations(path);
    this.#files.set(path, read);
    return read;
  }
}

function readDeclarations(path: string): DeclarationFile {
  if (!path.startsWith(root)) throw new Error(`the types of a package reach ${path}, which its users do not have`);
  const text = readFileSync(path, 'utf8');
  const [declared, imported, exported] = [
    new Map<string, { node: Node; comment: string }[]>(),
    new Map<string, Place>(),
    new Map<string, Place>(),
  ];
  const stars: string[] = [];
  const targetOf = ({ source }: Node): string => {
    const { value } = source as { readonly value: string };
    return value.startsWith('.') ? declarationOf(join(dirname(path), value)) : value;
  };
  let end = 0;
  for (const statement of (parseAst(text, { lang: 'dts' }) as unknown as { readonly body: readonly Node[] }).body) {
    const comment = /\/\*\*(?:(?!\*\/)[^])*\*\/\s*$/.exec(text.slice(end, statement.start))?.[0] ?? '';
    end = statement.end;
    if (statement.type === 'ExportAllDeclaration') stars.push(targetOf(statement));
    const specifiers = (statement['specifiers'] ?? []) as readonly Node[];
    const isTypeOnly = [statement['importKind'], statement['exportKind']].includes('type');
    for (const specifier of specifiers) {
      const [local, other] = [
        specifier['local'] as Node,
        (specifier['imported'] ?? specifier['exported']) as Node | undefined,
      ];
      if (other === undefined) throw new Error(`${path}: an import of a whole module is not followed`);
      if (statement.type === 'ImportDeclaration')
        imported.set(nameIn(local), { file: targetOf(statement), name: nameIn(other), isTypeOnly: false });
      else
        exported.set(nameIn(other), {
          file: statement['source'] ? targetOf(statement) : path,
          name: nameIn(local),
          isTypeOnly: isTypeOnly || specifier['exportKind'] === 'type',
        });
    }
    const declaration =
      statement.type === 'ExportNamedDeclaration'
        ? (statement['declaration'] as Node | null)
        : 'id' in statement || 'declarations' in statement
          ? statement
          : null;
    for (const name of declaration === null ? [] : namesOf(declaration)) {
      declared.set(name, [...(declared.get(name) ?? []), { node: declaration!, comment }]);
      if (statement !== declaration) exported.set(name, { file: path, name, isTypeOnly: false });
    }
  }
  return { text, declared, imported, exported, stars };
}

function namesOf(declaration: Node): string[] {
  const list = (declaration['declarations'] as readonly Node[] | undefined) ?? [declaration];
  if (list.length !== 1) throw new Error('a declaration of several names is not followed');
  return list.map(({ id }) => nameIn(id));
}

function nameIn(node: unknown): string {
  const { name, value } = node as { readonly name?: string; readonly value?: string };
  return (name ?? value)!;
}

/**
 * Where a member that is marked `@internal` begins, with its comment; null for one that is not. Of a constructor people
 * learn that they make no objects of the class, of a property that it is there.
 */
function internalStart(text: string, node: Node): number | null {
  if (!/^(MethodDefinition|PropertyDefinition|TSPropertySignature)$/.test(node.type)) return null;
  return /\/\*\*\s*@internal(?:(?!\*\/)[^])*\*\/\s*$/.exec(text.slice(0, node.start))?.index ?? null;
}

/** `visit` answers false where nothing below is to be looked at, or the one field that is. */
function walk(node: Node, visit: (node: Node) => boolean | string | void): void {
  const only = visit(node);
  if (only === false) return;
  for (const [field, value] of Object.entries(node)) {
    if (typeof only === 'string' && field !== only) continue;
    // Names of members, and of what is taken from a namespace, are nobody else's.
    if ((field === 'key' && node['computed'] !== true) || (field === 'right' && node.type === 'TSQualifiedName'))
      continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string')
        walk(child as Node, visit);
    }
  }
}

/** The file of declarations of a source: those of a package of others are not followed. */
function declarationOf(path: string): string {
  return path.replace(/\.[jt]s$/, '.d.ts');
}

function bundleTypes(name: PackageName): void {
  const dist = join(packageFolder(name), 'dist');
  const reached = new Reached();
  for (const { source, file } of entries.filter((entry) => entry.package === name && entry.subpath !== null)) {
    const names = reached.exportsOf(declarationOf(`${root}dist/${source}`));
    const list = names.map(
      ({ exported, name: own, isTypeOnly }) =>
        `${isTypeOnly ? 'type ' : ''}${own === exported ? own : `${own} as ${exported}`}`,
    );
    const types = posix.normalize(relative(dirname(join(dist, file)), join(dist, 'types.js')).replaceAll('\\', '/'));
    const of = list.length === 0 ? '' : ` from '${types.startsWith('.') ? types : `./${types}`}'`;
    writeFileSync(join(dist, `${file}.d.ts`), `export {${list.length === 0 ? '' : ` ${list.join(', ')} `}}${of};\n`);
  }
  // Indented by two, as everything here.
  writeFileSync(
    join(dist, 'types.d.ts'),
    reached.text.replaceAll(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2)),
  );
  for (const { package: of, file, of: whole } of reExports)
    if (of === name) writeFileSync(join(dist, `${file}.d.ts`), `export * from '${whole}';\n`);
}

for (const name of allPackages) bundleTypes(name);
