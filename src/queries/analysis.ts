// A program as editors ask about it: its files, what the checker noted of them, and the diagnostics. It is made of a
// file in any state; what could not be read or checked is merely not known.

import { BodyCache } from '../2-check/body-cache.ts';
import { check } from '../2-check/check.ts';
import { Notes } from '../2-check/notes.ts';
import type { FileNotes } from '../2-check/notes.ts';
import { loadModules } from '../1-parse/load-modules.ts';
import { ItemCache } from '../1-parse/item-cache.ts';
import { parse } from '../1-parse/parse.ts';
import type { FunctionDeclaration, SourceModule, SyntaxFile } from '../1-parse/syntax-tree.ts';
import { DiagnosticSink, mostErrors, TooManyErrors } from '../diagnostics/diagnostic.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { declareStructs, registryWith } from '../library/plugin-registry.ts';
import { pluginFile, readPlugins } from '../library/plugins.ts';
import type { Plugin } from '../library/plugins.ts';
import type { LibraryRegistry } from '../library/registry.ts';
import { createSourceFile } from '../source.ts';
import type { SourceFile } from '../source.ts';
import type { SourceReader } from '../source-reader.ts';
import type { Poll } from '../stopping.ts';
import { FileIndex } from './file-index.ts';

export interface AnalyseOptions {
  /** What the script may call besides the library, as in `check`. */
  readonly plugins?: readonly unknown[];
  /** An earlier analysis: files whose text is the same are not parsed again. */
  readonly previous?: Analysis | null;
  /** Throws if the work is no longer wanted. */
  readonly poll?: Poll;
}

/** One file of a program. */
export class AnalysedFile {
  readonly module: SourceModule;
  readonly notes: FileNotes | null;
  /** It holds the types of a plugin, and no user ever sees it. */
  readonly isPlugin: boolean;
  readonly #indexes: Map<SyntaxFile, FileIndex>;

  constructor(module: SourceModule, notes: FileNotes | null, isPlugin: boolean, indexes: Map<SyntaxFile, FileIndex>) {
    this.module = module;
    this.notes = notes;
    this.isPlugin = isPlugin;
    this.#indexes = indexes;
  }

  get syntax(): SyntaxFile {
    return this.module.file;
  }

  get source(): SourceFile {
    return this.module.file.source;
  }

  get name(): string {
    return this.source.name;
  }

  /** Made when it is first asked for. */
  get index(): FileIndex {
    const known = this.#indexes.get(this.syntax);
    if (known !== undefined) return known;
    const made = new FileIndex(this.syntax);
    this.#indexes.set(this.syntax, made);
    return made;
  }
}

export interface Analysis {
  /** The file that was asked about. */
  readonly entry: AnalysedFile;
  /** All files: those of plugins first, then imported ones, the entry last. */
  readonly files: readonly AnalysedFile[];
  readonly notes: Notes;
  /** Of all files, sorted by file and place. */
  readonly diagnostics: readonly Diagnostic[];
  readonly registry: LibraryRegistry;
  /** The file of a name; null if the program has none. */
  readonly file: (name: string) => AnalysedFile | null;
  /** What it was made of. */
  readonly origin: { readonly reader: SourceReader | null; readonly plugins: readonly unknown[] | undefined };
  /** What was made of each text, for the next analysis. */
  readonly reuse: Reuse;
}

/** What the next analysis may take over. */
export interface Reuse {
  readonly parsed: ReadonlyMap<string, ParsedFile>;
  readonly indexes: ReadonlyMap<SyntaxFile, FileIndex>;
  readonly bodies: BodyCache;
  readonly probes: Probes;
}

/** What was last analysed to ask about text that is being written: the next time nearly all of it is the same. */
export class Probes {
  #last: Analysis | null = null;

  /** What a probe of a file begins with. It takes nothing of that file from `analysis`, which the next one needs. */
  previous(analysis: Analysis, name: string): Analysis {
    if (this.#last?.entry.name === name) return this.#last;
    const parsed = new Map([...analysis.reuse.parsed].filter(([other]) => other !== name));
    return { ...analysis, reuse: { ...analysis.reuse, parsed } };
  }

  keep(analysis: Analysis): void {
    this.#last = analysis;
  }
}

interface ParsedFile {
  readonly file: SyntaxFile;
  readonly diagnostics: readonly Diagnostic[];
  readonly items: ItemCache;
}

/**
 * Parses and checks a file and all that it imports. Never throws for any text, but what `poll` throws; throws TypeError
 * for a faulty plugin. Without a reader an import is a diagnostic.
 */
export function analyse(entry: SourceFile, reader: SourceReader | null, options: AnalyseOptions = {}): Analysis {
  const { previous = null, poll = keepOn } = options;
  const plugins = readPlugins(options.plugins);
  const registry =
    previous !== null && previous.origin.plugins === options.plugins ? previous.registry : registryWith(plugins);
  const sink = new DiagnosticSink(mostErrors);
  const notes = new Notes();
  const { modules, parsed } = load(entry, sink, reader, poll, previous);
  const types = plugins.flatMap((plugin) => typesOf(plugin, sink));
  const all = [...types, ...modules];
  const bodies = new BodyCache(previous?.reuse.bodies ?? null, originsIn(parsed));
  untilTooMany(() => checkAll(all, sink, registry, poll, notes, bodies));
  const indexes = new Map(
    [...(previous?.reuse.indexes ?? [])].filter(([file]) => all.some((module) => module.file === file)),
  );
  const files = all.map(
    (module) => new AnalysedFile(module, notes.files.get(module.file.source) ?? null, types.includes(module), indexes),
  );
  return {
    entry: files.at(-1)!,
    files,
    notes,
    diagnostics: sink.sorted(),
    registry,
    file: finderOf(files),
    origin: { reader, plugins: options.plugins },
    reuse: { parsed, indexes, bodies, probes: previous?.reuse.probes ?? new Probes() },
  };
}

function keepOn(): void {}

/** What is checked when somebody asks about it is asked for no work that may be given up. */
function checkAll(
  modules: readonly SourceModule[],
  sink: DiagnosticSink,
  registry: LibraryRegistry,
  poll: Poll,
  notes: Notes,
  bodies: BodyCache,
): void {
  let isDone = false;
  const pollUntilDone = (): void => {
    if (!isDone) poll();
  };
  try {
    check(modules, sink, { registry, poll: pollUntilDone, notes, bodies });
  } finally {
    isDone = true;
    bodies.end();
  }
}

/** Which function of the text before each function was taken over from. */
function originsIn(parsed: ReadonlyMap<string, ParsedFile>): (node: FunctionDeclaration) => FunctionDeclaration {
  return (node) => parsed.get(node.span.file.name)?.items.originOf(node) ?? node;
}

/**
 * The files of a program. A function of its own: what the checker keeps holds all that closures of `analyse` name, and
 * with the analysis before it those before that.
 */
function load(
  entry: SourceFile,
  sink: DiagnosticSink,
  reader: SourceReader | null,
  poll: Poll,
  previous: Analysis | null,
): { readonly modules: readonly SourceModule[]; readonly parsed: ReadonlyMap<string, ParsedFile> } {
  const parsed = new Map<string, ParsedFile>();
  const parseFile = reusingParse(previous, parsed);
  let modules: readonly SourceModule[] = [];
  untilTooMany(() => {
    modules = loadModules(entry, sink, reader, { poll, parseFile });
  });
  if (modules.at(-1)?.file.source.name !== entry.name) modules = [...modules, unread(entry)];
  return { modules, parsed };
}

function finderOf(files: readonly AnalysedFile[]): Analysis['file'] {
  const byName = new Map(files.map((file) => [file.name, file]));
  return (name) => byName.get(name) ?? null;
}

/** Parses what the analysis before has not parsed, down to items; what that said about a file is said again. */
function reusingParse(previous: Analysis | null, parsed: Map<string, ParsedFile>): typeof parse {
  return (source, sink, poll) => {
    const known = previous?.reuse.parsed.get(source.name);
    const reused = known !== undefined && known.file.source.text === source.text ? known : null;
    const result = reused ?? parseWith(known?.items ?? null, source, poll);
    parsed.set(source.name, result);
    for (const diagnostic of result.diagnostics) sink.add(diagnostic);
    return result.file;
  };
}

function parseWith(earlier: ItemCache | null, source: SourceFile, poll?: Poll): ParsedFile {
  const found = new DiagnosticSink();
  const items = new ItemCache(earlier);
  const file = parse(source, found, poll, items);
  return { file, diagnostics: found.sorted(), items };
}

function untilTooMany(work: () => void): void {
  try {
    work();
  } catch (error) {
    // Nobody reads more of them; what was found until then is there.
    if (!(error instanceof TooManyErrors)) throw error;
  }
}

/** A file whose imports had so many mistakes that it was never reached. */
function unread(source: SourceFile): SourceModule {
  const file = parse(source, new DiagnosticSink());
  return { id: '', file, isBroken: true, imports: new Map(file.imports.map((node) => [node, null])) };
}

/** The types of a plugin, as a file that the others see under the name of its namespace. */
function typesOf(plugin: Plugin, sink: DiagnosticSink): SourceModule[] {
  const id = pluginFile(plugin.name);
  return plugin.structs.length === 0
    ? []
    : [{ id, file: parse(createSourceFile(id, declareStructs(plugin)), sink), isBroken: false, imports: new Map() }];
}
