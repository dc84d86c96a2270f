// From the flags of the command line to what they allow and limit, checked. A flag that cannot mean anything is a
// wrong use, and is answered before the script begins.

import type { FileConstraints, HttpConstraints } from '../../../runtime-host/node.ts';
import { valueOf } from '../command.ts';
import type { CommandInput } from '../command.ts';
import { UsageError } from '../exit.ts';
import { readDirectory, readDomainName, readExtensions, readPlugin, readPorts, readProperty, readSize, readTimeout, readVariable } from './flag-values.ts';
import type { Complain } from './flag-values.ts';

export type FileVerb = 'read' | 'write';
export type HttpVerb = 'get' | 'post' | 'put' | 'delete';

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
    variables: all('allow-env', readVariable),
    properties: all('allow-system', readProperty),
    plugins: all('allow-plugin', readPlugin),
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
