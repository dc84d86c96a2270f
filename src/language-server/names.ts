// Names of files and the URIs that a client calls them by. A file of the disk is named by its path, with forward
// slashes, as diagnostics and imports say it; everything else is named by its URI. Works without any platform.

import { resolvePath } from '../source-reader.ts';

/** The name of what a URI means; the URI itself where it is no file of this machine. */
export function nameOfUri(uri: string): string {
  const path = /^file:\/\/(?:localhost)?(\/[^?#]*)/i.exec(uri)?.[1];
  if (path === undefined) return uri;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // A stray percent sign: the client did not encode it.
    decoded = path;
  }
  // Drives of Windows: VS Code writes them small, others do not.
  return decoded.replace(/^\/([A-Za-z]):/, (_, drive: string) => `${drive.toLowerCase()}:`);
}

/** The URI of a name that `nameOfUri` gave, or of a path that was read. */
export function uriOfName(name: string): string {
  if (isUri(name)) return name;
  const path = name.replaceAll('\\', '/');
  const encoded = path
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return `file://${path.startsWith('/') ? '' : '/'}${encoded}`;
}

/** A drive is one letter, which no scheme is. */
export function isUri(name: string): boolean {
  return /^[A-Za-z][\w+.-]+:/.test(name);
}

/** The name that an import means: relative to the file that holds it. */
export function resolveName(path: string, importer: string): string {
  if (!isUri(importer)) return resolvePath(path, importer.replaceAll('\\', '/'));
  const [, prefix = '', rest = ''] = /^([A-Za-z][\w+.-]+:(?:\/\/[^/]*)?)(.*)$/s.exec(importer) ?? [];
  const resolved = resolvePath(path.split('/').map(encodeURIComponent).join('/'), rest);
  return prefix + resolved;
}

/** The last part of a name. */
export function baseName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^.*\//s, '');
}

/** The folder of a file, without a slash at its end. */
export function folderOf(name: string): string {
  const path = name.replaceAll('\\', '/');
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0)) || '/';
}

/** Scripts end in `.slu`: nothing else is read, since diagnostics show lines of what is. */
export function isScriptName(name: string): boolean {
  return name.toLowerCase().endsWith('.slu');
}
