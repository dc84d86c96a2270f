// What a call of a library function does to what its arguments refer to: the mod-ref summary of a row, with the ways
// that values take as points-to constraints. Analyses ask it and know no function by name. What a row does not say is
// taken for the worst: a missing row costs speed, never a wrong answer.
//
// Source of the constraints: Andersen, "Program Analysis and Specialization for the C Programming Language" (1994).

import type { Implementation } from '../language/implementation.ts';
import { typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { LibraryParameter } from './signature.ts';

/** An argument by its position, a method's receiver being the first; or the result. */
export type Operand = number | 'result';

/**
 * What an operand is (`itself`), what it holds (`contents`: elements of an array, fields of a struct, members of a
 * json), or anything that can be reached from it, itself included (`reach`).
 */
export interface Place {
  readonly of: Operand;
  readonly depth: 'itself' | 'contents' | 'reach';
}

/** After the call, what is at `to` may be what was at `from`: the same object where it is one. */
export interface Flow {
  readonly to: Place;
  readonly from: Place;
}

export interface Effects {
  /** Operands whose contents it looks at, as deep as they are. */
  readonly reads: readonly Operand[];
  /** Places whose contents it sets. */
  readonly stores: readonly Place[];
  /** Places whose arrays it makes longer or shorter. */
  readonly resizes: readonly Place[];
  readonly flows: readonly Flow[];
  /** All that it stores or gives as a result came by its flows: it makes up no value. */
  readonly isClosed: boolean;
  /** It may raise an error, besides those of limits and of null where no null may be. */
  readonly throws: boolean;
  /** The host may run other code before it answers, so that anything may have changed. */
  readonly waits: boolean;
  /** It may need memory. */
  readonly allocates: boolean;
  /** It depends on what is outside the program, or changes it: a second call may give something else. */
  readonly isExternal: boolean;
  /** What an int that it gives lies between, both included. */
  readonly range: readonly [low: bigint, high: bigint] | null;
  /** The work that it is charged for, none if there are no terms; null where nobody has said. */
  readonly cost: readonly CostTerm[] | null;
}

/**
 * So many times the size of an operand: elements of an array, UTF-16 units of a text, all parts of a json or a struct.
 * Sizes below a few thousand are free (`work` in the prelude).
 */
export interface CostTerm {
  readonly times: number;
  readonly of: Operand;
}

/**
 * Effects as a row says them. Operands are named: `this`, a parameter, `result`; `x[]` is what x holds, `x[..]` all
 * that can be reached from it. What is left out does not happen, but for `closed`, which is a promise.
 */
export interface EffectsRow {
  readonly reads?: readonly string[];
  readonly stores?: readonly string[];
  readonly resizes?: readonly string[];
  /** Such as `result = default` or `this[] = item`. */
  readonly flows?: readonly string[];
  readonly closed?: boolean;
  readonly throws?: boolean;
  readonly allocates?: boolean;
  readonly external?: boolean;
  readonly range?: readonly [low: bigint, high: bigint];
  /** `0`, `this`, `this + o`, `16 this`. */
  readonly cost?: string;
}

/** Of what only works something out. */
export const pure: EffectsRow = { cost: '0' };
/** Of what makes a new value of numbers and texts. */
export const making: EffectsRow = { allocates: true, cost: '0' };
/** What a length can be, and a position that may be -1. */
export const lengths = [0n, 2n ** 31n - 1n] as const;
export const positions = [-1n, 2n ** 31n - 1n] as const;

/** The function as far as its effects depend on it. */
interface Declared {
  readonly receiver: Type | null;
  readonly parameters: readonly LibraryParameter[];
  readonly returns: Type;
  readonly implementation: Implementation;
}

/** The effects of a function: what its row says, or else what follows from where it runs. */
export function resolveEffects(fn: Declared, row: EffectsRow | undefined): Effects {
  const waits = mayWait(fn.implementation);
  if (row !== undefined) return { ...readRow(fn, row), waits };
  switch (fn.implementation.kind) {
    case 'constant':
    case 'instruction':
      return { ...nothing, waits };
    // Values cross the boundary as copies, so what the host gives is new and what it is given stays as it is.
    case 'host':
    case 'plugin':
      return { ...nothing, reads: operandsOf(fn), throws: true, allocates: true, isExternal: true, cost: null, waits };
    case 'intrinsic':
    case 'prelude':
      return { ...anything(fn), waits };
  }
}

/** Whether the host may let the script wait: for a permission and for what it permits, or for a plugin. */
function mayWait(implementation: Implementation): boolean {
  return implementation.kind === 'plugin'
    ? implementation.waits
    : implementation.kind === 'host' && implementation.permission !== null;
}

const nothing: Effects = {
  reads: [],
  stores: [],
  resizes: [],
  flows: [],
  isClosed: false,
  throws: false,
  waits: false,
  allocates: false,
  isExternal: false,
  range: null,
  cost: [],
};

/**
 * The worst case: anything that can be reached may be looked at, set, resized and end up anywhere else, the result
 * included.
 */
function anything(fn: Declared): Effects {
  const operands = operandsOf(fn);
  const reached = operands.map((of): Place => ({ of, depth: 'reach' }));
  const given: readonly Place[] = canRefer(fn.returns) ? [{ of: 'result', depth: 'reach' }] : [];
  const flows = [...given, ...reached].flatMap((to) =>
    reached.filter((from) => from.of !== to.of).map((from) => ({ to, from })),
  );
  return {
    ...nothing,
    reads: operands,
    stores: reached,
    resizes: reached,
    flows,
    throws: true,
    allocates: true,
    isExternal: true,
    cost: null,
  };
}

/** The arguments that refer to something which can change. */
function operandsOf({ receiver, parameters }: Declared): readonly number[] {
  const types = [...(receiver === null ? [] : [receiver]), ...passed(parameters).map(({ type }) => type)];
  return types.flatMap((type, at) => (canRefer(type) ? [at] : []));
}

/** Whether a value of the type refers to something which can change. Texts never do. */
export function canRefer({ kind }: Type): boolean {
  return (
    kind !== 'int' && kind !== 'double' && kind !== 'boolean' && kind !== 'string' && kind !== 'void' && kind !== 'null'
  );
}

/** The name of a type is no argument. */
function passed(parameters: readonly LibraryParameter[]): readonly LibraryParameter[] {
  return parameters.filter(({ isType }) => !isType);
}

// Reading a row

function readRow(fn: Declared, row: EffectsRow): Effects {
  const names = argumentNames(fn);
  const place = (text: string): Place => readPlace(text, names);
  return {
    reads: (row.reads ?? []).map((text) => place(text).of),
    stores: (row.stores ?? []).map(place),
    resizes: (row.resizes ?? []).map(place),
    flows: (row.flows ?? []).map((text) => {
      const [to, from] = text.split(' = ');
      return { to: place(to!), from: place(from ?? '') };
    }),
    isClosed: row.closed ?? false,
    throws: row.throws ?? false,
    waits: false,
    allocates: row.allocates ?? false,
    isExternal: row.external ?? false,
    range: row.range ?? null,
    cost: row.cost === undefined ? null : readCost(row.cost, names),
  };
}

function readCost(text: string, names: readonly string[]): readonly CostTerm[] {
  if (text === '0') return [];
  return text.split(' + ').map((term) => {
    const [, times, of] = /^(?:(\d+) )?(\w+)$/.exec(term) ?? [];
    return { times: Number(times ?? 1), of: readPlace(of ?? '', names).of };
  });
}

const depths: Readonly<Record<string, Place['depth']>> = { '': 'itself', '[]': 'contents', '[..]': 'reach' };

function readPlace(text: string, names: readonly string[]): Place {
  const [, name, suffix] = /^(\w+)(.*)$/.exec(text) ?? [];
  const depth = depths[suffix ?? ''];
  const at = names.indexOf(name ?? '');
  if (depth === undefined || (at < 0 && name !== 'result')) throw new Error(`no operand ${text}`);
  return { of: at < 0 ? 'result' : at, depth };
}

/** A place as a row writes it, `names` being those of the arguments. */
export function describePlace({ of, depth }: Place, names: readonly string[]): string {
  const suffix = Object.keys(depths).find((key) => depths[key] === depth)!;
  return `${of === 'result' ? of : names[of]!}${suffix}`;
}

/** The names of the arguments that are passed. */
export function argumentNames({ receiver, parameters }: Pick<Declared, 'receiver' | 'parameters'>): readonly string[] {
  return [...(receiver === null ? [] : ['this']), ...passed(parameters).map(({ name }) => name)];
}

// Types at places

/** The types of the fields of a struct. */
export type FieldTypes = (struct: string) => readonly Type[];

/** The types of what is at a depth of a value of the type: each once. */
export function typesAt(type: Type, depth: Place['depth'], fieldsOf: FieldTypes): readonly Type[] {
  if (depth === 'itself') return [type];
  if (depth === 'contents') return contentsOf(type, fieldsOf);
  const found = new Map<string, Type>();
  const pending: Type[] = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const key = typeKey(next);
    if (found.has(key)) continue;
    found.set(key, next);
    pending.push(...contentsOf(next, fieldsOf));
  }
  return [...found.values()];
}

function contentsOf(type: Type, fieldsOf: FieldTypes): readonly Type[] {
  if (type.kind === 'array') return [type.element];
  return type.kind === 'struct' ? fieldsOf(type.id) : [];
}
