// The files of a program: the one that is compiled, and those that it imports, each parsed once, in the order in
// which they are set up: imported files first.

import { report } from '../diagnostics/catalog.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import { possibleFix } from '../diagnostics/fixes.ts';
import { createSourceFile } from '../source.ts';
import type { SourceFile, Span } from '../source.ts';
import type { MissingSource, SourceReader } from '../source-reader.ts';
import { countBytes } from '../stopping.ts';
import type { Poll } from '../stopping.ts';
import { parse } from './parse.ts';
import type { ImportDeclaration, SourceModule } from './syntax-tree.ts';

/** More files than this are one that makes others without end. */
const mostFiles = 1000;

export interface LoadOptions {
  readonly poll?: Poll;
  /** How many bytes all files may have together. */
  readonly sourceBytes?: number | undefined;
  /** In place of `parse`, by who has parsed the file before. */
  readonly parseFile?: typeof parse;
}

/** Parses a file and all that it imports, directly or not. The file itself comes last. */
export function loadModules(
  entry: SourceFile,
  sink: DiagnosticSink,
  reader: SourceReader | null,
  { poll = () => {}, sourceBytes = Infinity, parseFile = parse }: LoadOptions = {},
): readonly SourceModule[] {
  return new ModuleLoader(sink, reader, poll, sourceBytes, parseFile).load(entry);
}

/** A file whose imports are being followed. */
interface Opened {
  readonly identity: string;
  readonly name: string;
}

class ModuleLoader {
  readonly #sink: DiagnosticSink;
  readonly #reader: SourceReader | null;
  readonly #byIdentity = new Map<string, SourceModule>();
  readonly #ordered: SourceModule[] = [];
  /** From the file that is compiled down to the one that is being read. */
  readonly #open: Opened[] = [];
  #count = 0;
  readonly #poll: Poll;
  readonly #mostBytes: number;
  readonly #parse: typeof parse;
  #bytes = 0;

  constructor(
    sink: DiagnosticSink,
    reader: SourceReader | null,
    poll: Poll,
    mostBytes: number,
    parseFile: typeof parse,
  ) {
    this.#sink = sink;
    this.#reader = reader;
    this.#poll = poll;
    this.#mostBytes = mostBytes;
    this.#parse = parseFile;
  }

  load(entry: SourceFile): readonly SourceModule[] {
    const start: Span = { file: entry, start: 0, end: 0 };
    if (this.#isTooLarge(entry.text, start))
      this.#ordered.push({
        id: '',
        file: {
          kind: 'file',
          source: entry,
          headers: [],
          imports: [],
          items: [],
          unreadNames: new Set(),
          comments: [],
          tokens: [],
        },
        isBroken: true,
        imports: new Map(),
      });
    else this.#add(entry, '', this.#reader?.identify(entry.name) ?? entry.name);
    return this.#ordered;
  }

  /** Whether the files are too large together, with this one, which then is not looked at. */
  #isTooLarge(text: string, span: Span): boolean {
    this.#bytes += countBytes(text, this.#mostBytes - this.#bytes);
    if (this.#bytes <= this.#mostBytes) return false;
    report(this.#sink, 'sourceTooLarge', span, { limit: this.#mostBytes });
    return true;
  }

  #add(source: SourceFile, id: string, identity: string): SourceModule {
    const found = new DiagnosticSink();
    const file = this.#parse(source, found, this.#poll);
    for (const diagnostic of found.sorted()) this.#sink.add(diagnostic);
    this.#open.push({ identity, name: source.name });
    const imports = new Map(file.imports.map((node) => [node, this.#follow(node)]));
    this.#open.pop();
    const module: SourceModule = { id, file, isBroken: found.hasErrors, imports };
    this.#byIdentity.set(identity, module);
    this.#ordered.push(module);
    return module;
  }

  /** The module that an import means. */
  #follow(node: ImportDeclaration): SourceModule | null {
    if (this.#reader === null) {
      report(this.#sink, 'noReader', node.pathSpan, {});
      return null;
    }
    const importer = this.#open.at(-1)!.name;
    const found = pathFault(node.path) ?? this.#reader.read(node.path, importer);
    if ('reason' in found) {
      const advice = found.nearest === null ? {} : pathAdvice(node.pathSpan, found.nearest);
      report(this.#sink, 'importFails', node.pathSpan, { path: node.path, reason: found.reason }, advice);
      return null;
    }
    const known = this.#byIdentity.get(found.identity);
    if (known !== undefined) return known;
    const start = this.#open.findIndex(({ identity }) => identity === found.identity);
    if (start >= 0) {
      report(
        this.#sink,
        'importCycle',
        node.span,
        { names: [...this.#open.slice(start), this.#open[start]!].map(({ name }) => name) },
        start === this.#open.length - 1
          ? { help: 'This file is the one that it imports: what it declares needs no import here.' }
          : {},
      );
      return null;
    }
    this.#count += 1;
    if (this.#count > mostFiles) {
      report(this.#sink, 'tooMany', node.span, { what: 'imported files', found: this.#count, limit: mostFiles });
      return null;
    }
    if (this.#isTooLarge(found.text, node.pathSpan)) return null;
    // The runtime's own file is called `prelude`.
    const id = found.name === 'prelude' ? './prelude' : found.name;
    return this.#add(createSourceFile(found.name, found.text), id, found.identity);
  }
}

/** The path that was probably meant; a name that wants escapes is left to its author. */
function pathAdvice(span: Span, nearest: string): ReportOptions {
  const help = `Did you mean "${nearest}"?`;
  return /["\\\p{Cc}]/u.test(nearest)
    ? { help }
    : { help, fix: possibleFix(`write "${nearest}"`, span, `"${nearest}"`) };
}

/** A path that would mean another file, or none, on another machine. */
function pathFault(path: string): MissingSource | null {
  if (path.trim() === '') return { reason: 'the path is empty', nearest: null };
  if (/^[A-Za-z][\w+.-]+:\/\//.test(path))
    return { reason: 'this is an address, and an import names a file', nearest: null };
  if (/^(?:[/\\]|[A-Za-z]:)/.test(path))
    return { reason: 'this path is absolute, and an import is relative to its own file', nearest: null };
  return path.includes('\\')
    ? { reason: 'the parts of a path are separated by /', nearest: path.replaceAll('\\', '/') }
    : null;
}
