// Mistakes with imports.

import { fault } from '../fault.ts';

/** What the examples import. */
export const geometryFile = { 'geometry.slu': 'double square(double x) { return x * x; }' };

export const importFaults = {
  importFails: fault<{ readonly path: string; readonly reason: string }>({
    code: 'E2070',
    message: ({ path, reason }) => `cannot import "${path}": ${reason}`,
    help: 'The path is relative to the file that holds the import.',
    explanation:
      'An import names a file by its path, relative to the folder of the file in which the import stands, ' +
      'so that a folder of scripts can be moved as a whole. The reason behind the colon is what the reader of ' +
      'files said. Imports are found when the script is compiled; nothing is read while it runs.',
    wrong: 'import "missing.slu" as lib;\nmain() { return lib.f(); }',
    right: 'import "geometry.slu" as geometry;\nmain() { return geometry.square(2.0); }',
    files: geometryFile,
  }),
  importCycle: fault<{ readonly names: readonly string[] }>({
    code: 'E2071',
    message: ({ names }) => `files import each other in a circle: ${names.join(' -> ')}`,
    help: 'Move what both need into a file of its own, which both import.',
    explanation:
      'Global variables are set up with imported files first, and in a circle no file would be first. ' +
      'So no file may import itself, directly or through others. What two files need of each other goes into a ' +
      'third that both import.',
    wrong: 'import "self.slu" as self;\nmain() { return 1; }',
    right: 'import "geometry.slu" as geometry;\nmain() { return geometry.square(2.0); }',
    files: { ...geometryFile, 'self.slu': 'import "self.slu" as self;\nint one() { return 1; }' },
  }),
  noReader: fault<object>({
    code: 'E2072',
    message: () => 'this import cannot be followed: the compiler was given nothing to read other files with',
    help: 'Whoever calls the compiler hands it a reader: compile(name, text, { reader }).',
    explanation:
      'The compiler reads no files by itself. The command line gives it those beside the script; ' +
      'a program that calls the compiler says where imported texts come from.',
    wrong: 'import "geometry.slu" as geometry;\nmain() { return geometry.square(2.0); }',
    right: 'double square(double x) { return x * x; }\nmain() { return square(2.0); }',
  }),
  notInImport: fault<{ readonly alias: string; readonly name: string; readonly what: string }>({
    code: 'E2073',
    message: ({ alias, name, what }) => `the file that is called ${alias} here has no ${what} '${name}'`,
    help: null,
    explanation:
      'Behind the name of an import stand the types, functions and global variables which that file declares ' +
      'itself. What it imports in turn is not visible: import that file too. Upper and lower case count.',
    wrong: 'import "geometry.slu" as geometry;\nmain() { return geometry.cube(2.0); }',
    right: 'import "geometry.slu" as geometry;\nmain() { return geometry.square(2.0); }',
    files: geometryFile,
  }),
};
