// How the engine compiles modules of Sluice: with its builtins for strings, and with string constants as imports.

import { stringConstantsModule } from '../../src/abi/imports.ts';

export const compileOptions: WebAssembly.CompileOptions = {
  builtins: ['js-string'],
  importedStringConstants: stringConstantsModule,
};
