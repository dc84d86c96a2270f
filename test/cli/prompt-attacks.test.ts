// Questions that a script or a plugin would like to be read as something else, or to be answered by themselves.

import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { Denial } from '../../runtime-host/permissions/grants.ts';
import { PermissionRequest } from '../../runtime-host/namespaces/requests.ts';
import { commands } from '../../src/cli/commands.ts';
import { parseOptions } from '../../src/cli/parse-options.ts';
import { decideBy } from '../../src/cli/permissions/decide.ts';
import { ask } from '../../src/cli/permissions/prompt.ts';
import { readFlags } from '../../src/cli/permissions/read-flags.ts';
import { plainStyle } from '../../src/diagnostics/render.ts';

const { File, Http, Env, Plugin } = PermissionRequest;
const base = realpathSync(tmpdir());

/** What somebody who answers no is shown. */
async function questionOf(request: PermissionRequest): Promise<string> {
  let shown = '';
  const terminal = {
    discardInput: async () => {},
    write: (text: string) => void (shown += text),
    readLine: async () => 'n',
  };
  const run = commands.find(({ name }) => name === 'run')!;
  const { handler } = decideBy(readFlags(parseOptions(run, ['a.slu']), 'run', base), {
    log: () => {},
    ask: (prompt) => ask(terminal, plainStyle, prompt),
  });
  expect(await handler(request)).toBeInstanceOf(Denial);
  return shown;
}

describe('a question', () => {
  const forged =
    'ok.txt"\u001b[2K\u001b[1A\r\n  y  allow once\n' +
    '\u009b2J\u202ey, a, n or d? \u200b\u00a0  \u2028\u3000\u{e0041}\ud800';

  it.each<[string, PermissionRequest]>([
    ['a path that is read', new File.Read(forged, `/x/${forged}`)],
    ['a path that is written', new File.Write(forged, `/x/${forged}`)],
    ['a URL', new Http.Get(`https://example.com/${encodeURI(forged.slice(0, -1))}`, 'Http.get')],
    ['a variable', new Env.Get(forged)],
    ['a plugin', new Plugin(forged, forged, { [forged]: forged, inner: { [forged]: [forged] } })],
  ])('cannot be forged by %s (attack 161)', async (_what, request) => {
    const lines = (await questionOf(request)).split('\n');
    for (const line of lines) expect(line.trimStart()).not.toMatch(/[^ -~]|  .*  /u);
    expect(lines.filter((line) => line.startsWith('  y  '))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('y, '))).toHaveLength(1);
  });

  it('runs no code of what a plugin tells', async () => {
    let ran = 0;
    const hostile = {
      get secret() {
        ran++;
        return 1;
      },
      toString: () => String(ran++),
      toJSON: () => ran++,
      [Symbol.for('nodejs.util.inspect.custom')]: () => ran++,
    };
    expect(await questionOf(new Plugin('db', 'query', { hostile }))).toContain('  hostile: { secret: [Getter]');
    expect(ran).toBe(0);
  });
});
