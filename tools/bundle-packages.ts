// Bundles of the packages, in the folder `dist` of each, as tools/entries.ts lists them: minified ES modules that
// import nothing but parts of their own, and Node's modules on Node. Source maps lie beside them. Parts that a script
// may never need are files of their own, which are loaded when they are wanted.

import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import type { OutputOptions, Plugin } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { builtInLibraries } from '../src/library/registry.ts';
import { breakLinesOf } from './break-lines.ts';
import { allPackages, entries, entryOf, packageFolder, reExports, root } from './entries.ts';
import type { Entry, PackageName } from './entries.ts';
import { withoutXPath } from './without-xpath.ts';

/**
 * A host looks up nothing but which functions it supplies itself, and what they return: all else that the library says
 * of them, and the rows that are not its own, stay out of its bundle. A host that comes to need more does not bundle
 * any more.
 */
const hostFunctionsOnly: Plugin = {
  name: 'host-functions-only',
  load: {
    filter: { id: `${root}src/library/registry.ts`.replaceAll('\\', '/') },
    handler: hostFunctions,
  },
};

/** They stand by what they return, which is the same for many: their names are most of the text. */
function hostFunctions(): string {
  const rows = builtInLibraries.flatMap(({ functions }) =>
    functions.filter(({ implementation }) => implementation.kind === 'host'),
  );
  const groups = Map.groupBy(rows, ({ returns }) => JSON.stringify(returns));
  const list = [...groups].map(([returns, alike]) => `['${alike.map(({ id }) => id).join(' ')}', ${returns}]`);
  return (
    `export const builtInLibraries = [{ functions: [${list.join(', ')}].flatMap(([ids, returns]) => ` +
    `ids.split(' ').map((id) => ({ id, implementation: { kind: 'host' }, returns }))) }];`
  );
}

/** Bundles are no TypeScript: bundlers of others find the files that are started by the expressions that name them. */
const builtFilesOnly: Plugin = {
  name: 'built-files-only',
  transform: {
    filter: { code: "import.meta.url.endsWith('.ts')" },
    handler: (code) => code.replaceAll("import.meta.url.endsWith('.ts')", 'false'),
  },
};

/**
 * What Node has is taken from its modules by name as they are loaded: an older Node, or an engine that is like it,
 * which lacks a name gets as far as the sentence that says so, or does without what it never uses.
 */
const lackingNames = ofNodeModules('lacking-names', (whole, from) => [`import * as ${whole} from "${from}";`, whole]);

/**
 * The same for what runs in Node alone, from the modules as Node itself has them: for an import it also makes a module
 * of what they export, and loads on the way what scripts of Node may never ask for, such as streams of files.
 */
const modulesOfNode = ofNodeModules('modules-of-node', (_whole, from) => ['', `process.getBuiltinModule("${from}")`]);

/** `taken` gives the lines that come first, and what the names are taken from. */
function ofNodeModules(name: string, taken: (whole: string, from: string) => readonly [string, string]): Plugin {
  return {
    name,
    renderChunk: (code) => {
      let count = 0;
      return code.replaceAll(/^import \{ ([^}]+) \} from "(node:[\w/]+)";$/gm, (_line, names: string, from: string) => {
        const [first, whole] = taken(`builtIn${count++}`, from);
        return `${first} const { ${names.replaceAll(' as ', ': ')} } = ${whole};`;
      });
    },
  };
}

/** A package for a tool of others compiles, runs or formats by what its user has installed. */
const partOfPeer = (source: string, peer: string): Plugin => ({
  name: 'part-of-peer',
  resolveId: (id, importer) =>
    importer !== undefined && resolve(dirname(importer), id) === resolve(root, source)
      ? { id: peer, external: true }
      : null,
});

/** The library of the language server, which is no ES module. */
const ofServerLibrary = /node_modules[\\/]vscode-/;

/** What it requires of Node is imported. */
const nodeModulesAsImports = esmExternalRequirePlugin({
  external: [/^node:/],
});

/** Its modules are named in the older way, too, which would be looked for as files. */
const nodeModuleNames: Plugin = {
  name: 'node-module-names',
  transform: {
    filter: { id: ofServerLibrary, code: 'require(' },
    handler: (code) =>
      code.replaceAll(/require\("(child_process|crypto|fs|net|os|path|url|util)"\)/g, 'require("node:$1")'),
  },
};

const plugins: Readonly<Record<PackageName, readonly Plugin[]>> = {
  sluice: [builtFilesOnly, withoutXPath, nodeModuleNames, nodeModulesAsImports, modulesOfNode],
  'sluice-host': [builtFilesOnly, hostFunctionsOnly, lackingNames],
  'unplugin-sluice': [partOfPeer('src/index.ts', 'sluice'), lackingNames],
  'prettier-plugin-sluice': [partOfPeer('src/format.ts', 'sluice/format'), lackingNames],
  'sluice-map': [builtFilesOnly, hostFunctionsOnly, partOfPeer('src/index.ts', 'sluice'), modulesOfNode],
};

/** What of a package is bundled together, and shares its parts. */
function groupsOf(name: PackageName): readonly (readonly Entry[])[] {
  const own = entries.filter((entry) => entry.package === name);
  const shared = Map.groupBy(
    own.filter(({ isAlone }) => !isAlone),
    ({ file }) => dirname(file),
  );
  return [...shared.values(), ...own.filter(({ isAlone }) => isAlone).map((entry) => [entry])];
}

/** The functions of a namespace have the name of its folder. */
function partName({ facadeModuleId }: { readonly facadeModuleId?: string | null | undefined }): string {
  return /namespaces[/\\]([^/\\]+)[/\\]functions\.ts$/.exec(facadeModuleId ?? '')?.[1] ?? '[name]';
}

/** What is small and in use everywhere is one file. */
const core = { name: 'core', test: /runtime-host[\\/](primordials|errors[\\/]errors)|abi[\\/]manifest\.ts/ };

/**
 * What most commands need is few files, each with all that it imports: to load a small file takes as long as to load a
 * large one. The compiler, which browsers load too, has the first with the command, and nothing else.
 */
const ofCommands = [
  // Comes before the engine takes code that it kept.
  { name: 'own-files', test: /src[\\/]cli[\\/](?:code-cache|cache-folder|own-files|private-group)\.ts/, priority: 4 },
  { name: 'words', test: /src[\\/](?:language|abi|diagnostics|library)[\\/]|src[\\/]source\.ts/, priority: 3 },
  {
    name: 'command',
    test: /src[\\/]cli[\\/](?:main|cache-doubt|commands|command-line|file-reader|output|package|plugins|entry-fault|standard-input)\.ts|runtime-host[\\/](?:values|errors|primordials|engine)[\\/]/,
    priority: 2,
  },
  { name: 'host', test: /runtime-host[\\/](?:api[\\/]|limits[\\/]|permissions[\\/]texts)/, priority: 1 },
];

/** What these make of the engine's functions is left out where it is not used. */
const pureFunctions = ['uncurry', 'getterOf'];

async function bundle(name: PackageName, group: readonly Entry[]): Promise<void> {
  const { platform, file, isAlone = false } = group[0]!;
  const built = await rolldown({
    input: Object.fromEntries(group.map((entry) => [nameOf(entry.file), root + entry.source])),
    platform: platform === 'browser' ? 'browser' : 'neutral',
    resolve: {
      mainFields: ['module', 'main'],
      // The library of the language server has a face for Node and one for browsers, under other names.
      conditionNames: [...(platform === 'browser' ? [] : ['node']), 'browser', 'import', 'default'],
    },
    plugins: [...plugins[name]],
    external: (id, importer) =>
      /^(?:node:|(?:unplugin|piscina|cli-progress|@duckdb\/node-bindings|apache-arrow|lz4js|bullmq|bullmq-otel|ioredis|pg|prom-client|@bull-board\/.*)$)/.test(
        id,
      ) && !ofServerLibrary.test(importer ?? ''),
    preserveEntrySignatures: 'allow-extension',
    treeshake: { manualPureFunctions: pureFunctions },
    checks: {
      // What plugins here take out of modules stands in one line.
      sourcemapBroken: false,
      // What browsers load when it is wanted may be needed at once elsewhere.
      ineffectiveDynamicImport: platform === 'browser',
    },
  });
  const folder = join(packageFolder(name), 'dist', dirname(file));
  const groups = platform === 'browser' ? [core] : name === 'sluice' ? ofCommands : null;
  const groupedParts = groups === null ? {} : { codeSplitting: { groups } };
  const names: OutputOptions = isAlone
    ? {
        file: join(folder, `${nameOf(file)}.js`),
        codeSplitting: false,
        // One file has nothing that could be loaded in front of it.
        ...(platform === 'node' ? { banner: `(function () {\n${needNode}})();` } : {}),
      }
    : {
        dir: folder,
        entryFileNames: '[name].js',
        chunkFileNames: (chunk) => `${platform === 'browser' ? 'sluice-host' : 'part'}-${partName(chunk)}.js`,
        ...groupedParts,
      };
  // People see names of classes in what Node prints.
  const keepsNames = platform !== 'browser' && !isAlone;
  const written = await built.write({
    ...names,
    format: 'esm',
    sourcemap: true,
    // They have done their work.
    comments: { annotation: false },
    minify: {
      compress: true,
      codegen: true,
      mangle: keepsNames ? { keepNames: { class: true, function: false } } : true,
    },
  });
  await built.close();
  // Browsers show no lines of code with an error, and load fewer bytes without them.
  if (platform !== 'browser')
    for (const part of written.output)
      if (part.type === 'chunk' && part.map !== null) breakLinesOf(join(folder, part.fileName));
}

/** Source maps name what tools have made and what others have written, and leave its text out. */
function trimSourceMaps(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.map')) continue;
    const map = JSON.parse(readFileSync(join(folder, path), 'utf8')) as {
      readonly sources: readonly string[];
      sourcesContent?: (string | null)[] | undefined;
    };
    map.sourcesContent = map.sourcesContent?.map((text, at) =>
      /(^|\/)(generated|node_modules)\//.test(map.sources[at]!) ? null : text,
    );
    writeFileSync(join(folder, path), JSON.stringify(map));
  }
}

/** Says so where Node is too old. */
const needNode = readFileSync(`${root}packages/need-node.js`, 'utf8').replaceAll(/^\s*\/\/.*\n/gm, '');

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

/** What is loaded in front of an entry, so that nothing of it runs where Node is too old. */
function writeFront({ package: of, file, front }: Entry): void {
  if (front === undefined) return;
  const dist = join(packageFolder(of), 'dist');
  copyFileSync(`${root}packages/need-node.js`, join(dist, dirname(front), 'need-node.js'));
  writeFileSync(join(dist, `${front}.js`), `import './need-node.js';\nexport * from './${nameOf(file)}.js';\n`);
}

/** What a package has of the other one, and the notices of what is in it of others. */
function writeRest(name: PackageName): void {
  const folder = join(packageFolder(name), 'dist');
  for (const { package: of, file, of: whole } of reExports)
    if (of === name) writeFileSync(join(folder, `${file}.js`), `export * from '${whole}';\n`);
  if (name !== 'sluice') return;
  copyFileSync(`${root}generated/binaryen.wasm`, join(folder, 'binaryen.wasm'));
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).toSorted())
    if (/\.(js|wasm)$/.test(file)) hash.update(file).update(readFileSync(join(folder, file)));
  writeFileSync(join(folder, 'compiler-id'), hash.digest('hex'));
  const notices = bundled.map((from) => {
    const folder = `${root}node_modules/${from}`;
    const licence = readdirSync(folder).find((file) => /^licen[cs]e(?:\.(?:txt|md))?$/i.test(file))!;
    return `${from}\n\n${readFileSync(`${folder}/${licence}`, 'utf8').trim()}\n`;
  });
  writeFileSync(
    join(folder, 'third-party-notices.txt'),
    `Parts of this package are made from:\n\n${[...notices, ...noticesOfOthers()].join('\n\n')}`,
  );
}

function noticesOfOthers(): string[] {
  const { file, packages } = bundledByOthers;
  const sections = readFileSync(`${root}node_modules/${file}`, 'utf8').split(/^## /m);
  return packages.map((name) => {
    const section = sections.find((text) => text.startsWith(`${name}@`));
    if (section === undefined) throw new Error(`${file} says nothing of ${name}`);
    return `${name}\n\n${section
      .slice(section.indexOf('\n'))
      .replace(/^-+\s*$/m, '')
      .trim()}\n`;
  });
}

/** Packages of others whose code is in the bundles. */
const bundled = [
  'antlr4ng',
  'binaryen',
  'vscode-languageserver',
  'vscode-languageserver/node_modules/vscode-languageserver-protocol',
  'vscode-languageserver/node_modules/vscode-languageserver-types',
  'vscode-languageserver/node_modules/vscode-jsonrpc',
  'vscode-languageserver-textdocument',
  'prettier',
  'editorconfig-without-wasm',
  'minimatch',
  'brace-expansion',
  'balanced-match',
  'semver',
] as const;

/** What others have bundled into their files, of which these are in ours too, by the headings of their notices. */
const bundledByOthers = {
  file: 'prettier/THIRD-PARTY-NOTICES.md',
  packages: ['emoji-regex', 'get-east-asian-width', 'narrow-emojis', 'trim-newlines'],
} as const;

/** Makes all that is built of a package but its types. */
async function bundlePackage(name: PackageName): Promise<void> {
  const folder = join(packageFolder(name), 'dist');
  rmSync(folder, { recursive: true, force: true });
  for (const group of groupsOf(name)) await bundle(name, group);
  for (const entry of entries) if (entry.package === name) writeFront(entry);
  writeRest(name);
  trimSourceMaps(folder);
}

for (const name of allPackages) await bundlePackage(name);

// Where the host runs from what tsc has made of it, its worker is one file too: a process may read no other.
const worker = entryOf('sluice-host', './worker', 'node');
copyFileSync(
  join(packageFolder('sluice-host'), 'dist', `${worker.file}.js`),
  `${root}dist/${worker.source.replace(/\.ts$/, '.js')}`,
);
