// From the flags of the command line to what they allow and limit, checked. A flag that cannot mean anything is a
// wrong use, and is answered before the script begins.

import type { FileConstraints, HttpConstraints } from '../../../runtime-host/api/node.ts';
import { valueOf } from '../command.ts';
import type { CommandInput } from '../command.ts';
import { UsageError } from '../exit.ts';
import { readDeniedPlaces, readDirectory, readDomainName, readExtensions, readPlugin, readPorts, readProperty, readSize, readTimeout, readVariable } from './flag-values.ts';
import type { Complain } from './flag-values.ts';
import { showFlag } from './show.ts';

export type FileVerb = 'read' | 'write';
export type HttpVerb = 'get' | 'post' | 'put' | 'delete';

/** What one flag names: a place, a host, a name. */
export interface Denied {
  /** As it was given: `--deny-env=HOME`. */
  readonly flag: string;
  readonly value: string;
}

/** What the flags deny of one kind of request. */
export interface DenyList {
  /** The flag without a value, which denies the whole kind; null if it is not given. */
  readonly all: string | null;
  readonly items: readonly Denied[];
}

export interface PermissionFlags {
  readonly allowAll: boolean;
  readonly mayPrompt: boolean;
  /** Real paths of the directories, which exist. */
  readonly directories: Readonly<Record<FileVerb, readonly string[]>>;
  readonly fileLimits: FileConstraints;
  /** As allowedDomains takes them. */
  readonly domains: Readonly<Record<HttpVerb, readonly string[]>>;
  readonly httpLimits: HttpConstraints;
  readonly variables: readonly string[];
  readonly properties: readonly string[];
  /** `db:query` */
  readonly plugins: readonly string[];
  /** By what requests are about; `http` is what is denied for all methods, which is in those of each method too. */
  readonly denied: Readonly<Record<FileVerb | HttpVerb | 'http' | 'variables' | 'properties' | 'plugins', DenyList>>;
}

/** Throws UsageError. Directories begin at `baseDir`. */
export function readFlags(input: CommandInput, command: string, baseDir: string): PermissionFlags {
  const all = <Value>(option: string, read: (value: string, complain: Complain) => Value): readonly Value[] =>
    (input.values.get(option) ?? []).map((value) => read(value, complainer(option, command)));
  const one = <Value>(option: string, read: (value: string, complain: Complain) => Value): Value | undefined => {
    const value = valueOf(input, option);
    return value === undefined ? undefined : read(value, complainer(option, command));
  };
  const directories = (option: string): readonly string[] => all(option, (value, complain) => readDirectory(value, baseDir, complain));
  const domains = (option: string): readonly string[] => all(option, readDomainName);
  const bothWays = directories('allow-file');
  const anyMethod = domains('allow-http');
  const deny = (option: string, read: (value: string, complain: Complain) => string | readonly string[]): DenyList => ({
    all: input.switches.has(option) ? `--${option}` : null,
    items: (input.values.get(option) ?? []).flatMap((given) => [read(given, complainer(option, command))].flat().map((value) => ({ flag: showFlag(`--${option}=${given}`), value }))),
  });
  const together = (...lists: readonly DenyList[]): DenyList => ({ all: lists.find(({ all: flag }) => flag !== null)?.all ?? null, items: lists.flatMap(({ items }) => items) });
  const denyPlaces = (option: string): DenyList => deny(option, (value, complain) => readDeniedPlaces(value, baseDir, complain));
  const denyHosts = (option: string): DenyList => deny(option, readDomainName);
  const noFiles = denyPlaces('deny-file');
  const noHttp = denyHosts('deny-http');
  const auditFile = valueOf(input, 'audit');
  const ownFiles: DenyList = { all: null, items: auditFile === undefined || auditFile === '' ? [] : readDeniedPlaces(auditFile, baseDir, complainer('audit', command)).map((value) => ({ flag: '--audit', value })) };
  return {
    allowAll: input.switches.has('allow-all'),
    mayPrompt: !input.switches.has('no-prompt'),
    directories: { read: [...directories('allow-file-read'), ...bothWays], write: [...directories('allow-file-write'), ...bothWays] },
    fileLimits: given({
      allowedExtensions: one('file-extensions', readExtensions),
      maxBytes: one('file-max-bytes', readSize),
      readOnly: input.switches.has('file-read-only') ? true : undefined,
    }),
    domains: {
      get: [...domains('allow-http-get'), ...anyMethod],
      post: [...domains('allow-http-post'), ...anyMethod],
      put: [...domains('allow-http-put'), ...anyMethod],
      delete: [...domains('allow-http-delete'), ...anyMethod],
    },
    httpLimits: given({
      allowedPorts: one('http-ports', readPorts),
      httpsOnly: input.switches.has('https-only') ? true : undefined,
      timeoutMs: one('http-timeout-ms', readTimeout),
      maxResponseSize: one('http-max-bytes', readSize),
    }),
    variables: all('allow-env', (value, complain) => readVariable(value, complain)),
    properties: all('allow-system', readProperty),
    plugins: all('allow-plugin', readPlugin),
    denied: {
      read: together(denyPlaces('deny-file-read'), noFiles, ownFiles),
      write: together(denyPlaces('deny-file-write'), noFiles, ownFiles),
      get: together(denyHosts('deny-http-get'), noHttp),
      post: together(denyHosts('deny-http-post'), noHttp),
      put: together(denyHosts('deny-http-put'), noHttp),
      delete: together(denyHosts('deny-http-delete'), noHttp),
      http: noHttp,
      variables: deny('deny-env', (value, complain) => readVariable(value, complain, '--deny-env')),
      properties: deny('deny-system', readProperty),
      plugins: deny('deny-plugin', readPlugin),
    },
  };
}

/** Without the properties that are undefined. */
function given<Properties extends object>(properties: Properties): { [Name in keyof Properties]?: Exclude<Properties[Name], undefined> } {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as never;
}

function complainer(option: string, command: string): Complain {
  return (what) => {
    throw new UsageError(`--${option} ${what}`, command);
  };
}
