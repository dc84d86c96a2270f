// What surrounds a script in the reference interpreter: files in one directory, a server, variables, the clock and
// random numbers, by what docs/library.md and docs/host.md say of them. Everything is granted.

import { firstFiles, fixedTime, host, pages, randomAfter, systemProperties, tick, variables } from '../world.ts';
import { parseJson } from './parse-json.ts';
import { compareTexts } from './strings.ts';
import { Exhausted, Failure } from './values.ts';
import type { ArrayValue, Json, Value } from './values.ts';

const missing = 'there is no such file or directory';
const noDirectory = 'it is no directory, or lies below something that is none';

export class World {
  /** Text by path; null is a directory. */
  readonly #entries = new Map<string, string | null>([['', null]]);
  #reads = 0;
  #drawn = 0;

  constructor() {
    for (const [path, text] of Object.entries(firstFiles)) {
      const parts = path.split('/');
      for (let depth = 1; depth < parts.length; depth++) this.#entries.set(parts.slice(0, depth).join('/'), null);
      this.#entries.set(path, text);
    }
  }

  now(): bigint {
    return BigInt(fixedTime + tick * this.#reads++);
  }

  random(): number {
    return randomAfter(this.#drawn++);
  }

  // Files

  read(path: string, called = 'File.read'): string {
    const found = this.#find(path, called);
    if (found === null) throw fileError(called, 'it is a directory', path);
    return found;
  }

  write(path: string, text: string): null {
    if (this.#entries.get(path) === null) throw fileError('File.write', 'it is a directory', path);
    this.#checkAround(path, 'File.write');
    this.#entries.set(path, text);
    return null;
  }

  append(path: string, text: string): null {
    this.#entries.set(path, this.read(path, 'File.append') + text);
    return null;
  }

  delete(path: string): null {
    this.#find(path, 'File.delete');
    if (this.#namesIn(path).length > 0) throw fileError('File.delete', 'the directory is not empty', path);
    this.#entries.delete(path);
    return null;
  }

  exists(path: string): boolean {
    return this.#entries.has(path);
  }

  list(path: string): ArrayValue {
    if (this.#find(path, 'File.list') !== null) throw fileError('File.list', noDirectory, path);
    return { kind: 'array', elements: this.#namesIn(path).sort(compareTexts) };
  }

  metadata(path: string): Json {
    const text = this.#find(path, 'File.metadata');
    const size = text === null ? 0 : new TextEncoder().encode(text).length;
    return {
      kind: 'object',
      members: new Map<string, Json>([
        ['size', BigInt(size)],
        ['modified', BigInt(fixedTime)],
        ['created', BigInt(fixedTime)],
        ['type', text === null ? 'directory' : 'file'],
      ]),
    };
  }

  createDir(path: string): null {
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const part = parts.slice(0, depth).join('/');
      if (typeof this.#entries.get(part) === 'string') throw fileError('File.createDir', noDirectory, path);
      this.#entries.set(part, null);
    }
    return null;
  }

  /** The text, or null for a directory. */
  #find(path: string, called: string): string | null {
    const found = this.#entries.get(path);
    if (found !== undefined) return found;
    this.#checkAround(path, called);
    throw fileError(called, missing, path);
  }

  #checkAround(path: string, called: string): void {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      const around = this.#entries.get(parts.slice(0, depth).join('/'));
      if (around === undefined) throw fileError(called, missing, path);
      if (around !== null) throw fileError(called, noDirectory, path);
    }
  }

  #namesIn(directory: string): string[] {
    return [...this.#entries.keys()]
      .filter((path) => path !== '' && path.slice(0, Math.max(path.lastIndexOf('/'), 0)) === directory)
      .map((path) => path.slice(path.lastIndexOf('/') + 1));
  }

  // Pages and variables

  request(called: string, method: string, url: string, body: string | null): string {
    const fail = (what: string): Failure => new Failure('NetworkError', `${called} failed: ${what}: ${url}`);
    if (!url.startsWith(`${host}/`)) throw fail('the name of the host is not known');
    const path = url.slice(host.length);
    const page = path === '/echo' && body !== null ? body : pages[`${method} ${path}`];
    if (page === undefined) throw fail('the status is 404');
    return page;
  }
}

function fileError(called: string, what: string, path: string): Failure {
  return new Failure('FileError', `${called} failed: ${what}: ${path}`);
}

/** Paths and URLs of plain names alone: what others mean is the business of other tests. */
const plainPath = /^(?!\.+(?:\/|$))[\w.]+(?:\/(?!\.+(?:\/|$))[\w.]+)*$/;
const plainUrl = /^https:\/\/[a-z.]+\/\w*$/;
const plainName = /^[\w.]+$/;

function ifPlain(text: string, plain: RegExp): string {
  if (!plain.test(text)) throw new Exhausted();
  return text;
}

const asPath = (text: string): string => ifPlain(text, plainPath);
const asUrl = (text: string): string => ifPlain(text, plainUrl);
const asName = (text: string): string => ifPlain(text, plainName);

/** Names such as `toString` are in no table. */
function ownText(table: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(table, name) ? table[name]! : null;
}

type Row = (world: World, operands: readonly never[]) => Value;

/** The rows that ask what surrounds the script. */
export const outsideRows: Readonly<Record<string, Row>> = {
  'Math.random': (world) => world.random(),
  'Date.now': (world) => world.now(),
  'File.read': (world, [path]) => world.read(asPath(path!)),
  'File.write': (world, [path, text]) => world.write(asPath(path!), text!),
  'File.append': (world, [path, text]) => world.append(asPath(path!), text!),
  'File.delete': (world, [path]) => world.delete(asPath(path!)),
  'File.exists': (world, [path]) => world.exists(asPath(path!)),
  'File.list': (world, [path]) => world.list(asPath(path!)),
  'File.metadata': (world, [path]) => world.metadata(asPath(path!)),
  'File.createDir': (world, [path]) => world.createDir(asPath(path!)),
  'Http.get': (world, [url]) => world.request('Http.get', 'GET', asUrl(url!), null),
  'Http.getJson': (world, [url]) => parseJson(world.request('Http.getJson', 'GET', asUrl(url!), null)),
  'Http.post': (world, [url, body]) => world.request('Http.post', 'POST', asUrl(url!), body!),
  'Http.put': (world, [url, body]) => world.request('Http.put', 'PUT', asUrl(url!), body!),
  'Http.delete': (world, [url]) => world.request('Http.delete', 'DELETE', asUrl(url!), null),
  'Env.get': (_world, [name]) => ownText(variables, asName(name!)),
  'Env.system': (_world, [property]) => ownText(systemProperties, asName(property!)),
};
