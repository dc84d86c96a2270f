// The types of the language, as plain data: two types are the same when `sameType` says so. A struct
// type names its declaration by id; the fields live in the program's table of structs.

export type Type =
  | IntType
  | ({ readonly kind: 'double' } & Placed)
  | ({ readonly kind: 'boolean' } & Placed)
  | { readonly kind: 'string' }
  | { readonly kind: 'json' }
  | { readonly kind: 'void' }
  | StructType
  | ArrayType
  /** The type of `null` if nothing else gives it a type. */
  | { readonly kind: 'null' }
  /** The type of a faulty expression: it accepts every use without a message, so that one mistake gives one message. */
  | { readonly kind: 'invalid' }
  /** `T` in a generic library signature and in the prelude; never in a script. */
  | { readonly kind: 'variable' }
  /**
   * A raw, unchecked array of UTF-16 code units (`codeUnits`), of 32-bit numbers (`offsets`) or of json values
   * (`slots`); prelude only.
   */
  | { readonly kind: 'codeUnits' }
  | { readonly kind: 'offsets' }
  | { readonly kind: 'slots' }
  /** The raw elements of an array, which the optimiser keeps in locals. */
  | { readonly kind: 'elements'; readonly element: Type }
  /**
   * Two ints, doubles or booleans side by side, which the optimiser works on at once, or four ints that fit in 32 bits:
   * the element is an `i32` then.
   */
  | { readonly kind: 'vector'; readonly element: Type };

/** What the optimiser says of the elements of arrays; the types are the same. */
interface Placed {
  /** The arrays lie on the stack, in linear memory. */
  readonly onStack?: true;
}

export interface IntType extends Placed {
  readonly kind: 'int';
  /** From the optimiser, of elements of arrays: the part of an int that they have room for. The type is the same. */
  readonly storage?: IntStorage;
}

/** Unsigned numbers of 8, 16 and 32 bits, and signed ones of 32. */
export type IntStorage = 'u8' | 'u16' | 'u32' | 'i32';

export interface StructType {
  readonly kind: 'struct';
  /** Unique in a program: the module's name, `#`, and the struct's name. */
  readonly id: string;
  /** The name of the module that declares it; empty for the file that is compiled. */
  readonly module: string;
  readonly name: string;
}

export interface ArrayType {
  readonly kind: 'array';
  readonly element: Type;
}

export const intType: Type = { kind: 'int' };
export const doubleType: Type = { kind: 'double' };
export const booleanType: Type = { kind: 'boolean' };
export const stringType: Type = { kind: 'string' };
export const jsonType: Type = { kind: 'json' };
export const voidType: Type = { kind: 'void' };
export const nullType: Type = { kind: 'null' };
export const invalidType: Type = { kind: 'invalid' };
export const typeVariable: Type = { kind: 'variable' };
export const codeUnitsType: Type = { kind: 'codeUnits' };
export const offsetsType: Type = { kind: 'offsets' };
export const slotsType: Type = { kind: 'slots' };

export function structType(module: string, name: string): StructType {
  return { kind: 'struct', id: `${module}#${name}`, module, name };
}

export function arrayOf(element: Type): ArrayType {
  return { kind: 'array', element };
}

/** The types with a keyword of their own. */
export const typeKeywords: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['int', intType],
  ['double', doubleType],
  ['boolean', booleanType],
  ['string', stringType],
  ['json', jsonType],
  ['void', voidType],
]);

/** Structs are nominal; arrays are the same if their elements are. */
export function sameType(a: Type, b: Type): boolean {
  if (a.kind === 'struct') return b.kind === 'struct' && a.id === b.id;
  if (a.kind === 'array') return b.kind === 'array' && sameType(a.element, b.element);
  return a.kind === b.kind;
}

/** int, double and boolean are never null; everything else may be. */
export function isNullable(type: Type): boolean {
  switch (type.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'void':
    case 'vector':
      return false;
    case 'string':
    case 'json':
    case 'struct':
    case 'array':
    case 'null':
    case 'invalid':
    case 'variable':
    case 'codeUnits':
    case 'offsets':
    case 'slots':
    case 'elements':
      return true;
  }
}

/** A type of the values that a program can show, compare or exchange with its host. */
export type ValueType = Type & {
  readonly kind: 'int' | 'double' | 'boolean' | 'string' | 'json' | 'struct' | 'array';
};

export function isValueType(type: Type): type is ValueType {
  switch (type.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'string':
    case 'json':
    case 'struct':
    case 'array':
      return true;
    case 'void':
    case 'null':
    case 'invalid':
    case 'variable':
    case 'codeUnits':
    case 'offsets':
    case 'slots':
    case 'elements':
    case 'vector':
      return false;
  }
}

/** What is read of an element: of an int all bits, however few the element has, and a number lies nowhere. */
export function valueOf(element: Type): Type {
  return values.get(element.kind) ?? element;
}

const values: ReadonlyMap<Type['kind'], Type> = new Map(
  [intType, doubleType, booleanType].map((type) => [type.kind, type]),
);

/** Numbers and truth values, which are never null and lie in no memory of their own. */
export function isScalar({ kind }: Type): boolean {
  return kind === 'int' || kind === 'double' || kind === 'boolean';
}

export function isNumeric(type: Type): boolean {
  return type.kind === 'int' || type.kind === 'double';
}

/** The type as a person writes it: `int`, `Point[]`, `T`. */
export function formatType(type: Type): string {
  if (type.kind === 'struct') return type.name;
  if (type.kind === 'array') return `${formatType(type.element)}[]`;
  return type.kind === 'variable' ? 'T' : type.kind;
}

/** A key for the type: two types have the same key exactly if they are the same, and lie in memory alike. */
export function typeKey(type: Type): string {
  if (type.kind === 'struct') return type.id;
  if (type.kind === 'array') return `${typeKey(type.element)}[]`;
  const name = type.kind === 'int' && type.storage !== undefined ? type.storage : formatType(type);
  return isOnStack(type) ? `stack ${name}` : name;
}

/** Whether an array of this type, or of elements of this type, lies on the stack in linear memory. */
export function isOnStack(type: Type): boolean {
  return 'element' in type ? isOnStack(type.element) : 'onStack' in type;
}

/** The elements of arrays on the stack. */
export function onStack(element: Type): Type {
  if (element.kind === 'array') return arrayOf(onStack(element.element));
  return element.kind === 'int' || element.kind === 'double' || element.kind === 'boolean'
    ? { ...element, onStack: true }
    : element;
}

/**
 * The names of types that only the prelude and its library use; a json object is a row of slots, and its
 * shape a struct of the prelude.
 */
export const hiddenTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['T', typeVariable],
  ['codeUnits', codeUnitsType],
  ['offsets', offsetsType],
  ['slots', slotsType],
  ['JsonObject', slotsType],
  ['TextWindow', /* @__PURE__ */ structType('prelude', 'TextWindow')],
  ['TextBuilder', /* @__PURE__ */ structType('prelude', 'TextBuilder')],
  ['JsonShape', /* @__PURE__ */ structType('prelude', 'JsonShape')],
]);

/** As formatType, but adds the file to two different structs of the same name. */
export function formatApart(type: Type, other: Type): string {
  const text = formatType(type);
  if (text !== formatType(other) || sameType(type, other)) return text;
  const module = moduleOf(type);
  return module === null ? text : `${text} of ${module === '' ? 'the main file' : module}`;
}

/** The module that declares the struct of a type; empty for the file that is compiled. */
function moduleOf(type: Type): string | null {
  if (type.kind === 'array') return moduleOf(type.element);
  return type.kind === 'struct' ? type.module : null;
}

/** Whether the type contains the type variable. */
export function mentionsVariable(type: Type): boolean {
  return type.kind === 'variable' || (type.kind === 'array' && mentionsVariable(type.element));
}

/** Replaces the type variable. */
export function substitute(type: Type, argument: Type | null): Type {
  if (argument === null) return type;
  if (type.kind === 'variable') return argument;
  if (type.kind === 'array') return arrayOf(substitute(type.element, argument));
  return type;
}
