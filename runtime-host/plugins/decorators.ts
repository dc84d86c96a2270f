// Plugins as classes: `@ScriptModule` on the class, `@ScriptFunction` on its methods. Both work under the standard
// protocol of decorators and under TypeScript's older one, which pass different arguments: a method's decorator uses
// only the method, and the class's decorator later finds the marked methods on the prototype.

import { declarePlugin } from '../../src/library/plugin-declaration.ts';
import type { FunctionDeclaration } from '../../src/library/plugin-declaration.ts';
import { ownData, pluginMark } from '../../src/library/plugins.ts';
import type { Work } from '../../src/library/plugins.ts';
import { declareFunction } from './define.ts';
import type { FunctionOptions } from './define.ts';

const functionMark: unique symbol = Symbol.for('sluice.plugin-function') as never;

type Class = new (...values: never[]) => object;

/** The options of `@ScriptModule`. */
export interface ModuleOptions {
  /** Declarations of types: `type Point { double x; double y; }`. */
  readonly types?: readonly string[];
}

/**
 * Makes a class a plugin whose namespace is the name of the class. Its instances are plugins; the class itself is one
 * too if its constructor needs no arguments.
 */
export function ScriptModule(
  name: string,
  documentation = '',
  options: ModuleOptions = {},
): (decorated: Class, context?: unknown) => void {
  return (decorated) => {
    if (typeof decorated !== 'function')
      throw new TypeError(`@ScriptModule(${JSON.stringify(name)}) stands in front of a class`);
    const declaration = declarePlugin({
      name,
      documentation,
      types: (ownData(options, 'types') ?? []) as readonly string[],
      functions: functionsOf(decorated.prototype as object),
      wasm: null,
    });
    for (const holder of [decorated, decorated.prototype as object])
      Object.defineProperty(holder, pluginMark, { value: declaration });
  };
}

/** Makes a method callable for scripts. */
export function ScriptFunction(
  signature: string,
  documentation = '',
  options: FunctionOptions = {},
): (...decorated: readonly unknown[]) => void {
  return (first, key, descriptor) => {
    // The standard protocol passes the method and a context; TypeScript's passes the prototype, the name and a
    // descriptor.
    const method =
      typeof first === 'function' && typeof key === 'object'
        ? first
        : ((descriptor as PropertyDescriptor | undefined)?.value as unknown);
    const isMethod =
      typeof method === 'function' &&
      (typeof key !== 'object' || (key as { readonly kind?: unknown }).kind === 'method');
    const isStatic =
      typeof key === 'object' ? (key as { readonly static?: unknown }).static === true : typeof first === 'function';
    if (!isMethod || isStatic)
      throw new TypeError(
        `@ScriptFunction(${JSON.stringify(signature)}) stands in front of a method, and of none that is static`,
      );
    Object.defineProperty(method, functionMark, {
      value: declareFunction(signature, documentation, method as Work, options),
      configurable: true,
    });
  };
}

/** The functions of the class and of its base classes, except overridden ones. */
function functionsOf(prototype: object): FunctionDeclaration[] {
  const methods = new Map<string, Work>();
  for (
    let holder: object | null = prototype;
    holder !== null && holder !== Object.prototype;
    holder = Object.getPrototypeOf(holder) as object | null
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
      if (typeof value === 'function' && !methods.has(name)) methods.set(name, value as Work);
    }
  }
  return [...methods.values()].flatMap((method) => {
    const declared = Object.getOwnPropertyDescriptor(method, functionMark)?.value as FunctionDeclaration | undefined;
    return declared === undefined ? [] : [declared];
  });
}
