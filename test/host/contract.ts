// The contract of a platform, as scripts and what they hand out: the same rows run on every platform and in every
// engine. `$` in a row stands for the directory that holds the files below; beside it lies `$-evil`, outside of it.

import {
  createMemoryPlatform,
  Denied,
  EnvGrant,
  FileGrant,
  Granted,
  loadScript,
  ScriptError,
} from '../../runtime-host/api/index.ts';
import type {
  EnvConstraints,
  FileConstraints,
  MemoryPlatform,
  PermissionAnswer,
  ScriptOptions,
} from '../../runtime-host/api/index.ts';
import { compile } from '../../src/index.ts';

export interface ContractRow {
  readonly name: string;
  /** Statements; an expression alone is yielded. */
  readonly script: string;
  /** Constraints of the grant; null denies. */
  readonly file?: FileConstraints | null;
  readonly env?: EnvConstraints | null;
  /** What is handed out, an uncaught error last as `Type: message`. */
  readonly gives: readonly string[];
}

/** Where a row runs. */
export interface ContractPlace {
  readonly root: string;
  readonly options: ScriptOptions;
}

/** The files that lie in the root, by relative path; a path that ends in a slash is an empty directory. */
export const contractFiles: Readonly<Record<string, string | Uint8Array>> = {
  'a.txt': 'alpha',
  'b.TXT': 'beta',
  'c.tar.gz': 'gz',
  'no-extension': 'plain',
  '.txt': 'hidden',
  'dot.txt.': 'dot',
  'space.txt ': 'space',
  'sub/d.txt': 'delta',
  'sub/deep/e.csv': '1,2',
  'bad.txt': Uint8Array.of(0xff, 0xfe, 0x61),
  'half.txt': Uint8Array.of(0x61, 0xc3),
  'surrogate.txt': Uint8Array.of(0xed, 0xa0, 0x80),
  'bom.txt': Uint8Array.of(0xef, 0xbb, 0xbf, 0x61),
  'ünï.txt': 'ü',
  'empty/': '',
  '../contract-evil/x.txt': 'evil',
  '../contract-secret/k.txt': 'SECRET',
  '../contract-secret/dir/m.txt': 'SECRET TOO',
};

export const contractLinks: Readonly<Record<string, string>> = {
  'to-a.txt': 'a.txt',
  'to-sub': 'sub',
  'to-secret.txt': '../contract-secret/k.txt',
  'to-secret': '../contract-secret',
  'dangling.txt': 'gone.txt',
  'dangling-out.txt': '../contract-secret/gone.txt',
  'loop-1': 'loop-2',
  'loop-2': 'loop-1',
  'sub/up.txt': '../a.txt',
  'chain.txt': 'to-a.txt',
};

const deniedPlain = 'the host does not permit it';
const outside = 'outside allowedDirectories';
const extensions = 'outside allowedExtensions';
const inRoot: FileConstraints = { allowedDirectories: ['$'] };

/** Catches what a call throws and hands it out with its type. */
function attempt(call: string): string {
  return (
    `try { ${call}; yield "done"; } catch (FileError e) { yield "FileError: " + e; } catch (SecurityError e) { ` +
    'yield "SecurityError: " + e; }'
  );
}

function fails(path: string, fn: string, what: string): string {
  return `FileError: File.${fn} failed: ${what}: ${path}`;
}

function denies(fn: string, what: string): string {
  return `SecurityError: File.${fn} denied: ${what}`;
}

/** Every function with a path, as a call and its name. */
const calls: readonly (readonly [string, (path: string) => string])[] = [
  ['read', (path) => `File.read("${path}")`],
  ['write', (path) => `File.write("${path}", "w")`],
  ['append', (path) => `File.append("${path}", "w")`],
  ['delete', (path) => `File.delete("${path}")`],
  ['exists', (path) => `File.exists("${path}")`],
  ['list', (path) => `File.list("${path}")`],
  ['metadata', (path) => `File.metadata("${path}")`],
  ['createDir', (path) => `File.createDir("${path}")`],
];

const everyFunction = calls.flatMap(([fn, call]): ContractRow[] => [
  { name: `${fn} is denied by default`, script: attempt(call('a.txt')), file: null, gives: [denies(fn, deniedPlain)] },
  {
    name: `${fn} is denied outside the directories`,
    script: attempt(call('../contract-secret/k.txt')),
    file: inRoot,
    gives: [denies(fn, outside)],
  },
  {
    name: `${fn} is denied through a link to outside`,
    script: attempt(call('to-secret/dir/m.txt')),
    file: inRoot,
    gives: [denies(fn, outside)],
  },
  {
    name: `${fn} is denied where nothing is, outside`,
    script: attempt(call('to-secret/none/none')),
    file: inRoot,
    gives: [denies(fn, outside)],
  },
  {
    name: `${fn} is denied in a directory whose name begins alike`,
    script: attempt(call('../contract-evil/x.txt')),
    file: inRoot,
    gives: [denies(fn, outside)],
  },
  {
    name: `${fn} is denied with an empty list of directories`,
    script: attempt(call('a.txt')),
    file: { allowedDirectories: [] },
    gives: [denies(fn, outside)],
  },
  {
    name: `${fn} refuses a control character`,
    script: attempt(call('a\\u{1b}[2K.txt')),
    gives: [denies(fn, 'the path holds a control character')],
  },
  {
    name: `${fn} refuses a right-to-left override`,
    script: attempt(call('a\\u{202e}txt')),
    gives: [denies(fn, 'the path holds a character that changes the direction of writing')],
  },
  { name: `${fn} refuses an empty path`, script: attempt(call('')), gives: [denies(fn, 'the path is empty')] },
  {
    name: `${fn} refuses a path that is too long`,
    script: attempt(call('x'.repeat(4_097))),
    gives: [denies(fn, 'the path is longer than 4096 characters')],
  },
  {
    name: `${fn} takes a bad grant for none`,
    script: attempt(call('a.txt')),
    file: { maxBytes: -1 },
    gives: [denies(fn, deniedPlain)],
  },
]);

const changing = calls
  .filter(([fn]) => ['write', 'append', 'delete', 'createDir'].includes(fn))
  .map(([fn, call]): ContractRow => ({
    name: `${fn} is denied by readOnly`,
    script: attempt(call('a.txt')),
    file: { readOnly: true },
    gives: [denies(fn, 'readOnly')],
  }));

const byExtension = calls
  .filter(([fn]) => fn !== 'list' && fn !== 'createDir')
  .flatMap(([fn, call]): ContractRow[] => [
    {
      name: `${fn} is denied by its extension`,
      script: attempt(call('no-extension')),
      file: { allowedExtensions: ['txt'] },
      gives: [denies(fn, extensions)],
    },
    {
      name: `${fn} is denied with an empty list of extensions`,
      script: attempt(call('a.txt')),
      file: { allowedExtensions: [] },
      gives: [denies(fn, extensions)],
    },
  ]);

export const contractRows: readonly ContractRow[] = [
  ...everyFunction,
  ...changing,
  ...byExtension,

  {
    name: 'read: relative and absolute',
    script: 'yield File.read("a.txt"); yield File.read("$/sub/d.txt"); yield File.read("./sub/../a.txt");',
    gives: ['alpha', 'delta', 'alpha'],
  },
  { name: 'read: names beyond ASCII', script: 'File.read("ünï.txt")', gives: ['ü'] },
  { name: 'read: a byte order mark stays', script: 'File.read("bom.txt").length()', gives: ['2'] },
  {
    name: 'read: links within',
    script:
      'yield File.read("to-a.txt"); yield File.read("chain.txt"); yield File.read("to-sub/d.txt"); ' +
      'yield File.read("sub/up.txt");',
    file: inRoot,
    gives: ['alpha', 'alpha', 'delta', 'alpha'],
  },
  { name: 'read: a trailing slash', script: 'File.read("a.txt/")', gives: ['alpha'] },
  {
    name: 'read: missing',
    script: attempt('File.read("none.txt")'),
    gives: [fails('none.txt', 'read', 'there is no such file or directory')],
  },
  {
    name: 'read: a directory',
    script: attempt('File.read("sub")'),
    gives: [fails('sub', 'read', 'it is a directory')],
  },
  {
    name: 'read: below a file',
    script: attempt('File.read("a.txt/x")'),
    gives: [fails('a.txt/x', 'read', 'it is no directory, or lies below something that is none')],
  },
  {
    name: 'read: malformed bytes',
    script: ['bad', 'half', 'surrogate'].map((name) => attempt(`File.read("${name}.txt")`)).join(' '),
    gives: ['bad', 'half', 'surrogate'].map((name) => fails(`${name}.txt`, 'read', 'it is not valid UTF-8')),
  },
  {
    name: 'read: a dangling link',
    script: attempt('File.read("dangling.txt")'),
    file: inRoot,
    gives: [fails('dangling.txt', 'read', 'there is no such file or directory')],
  },
  {
    name: 'read: a dangling link to outside',
    script: attempt('File.read("dangling-out.txt")'),
    file: inRoot,
    gives: [denies('read', outside)],
  },
  {
    name: 'read: links in a circle',
    script: attempt('File.read("loop-1")'),
    file: inRoot,
    gives: [fails('loop-1', 'read', 'it leads through too many links')],
  },
  {
    name: 'read: no home directory, no pattern, no URL',
    script: ['~/a.txt', '*.txt', 'file:///a.txt'].map((path) => attempt(`File.read("${path}")`)).join(' '),
    file: inRoot,
    gives: ['~/a.txt', '*.txt', 'file:///a.txt'].map((path) =>
      fails(path, 'read', 'there is no such file or directory'),
    ),
  },

  {
    name: 'write: creates, replaces, empties',
    script:
      'File.write("w.txt", "one"); yield File.read("w.txt"); File.write("w.txt", "two2"); ' +
      'yield File.read("w.txt"); File.write("w.txt", ""); yield File.read("w.txt").length();',
    gives: ['one', 'two2', '0'],
  },
  {
    name: 'write: leaves nothing else behind',
    script: 'int n = File.list(".").length(); File.write("w.txt", "x"); yield File.list(".").length() - n;',
    gives: ['1'],
  },
  {
    name: 'write: through a link within',
    script: 'File.write("to-a.txt", "new"); yield File.read("a.txt"); yield File.read("to-a.txt");',
    file: inRoot,
    gives: ['new', 'new'],
  },
  {
    name: 'write: through a chain of links',
    script: 'File.write("chain.txt", "new"); yield File.read("a.txt"); yield File.read("chain.txt");',
    file: inRoot,
    gives: ['new', 'new'],
  },
  {
    name: 'write: through a dangling link within',
    script: 'File.write("dangling.txt", "made"); yield File.read("gone.txt");',
    file: inRoot,
    gives: ['made'],
  },
  {
    name: 'write: through a link to outside',
    script: attempt('File.write("to-secret.txt", "x")'),
    file: inRoot,
    gives: [denies('write', outside)],
  },
  {
    name: 'write: through a dangling link to outside',
    script: attempt('File.write("dangling-out.txt", "x")'),
    file: inRoot,
    gives: [denies('write', outside)],
  },
  {
    name: 'write: into a directory that is a link to outside',
    script: attempt('File.write("to-secret/new.txt", "x")'),
    file: inRoot,
    gives: [denies('write', outside)],
  },
  {
    name: 'write: links in a circle',
    script: attempt('File.write("loop-1", "x")'),
    file: inRoot,
    gives: [fails('loop-1', 'write', 'it leads through too many links')],
  },
  {
    name: 'write: over a directory',
    script: attempt('File.write("sub", "x")'),
    gives: [fails('sub', 'write', 'it is a directory')],
  },
  {
    name: 'write: into a directory that is missing',
    script: attempt('File.write("none/x.txt", "x")'),
    gives: [fails('none/x.txt', 'write', 'there is no such file or directory')],
  },
  {
    name: 'write: all of Unicode',
    script:
      'string s = "a\\u{0}\\u{7ff}\\u{ffff}\\u{10ffff}"; File.write("w.txt", s); yield File.read("w.txt") == s; ' +
      'yield File.metadata("w.txt").getInt("size", 0);',
    gives: ['true', '11'],
  },
  {
    name: 'write: an extension that is not allowed where a link leads',
    script: attempt('File.write("to-a.txt", "x")') + attempt('File.read("w.csv")'),
    file: { allowedExtensions: ['csv'] },
    gives: [denies('write', extensions), fails('w.csv', 'read', 'there is no such file or directory')],
  },

  {
    name: 'append: to what is there',
    script: 'File.append("a.txt", "!"); File.append("a.txt", "?"); yield File.read("a.txt");',
    gives: ['alpha!?'],
  },
  {
    name: 'append: to nothing',
    script: attempt('File.append("none.txt", "!")') + ' yield File.exists("none.txt");',
    gives: [fails('none.txt', 'append', 'there is no such file or directory'), 'false'],
  },
  {
    name: 'append: to a directory',
    script: attempt('File.append("sub", "!")'),
    gives: [fails('sub', 'append', 'it is a directory')],
  },
  {
    name: 'append: through links',
    script: 'File.append("to-a.txt", "!"); yield File.read("a.txt"); ' + attempt('File.append("to-secret.txt", "!")'),
    file: inRoot,
    gives: ['alpha!', denies('append', outside)],
  },

  { name: 'delete: a file', script: 'File.delete("a.txt"); yield File.exists("a.txt");', gives: ['false'] },
  {
    name: 'delete: a link, not what it leads to',
    script:
      'File.delete("to-a.txt"); yield File.exists("to-a.txt"); yield File.read("a.txt"); ' +
      'File.delete("to-secret"); yield File.exists("to-secret");',
    file: inRoot,
    gives: ['false', 'alpha', 'false'],
  },
  {
    name: 'delete: a dangling link',
    script: 'File.delete("dangling.txt"); yield File.list(".").contains("dangling.txt");',
    gives: ['false'],
  },
  {
    name: 'delete: a directory',
    script: 'File.delete("empty"); yield File.exists("empty"); ' + attempt('File.delete("sub")'),
    gives: ['false', fails('sub', 'delete', 'the directory is not empty')],
  },
  {
    name: 'delete: the allowed directory itself',
    script: attempt('File.delete("$/empty")'),
    file: { allowedDirectories: ['$/empty'] },
    gives: [denies('delete', 'it is one of allowedDirectories itself')],
  },
  {
    name: 'delete: an allowed directory in another',
    script: attempt('File.delete("empty")'),
    file: { allowedDirectories: ['$/empty', '$'] },
    gives: ['done'],
  },
  {
    name: 'delete: missing',
    script: attempt('File.delete("none.txt")'),
    gives: [fails('none.txt', 'delete', 'there is no such file or directory')],
  },
  {
    name: 'delete: in a directory that is a link to outside',
    script: attempt('File.delete("to-secret/k.txt")'),
    file: inRoot,
    gives: [denies('delete', outside)],
  },

  {
    name: 'exists: files, directories, links, nothing',
    script:
      'foreach (string p in ["a.txt", "sub", "to-a.txt", "to-sub", "none", "a.txt/x", "dangling.txt", ' +
      '"loop-1"]) yield File.exists(p);',
    file: inRoot,
    gives: ['true', 'true', 'true', 'true', 'false', 'false', 'false', 'false'],
  },
  {
    name: 'exists: no oracle for what is outside',
    script:
      attempt('File.exists("to-secret/k.txt")') +
      attempt('File.exists("to-secret/none")') +
      attempt('File.exists("dangling-out.txt")'),
    file: inRoot,
    gives: Array.from({ length: 3 }, () => denies('exists', outside)),
  },

  {
    name: 'list: names by code point',
    script:
      'File.write("empty/b", ""); File.write("empty/B", ""); File.write("empty/é", ""); ' +
      'File.write("empty/\\u{ff5e}", ""); File.write("empty/\\u{1f600}", ""); yield File.list("empty");',
    gives: ['["B","b","é","～","😀"]'],
  },
  { name: 'list: an empty directory', script: 'File.list("empty")', gives: ['[]'] },
  {
    name: 'list: extensions, and directories in any case',
    script: 'File.list(".").join(" ")',
    file: { allowedExtensions: ['csv', 'gz'] },
    gives: ['c.tar.gz empty sub'],
  },
  {
    name: 'list: missing, and a file',
    script: attempt('File.list("none")') + attempt('File.list("a.txt")'),
    gives: [
      fails('none', 'list', 'there is no such file or directory'),
      fails('a.txt', 'list', 'it is no directory, or lies below something that is none'),
    ],
  },
  {
    name: 'list: links to outside, with and without a slash',
    script: attempt('File.list("to-secret")') + attempt('File.list("to-secret/")'),
    file: inRoot,
    gives: [denies('list', outside), denies('list', outside)],
  },
  {
    name: 'list: through a link within',
    script: 'File.list("to-sub")',
    file: inRoot,
    gives: ['["d.txt","deep","up.txt"]'],
  },

  {
    name: 'metadata: size and type',
    script:
      'yield File.metadata("ünï.txt").getInt("size", -1); yield File.metadata("sub").type; ' +
      'yield File.metadata("to-a.txt").type;',
    gives: ['2', 'directory', 'file'],
  },
  {
    name: 'metadata: its keys',
    script: 'File.metadata("a.txt").keys()',
    gives: ['["size","modified","created","type"]'],
  },
  {
    name: 'metadata: times',
    script:
      'json m = File.metadata("a.txt"); yield m.getInt("modified", 0) > 1600000000000; ' +
      'yield m.getInt("modified", 0) <= Date.now() + 1000;',
    gives: ['true', 'true'],
  },
  {
    name: 'metadata: missing',
    script: attempt('File.metadata("none")'),
    gives: [fails('none', 'metadata', 'there is no such file or directory')],
  },

  {
    name: 'createDir: with parents, and again',
    script: 'File.createDir("p/q/r"); File.createDir("p/q/r"); yield File.metadata("p/q/r").type;',
    file: inRoot,
    gives: ['directory'],
  },
  {
    name: 'createDir: where a file is',
    script: attempt('File.createDir("a.txt")') + attempt('File.createDir("a.txt/x")'),
    gives: ['a.txt', 'a.txt/x'].map((path) =>
      fails(path, 'createDir', 'it is no directory, or lies below something that is none'),
    ),
  },
  {
    name: 'createDir: through a link to outside',
    script: attempt('File.createDir("to-secret/x/y")'),
    file: inRoot,
    gives: [denies('createDir', outside)],
  },
  {
    name: 'createDir: through a link within',
    script: 'File.createDir("to-sub/x"); yield File.exists("sub/x");',
    file: inRoot,
    gives: ['true'],
  },
  {
    name: 'createDir: whatever the extensions',
    script: 'File.createDir("x.y"); yield "made";',
    file: { allowedExtensions: ['txt'] },
    gives: ['made'],
  },

  {
    name: 'directories: of several one is enough',
    script: 'yield File.read("sub/d.txt"); ' + attempt('File.read("a.txt")'),
    file: { allowedDirectories: ['$/empty', '$/sub'] },
    gives: ['delta', denies('read', outside)],
  },
  {
    name: 'directories: one that is a link is where it leads',
    script: 'yield File.read("to-sub/d.txt"); yield File.read("sub/d.txt");',
    file: { allowedDirectories: ['$/to-sub'] },
    gives: ['delta', 'delta'],
  },
  {
    name: 'directories: with a slash behind',
    script: 'yield File.read("sub/d.txt"); ' + attempt('File.read("a.txt")'),
    file: { allowedDirectories: ['$/sub/'] },
    gives: ['delta', denies('read', outside)],
  },
  {
    name: 'directories: relative ones begin at the base',
    script: 'yield File.read("sub/d.txt"); ' + attempt('File.read("a.txt")'),
    file: { allowedDirectories: ['sub'] },
    gives: ['delta', denies('read', outside)],
  },
  {
    name: 'directories: one that is missing allows nothing',
    script: attempt('File.read("a.txt")'),
    file: { allowedDirectories: ['$/none'] },
    gives: [denies('read', outside)],
  },
  {
    name: 'directories: a file is none',
    script: attempt('File.read("a.txt")'),
    file: { allowedDirectories: ['$/a.txt'] },
    gives: [denies('read', outside)],
  },
  {
    name: 'directories: a name that begins with dots',
    script: 'File.createDir("..foo"); File.write("..foo/x", "in"); yield File.read("..foo/x");',
    file: inRoot,
    gives: ['in'],
  },

  {
    name: 'extensions: with a dot, in any case',
    script: 'yield File.read("a.txt"); yield File.read("b.TXT");',
    file: { allowedExtensions: ['.TxT'] },
    gives: ['alpha', 'beta'],
  },
  {
    name: 'extensions: the last one counts',
    script: 'yield File.read("c.tar.gz");',
    file: { allowedExtensions: ['gz'] },
    gives: ['gz'],
  },
  {
    name: 'extensions: one with a dot inside is a bad grant',
    script: attempt('File.read("c.tar.gz")'),
    file: { allowedExtensions: ['tar.gz'] },
    gives: [denies('read', deniedPlain)],
  },
  {
    name: 'extensions: names that only look like it',
    script: ['.txt', 'dot.txt.', 'space.txt '].map((path) => attempt(`File.read("${path}")`)).join(' '),
    file: { allowedExtensions: ['txt'] },
    gives: [denies('read', extensions), denies('read', extensions), denies('read', extensions)],
  },
  {
    name: 'extensions: of where a link leads',
    script: attempt('File.read("to-x.txt")').replace('to-x', 'to-a') + attempt('File.read("sub/up.txt")'),
    file: { allowedExtensions: ['txt'] },
    gives: ['done', 'done'],
  },

  {
    name: 'maxBytes: exactly as many',
    script: 'yield File.read("a.txt"); File.write("w.txt", "ééx"); yield File.read("w.txt");',
    file: { maxBytes: 5 },
    gives: ['alpha', 'ééx'],
  },
  {
    name: 'maxBytes: bytes, not characters',
    script: attempt('File.write("w.txt", "ééé")') + ' yield File.exists("w.txt");',
    file: { maxBytes: 5 },
    gives: [denies('write', 'larger than maxBytes'), 'false'],
  },
  {
    name: 'maxBytes: a larger file is not cut',
    script: attempt('File.read("a.txt")'),
    file: { maxBytes: 4 },
    gives: [denies('read', 'larger than maxBytes')],
  },
  {
    name: 'maxBytes: an append counts what is there',
    script: 'File.append("a.txt", "!"); ' + attempt('File.append("a.txt", "!")') + ' yield File.read("a.txt");',
    file: { maxBytes: 6 },
    gives: [denies('append', 'larger than maxBytes'), 'alpha!'],
  },
  {
    name: 'maxBytes: nought',
    script: 'File.write("w.txt", ""); ' + attempt('File.write("w.txt", "x")'),
    file: { maxBytes: 0 },
    gives: [denies('write', 'larger than maxBytes')],
  },

  {
    name: 'rewrittenPath: for reading and writing',
    script: 'File.write("whatever", "x"); yield File.read("/etc/passwd"); ',
    file: { rewrittenPath: '$/sub/d.txt', allowedDirectories: ['$/sub'] },
    gives: ['x'],
  },
  {
    name: 'rewrittenPath: is what the directories hold for',
    script: attempt('File.read("a.txt")'),
    file: { rewrittenPath: '$/../contract-secret/k.txt', allowedDirectories: ['$'] },
    gives: [denies('read', outside)],
  },
  {
    name: 'rewrittenPath: is what the extensions hold for',
    script: attempt('File.read("a.txt")'),
    file: { rewrittenPath: '$/no-extension', allowedExtensions: ['txt'] },
    gives: [denies('read', extensions)],
  },
  {
    name: 'rewrittenPath: is absolute',
    script: attempt('File.write("a.txt", "x")') + ' ',
    file: { rewrittenPath: 'rel/x' },
    gives: [denies('write', deniedPlain)],
  },
  {
    name: 'rewrittenPath: messages name the path of the script',
    script: attempt('File.read("mine.txt")'),
    file: { rewrittenPath: '$/none/none.txt' },
    gives: [fails('mine.txt', 'read', 'there is no such file or directory')],
  },

  {
    name: 'large files',
    script:
      'string s = "0123456789abcdef".repeat(40000); File.write("big.txt", s); yield File.read("big.txt") == s; ' +
      'File.append("big.txt", s); yield File.read("big.txt").length(); yield File.metadata("big.txt").size;',
    gives: ['true', '1280000', '1280000'],
  },
  {
    name: 'many calls in a loop',
    script:
      'int n = 0; for (int i = 0; i < 300; i++) { File.write("n.txt", `${i}`); ' +
      'n += File.read("n.txt").toInt(-1); } yield n;',
    gives: ['44850'],
  },

  {
    name: 'Env: what is set, and what is not',
    script: 'yield Env.get("HOME"); yield Env.get("EMPTY").length(); yield Env.get("NONE") == null;',
    env: {},
    gives: ['/home/ada', '0', 'true'],
  },
  {
    name: 'Env: nothing of JavaScript',
    script:
      'foreach (string name in ["toString", "__proto__", "constructor", "hasOwnProperty", "length", ' +
      '"size"]) yield Env.get(name) == null;',
    env: {},
    gives: Array.from({ length: 6 }, () => 'true'),
  },
  {
    name: 'Env: denied',
    script: 'Env.get("HOME")',
    env: null,
    gives: [`SecurityError: Env.get denied: ${deniedPlain}`],
  },
  {
    name: 'Env: allowed names',
    script: 'yield Env.get("HOME"); yield Env.system("os.arch") == null; yield Env.get("EMPTY");',
    env: { allowedVarNames: ['HOME'] },
    gives: ['/home/ada', 'SecurityError: Env.system denied: the property is outside allowedVarNames'],
  },
  {
    name: 'Env: no names',
    script: 'Env.get("HOME")',
    env: { allowedVarNames: [] },
    gives: ['SecurityError: Env.get denied: the name is outside allowedVarNames'],
  },
  {
    name: 'Env: properties that are not for scripts',
    script:
      'foreach (string name in ["user.dir", "execPath", "env", "mainModule", "toString", "__proto__"]) yield ' +
      'Env.system(name) == null;',
    env: {},
    gives: Array.from({ length: 6 }, () => 'true'),
  },
  {
    name: 'Env: names that cannot be',
    script:
      'foreach (string name in ["A=B", "", "A\\u{0}B", "x".repeat(257)]) { try { Env.get(name); } ' +
      'catch (SecurityError e) { yield e; } }',
    env: {},
    gives: [
      'the name holds =',
      'the name is empty',
      'the name holds a control character',
      'the name is longer than 256 characters',
    ].map((what) => `Env.get denied: ${what}`),
  },
];

/** The files in memory, anew for each row. */
export function makeMemoryPlace(): ContractPlace & { readonly platform: MemoryPlatform } {
  const root = '/place/contract';
  const inPlace = <Content>([path, content]: readonly [string, Content]): [string, Content] => [
    `${root}/${path}`,
    content,
  ];
  const platform = createMemoryPlatform({
    baseDir: root,
    files: Object.fromEntries(
      Object.entries(contractFiles)
        .filter(([path]) => !path.endsWith('/'))
        .map(inPlace),
    ),
    directories: Object.keys(contractFiles)
      .filter((path) => path.endsWith('/'))
      .map((path) => `${root}/${path}`),
    links: Object.fromEntries(Object.entries(contractLinks).map(([path, target]) => [`${root}/${path}`, target])),
  });
  return { root, options: { platform }, platform };
}

/** What the script of a row hands out there. */
export async function runContractRow(row: ContractRow, { root, options }: ContractPlace): Promise<string[]> {
  const inPlace = (text: string): string => text.replaceAll('$', root);
  const source = /^[^;]*$/.test(row.script) ? `yield ${row.script};` : row.script;
  const { artifact, diagnostics } = await compile('contract.slu', source.replaceAll(/\$(?=\/)/g, root));
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const constraints: Readonly<Record<string, object | null | undefined>> = { File: row.file, Env: row.env };
  const answer = (namespace: string): PermissionAnswer => {
    const given = constraints[namespace];
    if (given === null) return Denied();
    if (given === undefined) return Granted;
    const placed = JSON.parse(inPlace(JSON.stringify(given))) as object;
    return namespace === 'File' ? FileGrant(placed as FileConstraints) : EnvGrant(placed as EnvConstraints);
  };
  const script = await loadScript(artifact.wasm, {
    environment: { HOME: '/home/ada', EMPTY: '' },
    permissions: ({ kind }) => answer(kind.split('.')[0]!),
    ...options,
  });
  const given: string[] = [];
  try {
    await script.run().forEach((_value, text) => given.push(text()));
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    given.push(`${error.name}: ${error.message}`);
  }
  return given;
}
