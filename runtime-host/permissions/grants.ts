// What a host answers: a grant with constraints, or Denied. Null or absent means no restriction, an empty list allows
// nothing. Answers are only carried here; read-grant.ts looks at what is in them, once, and fails closed.

import { freeze } from '../primordials/untampered.ts';

const token = Symbol('answer');

/** A grant, made here and by nothing else. */
export class Grant {
  readonly #isGrant = true;
  /** The namespace whose requests it answers, or `any`. */
  readonly kind: string;
  readonly constraints: unknown;

  constructor(made: symbol, kind: string, constraints: unknown) {
    if (made !== token) throw new TypeError('a grant is Granted, or made by a function such as FileGrant');
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

/** Grants a request of a namespace within constraints. */
export function makeGrant(namespace: string, constraints: unknown): Grant {
  return new Grant(token, namespace, constraints);
}

/** The request is refused; the reason goes to the host's log. */
export function Denied(reason: string | null = null): Denial {
  return new Denial(token, reason);
}
