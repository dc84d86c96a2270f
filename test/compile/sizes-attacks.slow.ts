// Scripts of 128 KB of each kind, each in a worker, which ends at the limit for certain: a module or diagnostics, and
// no error of the engine.

import { describe, expect, it } from 'vitest';
import { kinds } from '../../benchmarks/compile/kinds.ts';
import { compile } from '../../src/index.ts';

const timeMs = 120_000;

describe('a script of 128 KB', () => {
  it.each(kinds.map(({ name, make }) => [name, make] as const))(
    'of %s is compiled or refused',
    async (_name, make) => {
      const { artifact, diagnostics } = await compile('test.slu', make(131_072), { worker: true, limits: { timeMs } });
      expect(diagnostics.map(({ code }) => code)).not.toContain('E3004');
      expect(artifact === null).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    },
    timeMs + 10_000,
  );
});
