// What the native C and the C as wasm have in common: clang, and its flags. CC_CLANG names another program.

export const clang = process.env['CC_CLANG'] ?? 'clang';

/** Loops that copy a few elements stay loops: a call would cost more. */
export const copyingLoops: readonly string[] = ['-fno-builtin-memcpy', '-fno-builtin-memmove'];
