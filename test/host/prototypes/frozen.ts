// Freezes every built-in, as hardened hosts do before they load anything.

export function freezeBuiltIns(): void {
  const seen = new Set<object>();
  const freeze = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(value, key)!;
      for (const part of [descriptor.value, descriptor.get, descriptor.set]) freeze(part);
    }
    freeze(Object.getPrototypeOf(value));
    Object.freeze(value);
  };
  const names = [
    'Object',
    'Function',
    'Array',
    'String',
    'Number',
    'Boolean',
    'Symbol',
    'BigInt',
    'Math',
    'JSON',
    'Reflect',
    'Proxy',
    'RegExp',
    'Date',
    'Map',
    'Set',
    'WeakMap',
    'WeakSet',
    'WeakRef',
    'FinalizationRegistry',
    'Promise',
    'Error',
    'TypeError',
    'RangeError',
    'SyntaxError',
    'AggregateError',
    'ArrayBuffer',
    'SharedArrayBuffer',
    'DataView',
    'Atomics',
    'Uint8Array',
    'Int32Array',
    'Float64Array',
    'BigInt64Array',
    'BigUint64Array',
    'Iterator',
    'TextEncoder',
    'TextDecoder',
    'URL',
    'URLSearchParams',
    'AbortController',
    'AbortSignal',
    'EventTarget',
    'WebAssembly',
    'Intl',
  ];
  for (const name of names) freeze((globalThis as unknown as Readonly<Record<string, unknown>>)[name]);
  for (const iterable of [[], new Map(), new Set(), ''])
    freeze(Object.getPrototypeOf((iterable as Iterable<unknown>)[Symbol.iterator]()));
  for (const fn of [async () => {}, function* () {}, async function* () {}]) freeze(fn.constructor);
}
