// What is in the packages as the last build made them: which files load which, and how large they are.

import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAst } from 'rolldown/parseAst';
import { allPackages, packageFolder } from '../../tools/entries.ts';
import type { PackageName } from '../../tools/entries.ts';

export interface Loaded {
  /** In `dist`, in the order in which they are found. */
  readonly files: readonly string[];
  /** What they import that is no file of the package. */
  readonly others: readonly string[];
}

export function distOf(name: PackageName): string {
  return join(packageFolder(name), 'dist');
}

/** What an engine loads with a file of `dist`: at once, or `sooner or later`. */
export function loadedWith(name: PackageName, file: string, when: 'at once' | 'sooner or later'): Loaded {
  const files = new Set([file]);
  const others = new Set<string>();
  for (const path of files) {
    const program = parseAst(readFileSync(join(distOf(name), path), 'utf8')) as unknown as Node;
    walk(program, ({ type, source }) => {
      const { value, quasis } = (source ?? {}) as {
        readonly value?: unknown;
        readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
      };
      // Minified, a specifier may be a template.
      const specifier = value ?? (quasis?.length === 1 ? quasis[0]!.value.cooked : null);
      if (typeof specifier !== 'string' || (type === 'ImportExpression' && when === 'at once')) return;
      if (specifier.startsWith('.')) files.add(posix.join(posix.dirname(path), specifier));
      else others.add(specifier);
    });
  }
  return { files: [...files], others: [...others] };
}

/** As servers send them, each by itself. */
export function gzippedSize(name: PackageName, files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(distOf(name), file)), { level: 9 }).length, 0);
}

/** Puts the packages into the `node_modules` of a folder, as they are published, but for source maps. */
export function placePackages(folder: string): void {
  for (const name of allPackages) {
    for (const part of ['package.json', 'bin', 'dist']) {
      const from = join(packageFolder(name), part);
      if (existsSync(from))
        cpSync(from, join(folder, 'node_modules', name, part), {
          recursive: true,
          filter: (path) => !path.endsWith('.map'),
        });
    }
  }
}

interface Node {
  readonly type: string;
  readonly source?: unknown;
  readonly [field: string]: unknown;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string')
        walk(child as Node, visit);
    }
  }
}
