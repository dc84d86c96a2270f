// The name that a file gets where an import of it is written for the user.

import { keywords } from './keywords.ts';

/** The file's name without its ending, as an identifier; with a number behind it where that is taken. */
export function importAlias(path: string, isTaken: (alias: string) => boolean = () => false): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word, at) => (at === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('');
  const wanted = /^[A-Za-z_]/.test(joined) ? joined : `file${joined}`;
  let alias = wanted;
  for (let number = 2; keywords.includes(alias) || isTaken(alias); number++) alias = `${wanted}${number}`;
  return alias;
}
