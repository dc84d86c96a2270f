// The flag of the command line that allows what a call asks for, as narrow as the text of the script lets it be.

/** The text that an argument is, or begins with. */
interface Beginning {
  readonly text: string;
  readonly isWhole: boolean;
}

interface FlagOf {
  readonly flag: string;
  /** What help calls its value. */
  readonly value: string;
  /** The value for an argument; null where its text does not say enough. */
  readonly narrow: (beginning: Beginning) => string | null;
}

/** The folder of a file, which must be written as a whole. */
function folderOf({ text, isWhole }: Beginning): string | null {
  const end = text.lastIndexOf('/');
  if (end < 0) return isWhole && text !== '' ? '.' : null;
  return end === 0 ? '/' : text.slice(0, end);
}

/** A folder that is listed or made is the one that is allowed. */
function wholeFolder(beginning: Beginning): string | null {
  return beginning.isWhole && beginning.text !== '' ? beginning.text.replace(/(?<=.)\/$/, '') : folderOf(beginning);
}

function hostOf({ text, isWhole }: Beginning): string | null {
  const [, host, behind] = /^https?:\/\/(?:[^/@?#]*@)?([^/:?#]+)([/:?#]?)/i.exec(text) ?? [];
  return host === undefined || (behind === '' && !isWhole) ? null : host.toLowerCase();
}

function nameOf({ text, isWhole }: Beginning): string | null {
  return isWhole && text !== '' ? text : null;
}

const reads: FlagOf = { flag: 'allow-file-read', value: 'DIR', narrow: folderOf };
const writes: FlagOf = { flag: 'allow-file-write', value: 'DIR', narrow: folderOf };
const requests = (method: string): FlagOf => ({ flag: `allow-http-${method}`, value: 'DOMAIN', narrow: hostOf });

/** By permission; a test compares them with those of the library, and with the flags that the command has. */
export const flagsOfPermissions: Readonly<Record<string, FlagOf>> = {
  'File.Read': reads,
  'File.Exists': reads,
  'File.Metadata': reads,
  'File.List': { ...reads, narrow: wholeFolder },
  'File.Write': writes,
  'File.Append': writes,
  'File.Delete': writes,
  'File.CreateDir': { ...writes, narrow: wholeFolder },
  'Http.Get': requests('get'),
  'Http.Post': requests('post'),
  'Http.Put': requests('put'),
  'Http.Delete': requests('delete'),
  'Env.Get': { flag: 'allow-env', value: 'NAME', narrow: nameOf },
  'Env.System': { flag: 'allow-system', value: 'PROPERTY', narrow: nameOf },
};

/** `--allow-file-read=data`; with the name of the value, `DIR`, where the script does not say it. */
export function flagFor(permission: string, beginning: Beginning | null): string {
  const row = flagsOfPermissions[permission];
  if (row === undefined) return '--allow-all';
  const value = beginning === null ? null : row.narrow(beginning);
  return `--${row.flag}=${value ?? row.value}`;
}
