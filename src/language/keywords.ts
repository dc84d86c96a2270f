// The words of the language that cannot be names. The grammar has them too; a test compares the two.

export const keywords: readonly string[] = [
  'type', 'if', 'else', 'while', 'do', 'for', 'foreach', 'in', 'return', 'yield', 'break', 'continue', 'try', 'catch', 'throw', 'import', 'export',
  'new', 'const', 'as', 'null', 'true', 'false', 'int', 'double', 'boolean', 'string', 'json', 'void', 'main',
];
