// What JSON text means in the language, worked out by another way: JSON.parse with the source of each number.

/** An int with its digits, or a double. */
export type ModelNumber = { readonly int: bigint } | { readonly double: number };
export type Model =
  | null
  | boolean
  | string
  | ModelNumber
  | readonly Model[]
  | { readonly members: ReadonlyMap<string, Model> };

type SourceReviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

class Source {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

/** Throws SyntaxError for text that is not JSON, RangeError for a number that no double holds. */
export function modelOf(text: string): Model {
  const revive: SourceReviver = (_key, value, { source }) => (typeof value === 'number' ? new Source(source!) : value);
  return convert(JSON.parse(text, revive as (key: string, value: unknown) => unknown));
}

function convert(value: unknown): Model {
  if (value instanceof Source) return numberOf(value.text);
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value as null | boolean;
  return { members: new Map(Object.entries(value).map(([key, member]) => [key.toWellFormed(), convert(member)])) };
}

function numberOf(source: string): ModelNumber {
  if (/^-?\d+$/.test(source)) {
    const int = BigInt(source);
    if (int >= minInt && int <= maxInt) return { int };
  }
  const double = Number(source);
  if (!Number.isFinite(double)) throw new RangeError('too large');
  return { double };
}

/** The compact text that the language writes. */
export function compactText(model: Model): string {
  if (typeof model === 'string') return JSON.stringify(model);
  if (model === null || typeof model === 'boolean') return String(model);
  if (Array.isArray(model)) return `[${(model as readonly Model[]).map(compactText).join(',')}]`;
  if ('int' in model) return String(model.int);
  if ('double' in model) return doubleText(model.double);
  const { members } = model as { readonly members: ReadonlyMap<string, Model> };
  return `{${[...members].map(([key, value]) => `${JSON.stringify(key)}:${compactText(value)}`).join(',')}}`;
}

export function doubleText(x: number): string {
  if (!Number.isFinite(x)) return 'null';
  const text = Object.is(x, -0) ? '-0' : String(x);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
