// Values of options that commands of sluice-map share.

import type * as SluiceMap from '../../map/index.ts';
import { readByteSize } from '../../runtime-host/permissions/command-line/byte-size.ts';
import { quote } from '../language/quoted-text.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { UsageError } from './exit.ts';
import { decodeText, readBytes } from './files.ts';
import { mapPermissionNames } from './map-options.ts';

/** A whole number; undefined where the option is not given. Throws UsageError. */
export function readCount(input: CommandInput, command: string, option: string): number | undefined {
  const text = valueOf(input, option);
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`--${option} takes a whole number, not ${quote(text)}`, command);
}

/** `--max-errors`, as `map` reads it. Throws UsageError. */
export function readShare(input: CommandInput, map: typeof SluiceMap): SluiceMap.MaxErrors | undefined {
  const text = valueOf(input, 'max-errors');
  if (text === undefined) return undefined;
  const share = map.readMaxErrors(text);
  if (share !== null) return share;
  throw new UsageError(`--max-errors takes a whole number, or a share such as 1%, not ${quote(text)}`, 'map');
}

/** `--max-time` and `--max-memory`. Throws UsageError. */
export function readLimits(input: CommandInput, command: string): SluiceMap.MapOptions['limits'] & object {
  const time = valueOf(input, 'max-time');
  const memory = valueOf(input, 'max-memory');
  if (time !== undefined && !(/^\d+(\.\d+)?$/.test(time) && Number(time) < 1e9))
    throw new UsageError(`--max-time takes a number of seconds, not ${quote(time)}`, command);
  const bytes = memory === undefined ? undefined : readByteSize(memory);
  if (bytes === null)
    throw new UsageError(
      `--max-memory takes a number of bytes, or a size such as 64MiB, not ${quote(memory!)}`,
      command,
    );
  return {
    ...(time === undefined ? {} : { timeMs: Number(time) * 1000 }),
    ...(bytes === undefined ? {} : { memoryBytes: bytes }),
  };
}

/** Where the queue is: an address, or `@PATH` of a file with it, since an address may have a password in it. */
export function readQueue(input: CommandInput, command: string): string | undefined {
  const text = valueOf(input, 'queue');
  if (text?.startsWith('@') !== true) return text;
  const path = text.slice(1);
  const address = decodeText(path, readBytes(path)).trim();
  if (address === '') throw new UsageError(`--queue: ${path} is empty`, command);
  return address;
}

/** `PORT`, of this machine alone, or `HOST:PORT`. Throws UsageError. */
export function readAddress(input: CommandInput, command: string, option: string): SluiceMap.Address | undefined {
  const text = valueOf(input, option);
  if (text === undefined) return undefined;
  const [, host = '127.0.0.1', port] = /^(?:\[?([^[\]]+?)\]?:)?(\d{1,5})$/.exec(text) ?? [];
  if (port !== undefined && Number(port) < 65_536) return { host, port: Number(port) };
  throw new UsageError(`--${option} takes a port such as 9100, or 0.0.0.0:9100, not ${quote(text)}`, command);
}

/** The flags that say what scripts may reach. */
export function readPermissions({ values, switches }: CommandInput): SluiceMap.Permissions {
  const given: [string, true | readonly string[]][] = [];
  for (const name of mapPermissionNames) {
    // A denying flag without a value denies all that it could name.
    if (switches.has(name)) given.push([name, true]);
    else if (values.has(name)) given.push([name, values.get(name)!]);
  }
  return Object.fromEntries(given);
}
