// The words of the language by what they are painted as. A test compares them with those of the compiler.

export const control: readonly string[] =
  'if else while do for foreach in return yield break continue try catch throw'.split(' ');
export const declaring: readonly string[] = ['type', 'import', 'export', 'new', 'const', 'as', 'main'];
export const constants: readonly string[] = ['null', 'true', 'false'];
export const types: readonly string[] = ['int', 'double', 'boolean', 'string', 'json', 'void'];
export const namespaces: readonly string[] = ['File', 'Http', 'Env', 'Math', 'Date', 'Json'];
