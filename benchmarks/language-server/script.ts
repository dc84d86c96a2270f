// A script of any length that looks like those that people write: it is put together of the examples and of the
// programs of the other benchmarks, the main of each as a function, and what is declared twice under another name.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { analyse, symbolsOf } from '../../src/queries/index.ts';
import type { SyntaxFile } from '../../src/1-parse/syntax-tree.ts';
import { createSourceFile } from '../../src/source.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the script imports, beside it. */
export const imported = {
  name: 'geography.slu',
  text: readFileSync(`${root}examples/lib/geography.slu`, 'utf8'),
} as const;

/** A script of its own, without its headers. */
interface Part {
  readonly syntax: SyntaxFile;
  readonly declared: readonly string[];
}

/** A script without mistakes, of so many lines or a few more. */
export function makeScript(lines: number): string {
  const paths = partPaths();
  const parts: (Part | null)[] = [];
  const pieces = [`import "${imported.name}" as geography;\n`];
  const used = new Set<string>();
  let length = 0;
  for (let at = 0; length < lines; at++) {
    if (at < paths.length) parts.push(partOf(paths[at]!));
    const part = parts[at % paths.length]!;
    if (part === null) continue;
    const piece = textOf(part, used);
    pieces.push(piece);
    length += piece.split('\n').length;
  }
  pieces.push('main(double east = 2.35) {\n  return geography.radians(east);\n}\n');
  return pieces.join('\n');
}

function partPaths(): readonly string[] {
  const examples = readdirSync(`${root}examples`).filter((name) => name.endsWith('.slu'));
  const programs = readdirSync(`${root}benchmarks/programs`);
  return [
    ...examples.toSorted().map((name) => `${root}examples/${name}`),
    ...programs.toSorted().map((name) => `${root}benchmarks/programs/${name}/main.slu`),
  ];
}

/** Null for what is no part of another script: one that yields, or that imports others. */
function partOf(path: string): Part | null {
  const read = analyse(createSourceFile(path, readFileSync(path, 'utf8')), null).entry.syntax;
  const main = read.items.find(({ kind }) => kind === 'main-declaration');
  const name = path
    .split('/')
    .at(-2)!
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { text } = read.source;
  const from = Math.max(0, ...[...read.headers, ...read.imports].map(({ span }) => span.end));
  for (const type of ['int', 'double', null]) {
    const content =
      main === undefined
        ? text.slice(from)
        : type === null
          ? text.slice(from, main.span.start) + text.slice(main.span.end)
          : `${text.slice(from, main.span.start)}${type} ${name}${text.slice(main.span.start + 'main'.length)}`;
    const analysis = analyse(createSourceFile(path, content.trim()), null);
    if (analysis.diagnostics.length > 0) continue;
    return { syntax: analysis.entry.syntax, declared: symbolsOf(analysis, path).map(({ name: own }) => own) };
  }
  return null;
}

/** Its text, with other names for what is declared already, which are noted. */
function textOf({ syntax, declared }: Part, used: Set<string>): string {
  const names = new Map<string, string>();
  for (const name of declared) {
    let free = name;
    for (let number = 2; used.has(free); number++) free = `${name}${number}`;
    names.set(name, free);
    used.add(free);
  }
  const { text } = syntax.source;
  const pieces: string[] = [];
  let from = 0;
  for (const { kind, start, end } of syntax.tokens) {
    const name = kind === 'name' ? names.get(text.slice(start, end)) : undefined;
    if (name === undefined) continue;
    pieces.push(text.slice(from, start), name);
    from = end;
  }
  return `${pieces.join('')}${text.slice(from)}\n`;
}
