// Built-ins that become others once the host has been loaded: each is one of what a careless or hostile package may
// make of it.

type Fn = (...values: never[]) => unknown;

export interface Mutation {
  readonly name: string;
  /** Changes the built-in; answers with what puts it back. */
  readonly change: () => () => void;
}

const listIterator = Object.getPrototypeOf([][Symbol.iterator]()) as object;
const { getPrototypeOf } = Object;
const { apply, defineProperty, getOwnPropertyDescriptor, deleteProperty } = Reflect;

/** By where they are. */
const functions: readonly (readonly [title: string, holder: object, names: readonly PropertyKey[]])[] = [
  ['Map', Map.prototype, ['get', 'has', 'set', 'delete', Symbol.iterator]],
  ['Set', Set.prototype, ['has', 'add']],
  ['WeakMap', WeakMap.prototype, ['get', 'set', 'has']],
  [
    'Array',
    Array.prototype,
    [
      'push',
      'pop',
      'map',
      'filter',
      'some',
      'every',
      'includes',
      'find',
      'slice',
      'splice',
      'join',
      'at',
      'concat',
      'flatMap',
      'forEach',
      'indexOf',
      'sort',
      Symbol.iterator,
    ],
  ],
  ['ArrayIterator', listIterator, ['next']],
  [
    'String',
    String.prototype,
    [
      'startsWith',
      'endsWith',
      'slice',
      'indexOf',
      'lastIndexOf',
      'includes',
      'split',
      'replace',
      'replaceAll',
      'charCodeAt',
      'toLowerCase',
      'trim',
      'toWellFormed',
      Symbol.iterator,
    ],
  ],
  ['RegExp', RegExp.prototype, ['exec', 'test', Symbol.replace, Symbol.split]],
  [
    'Object',
    Object,
    [
      'keys',
      'entries',
      'values',
      'freeze',
      'defineProperty',
      'hasOwn',
      'fromEntries',
      'assign',
      'create',
      'getPrototypeOf',
      'getOwnPropertyDescriptor',
    ],
  ],
  ['Object.prototype', Object.prototype, ['hasOwnProperty', 'toString', 'valueOf']],
  ['JSON', JSON, ['parse', 'stringify']],
  ['Promise', Promise, ['resolve', 'race', 'all', 'withResolvers', Symbol.hasInstance]],
  ['Promise.prototype', Promise.prototype, ['then', 'catch', 'finally', 'constructor']],
  ['Function', Function.prototype, ['call', 'apply', 'bind']],
  ['Reflect', Reflect, ['apply', 'ownKeys', 'get', 'getOwnPropertyDescriptor', 'defineProperty', 'getPrototypeOf']],
  ['Number', Number, ['isSafeInteger', 'isFinite', 'isInteger', 'parseInt']],
  ['Math', Math, ['min', 'max', 'floor', 'ceil', 'random']],
  ['Date', Date, ['now']],
  ['performance', performance, ['now']],
  ['Array itself', Array, ['isArray', 'from']],
  ['ArrayBuffer', ArrayBuffer, ['isView']],
  ['URL', URL, ['parse', 'canParse']],
  ['TypedArray', getPrototypeOf(Uint8Array.prototype) as object, ['set', 'subarray', 'slice', Symbol.iterator]],
  ['TextEncoder', TextEncoder.prototype, ['encode']],
  ['TextDecoder', TextDecoder.prototype, ['decode']],
  ['AbortController', AbortController.prototype, ['abort']],
  ['EventTarget', EventTarget.prototype, ['addEventListener', 'removeEventListener']],
  [
    'the global object',
    globalThis,
    ['Number', 'String', 'URL', 'Map', 'Set', 'Promise', 'Array', 'Object', 'setTimeout'],
  ],
];

/** What takes its place. */
const replacements: Readonly<Record<string, (original: Fn) => Fn>> = {
  'says yes': () => () => true,
  'gives itself': () =>
    function (this: unknown) {
      return this;
    } as Fn,
  'gives nothing': () => () => undefined,
};

/** With this one every replacement of a pattern would go on for ever, in whatever program. */
const isEndless = (holder: object, name: PropertyKey, how: string): boolean =>
  holder === RegExp.prototype && name === 'exec' && how === 'gives itself';

/** Replacements that aim at something. */
const aimed: readonly (readonly [
  title: string,
  holder: object,
  name: PropertyKey,
  replacement: (original: Fn) => Fn,
])[] = [
  ['Map gives a secret', Map.prototype, 'get', () => () => 'a-secret-that-nobody-was-given'],
  [
    'Map gives a grant',
    Map.prototype,
    'get',
    () => () => ({ allowedDirectories: null, permission: null, readOnly: false }),
  ],
  [
    'then gives a grant',
    Promise.prototype,
    'then',
    (original) =>
      function (this: unknown, done: (value: unknown) => unknown) {
        return apply(original, this, [
          () =>
            done({
              allowedDirectories: null,
              allowedExtensions: null,
              rewrittenPath: null,
              maxBytes: null,
              readOnly: false,
              allowedVarNames: null,
              allowedDomains: null,
              allowedPorts: null,
              httpsOnly: false,
              timeoutMs: null,
              maxResponseSize: null,
            }),
          done,
        ] as never);
      } as Fn,
  ],
  [
    'then calls back at once',
    Promise.prototype,
    'then',
    () =>
      function (this: unknown, done: (value: unknown) => unknown) {
        return done({});
      } as Fn,
  ],
  ['loops give nothing', listIterator, 'next', () => () => ({ done: true, value: undefined })],
  [
    'loops give a root',
    listIterator,
    'next',
    (original) =>
      function (this: unknown) {
        const step = apply(original, this, []) as { done: boolean; value: unknown };
        return step.done ? step : { done: false, value: typeof step.value === 'string' ? '/' : step.value };
      } as Fn,
  ],
  ['slice gives a root', String.prototype, 'slice', () => () => '/'],
  ['all are the same kind', Promise, Symbol.hasInstance, () => () => false],
  [
    'freeze gives another',
    Object,
    'freeze',
    () => () => ({ allowedDirectories: null, allowedExtensions: null, readOnly: false }),
  ],
];

function replaced(holder: object, name: PropertyKey, replacement: (original: Fn) => Fn): () => () => void {
  return () => {
    const before = getOwnPropertyDescriptor(holder, name);
    const original =
      before === undefined || before.value === undefined ? ((() => undefined) as Fn) : (before.value as Fn);
    defineProperty(holder, name, {
      value: replacement(original),
      configurable: true,
      writable: true,
      enumerable: before?.enumerable ?? false,
    });
    return () => void (before === undefined ? deleteProperty(holder, name) : defineProperty(holder, name, before));
  };
}

/** Appears on Object.prototype after loading. */
const appearing: Readonly<Record<string, unknown>> = {
  0: 'polluted',
  status: 1,
  value: 'polluted',
  allowed: true,
  constraints: {},
  kind: 'any',
  toJSON: () => 'polluted',
  permissions: () => true,
  readOnly: false,
  allowedDirectories: null,
  newLimit: 1e15,
};

export const mutations: readonly Mutation[] = [
  ...functions.flatMap(([title, holder, names]) =>
    names.flatMap((name) =>
      Object.entries(replacements)
        .filter(([how]) => !isEndless(holder, name, how))
        .map(([how, replacement]) => ({
          name: `${title}.${String(name)} ${how}`,
          change: replaced(holder, name, replacement),
        })),
    ),
  ),
  ...aimed.map(([title, holder, name, replacement]) => ({ name: title, change: replaced(holder, name, replacement) })),
  ...Object.entries(appearing).map(([name, value]) => ({
    name: `Object.prototype.${name} appears`,
    change: replaced(Object.prototype, name, () => value as Fn),
  })),
  {
    name: 'a setter for the first of every list',
    change: () => {
      defineProperty(Object.prototype, '0', { get: () => undefined, set: () => {}, configurable: true });
      return () => void deleteProperty(Object.prototype, '0');
    },
  },
];
