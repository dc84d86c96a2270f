// The example of every library function does what it says. Chance and time are fixed, so that it does so in every run.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../runtime-host/api/node.ts';
import { worldFor } from './world.ts';
import { compile } from '../src/compile.ts';
import { builtInLibraries } from '../src/library/registry.ts';

describe.each(builtInLibraries.filter(({ preludeOnly }) => !preludeOnly))('$name', ({ functions }) => {
  it.each(functions)('$signature', async ({ name, example }) => {
    expect(`${example!.statements} ${example!.expression}`, 'the example shows the function').toContain(name);
    const { artifact, diagnostics } = await compile(
      'example.slu',
      `${example!.statements}\nyield ${example!.expression};`,
    );
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    const script = await loadScript(artifact!.wasm, {
      random: 1,
      clock: 1_700_000_000_000,
      ...worldFor({ File: {}, Http: {}, Env: {} }),
    });
    const printed: string[] = [];
    await script.run().forEach((_value, text) => printed.push(text()));
    expect(printed).toEqual([example!.result]);
  });
});
