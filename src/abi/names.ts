// How the functions and globals of a program are called inside a module: those of its own file by their name, those of
// an imported file by `file#name`. The host reads from such a name in a stack which file a frame belongs to.

/** The names in the module of the entry's function and of the function that sets the globals. */
export const entryName = '$entry';
export const initialiserName = '$initialise';

/** The name of a loop that became a function is the name of its function, this suffix and a number. */
export const outlinedSuffix = '$loop';

/** The name in the module of the declaration with this id, `file#name`. */
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
 * The parts of a function's name in a module. The file is escaped; it is empty for the program's own file, and for
 * functions that the emitter makes, `$…`.
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

/** The name of the function that calls another one again and again until that one has ended. */
export function nameOfResumption(wasmName: string): string {
  return resumption + wasmName;
}

export function isResumption(wasmName: string): boolean {
  return wasmName.startsWith(resumption);
}
