// The answers of a host: a grant with constraints, or Denied. For a constraint, null or absence means no restriction;
// an empty list allows nothing. This file only carries answers; read-grant.ts reads their content once and denies in
// case of doubt.

import { freeze } from '../primordials/untampered.ts';

const token = Symbol('answer');

/** A grant; a host gets one from `Granted` or from the functions of a namespace, such as `FileGrant`. */
export class Grant {
  readonly #isGrant = true;
  /** The namespace of the requests that it answers, or `any`. */
  readonly kind: string;
  readonly constraints: unknown;

  constructor(made: symbol, kind: string, constraints: unknown) {
    if (made !== token) throw new TypeError('a grant is Granted, or made by a function such as FileGrant');
    this.kind = kind;
    this.constraints = constraints;
    freeze(this);
  }

  /** True only for objects that the constructor made, not for look-alikes. */
  static is(value: unknown): value is Grant {
    return typeof value === 'object' && value !== null && #isGrant in value;
  }
}

/** A refusal. */
export class Denial {
  readonly #isDenial = true;
  /** For the host's log; the script does not get it. */
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

/** The answer of a permission handler. */
export type PermissionAnswer = Grant | Denial;

/** The request is granted without restriction. */
export const Granted: Grant = new Grant(token, 'any', null);

/** Grants a request of a namespace within constraints. */
export function makeGrant(namespace: string, constraints: unknown): Grant {
  return new Grant(token, namespace, constraints);
}

/** The request is refused; the reason goes to the host's log. */
export function Denied(reason: string | null = null): Denial {
  return new Denial(token, reason);
}
