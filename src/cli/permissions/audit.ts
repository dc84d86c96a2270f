// `--audit`: logs what a script asked for and how it was answered, a line of JSON for each decision, written at once.
// The file belongs to the caller; lines are only appended, and stay however the run ends.

import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { inspect } from 'node:util';
import type { PermissionDecision } from '../../../runtime-host/api/node.ts';
import { escapeControls } from '../../diagnostics/display.ts';
import { quote } from '../../language/quoted-text.ts';
import { UsageError } from '../exit.ts';
import { doubtOfFile } from '../own-files.ts';

export interface Audit {
  /** Writes a decision; `why` adds a reason that the host does not know. Never throws. */
  readonly note: (decision: PermissionDecision, why: string | null) => void;
  readonly close: () => void;
}

const { O_APPEND, O_CREAT, O_RDWR } = constants;
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as { readonly O_NOFOLLOW?: number; readonly O_NONBLOCK?: number };
const longestText = 4_096;
const longestLine = 65_536;

/**
 * Throws UsageError if the file cannot be written, or if others could write to it. `complain` takes a line when the
 * file cannot be written any more.
 */
export function openAudit(path: string, script: string, complain: (line: string) => void): Audit {
  const descriptor = openOwn(path);
  let isBroken = false;
  let isClosed = false;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch {
      if (!isBroken)
        complain(
          `sluice: the audit log ${quote(path)} cannot be written any more: what was decided since then is not in it`,
        );
      isBroken = true;
    }
  };
  return {
    note: (decision, why) =>
      attempt(() => {
        // The descriptor may belong to another file by now.
        if (isClosed) throw new Error('the log is closed');
        writeWhole(descriptor, `${lineOf(decision, why, script)}\n`);
      }),
    close: () => {
      attempt(() => fsyncSync(descriptor));
      isClosed = true;
      closeSync(descriptor);
    },
  };
}

function openOwn(path: string): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    const { code } = error as { code?: string };
    throw cannot(path, reasons[code ?? ''] ?? `the system says ${code ?? 'no'}`);
  }
  try {
    const stats = fstatSync(descriptor);
    const doubt = doubtOfFile(path, stats);
    if (doubt !== null) throw cannot(path, `it ${doubt.text}`);
    endLastLine(descriptor, stats.size);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ELOOP: 'it is a link',
  EISDIR: 'it is a directory',
  ENOENT: 'there is no such directory',
  ENOTDIR: 'a part of the path is not a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENXIO: 'it is no file',
};

function cannot(path: string, reason: string): UsageError {
  return new UsageError(`cannot write the audit log ${quote(path)}: ${reason}`);
}

/** Ends a line that was cut off, for example by a full disk, so that the next one begins a new line. */
function endLastLine(descriptor: number, size: number): void {
  const last = Buffer.alloc(1);
  if (size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a) writeWhole(descriptor, '\n');
}

/** Writes the text with one system call if possible: other commands may append to the same file. */
function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

function lineOf(
  { request, called, answer, limits, reason }: PermissionDecision,
  why: string | null,
  script: string,
): string {
  const head = { time: new Date().toISOString(), pid: process.pid, script, called, answer, reason: reason ?? why };
  const constraints = limits === null ? {} : { constraints: constraintsOf(limits) };
  try {
    const line = JSON.stringify({ ...head, request, ...constraints }, writable);
    if (line.length <= longestLine) return escapeControls(line);
  } catch {
    // The details of a plugin may be anything, also values that JSON cannot express.
  }
  return escapeControls(
    JSON.stringify({
      ...head,
      request: {
        kind: request.kind,
        shown: shorten(inspect(request, { depth: 2, customInspect: false, maxArrayLength: 20, maxStringLength: 200 })),
      },
    }),
  );
}

/** What the permission restricts; hosts in the form of the flags. */
function constraintsOf(limits: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(limits).flatMap(([name, value]) =>
      value === null || value === false ? [] : [[name, Array.isArray(value) ? value.map(itemOf) : value]],
    ),
  );
}

function itemOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('isWildcard' in item) || !('name' in item)) return item;
  return `${item.isWildcard === true ? '*.' : ''}${String(item.name)}`;
}

function writable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? shorten(value) : value;
}

function shorten(text: string): string {
  return text.length <= longestText
    ? text
    : `${text.slice(0, longestText)}… ${text.length - longestText} characters left out`;
}
