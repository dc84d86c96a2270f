// How the engine compiles modules of Sluice: with its functions on strings, and with texts as the names of imports.

import { stringConstantsModule } from '../../src/abi/imports.ts';

export const compileOptions: WebAssembly.CompileOptions = {
  builtins: ['js-string'],
  importedStringConstants: stringConstantsModule,
};
