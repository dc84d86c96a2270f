// Assertions of bounds: where a pass wrongly takes an index to be in range, the program ends there, with an internal
// error.

import { describe, expect, it } from 'vitest';
import { checkSource } from '../../src/compile.ts';
import { withAssertions } from '../../src/4-optimise/assertions.ts';
import type { Expression, Statement } from '../../src/mir/mir.ts';
import type { MirFunction, MirProgram } from '../../src/mir/program.ts';
import { rewriteExpressions } from '../../src/mir/rewrite.ts';
import { InternalError } from '../../runtime-host/api/index.ts';
import { runCompiled } from '../fuzz/compiled.ts';
import type { FoundOutcome, Setting } from '../fuzz/compiled.ts';

/** A compiler that is wrong: it takes every index to be in range. */
function withoutChecks(program: MirProgram): MirProgram {
  const value = (node: Expression): Expression =>
    node.kind === 'get-element' || node.kind === 'get-hoisted' ? { ...node, checked: false } : node;
  const statement = (node: Statement): Statement => (node.kind === 'set-hoisted' ? { ...node, checked: false } : node);
  const inFunction = (fn: MirFunction): MirFunction => ({
    ...fn,
    body: rewriteExpressions(fn.body, value, statement),
  });
  const { functions, entry } = program;
  return {
    ...program,
    functions: new Map([...functions].map(([id, fn]) => [id, inFunction(fn)])),
    entry: entry === null ? null : inFunction(entry),
  };
}

function run(text: string, setting: Partial<Setting>): Promise<FoundOutcome> {
  const { program, diagnostics } = checkSource('case.slu', text);
  if (program === null) throw new Error(diagnostics.map(({ message }) => message).join());
  return runCompiled(program, { name: '', optimise: false, ...setting });
}

/** Arrays with room for more than is in them, which the engine does not see. */
const spare = 'int[] spare() {\n  int[] a = [7, 8, 9];\n  a.push(6);\n  a.pop();\n  return a;\n}\n';

const reads =
  `${spare}main() {\n  int[] a = spare();\n` + '  try {\n    yield a[3];\n  } catch (e) {\n    yield "caught";\n  }\n}';
const loop = (body: string): string =>
  `${spare}int f(int[] a, string s, int n) {\n  int sum = 0;\n` +
  `  for (int i = 0; i < n; i++) {\n    ${body}\n  }\n  return sum;\n}\n` +
  'main() {\n  int[] a = spare();\n  return f(a, "abc", 4);\n}';

describe('an access that is out of range and not checked', () => {
  it('is not seen without assertions', async () => {
    const outcome = await run(reads, { asLowered: true, first: withoutChecks });
    expect(outcome).toMatchObject({ yields: ['0'], failure: null });
  });

  it('ends a program with assertions: no clause catches it, and it says where', async () => {
    const error = await run(reads, { asLowered: true, first: withoutChecks, assertsBounds: true }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(InternalError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^internal error: .* This is a fault of Sluice, not of the script/),
      frames: [{ function: 'main', line: 10, column: 11 }],
    });
  });

  it.each(['sum += a[i];', 'a[i] = 5;', 'a[i] = sum++;', 'sum += s.codeAt(i);'])(
    'ends a loop with assertions: %s',
    async (body) => {
      const last = (program: MirProgram): MirProgram => withAssertions(withoutChecks(program));
      const error = await run(loop(body), { without: new Set(['bounds-check-elimination']), last }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(InternalError);
      expect(error).toMatchObject({
        frames: [
          { function: 'f', line: 10 },
          { function: 'main', line: 16 },
        ],
      });
    },
  );

  it.each(['sum += a[i];', 'a[i] = 5;', 'sum += s.codeAt(i);'])(
    'is an error of the script with its check: %s',
    async (body) => {
      const { failure } = await run(loop(body), { assertsBounds: true });
      expect(failure).toMatchObject({ type: 'IndexOutOfBoundsError' });
    },
  );
});
