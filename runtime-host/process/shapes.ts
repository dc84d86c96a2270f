// Checks the messages of a process before they are used: code that has escaped from a script there can send anything.

import { limitKinds } from '../limits/options.ts';
import { longestCause } from '../worker/errors.ts';
import { workerVersion } from '../worker/messages.ts';
import type { FromWorker } from '../worker/messages.ts';
import { unitsOfText } from '../worker/packing.ts';
import { otherVersion } from '../worker/worker-file.ts';
import { WireError } from './wire.ts';

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isAmount: Check = (value) => typeof value === 'number' && value >= 0 && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shortText =
  (most: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= most;

/** An object with exactly these fields. */
const record = (fields: Readonly<Record<string, Check>>): Check => {
  const names = Object.keys(fields);
  return (value) => {
    const given = fieldsOf(value);
    return (
      given !== null &&
      Object.keys(given).length === names.length &&
      names.every((name) => Object.hasOwn(given, name) && fields[name]!(given[name]))
    );
  };
};

/** One of these objects, by its kind. */
const oneOf = (kinds: Readonly<Record<string, Readonly<Record<string, Check>>>>): Check => {
  const checks = new Map(Object.entries(kinds).map(([kind, fields]) => [kind, record({ kind: isText, ...fields })]));
  return (value) => checks.get(fieldsOf(value)?.['kind'] as string)?.(value) === true;
};

/** The fields of an object as the reader of messages makes it. */
function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
    ? (value as Fields)
    : null;
}

const isNote = record({
  isJson: isFlag,
  exceptions: orNull((value) => value instanceof Set && [...value].every((one) => isText(one) || isCount(one))),
  keys: orNull(listOf(isText)),
});

const isPacked: Check = (value) => sizeOfPacked(value) !== null;

/** The units of a packed value, as `packValue` counts them; null if the value is not packed. */
function sizeOfPacked(value: unknown): number | null {
  if (typeof value === 'string') return 1 + unitsOfText(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Float64Array || value instanceof BigInt64Array) return 1 + value.length;
  if (Array.isArray(value))
    return value.every((item) => typeof item !== 'object' || item === null) ? sizeOfItems(value) : null;
  const fields = fieldsOf(value);
  if (fields === null || Object.keys(fields).length !== 3 || !('keys' in fields) || !('note' in fields)) return null;
  const { keys, items, note } = fields;
  if (!Array.isArray(items) || !(note === null || isNote(note))) return null;
  if (keys !== null && !(listOf(isText)(keys) && (keys as readonly unknown[]).length === items.length)) return null;
  const size = sizeOfItems(items);
  return size === null || keys === null
    ? size
    : (keys as readonly string[]).reduce((sum, key) => sum + unitsOfText(key), size);
}

function sizeOfItems(items: readonly unknown[]): number | null {
  let size = 1;
  for (const item of items) {
    const one = sizeOfPacked(item);
    if (one === null) return null;
    size += one;
  }
  return size;
}

const isLocation = record({ file: isText, line: isCount, column: isCount, function: isText });
const areFrames: Check = (value) => listOf(isLocation)(value) && (value as readonly unknown[]).length <= mostFrames;
const mostFrames = 1_000;

const isError = oneOf({
  script: { name: shortText(200), message: isText, frames: areFrames, yields: listOf(isPacked) },
  host: {
    message: isText,
    cause: orNull(record({ name: shortText(longestCause), message: shortText(longestCause) })),
  },
  abort: { message: isText },
  internal: { what: isText, frames: areFrames },
});

const isEnd = oneOf({
  run: { result: orNull(record({ value: isPacked, printsAsJson: isFlag })) },
  call: { call: record({ value: isPacked, yields: listOf(isPacked) }) },
  failed: { error: isError },
});

/** The room may be infinite. */
const isRoomFor: Check = (value) => typeof value === 'number' && value >= 0;
const isRoom = record({ inputBytes: isRoomFor, writtenBytes: isRoomFor, requests: isRoomFor });

const isMessage = oneOf({
  ready: { version: (value) => value === workerVersion, heapBytes: orNull(isAmount) },
  begun: {},
  yield: { value: isPacked, printsAsJson: isFlag, units: isCount },
  ask: {
    called: shortText(500),
    values: (value) => listOf(isPacked)(value) && (value as readonly unknown[]).length <= mostArguments,
    room: orNull(isRoom),
  },
  ended: {
    end: isEnd,
    instantiateMs: isAmount,
    runMs: isAmount,
    fuelUsed: orNull(isAmount),
    goesOn: isFlag,
    heapBytes: orNull(isAmount),
  },
});
const mostArguments = 255;

const isRequest = record({
  kind: (value) => (limitKinds as readonly unknown[]).includes(value),
  used: isAmount,
  limit: isAmount,
  times: isCount,
});

/** Throws WireError for an invalid message, HostError for a message of a process of another version. */
export function checkMessage(message: unknown): FromWorker {
  if (!isMessage(message))
    throw fieldsOf(message)?.['kind'] === 'ready'
      ? otherVersion()
      : new WireError('a message is none of those that there are');
  const checked = message as FromWorker;
  if (checked.kind === 'yield' && checked.units < sizeOfPacked(checked.value)!)
    throw new WireError('a value is said to be smaller than it is');
  if (checked.kind === 'ask' && checked.called === 'giveUp' && !isRefusal(checked.values))
    throw new WireError('a refusal is none');
  if (checked.kind === 'ask' && checked.called === 'onLimit' && !isLimitRequest(checked.values))
    throw new WireError('a question about a limit is none');
  return checked;
}

const isFailure = (value: unknown): boolean =>
  record({ error: isText, message: shortText(200) })(value) ||
  record({ error: isText, message: shortText(200), endsRun: isFlag })(value);

function isRefusal([text]: readonly unknown[]): boolean {
  try {
    return typeof text === 'string' && isFailure(Object.setPrototypeOf(JSON.parse(text), null));
  } catch {
    return false;
  }
}

function isLimitRequest([text]: readonly unknown[]): boolean {
  try {
    return typeof text === 'string' && isRequest(Object.setPrototypeOf(JSON.parse(text), null));
  } catch {
    return false;
  }
}
