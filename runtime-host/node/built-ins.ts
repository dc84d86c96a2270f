// The engine's functions that decisions and values depend on, as they were when the host was loaded. Once one of them
// has changed, nothing is granted: a changed `Map.prototype.get` or `Promise.prototype.then` could turn an answer into
// anything.

import { getPrototypeOf, hasOwn } from '../primordials/untampered.ts';

type Holder = Readonly<Record<PropertyKey, unknown>>;

const listIterator = getPrototypeOf([][Symbol.iterator]()) as object;

/**
 * The functions that the host calls itself, and those that the language calls in loops, spreads, calls and promises, by
 * the object that holds them.
 */
const functions: readonly (readonly [name: string, holder: object, names: readonly PropertyKey[]])[] = [
  [
    'Object',
    Object,
    [
      'assign',
      'create',
      'defineProperty',
      'entries',
      'freeze',
      'fromEntries',
      'getOwnPropertyDescriptor',
      'getPrototypeOf',
      'hasOwn',
      'keys',
      'values',
    ],
  ],
  ['Object.prototype', Object.prototype, ['hasOwnProperty', 'toString', 'valueOf']],
  ['Function.prototype', Function.prototype, ['apply', 'bind', 'call']],
  ['Array', Array, ['from', 'isArray']],
  [
    'Array.prototype',
    Array.prototype,
    [
      'at',
      'concat',
      'every',
      'filter',
      'find',
      'findIndex',
      'flatMap',
      'forEach',
      'includes',
      'indexOf',
      'join',
      'map',
      'pop',
      'push',
      'reduce',
      'shift',
      'slice',
      'some',
      'sort',
      'splice',
      'unshift',
      'values',
      Symbol.iterator,
    ],
  ],
  ['the iterator of arrays', listIterator, ['next']],
  [
    'String.prototype',
    String.prototype,
    [
      'at',
      'charCodeAt',
      'codePointAt',
      'endsWith',
      'includes',
      'indexOf',
      'lastIndexOf',
      'padStart',
      'replace',
      'replaceAll',
      'slice',
      'split',
      'startsWith',
      'substring',
      'toLowerCase',
      'toString',
      'toUpperCase',
      'toWellFormed',
      'trim',
      Symbol.iterator,
    ],
  ],
  ['RegExp.prototype', RegExp.prototype, ['exec', 'test', Symbol.match, Symbol.replace, Symbol.split]],
  ['Map.prototype', Map.prototype, ['delete', 'entries', 'get', 'has', 'set', 'values', Symbol.iterator]],
  ['Set.prototype', Set.prototype, ['add', 'delete', 'has', 'values', Symbol.iterator]],
  ['WeakMap.prototype', WeakMap.prototype, ['get', 'has', 'set']],
  ['Promise', Promise, ['all', 'race', 'reject', 'resolve', 'withResolvers']],
  ['Promise.prototype', Promise.prototype, ['catch', 'constructor', 'finally', 'then']],
  ['JSON', JSON, ['parse', 'stringify']],
  ['Math', Math, ['ceil', 'floor', 'max', 'min']],
  ['Number', Number, ['isFinite', 'isInteger', 'isSafeInteger', 'parseInt']],
  ['BigInt', BigInt, ['asIntN']],
  [
    'Reflect',
    Reflect,
    ['apply', 'defineProperty', 'get', 'getOwnPropertyDescriptor', 'getPrototypeOf', 'ownKeys', 'set'],
  ],
  ['ArrayBuffer', ArrayBuffer, ['isView']],
  ['the prototype of typed arrays', getPrototypeOf(Uint8Array.prototype)!, ['set', 'slice', 'subarray']],
  ['TextEncoder.prototype', TextEncoder.prototype, ['encode']],
  ['TextDecoder.prototype', TextDecoder.prototype, ['decode']],
  ['URL', URL, ['parse']],
  ['AbortController.prototype', AbortController.prototype, ['abort']],
  ['EventTarget.prototype', EventTarget.prototype, ['addEventListener', 'removeEventListener']],
  [
    'the global object',
    globalThis,
    [
      'Array',
      'BigInt',
      'JSON',
      'Map',
      'Math',
      'Number',
      'Object',
      'Promise',
      'Reflect',
      'RegExp',
      'Set',
      'String',
      'Symbol',
      'Uint8Array',
      'WebAssembly',
    ],
  ],
];

const holders: Holder[] = [];
const keys: PropertyKey[] = [];
const values: unknown[] = [];
const titles: string[] = [];
for (const [name, holder, names] of functions) {
  for (const key of names) {
    holders.push(holder as Holder);
    keys.push(key);
    values.push((holder as Holder)[key]);
    titles.push(`${name}.${String(key)}`);
  }
}

/** Classes that the host tests instances against; none of them may have changed. */
const classes: readonly object[] = [
  Promise,
  Error,
  RangeError,
  Uint8Array,
  Float64Array,
  BigInt64Array,
  WebAssembly.Exception,
];
const wereChanged = classes.map((each) => hasOwn(each, Symbol.hasInstance));

/** The name of the first function that has changed; null if none has. */
export function findChangedBuiltIn(): string | null {
  for (let at = 0; at < keys.length; at++) if (holders[at]![keys[at]!] !== values[at]) return titles[at]!;
  for (let at = 0; at < classes.length; at++)
    if (hasOwn(classes[at]!, Symbol.hasInstance) !== wereChanged[at]) return 'Symbol.hasInstance of a class';
  return null;
}
