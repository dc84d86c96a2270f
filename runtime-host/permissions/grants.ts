// What a host answers: a grant with constraints, or Denied. Null or absent means no restriction, an empty list allows
// nothing. Answers are only carried here; read-grant.ts looks at what is in them, once, and fails closed.

import { freeze } from '../primordials/untampered.ts';

export interface FileConstraints {
  /** Largest file that may be read or come to be, in bytes of UTF-8. */
  readonly maxBytes?: number | null;
  /** An absolute path that is used in place of the script's. */
  readonly rewrittenPath?: string | null;
  /** Directories in which files may be used, and below which. */
  readonly allowedDirectories?: readonly string[] | null;
  /** Directories in which, and below which, nothing may be used, nor a file that is named here; these win. */
  readonly deniedDirectories?: readonly string[] | null;
  /** `txt` or `.txt`. */
  readonly allowedExtensions?: readonly string[] | null;
  /** Denies write, append, delete and createDir. */
  readonly readOnly?: boolean | null;
}

export interface HttpConstraints {
  /** Largest body of a response, in bytes. */
  readonly maxResponseSize?: number | null;
  /** For the whole call, redirects included, in milliseconds. */
  readonly timeoutMs?: number | null;
  /** `example.com`, or `*.example.com` for the names below. */
  readonly allowedDomains?: readonly string[] | null;
  /** As allowedDomains; these win, and an address is denied by whatever name it is reached. */
  readonly deniedDomains?: readonly string[] | null;
  readonly allowedPorts?: readonly number[] | null;
  readonly httpsOnly?: boolean | null;
}

export interface EnvConstraints {
  /** Names of variables and properties that may be read. */
  readonly allowedVarNames?: readonly string[] | null;
}

/** What a plugin's function is told of its grant; the plugin enforces it. */
export type PluginConstraints = Readonly<Record<string, string | number | boolean | null | readonly (string | number | boolean)[]>>;

export type GrantKind = 'any' | 'File' | 'Http' | 'Env' | 'Plugin';

const token = Symbol('answer');

/** A grant, made by the functions below and by nothing else. */
export class Grant {
  readonly #isGrant = true;
  readonly kind: GrantKind;
  readonly constraints: unknown;

  constructor(made: symbol, kind: GrantKind, constraints: unknown) {
    if (made !== token) throw new TypeError('grants are made by Granted, FileGrant, HttpGrant, EnvGrant and PluginGrant');
    this.kind = kind;
    this.constraints = constraints;
    freeze(this);
  }

  /** True of what the constructor made, and of nothing that only looks like it. */
  static is(value: unknown): value is Grant {
    return typeof value === 'object' && value !== null && #isGrant in value;
  }
}

/** A refusal. */
export class Denial {
  readonly #isDenial = true;
  /** For the host's log; the script is not told. */
  readonly reason: string | null;

  constructor(made: symbol, reason: string | null) {
    if (made !== token) throw new TypeError('a refusal is made by Denied()');
    this.reason = reason;
    freeze(this);
  }

  static is(value: unknown): value is Denial {
    return typeof value === 'object' && value !== null && #isDenial in value;
  }
}

/** What a permission handler answers. */
export type PermissionAnswer = Grant | Denial;

/** The request is granted without restriction. */
export const Granted: Grant = new Grant(token, 'any', null);

/** Grants a File request within constraints. */
export function FileGrant(constraints: FileConstraints): Grant {
  return new Grant(token, 'File', constraints);
}

/** Grants an Http request within constraints. */
export function HttpGrant(constraints: HttpConstraints): Grant {
  return new Grant(token, 'Http', constraints);
}

/** Grants an Env request within constraints. */
export function EnvGrant(constraints: EnvConstraints): Grant {
  return new Grant(token, 'Env', constraints);
}

/** Grants a plugin's request; the constraints go to the plugin. */
export function PluginGrant(constraints: PluginConstraints): Grant {
  return new Grant(token, 'Plugin', constraints);
}

/** The request is refused; the reason goes to the host's log. */
export function Denied(reason: string | null = null): Denial {
  return new Denial(token, reason);
}
