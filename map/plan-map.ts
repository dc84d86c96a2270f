// Makes a plan: looks at the files, compiles the script, fits its parameters to the columns, and compiles the driver.

import { basename, resolve } from 'node:path';
import type { ScriptOptions } from '../runtime-host/api/node.ts';
import { loadScript } from '../runtime-host/api/node.ts';
import type * as Compiler from '../src/index.ts';
import type { Diagnostic } from '../src/index.ts';
import type { ExportParameter, Manifest, ManifestExport } from '../src/abi/manifest.ts';
import { fileReader } from '../src/cli/file-reader.ts';
import { FileFault, UsageError } from '../src/cli/exit.ts';
import { decodeScript, readBytes } from '../src/cli/files.ts';
import { ArrowInputs } from './arrow/inputs.ts';
import { Database } from './duckdb/database.ts';
import { driverName, writeDriver } from './driver/driver.ts';
import type { Driver } from './driver/driver.ts';
import { givenTo, writeFoldDriver } from './driver/fold.ts';
import { MapError, MapScriptError } from './errors.ts';
import { flagsOf, surroundingsOf } from './local/surroundings.ts';
import { checkPermissions } from './plan/permissions.ts';
import type { Allowed, Permissions } from './plan/permissions.ts';
import { calledOf, mappedSource, readFold } from './plan/fold.ts';
import { findFunctions } from './plan/functions.ts';
import type { Functions } from './plan/functions.ts';
import { checkIntTypes, readIntTypes, withIntTypes } from './plan/int-types.ts';
import type { IntType } from './plan/int-types.ts';
import { checkNames, validSuffix } from './plan/parameters.ts';
import type { Called, FileColumn, Naming, Source } from './plan/parameters.ts';
import { readMaxErrors } from './plan/max-errors.ts';
import type { MaxErrors } from './plan/max-errors.ts';
import { usualSettings } from './plan/plan.ts';
import type {
  Fold,
  Format,
  InputFile,
  InputFormat,
  MapPlan,
  MapSettings,
  NullRule,
  Stage,
  Work,
  WorkPlan,
} from './plan/plan.ts';
import { checkFileColumns, readWork } from './plan/signature.ts';
import { findFiles } from './read/find-files.ts';
import { readColumns } from './read/inputs.ts';
import { partitionsOf } from './read/partitions.ts';

/** The parameters of the functions that take records, and the structs of their types. */
export type Taking = Pick<ManifestExport, 'parameters'> & Pick<Manifest, 'structs'>;

/** What to do with records, wherever they come from. */
export interface WorkOptions {
  /** The path of the script. */
  readonly script: string;
  /** Columns by whose values a script that sums up makes groups; of what is mapped, where it maps too. */
  readonly by?: string | readonly string[];
  /** Values of parameters that are no columns. */
  readonly arguments?: Readonly<Record<string, unknown>> | ((fn: Taking) => Readonly<Record<string, unknown>>);
  /** Names of columns, by parameter, where they differ. */
  readonly columns?: Readonly<Record<string, string>>;
  /** What null becomes, by parameter: `skip` leaves the record out, `error` is the default. */
  readonly nulls?: Readonly<Record<string, 'skip' | 'error' | { readonly value: string }>>;
  /** What columns of ints are written as, by column: days as DATE, microseconds, UTC, as TIMESTAMP or TIMESTAMPTZ. */
  readonly types?: Readonly<Record<string, IntType>>;
  /** Records that may fail before the run stops: a number, or a share of all of them, such as `1%`; 0 if left out. */
  readonly maxErrors?: MaxErrors;
  /** For Math.random; 0 if left out. */
  readonly seed?: number;
  /**
   * What the script may reach besides its records: flags of `sluice run` without their dashes, such as
   * `{ 'allow-file-read': 'data' }`; `true` for one without a value. Nothing if left out.
   */
  readonly permissions?: Permissions;
  /** Paths of plugins, which each thread loads for itself. */
  readonly plugins?: readonly string[];
  /** Whether what has effects may happen again, when a partition is done again. */
  readonly allowRepeats?: boolean;
  /** What the script may use for a batch of up to 8,192 records: 60,000 ms and 1 GiB if left out. */
  readonly limits?: Partial<MapSettings['limits']>;
  /** Where modules are kept for later plans of the same script; without it everything is compiled. */
  readonly cache?: ModuleCache;
}

/** What to map, and how. */
export interface MapOptions extends WorkOptions {
  /** Paths and patterns, such as `in/*.parquet`. */
  readonly input: string | readonly string[];
  /** The folder of the output. */
  readonly output: string;
  /** The format of the output: parquet if left out. */
  readonly format?: Format;
  /** Records of a partition, at most; 1,000,000 if left out. */
  readonly partitionRows?: number;
  /** Bytes of a partition as they lie in the file, at most; 64 MiB if left out. */
  readonly partitionBytes?: number;
  /** Memory of each thread for reading and writing; 512 MiB if left out. */
  readonly readerBytes?: number;
}

/** Modules by the name and the text that they were compiled from. What it finds is trusted. */
export interface ModuleCache {
  /** Null if there is none, or one of the files that it imported differs. */
  readonly find: (name: string, text: string) => Uint8Array<ArrayBuffer> | null;
  /** `imported` are the paths of the files that went into it; `startedMs` is when the first of them was read. */
  readonly keep: (
    name: string,
    text: string,
    imported: readonly string[],
    wasm: Uint8Array<ArrayBuffer>,
    startedMs: number,
  ) => void;
}

/**
 * Works out what a map will do, without reading records. Rejects with MapScriptError for a script with mistakes, and
 * with MapError where script, files and options do not fit each other.
 */
export async function planMap(options: MapOptions): Promise<MapPlan> {
  const patterns = typeof options.input === 'string' ? [options.input] : options.input;
  const { format, files } = findFiles(patterns, options.output);
  if (format === 'arrow') return planArrow(options, files);
  const database = await Database.open({
    threads: 1,
    memoryBytes: 2 ** 28,
    temporary: '',
    reach: { files: files.map(({ path }) => path), folders: [] },
  });
  try {
    let columns: readonly FileColumn[] = [];
    const planned = await planWork(options, format, async (wanted) => {
      columns = await readColumns(database, format, files, wanted);
      return columns;
    });
    checkFileColumns(planned);
    return {
      ...planned,
      format,
      files,
      columns: columns.map(({ name }) => name),
      partitions: format === 'parquet' ? await partitionsOf(database, files, planned.settings) : null,
      output: options.output,
      outputFormat: options.format ?? 'parquet',
    };
  } finally {
    database.close();
  }
}

async function planArrow(options: MapOptions, files: readonly InputFile[]): Promise<MapPlan> {
  const inputs = await ArrowInputs.open(files);
  const planned = await planWork(options, 'arrow', async () => inputs.columns);
  checkFileColumns(planned);
  return {
    ...planned,
    format: 'arrow',
    files,
    columns: inputs.columns.map(({ name }) => name),
    partitions: inputs.partitions(planned.settings),
    output: options.output,
    outputFormat: options.format ?? 'parquet',
  };
}

/**
 * The part of a plan that only names and types of columns matter to. They are read once the script compiles; `wanted`
 * are the names that parameters may be filled with.
 */
export async function planWork(
  options: WorkOptions,
  format: InputFormat,
  readColumns: (wanted: readonly string[]) => Promise<readonly FileColumn[]>,
): Promise<WorkPlan> {
  const { script } = options;
  const allowed = allowedBy(options);
  const plugins = await checkAllowed(allowed);
  // A module is what it is by its plugins too, which the cache does not know.
  const cache = plugins.plugins === undefined ? options.cache : undefined;
  const compiled = await compileScript(script, plugins, cache);
  const { manifest, diagnostics } = compiled;
  const functions = findFunctions(manifest);
  const asks = checkPermissions(manifest, allowed);
  const settings = settingsOf(options);
  const types = readIntTypes(options.types ?? {});
  const called = [...(functions.map === null ? [] : [functions.map.fn]), ...foldCalled(functions)];
  const given =
    typeof options.arguments === 'function'
      ? options.arguments({ parameters: parametersOf(called), structs: manifest.structs })
      : (options.arguments ?? {});
  const naming: Naming = {
    columns: new Map(Object.entries(options.columns ?? {})),
    nulls: new Map(Object.entries(options.nulls ?? {}).map(([name, rule]) => [name, ruleOf(rule)])),
    given: new Set(Object.keys(given)),
  };
  checkNames(called, naming);
  const columns = await readColumns(wantedBy(functions, called, naming, options));
  const source = { format, columns, what: 'the input' };
  const { map, fold } = readStages(manifest, functions, source, naming, types, options);
  checkIntTypes(types, map, fold);
  return {
    script,
    scriptModule: compiled.wasm,
    map: map === null ? null : await mapStage(compiled, map, given),
    fold: fold === null ? null : await foldStage(compiled, fold, given),
    settings,
    asks,
    allowed,
    structs: manifest.structs,
    diagnostics,
  };
}

function foldCalled({ fold }: Functions): readonly Called[] {
  return fold === null ? [] : calledOf(fold);
}

/** The columns that the records themselves may fill parameters with; some may be none. */
function wantedBy(
  { map }: Functions,
  called: readonly Called[],
  { columns, given }: Naming,
  { by = [] }: WorkOptions,
): readonly string[] {
  const taking = called.find(({ name }) => name === (map === null ? 'step' : map.fn.name))!;
  const names = taking.parameters.map(({ name }) => name);
  const ofValid = new Set(names.map((name) => `${name}${validSuffix}`));
  return [
    ...names.filter((name) => !given.has(name) && !ofValid.has(name)).map((name) => columns.get(name) ?? name),
    ...(map === null ? [by].flat() : []),
  ];
}

/** All parameters, each name once. */
function parametersOf(called: readonly Called[]): readonly ExportParameter[] {
  const found = new Map<string, ExportParameter>();
  for (const { parameters } of called)
    for (const parameter of parameters) if (!found.has(parameter.name)) found.set(parameter.name, parameter);
  return [...found.values()];
}

function readStages(
  manifest: Manifest,
  functions: Functions,
  source: Source,
  naming: Naming,
  types: ReadonlyMap<string, IntType>,
  { by = [] }: WorkOptions,
): { readonly map: Work | null; readonly fold: Fold | null } {
  const groups = typeof by === 'string' ? [by] : by;
  const map = functions.map === null ? null : withIntTypes(readWork(manifest, functions.map, source, naming), types);
  if (functions.fold === null) {
    if (groups.length > 0)
      throw new MapError(
        `--by ${groups[0]!}: ${manifest.name} only maps; ` +
          'groups are for scripts that export init, step, merge and finish',
      );
    return { map, fold: null };
  }
  if (map === null)
    return { map, fold: withIntTypes(readFold(manifest, functions.fold, source, naming, groups), types) };
  // What is said of a parameter of map is not meant for one of step, whose columns are others.
  const taken = new Set(functions.map!.fn.parameters.map(({ name }) => name));
  const others = <Value>(named: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
    new Map([...named].filter(([name]) => !taken.has(name)));
  const ofStep = { ...naming, columns: others(naming.columns), nulls: others(naming.nulls) };
  const fold = readFold(manifest, functions.fold, mappedSource(map.outputs), ofStep, groups);
  return { map, fold: withIntTypes(fold, types) };
}

async function mapStage(
  compiled: CompiledScript,
  work: Work,
  given: Readonly<Record<string, unknown>>,
): Promise<Stage<Work>> {
  const driver = writeDriver(compiled.manifest, work);
  return {
    work,
    driver: driver.text,
    module: await compileDriver(driver, compiled, 'map'),
    values: work.call.flatMap((argument) => (argument.kind === 'given' ? [given[argument.name]] : [])),
  };
}

async function foldStage(
  compiled: CompiledScript,
  work: Fold,
  given: Readonly<Record<string, unknown>>,
): Promise<Stage<Fold>> {
  const driver = writeFoldDriver(compiled.manifest, work);
  return {
    work,
    driver: driver.text,
    module: await compileDriver(driver, compiled, 'step'),
    values: givenTo(work).map(({ name }) => given[name]),
  };
}

function ruleOf(rule: 'skip' | 'error' | { readonly value: string }): NullRule {
  return typeof rule === 'string' ? { kind: rule } : { kind: 'value', text: rule.value };
}

function settingsOf(options: WorkOptions & Partial<MapOptions>): MapSettings {
  const { maxErrors, seed, partitionRows, partitionBytes, readerBytes, limits } = options;
  if (maxErrors !== undefined && readMaxErrors(String(maxErrors)) === null)
    throw new MapError(`maxErrors is a whole number from 0 on, or a share such as 1%, not ${String(maxErrors)}`);
  const given = Object.entries({ seed, partitionRows, partitionBytes, readerBytes }).filter(
    ([, value]) => value !== undefined,
  );
  for (const [name, value] of given)
    if (!Number.isSafeInteger(value) || value! < (name === 'seed' ? 0 : 1))
      throw new MapError(`${name} is a whole number above zero, not ${String(value)}`);
  return {
    ...usualSettings,
    ...(maxErrors === undefined ? {} : { maxErrors }),
    ...Object.fromEntries(given),
    limits: { ...usualSettings.limits, ...limits },
  };
}

type Plugins = Pick<ScriptOptions, 'plugins'>;

function allowedBy({ permissions = {}, plugins = [], allowRepeats = false }: WorkOptions): Allowed {
  return {
    flags: flagsOf(permissions),
    folder: process.cwd(),
    plugins: plugins.map((path) => resolve(path)),
    repeats: allowRepeats,
    bound: null,
  };
}

/** The plugins, as the compiler takes them. Throws MapError for those, and for flags, that mean nothing. */
async function checkAllowed(allowed: Allowed): Promise<Plugins> {
  try {
    const { plugins } = await surroundingsOf(allowed);
    return plugins === undefined ? {} : { plugins };
  } catch (error) {
    throw error instanceof UsageError ? new MapError(error.message) : error;
  }
}

interface CompiledScript {
  readonly script: string;
  readonly manifest: Manifest;
  readonly wasm: Uint8Array<ArrayBuffer>;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly plugins: Plugins;
  readonly cache: ModuleCache | undefined;
}

async function compileScript(path: string, plugins: Plugins, cache: ModuleCache | undefined): Promise<CompiledScript> {
  try {
    const text = decodeScript(path, readBytes(path));
    const kept = cache?.find(path, text) ?? null;
    if (kept !== null)
      return {
        script: path,
        manifest: (await loadScript(kept)).manifest,
        wasm: kept,
        text,
        diagnostics: [],
        plugins,
        cache,
      };
    const { compile } = await loadCompiler();
    const imported: string[] = [];
    const startedMs = Date.now();
    const { artifact, diagnostics } = await compile(path, text, { reader: fileReader(imported), ...plugins });
    if (artifact === null) throw new MapScriptError(path, diagnostics);
    // With warnings nothing is kept, so that they are said each time.
    if (diagnostics.length === 0) cache?.keep(path, text, imported, artifact.wasm, startedMs);
    const { manifest, wasm } = artifact;
    return { script: path, manifest, wasm, text, diagnostics, plugins, cache };
  } catch (error) {
    // The fault of the command line is no more than its sentence here; the compiler throws a TypeError for plugins.
    const isSaid = error instanceof FileFault || (plugins.plugins !== undefined && error instanceof TypeError);
    throw isSaid ? new MapError(error.message) : error;
  }
}

/** Most plans find what they need compiled: to load the compiler takes as long as all else of a plan. */
async function loadCompiler(): Promise<Pick<typeof Compiler, 'compile'>> {
  return import('../src/index.ts');
}

/** The driver lies in no folder: what it imports, the table of its imports says. */
async function compileDriver(
  { text, imports, yieldsTo }: Driver,
  { script, text: scriptText, plugins, cache }: CompiledScript,
  stage: 'map' | 'step',
): Promise<Uint8Array<ArrayBuffer>> {
  const name = driverName(script, stage);
  const kept = cache?.find(name, text) ?? null;
  if (kept !== null) return kept;
  const { compile } = await loadCompiler();
  const imported = [script];
  const reader = fileReader(imported);
  const startedMs = Date.now();
  const { artifact, diagnostics } = await compile(name, text, {
    ...plugins,
    ...(yieldsTo === null ? {} : { yieldsTo }),
    reader: {
      read(path, importer) {
        if (importer !== name) return reader.read(path, importer);
        const file = imports.get(path)!;
        if (file === script) return { name: script, identity: reader.identify(script), text: scriptText };
        // As the script itself would: a neighbour of its own.
        return reader.read(basename(file), file);
      },
      identify: (file) => (file === name ? name : reader.identify(file)),
    },
  });
  if (artifact === null)
    throw new Error(`the driver does not compile: ${diagnostics.map(({ message }) => message).join('; ')}`);
  cache?.keep(name, text, imported, artifact.wasm, startedMs);
  return artifact.wasm;
}
