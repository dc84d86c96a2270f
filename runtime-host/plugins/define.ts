// Plugins without decorators: an object describes the functions and is checked at once.

import { markModule } from '../../src/library/plugin-declaration.ts';
import type { FunctionDeclaration, PluginModule } from '../../src/library/plugin-declaration.ts';
import { ownData } from '../../src/library/plugins.ts';
import type { Work } from '../../src/library/plugins.ts';

/** The options of a function besides its signature. */
export interface FunctionOptions {
  /** `category:action`: each call asks the host for this permission. */
  readonly permission?: string;
  /** The function returns a promise; not needed for an `async` function. */
  readonly async?: boolean;
  /** The type for a method, such as `string` or `double[]`: the receiver comes before the other arguments. */
  readonly on?: string;
  /**
   * The details of the permission request for a call, from its arguments; if left out, the numbers and texts among them
   * by name.
   */
  readonly details?: (...values: never[]) => Readonly<Record<string, unknown>>;
}

/** A function of a plugin that is defined without a decorator. */
export interface FunctionDefinition extends FunctionOptions {
  readonly documentation?: string;
  readonly call: (...values: never[]) => unknown;
}

/** A plugin that is defined without a decorator. */
export interface ModuleDefinition {
  /** The namespace. */
  readonly name: string;
  readonly documentation?: string;
  /** Declarations of types: `type Point { double x; double y; }`. */
  readonly types?: readonly string[];
  /** The functions by signature: `{ 'double half(double x)': (x) => x / 2 }`, or a definition with options. */
  readonly functions: Readonly<Record<string, ((...values: never[]) => unknown) | FunctionDefinition>>;
}

/** Makes a plugin. Throws TypeError, which names the place, for an invalid definition. */
export function defineModule(definition: ModuleDefinition): PluginModule {
  if (typeof definition !== 'object' || definition === null)
    throw new TypeError('defineModule takes an object with name and functions');
  const part = (key: keyof ModuleDefinition): unknown => ownData(definition, key);
  const [name, documentation = '', types = [], functions] = [
    part('name'),
    part('documentation'),
    part('types'),
    part('functions'),
  ];
  if (typeof name !== 'string') throw new TypeError('defineModule takes an object with a name, the namespace');
  if (typeof functions !== 'object' || functions === null)
    throw new TypeError(`plugin ${name}: functions is an object with a function for each signature`);
  const declared = Object.entries(functions as Readonly<Record<string, unknown>>).map(([signature, defined]) => {
    if (typeof defined === 'function') return declareFunction(signature, '', defined as Work, {});
    if (typeof defined !== 'object' || defined === null)
      throw new TypeError(`plugin ${name}, "${signature}" is a function, or an object with a function call`);
    return declareFunction(
      signature,
      (ownData(defined, 'documentation') ?? '') as string,
      ownData(defined, 'call') as Work,
      defined,
    );
  });
  return markModule({
    name,
    documentation: documentation as string,
    types: types as readonly string[],
    functions: declared,
    wasm: null,
  });
}

export function declareFunction(
  signature: string,
  documentation: string,
  work: Work,
  options: FunctionOptions,
): FunctionDeclaration {
  const part = (key: keyof FunctionOptions): never => (ownData(options, key) ?? null) as never;
  const declared = Object.freeze({
    signature,
    documentation,
    on: part('on'),
    permission: part('permission'),
    async: ownData(options, 'async') === true,
    work,
    details: part('details'),
  });
  // A misspelt option would have no effect: a permission would not be asked for.
  for (const name of Object.keys(options))
    if (!Object.hasOwn(declared, name) && name !== 'call')
      throw new TypeError(`"${signature}": there is no option ${name}`);
  return declared;
}
