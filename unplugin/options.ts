// What the plugin may be given, and what it makes of what is left out.

import type { Ints } from '../runtime-host/run/script-types.ts';

/** What scripts are compiled with. */
export interface SluiceOptions {
  /** What ints are in what scripts give: `bigint` if left out, `number`, or `auto`, a number wherever that is exact. */
  readonly ints?: Ints;
  /** Whether the types of `x.slu` are written to `x.d.slu.ts` beside it. True if left out. */
  readonly types?: boolean;
  /**
   * Modules of so many bytes and more are files of their own, where the bundler is Vite, Rollup or Rolldown: 16,384 if
   * left out.
   */
  readonly inlineBelow?: number;
}

const defaults: Required<SluiceOptions> = { ints: 'bigint', types: true, inlineBelow: 16_384 };

/** For each option, what it takes. */
const kinds: Readonly<
  Record<keyof SluiceOptions, { readonly fits: (value: unknown) => boolean; readonly what: string }>
> = {
  ints: {
    fits: (value) => value === 'bigint' || value === 'number' || value === 'auto',
    what: "'bigint', 'number' or 'auto'",
  },
  types: { fits: (value) => typeof value === 'boolean', what: 'true or false' },
  inlineBelow: { fits: (value) => typeof value === 'number' && value >= 0, what: 'a number of bytes' },
};

/**
 * Throws TypeError for an option that there is none of, and for a value that cannot be one: a build would go wrong
 * later, or quietly.
 */
export function readOptions(given: SluiceOptions): Required<SluiceOptions> {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(kinds, name))
      throw new TypeError(
        `unplugin-sluice has no option ${JSON.stringify(name)}: there are ${Object.keys(kinds).join(', ')}; ` +
          'permissions and limits are given to the default export of a script',
      );
    const { fits, what } = kinds[name as keyof SluiceOptions];
    if (value !== undefined && !fits(value)) throw new TypeError(`the option ${name} of unplugin-sluice takes ${what}`);
  }
  return {
    ints: given.ints ?? defaults.ints,
    types: given.types ?? defaults.types,
    inlineBelow: given.inlineBelow ?? defaults.inlineBelow,
  };
}
