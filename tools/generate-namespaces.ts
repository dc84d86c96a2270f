// Brings the folders of runtime-host/namespaces together: the lists by which the compiler, the host, embedders and the
// command line know the namespaces, made of which files there are. The first step of every build; nothing is written
// when nothing has changed.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = 'runtime-host/namespaces';

interface Namespace {
  /** As scripts write it: `File`. */
  readonly name: string;
  /** `file` */
  readonly folder: string;
  readonly has: (file: string) => boolean;
}

/** One list: which namespaces are in it, and the lines that it is made of. */
interface List {
  readonly path: string;
  readonly about: string;
  readonly lines: (
    namespaces: readonly Namespace[],
    importPath: (namespace: Namespace, file: string) => string,
  ) => readonly string[];
}

const isGuarded = ({ has }: Namespace): boolean => has('requests.ts');

/** A list with an entry for each namespace that has the file: `File: file,`. */
function record(
  path: string,
  about: string,
  list: {
    readonly name: string;
    readonly file: string;
    readonly exported: string;
    readonly of?: (namespace: Namespace) => boolean;
  },
): List {
  return {
    path,
    about,
    lines: (namespaces, importPath) => {
      const listed = namespaces.filter((namespace) => namespace.has(list.file) && list.of?.(namespace) !== false);
      return [
        ...listed.map(
          (namespace) =>
            `import { ${list.exported} as ${variableOf(namespace)} } from '${importPath(namespace, list.file)}';`,
        ),
        '',
        `export const ${list.name} = {`,
        ...listed.map((namespace) => `  ${namespace.name}: ${variableOf(namespace)},`),
        '} as const;',
      ];
    },
  };
}

const lists: readonly List[] = [
  {
    path: 'src/library/generated/namespaces.ts',
    about: 'The names of the namespaces that the host supplies.',
    lines: (namespaces) => {
      const supplied = namespaces.filter(({ has }) => has('rows.ts'));
      const names = (some: readonly Namespace[]): string => some.map(({ name }) => `'${name}'`).join(', ');
      const isFree = (namespace: Namespace): boolean => !isGuarded(namespace);
      return [
        `export const namespaceNames: readonly string[] = [${names(supplied)}];`,
        '',
        '/** Those whose functions ask for nothing. */',
        `export const freeNamespaceNames: readonly string[] = [${names(supplied.filter(isFree))}];`,
        '',
        '/** Those whose functions ask for permission. */',
        `export const guardedNamespaceNames: readonly string[] = [${names(supplied.filter(isGuarded))}];`,
      ];
    },
  },
  {
    path: `${folder}/generated/requests.ts`,
    about: 'The requests of each namespace.',
    lines: (namespaces, importPath) => {
      const asking = namespaces.filter(isGuarded);
      const typeOf = ({ name }: Namespace): string => `Any${name}Request`;
      return [
        ...asking.map(
          (namespace) =>
            `import { requests as ${variableOf(namespace)} } from '${importPath(namespace, 'requests.ts')}';`,
        ),
        ...asking.map(
          (namespace) => `import type { ${typeOf(namespace)} } from '${importPath(namespace, 'requests.ts')}';`,
        ),
        '',
        '/** The classes of requests, by namespace and operation. */',
        // With the types by name: in what is published they would be written out a second time.
        'export const PermissionRequest: {',
        ...asking.map((namespace) => `  readonly ${namespace.name}: typeof ${variableOf(namespace)};`),
        '} = {',
        ...asking.map((namespace) => `  ${namespace.name}: ${variableOf(namespace)},`),
        '};',
        '',
        '/** Any request; `kind` tells which. */',
        `export type PermissionRequest = ${asking.map(typeOf).join(' | ')};`,
      ];
    },
  },
  {
    path: `${folder}/generated/guarded-functions.ts`,
    about: 'The namespaces whose functions ask for permission, each loaded where it is wanted.',
    lines: (namespaces, importPath) => [
      'export const guardedFunctions = {',
      ...namespaces
        .filter((namespace) => namespace.has('functions.ts') && isGuarded(namespace))
        .map(
          (namespace) =>
            `  ${namespace.name}: async () => (await import('${importPath(namespace, 'functions.ts')}')).namespace,`,
        ),
      '} as const;',
    ],
  },
  record(`${folder}/generated/free-functions.ts`, 'The namespaces whose functions are free to call.', {
    name: 'freeFunctions',
    file: 'functions.ts',
    exported: 'namespace',
    of: (namespace) => !isGuarded(namespace),
  }),
  {
    path: `${folder}/generated/exports.ts`,
    about: 'What embedders import of each namespace.',
    lines: (namespaces, importPath) =>
      namespaces
        .filter(({ has }) => has('index.ts'))
        .map((namespace) => `export * from '${importPath(namespace, 'index.ts')}';`),
  },
  record('src/cli/permissions/generated/flags.ts', 'The flags of each namespace, for help and the parser.', {
    name: 'namespaceFlags',
    file: 'command-line/flags.ts',
    exported: 'flags',
  }),
  record(
    'src/cli/permissions/generated/policies.ts',
    'What the flags of each namespace mean, and how a person is asked.',
    { name: 'policyReaders', file: 'command-line/policy.ts', exported: 'readPolicy' },
  ),
  record('src/library/generated/rows.ts', 'The rows of each namespace, for the registry.', {
    name: 'namespaceRows',
    file: 'rows.ts',
    exported: 'rows',
  }),
];

function readNamespaces(): readonly Namespace[] {
  const folders = readdirSync(join(root, folder), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'generated',
  );
  return folders
    .map(({ name }) => name)
    .toSorted()
    .map((name) => {
      if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
        throw new Error(`the folder ${folder}/${name} is not in kebab-case`);
      const namespace = {
        name: pascalCase(name),
        folder: name,
        has: (file: string) => existsSync(join(root, folder, name, file)),
      };
      checkFiles(namespace);
      return namespace;
    });
}

/**
 * What goes with what: a file that is missing would otherwise be missed by nobody before a script calls the namespace.
 */
const companions: Readonly<Record<string, readonly string[]>> = {
  'rows.ts': ['functions.ts'],
  'functions.ts': ['rows.ts'],
  'requests.ts': ['grant.ts', 'index.ts', 'command-line/flags.ts', 'command-line/policy.ts'],
  'grant.ts': ['requests.ts'],
};

function checkFiles({ folder: name, has }: Namespace): void {
  if (!Object.keys(companions).some(has))
    throw new Error(`the folder ${folder}/${name} is no namespace: it has neither rows.ts nor requests.ts`);
  for (const [file, needed] of Object.entries(companions)) {
    const missing = has(file) ? needed.filter((other) => !has(other)) : [];
    if (missing.length > 0)
      throw new Error(`the namespace in ${folder}/${name} has ${file}, and so it needs ${missing.join(' and ')} too`);
  }
}

/** `word-list` is WordList. */
function pascalCase(name: string): string {
  return name
    .split('-')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}

function variableOf({ name }: Namespace): string {
  return name[0]!.toLowerCase() + name.slice(1);
}

const namespaces = readNamespaces();
for (const { path, about, lines } of lists) {
  const importPath = (namespace: Namespace, file: string): string => {
    const target = posix.relative(posix.dirname(path), `${folder}/${namespace.folder}/${file}`);
    return target.startsWith('.') ? target : `./${target}`;
  };
  const text = [
    `// ${about}`,
    `// Made by tools/generate-namespaces.ts of the folders in ${folder}.`,
    '',
    ...lines(namespaces, importPath),
    '',
  ].join('\n');
  const target = join(root, path);
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
