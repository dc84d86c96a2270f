// The effects of a library function on the objects that its arguments refer to: the mod-ref summary of a row, and
// points-to constraints for the values that it moves. Analyses read these and know no function by name. For effects
// that a row does not state the worst case is assumed, so a missing row costs speed but never makes an answer wrong.
//
// Source of the constraints: Andersen, "Program Analysis and Specialization for the C Programming Language" (1994).

import type { Implementation } from '../language/implementation.ts';
import { typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { LibraryParameter } from './signature.ts';

/** The position of an argument (a method's receiver is the first one), or the result. */
export type Operand = number | 'result';

/**
 * The operand (`itself`), what it holds (`contents`: elements of an array, fields of a struct, members of a json), or
 * everything that is reachable from it, itself included (`reach`).
 */
export interface Place {
  readonly of: Operand;
  readonly depth: 'itself' | 'contents' | 'reach';
}

/** After the call, `to` may hold a value of `from`; for references, the same object. */
export interface Flow {
  readonly to: Place;
  readonly from: Place;
}

export interface Effects {
  /** Operands whose contents it reads, at any depth. */
  readonly reads: readonly Operand[];
  /** Places whose contents it writes. */
  readonly stores: readonly Place[];
  /** Places whose arrays it makes longer or shorter. */
  readonly resizes: readonly Place[];
  readonly flows: readonly Flow[];
  /** Every value that it stores or returns comes from its flows: it makes no other values. */
  readonly isClosed: boolean;
  /** It may raise an error other than those of limits and of null arguments. */
  readonly throws: boolean;
  /** The host may run other code before it answers, so anything may have changed. */
  readonly waits: boolean;
  /** It may allocate. */
  readonly allocates: boolean;
  /** It reads or changes something outside of the program: a second call may answer differently. */
  readonly isExternal: boolean;
  /** The bounds of an int result, both included. */
  readonly range: readonly [low: bigint, high: bigint] | null;
  /** The work that it is charged for; an empty list is none, null is unknown. */
  readonly cost: readonly CostTerm[] | null;
}

/**
 * A multiple of the size of an operand: elements of an array, UTF-16 code units of a text, all parts of a json or a
 * struct. Sizes below a few thousand are free (`work` in the prelude).
 */
export interface CostTerm {
  readonly times: number;
  readonly of: Operand;
}

/**
 * The effects in the notation of a row. Operands have names: `this`, a parameter, `result`; `x[]` is what x holds,
 * `x[..]` everything that is reachable from it. An effect that is left out does not happen; only `closed` is a promise
 * that must be stated.
 */
export interface EffectsRow {
  readonly reads?: readonly string[];
  readonly stores?: readonly string[];
  readonly resizes?: readonly string[];
  /** For example `result = default` or `this[] = item`. */
  readonly flows?: readonly string[];
  readonly closed?: boolean;
  readonly throws?: boolean;
  readonly allocates?: boolean;
  readonly external?: boolean;
  readonly range?: readonly [low: bigint, high: bigint];
  /** For example `0`, `this`, `this + o`, `16 this`. */
  readonly cost?: string;
}

/** For functions without any effect. */
export const pure: EffectsRow = { cost: '0' };
/** For functions that make a new value from numbers and texts. */
export const making: EffectsRow = { allocates: true, cost: '0' };
/** The ranges of lengths, and of positions that may be -1. */
export const lengths = [0n, 2n ** 31n - 1n] as const;
export const positions = [-1n, 2n ** 31n - 1n] as const;

/** The parts of a function that its effects depend on. */
interface Declared {
  readonly receiver: Type | null;
  readonly parameters: readonly LibraryParameter[];
  readonly returns: Type;
  readonly implementation: Implementation;
}

/** The effects of a function: those of its row, otherwise those that follow from where it runs. */
export function resolveEffects(fn: Declared, row: EffectsRow | undefined): Effects {
  const waits = mayWait(fn.implementation);
  if (row !== undefined) return { ...readRow(fn, row), waits };
  switch (fn.implementation.kind) {
    case 'constant':
    case 'instruction':
      return { ...nothing, waits };
    case 'host':
    case 'plugin':
      return outsideEffects(fn);
    case 'intrinsic':
    case 'prelude':
      return { ...anything(fn), waits };
  }
}

/** Of a function outside of the module, where values are copied: results are new, and arguments stay unchanged. */
export function outsideEffects(fn: Omit<Declared, 'returns'>): Effects {
  return {
    ...nothing,
    reads: operandsOf(fn),
    throws: true,
    allocates: true,
    isExternal: true,
    cost: null,
    waits: mayWait(fn.implementation),
  };
}

/** Whether the host may suspend the script: for functions with a permission, and for plugins. */
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

/** The worst case: everything reachable may be read, written, resized, and stored anywhere else, also in the result. */
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

/** The arguments that refer to something mutable. */
function operandsOf({ receiver, parameters }: Pick<Declared, 'receiver' | 'parameters'>): readonly number[] {
  const types = [...(receiver === null ? [] : [receiver]), ...passed(parameters).map(({ type }) => type)];
  return types.flatMap((type, at) => (canRefer(type) ? [at] : []));
}

/** Whether a value of the type refers to something mutable. Texts are immutable. */
export function canRefer({ kind }: Type): boolean {
  return (
    kind !== 'int' && kind !== 'double' && kind !== 'boolean' && kind !== 'string' && kind !== 'void' && kind !== 'null'
  );
}

/** Without parameters that take the name of a type, which are not passed. */
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

/** A place in the notation of a row; `names` are those of the arguments. */
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

/** The distinct types at a depth of a value of the type. */
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
