// What the files of the page are called, by compiler, host and language server alike.

/** The folder in which scripts are, and all their files. */
export const home = '/home';
/** The script that is in the editor, from that folder. */
export const scriptName = 'playground.slu';

/** The address of a file, by which the language server knows it. */
export function uriOf(path: string): string {
  return `file://${home}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The path, from the folder of scripts, of a file with such an address. */
export function pathOf(uri: string): string {
  return decodeURIComponent(uri.slice(uriOf('').length));
}
