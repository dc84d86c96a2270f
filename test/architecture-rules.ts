// The rules of the house that a program can check: who may import whom, no cycles, and the conventions
// of files. Given files as path and text, `findViolations` says which rules they break.
// architecture.test.ts applies it to the repository, and tests it on small faulty houses.

import { posix } from 'node:path';
import { parseAst } from 'vitest/node';

/** Files by path from the root of the repository, with forward slashes. */
export type Files = ReadonlyMap<string, string>;

/** One line of the plan: a file belongs to the first area whose path it begins with. A `*` in a path is one name. */
interface Area {
  readonly path: string;
  /** Paths of the files and folders that it may import, beside itself. */
  readonly mayImport: readonly string[];
}

const vocabulary = ['src/language/', 'src/diagnostics/', 'src/source.ts', 'src/source-reader.ts', 'src/stopping.ts'];
const hallway = [...vocabulary, 'src/library/', 'src/abi/'];

/** The folders of the host as they stack: each may import those before it. */
export const hostFolders = [
  'values',
  'errors',
  'primordials',
  'engine',
  'network',
  'limits',
  'platform',
  'permissions',
  'namespaces',
  'marshalling',
  'plugins',
  'run',
  'replay',
  'worker',
  'process',
] as const;
/** Each stands on all of these, and sees none of its neighbours. */
const platforms = ['memory', 'node', 'browser'] as const;

const inHost = (folders: readonly string[]): string[] => folders.map((folder) => `runtime-host/${folder}/`);
const belowHost = ['src/language/', 'src/library/', 'src/abi/'];

/** What namespaces say to the command line: the host itself never loads it. */
const commandLines = ['runtime-host/permissions/command-line/', 'runtime-host/namespaces/*/command-line/'];

/** The rooms of `sluice map` as they stack. */
const mapRooms = [
  'errors.ts',
  'files.ts',
  'cli-progress-library.d.ts',
  'lz4js-library.d.ts',
  'plan/',
  'driver/',
  'duckdb/',
  'read/',
  'write/',
  'arrow/',
  'commit/',
  'local/',
  'queue/',
  'filter/',
  'plan-map.ts',
  'map-arrow.ts',
  'index.ts',
] as const;

/** Who may import whom. */
export const areas: readonly Area[] = [
  { path: 'src/language/', mayImport: [] },
  { path: 'src/source.ts', mayImport: [] },
  { path: 'src/source-reader.ts', mayImport: [] },
  { path: 'src/stopping.ts', mayImport: ['src/source.ts'] },
  { path: 'src/memory-reader.ts', mayImport: ['src/language/', 'src/source-reader.ts'] },
  { path: 'src/given-options.ts', mayImport: ['src/language/'] },
  { path: 'src/format.ts', mayImport: ['src/formatter/', 'src/given-options.ts'] },
  { path: 'src/diagnostics/', mayImport: ['src/language/', 'src/source.ts'] },
  { path: 'src/library/generated/', mayImport: ['runtime-host/namespaces/*/rows.ts'] },
  { path: 'src/library/', mayImport: ['src/language/'] },
  { path: 'src/abi/', mayImport: ['src/language/'] },
  { path: 'src/1-parse/', mayImport: vocabulary },
  { path: 'src/2-check/', mayImport: ['src/1-parse/syntax-tree.ts', ...hallway] },
  { path: 'src/mir/', mayImport: hallway },
  { path: 'src/3-lower/', mayImport: ['src/2-check/typed-tree.ts', 'src/mir/', ...hallway] },
  { path: 'src/4-optimise/', mayImport: ['src/mir/', ...hallway] },
  { path: 'src/5-emit/', mayImport: ['src/mir/', ...hallway] },
  { path: 'src/formatter/', mayImport: ['src/1-parse/', 'src/source.ts', 'src/diagnostics/'] },
  { path: 'src/queries/', mayImport: ['src/1-parse/', 'src/2-check/', ...hallway] },
  {
    path: 'src/language-server/',
    mayImport: ['src/1-parse/', 'src/2-check/', 'src/queries/', 'src/formatter/', 'src/testing/', ...hallway],
  },
  { path: 'src/testing/', mayImport: ['src/1-parse/syntax-tree.ts', ...vocabulary] },
  { path: 'src/coverage/', mayImport: ['src/mir/', ...vocabulary] },
  { path: 'src/profile/', mayImport: ['src/mir/', ...vocabulary] },
  { path: 'src/compile-in-worker.ts', mayImport: ['src/compile.ts', ...hallway] },
  { path: 'src/compile-worker-main.ts', mayImport: ['src/compile.ts', 'src/compile-in-worker.ts', ...hallway] },
  {
    path: 'src/compile.ts',
    mayImport: [
      'src/1-parse/',
      'src/2-check/',
      'src/3-lower/',
      'src/mir/',
      'src/4-optimise/',
      'src/5-emit/',
      ...hallway,
    ],
  },
  {
    path: 'src/index.ts',
    mayImport: [
      'src/compile.ts',
      'src/compile-in-worker.ts',
      'src/memory-reader.ts',
      'src/2-check/typed-tree.ts',
      'src/5-emit/emitted-program.ts',
      'src/given-options.ts',
      'src/queries/',
      ...hallway,
    ],
  },
  {
    path: 'src/cli/',
    mayImport: [
      'src/compile.ts',
      'src/compile-in-worker.ts',
      'src/memory-reader.ts',
      'src/1-parse/',
      'src/testing/',
      'src/coverage/',
      'src/profile/',
      'src/4-optimise/passes.ts',
      'src/4-optimise/remarks/remarks.ts',
      'src/mir/',
      'src/5-emit/emitted-program.ts',
      'src/formatter/',
      'src/queries/',
      'src/language-server/',
      'runtime-host/',
      'map/index.ts',
      ...hallway,
    ],
  },
  { path: 'prettier-plugin/', mayImport: ['src/format.ts'] },
  {
    path: 'unplugin/',
    mayImport: [
      'src/index.ts',
      'src/source.ts',
      'src/cli/exit.ts',
      'src/cli/file-reader.ts',
      'src/cli/files.ts',
      'src/cli/type-declarations.ts',
      'runtime-host/run/script-types.ts',
    ],
  },
  ...mapRooms.map((path, at) => ({
    path: `map/${path}`,
    mayImport: [
      ...mapRooms.slice(0, at).map((other) => `map/${other}`),
      'src/index.ts',
      'src/abi/',
      'src/language/hidden-characters.ts',
      'src/language/nearest-name.ts',
      'src/language/quoted-text.ts',
      'runtime-host/api/node.ts',
      ...(path === 'plan/' ? ['src/queries/permission-flags.ts'] : []),
      ...(path === 'local/' || path === 'queue/' ? ['runtime-host/engine/compile-options.ts'] : []),
      ...(path === 'local/'
        ? [
            'src/cli/exit.ts',
            'src/cli/load-plugins.ts',
            'src/cli/permissions/',
            'src/cli/script-arguments.ts',
            'src/cli/thousands.ts',
          ]
        : []),
      ...(path === 'plan-map.ts' ? ['src/cli/exit.ts', 'src/cli/file-reader.ts', 'src/cli/files.ts'] : []),
    ],
  })),
  ...commandLines.map((path) => ({
    path,
    mayImport: [...inHost(hostFolders.slice(0, hostFolders.indexOf('namespaces') + 1)), ...belowHost],
  })),
  {
    path: 'runtime-host/namespaces/*/rows.ts',
    mayImport: ['src/language/', 'src/library/declare.ts', 'src/library/effects.ts'],
  },
  ...hostFolders.map((folder, at) => ({
    path: `runtime-host/${folder}/`,
    mayImport: [...inHost(hostFolders.slice(0, at)), ...belowHost],
  })),
  ...platforms.map((folder) => ({
    path: `runtime-host/${folder}/`,
    mayImport: [...inHost(hostFolders), ...belowHost],
  })),
  ...(['node', 'browser'] as const).map((name) => ({
    path: `runtime-host/api/${name}.ts`,
    mayImport: [...inHost(['api', name]), ...inHost(hostFolders), ...belowHost],
  })),
  { path: 'runtime-host/api/', mayImport: [...inHost(['memory']), ...inHost(hostFolders), ...belowHost] },
];

/** Files that some may import who may import what lies around them, and nobody else. */
const reserved: readonly { readonly path: string; readonly only: readonly string[] }[] = [
  // Or the rows would be in every bundle of the host.
  { path: 'runtime-host/namespaces/*/rows.ts', only: ['src/library/generated/'] },
  ...commandLines.map((path) => ({ path, only: ['src/cli/', ...commandLines] })),
];

/** Packages, and where each may be imported. Others are not dependencies of the product. */
const packages: readonly { readonly name: string; readonly only: readonly string[] }[] = [
  { name: 'antlr4ng', only: ['src/1-parse/'] },
  { name: '#binaryen', only: ['src/5-emit/binaryen.ts'] },
  { name: 'vscode-languageserver', only: ['src/language-server/'] },
  { name: 'vscode-languageserver-textdocument', only: ['src/language-server/'] },
  { name: 'prettier', only: ['src/formatter/'] },
  { name: 'editorconfig-without-wasm', only: ['src/cli/editor-config.ts'] },
  { name: 'unplugin', only: ['unplugin/'] },
  { name: '@duckdb/node-bindings', only: ['map/duckdb/'] },
  { name: 'piscina', only: ['map/local/'] },
  { name: 'bullmq', only: ['map/queue/engine.ts', 'map/queue/packages.ts'] },
  ...['ioredis', 'pg', 'prom-client', 'bullmq-otel', '@bull-board/api', '@bull-board/express'].map((name) => ({
    name,
    only: ['map/queue/'],
  })),
  { name: 'apache-arrow', only: ['map/arrow/'] },
  { name: 'lz4js', only: ['map/arrow/library.ts'] },
  { name: 'cli-progress', only: ['map/local/progress.ts'] },
  { name: '#loading', only: ['src/compile.ts', 'src/cli/engine-flags.ts'] },
];

/** Where Node may be touched; everything else runs in any engine. */
const nodeFiles = [
  'src/cli/',
  'unplugin/',
  'map/',
  'src/language-server/server.ts',
  'src/compile-in-worker.ts',
  'src/compile-worker-main.ts',
  'runtime-host/api/node.ts',
  'runtime-host/node/',
  ...commandLines,
];

const vagueNames = ['utils', 'util', 'helpers', 'helper', 'common', 'manager', 'misc'];
const maxLines = 700;
/** Made by other tools than the house's own: the rules do not bind them. */
const isForeign = (path: string): boolean =>
  ['src/1-parse/generated/', 'src/5-emit/generated/'].some((folder) => path.startsWith(folder));

/** Whether a path is, or begins with, that of a plan. */
function isBelow(path: string, planned: string): boolean {
  const names = planned.replaceAll('.', '\\.').split('*');
  return new RegExp(`^${names.join('[^/]+')}`).test(path);
}

/** The folder of a namespace that a file lies in; null for one that brings them together, or is for all of them. */
function namespaceFolder(path: string): string | null {
  const [, name = null] = /^runtime-host\/namespaces\/([^/]+)\//.exec(path) ?? [];
  return name === 'generated' ? null : name;
}

interface Import {
  /** As written. */
  readonly specifier: string;
  /** Path of the imported file; null for a package. */
  readonly target: string | null;
}

/** Every broken rule: `path: what is wrong`. */
export function findViolations(files: Files): string[] {
  const imports = new Map<string, Import[]>();
  const violations: string[] = [];
  for (const [path, text] of files) {
    if (isForeign(path)) continue;
    // oxlint-disable-next-line typescript/no-deprecated -- parseSync hands out its errors; here they are thrown.
    const program = parseAst(text, { lang: 'ts' }) as unknown as Node;
    const found = readImports(path, program);
    imports.set(path, found);
    const broken = [...checkImports(path, found, files), ...checkForm(path, text), ...checkSyntax(path, program)];
    violations.push(...broken.map((what) => `${path}: ${what}`));
  }
  return [...violations, ...findCycles(imports)];
}

// Imports

function checkImports(path: string, imports: readonly Import[], files: Files): string[] {
  const area = areas.find((candidate) => isBelow(path, candidate.path));
  if (area === undefined) return ['it is in no room of the house'];
  return imports.flatMap(({ specifier, target }) => {
    if (target === null) return checkPackage(path, specifier);
    const broken: string[] = [];
    if (!specifier.endsWith('.ts')) broken.push(`the import of ${specifier} does not end in .ts`);
    else if (!files.has(target) && !isForeign(target)) broken.push(`there is no ${target}`);
    const isForOthers = reserved.some(
      ({ path: kept, only }) => isBelow(target, kept) && !only.some((allowed) => isBelow(path, allowed)),
    );
    const isOfNeighbour =
      namespaceFolder(path) !== null &&
      namespaceFolder(target) !== null &&
      namespaceFolder(path) !== namespaceFolder(target);
    if (isForOthers || isOfNeighbour || ![area.path, ...area.mayImport].some((allowed) => isBelow(target, allowed)))
      broken.push(`it may not import ${target}`);
    return broken;
  });
}

function checkPackage(path: string, specifier: string): string[] {
  if (specifier.startsWith('node:')) {
    return nodeFiles.some((allowed) => isBelow(path, allowed))
      ? []
      : [`${specifier} is for ${nodeFiles.join(', ')} only`];
  }
  const known = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  if (known === undefined) return [`${specifier} is not a dependency that the house knows`];
  return known.only.some((allowed) => path.startsWith(allowed))
    ? []
    : [`${specifier} is for ${known.only.join(', ')} only`];
}

function readImports(path: string, program: Node): Import[] {
  const specifiers: string[] = [];
  walk(program, (node) => {
    if (!importKinds.has(node.type)) return;
    const source = node['source'] as { readonly value?: unknown } | null | undefined;
    if (typeof source?.value === 'string') specifiers.push(source.value);
  });
  return specifiers.map((specifier) => ({
    specifier,
    target: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : null,
  }));
}

const importKinds: ReadonlySet<string> = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/** Files that reach each other by their imports, a line for each such group. Imports of types count too. */
function findCycles(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const reached = new Map([...imports.keys()].map((path) => [path, reachable(path, imports)]));
  const grouped = new Set<string>();
  const cycles: string[] = [];
  for (const path of [...imports.keys()].sort()) {
    if (grouped.has(path) || !reached.get(path)!.has(path)) continue;
    const group = [...reached.get(path)!].filter((other) => reached.get(other)?.has(path)).sort();
    for (const member of group) grouped.add(member);
    cycles.push(`a cycle of imports: ${group.join(', ')}`);
  }
  return cycles;
}

/** What a file imports, and what that imports, and so on. */
function reachable(path: string, imports: ReadonlyMap<string, readonly Import[]>): Set<string> {
  const found = new Set<string>();
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { target } of imports.get(next) ?? []) {
      if (target === null || found.has(target)) continue;
      found.add(target);
      open.push(target);
    }
  }
  return found;
}

// Conventions

function checkForm(path: string, text: string): string[] {
  const broken: string[] = [];
  const lines = text.trimEnd().split('\n');
  const opening = lines.findIndex((line) => !line.startsWith('//'));
  if (opening === 0) broken.push('it does not open with a comment that says what lives here');
  // That of a pass shows Mir before and after it.
  const longest = path.startsWith('src/4-optimise/transform/') ? 30 : 8;
  if (opening > longest) broken.push(`its opening comment is longer than ${longest} lines`);
  if (lines.length > maxLines) broken.push(`it has ${lines.length} lines, more than ${maxLines}`);
  for (const part of path.split('/').slice(path.startsWith('src/') ? 1 : 0)) {
    const name = part.replace(/(\.d)?\.ts$/, '');
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) broken.push(`${part} is not in kebab-case`);
    if (name.split('-').some((word) => vagueNames.includes(word)))
      broken.push(`${part} says nothing about what lives there`);
  }
  return broken;
}

function checkSyntax(path: string, program: Node): string[] {
  const broken: string[] = [];
  for (const statement of program['body'] as Node[]) {
    const declared = (statement['declaration'] as Node | null | undefined) ?? statement;
    if (declared.type === 'VariableDeclaration' && declared['kind'] !== 'const')
      broken.push('state at the level of the module');
  }
  walk(program, (node) => {
    if (node.type === 'ExportDefaultDeclaration') broken.push('a default export');
    if (node.type === 'TSEnumDeclaration') broken.push('an enum');
    if (node.type === 'TSAnyKeyword') broken.push('the type any');
    if (node.type === 'SwitchCase' && node['test'] === null && path.startsWith('src/') && !isBelow(path, 'src/cli/'))
      broken.push('a default: in a switch, which hides a new kind from the type checker');
    if (node.type === 'Identifier' && bannedGlobals.has(node['name'] as string)) {
      const { allowed } = bannedGlobals.get(node['name'] as string)!;
      if (!allowed.some((prefix) => isBelow(path, prefix))) broken.push(`the global ${node['name'] as string}`);
    }
  });
  return [...new Set(broken)];
}

/** Globals that are not in every engine, or that reach around the Platform. */
const bannedGlobals: ReadonlyMap<string, { readonly allowed: readonly string[] }> = new Map([
  ['console', { allowed: ['src/cli/'] }],
  ['process', { allowed: nodeFiles }],
  ['Buffer', { allowed: nodeFiles }],
  ['require', { allowed: [] }],
  ['fetch', { allowed: ['runtime-host/browser/'] }],
]);

// The syntax tree, as the parser gives it

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const [field, value] of Object.entries(node)) {
    // A member's name after a dot is no global.
    if (field === 'property' && node['computed'] === false) continue;
    if (field === 'key' && node['computed'] === false) continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string')
        walk(child as Node, visit);
    }
  }
}
