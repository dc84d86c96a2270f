// How the functions and globals of a program are called inside a module: those of its own file by their name, those of
// an imported file by `file#name`. Stacks tell by it which file a frame belongs to.

/** The names in the module of the functions that hold the entry and what sets the globals. */
export const entryName = '$entry';
export const initialiserName = '$initialise';

/** Stands between the name of a function and a number: the name of one of its loops that became a function. */
export const outlinedSuffix = '$loop';

/** The name in the module of what has this id, `file#name`. */
export function nameInModule(id: string): string {
  const at = id.lastIndexOf('#');
  return at <= 0 ? id.slice(at + 1) : `${escapeFile(id.slice(0, at))}#${id.slice(at + 1)}`;
}

/**
 * A file's name with characters that could be misread in the engine's stacks written as `%` and four hexadecimal
 * digits.
 */
export function escapeFile(file: string): string {
  return file.replace(/[^\w./-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The parts of a function's name in a module; the file, escaped, is empty for the program's own, and for what the
 * emitter makes, `$…`.
 */
export function splitFunctionName(name: string): { readonly file: string; readonly name: string } {
  const at = name.startsWith('$') ? -1 : name.indexOf('#');
  return { file: name.slice(0, Math.max(at, 0)), name: name.slice(at + 1) };
}

/** The name of the function whose outlined loop has this name; null for any other name. */
export function functionOfOutlined(wasmName: string): string | null {
  const at = wasmName.lastIndexOf(outlinedSuffix);
  return at <= 0 ? null : wasmName.slice(0, at);
}

const resumption = '$resume:';

/** The name of what calls a function again and again until it has come to its end. */
export function nameOfResumption(wasmName: string): string {
  return resumption + wasmName;
}

export function isResumption(wasmName: string): boolean {
  return wasmName.startsWith(resumption);
}
