// Lines of bundles, which Node shows with an error that nobody catches.

import { spawnSync } from 'node:child_process';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { breakLines } from '../../tools/break-lines.ts';
import { distOf } from './files.ts';

const long = 'x'.repeat(170);
const source = `export function first(a) { using held = { tag: \`${long}\n\${(() => { if (a) { return "${long}"; } return "…"; })()}\`, get more() { return a ? "${long}" : 1; } }, other = "${long}"; return [held.tag, held.more, other]; }
export class Second { #one = "${long}"; static two = "${long}"; fail() { throw new Error(this.#one.slice(0, 2)); } }
`;

async function bundled(): Promise<{ readonly code: string; readonly map: { readonly mappings: string } }> {
  const built = await rolldown({
    input: 'a.js',
    plugins: [{ name: 'text', resolveId: (id) => id, load: () => source }],
  });
  const [chunk] = (await built.generate({ format: 'esm', sourcemap: true, minify: true })).output;
  return { code: chunk.code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, ''), map: chunk.map! };
}

const run = async (
  code: string,
): Promise<{ readonly first: (a: boolean) => unknown; readonly Second: { readonly two: string } }> =>
  import(`data:text/javascript,${encodeURIComponent(code)}`) as never;

describe('lines of bundles', () => {
  it('are broken where nothing changes', async () => {
    const { code, map } = await bundled();
    const broken = breakLines(code, map.mappings);
    expect(broken.code.split('\n').length).toBeGreaterThan(code.split('\n').length + 4);
    const [before, after] = [
      await run(code.replace('using ', 'const ')),
      await run(broken.code.replace('using ', 'const ')),
    ];
    for (const a of [true, false]) expect(after.first(a)).toEqual(before.first(a));
    expect(after.Second.two).toBe(long);
    expect(broken.code).toMatch(/using \w/);
  });

  it('keep their places in the source', async () => {
    const { code, map } = await bundled();
    const broken = breakLines(code, map.mappings);
    const [from, to] = [
      new SourceMap({ ...map } as never),
      new SourceMap({ ...map, mappings: broken.mappings } as never),
    ];
    for (const word of ['return', 'throw', 'static', 'other', 'get ', 'if(', 'class', '…']) {
      const [old, moved] = [code.indexOf(word), broken.code.indexOf(word)].map((at, index) => {
        const lines = [code, broken.code][index]!.slice(0, at).split('\n');
        return (index === 0 ? from : to).findEntry(lines.length - 1, lines.at(-1)!.length) as {
          readonly originalLine?: number;
          readonly originalColumn?: number;
        };
      });
      expect([word, moved!.originalLine, moved!.originalColumn]).toEqual([
        word,
        old!.originalLine,
        old!.originalColumn,
      ]);
    }
  });

  it('leave an error that nobody catches readable', () => {
    const script = `import { loadScript } from ${JSON.stringify(pathToFileURL(join(distOf('sluice-host'), 'node/index.js')).href)};\nawait loadScript('no.wasm');`;
    const fail = (...options: string[]): string =>
      spawnSync(process.execPath, [...options, '--input-type=module', '-e', script], { encoding: 'utf8' }).stderr;
    expect(fail()).toContain('HostError: cannot read no.wasm: there is no such file');
    expect(fail().length).toBeLessThan(2000);
    expect(fail('--enable-source-maps')).toContain('runtime-host/api/node.ts:');
  });
});
