// The architecture, enforced: every rule of architecture-rules.ts holds for the repository, and each
// rule notices when it is broken.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { areas, findViolations } from './architecture-rules.ts';

const root = join(import.meta.dirname, '..');

function readFiles(...folders: string[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.ts'))
        files.set(`${folder}/${name.replaceAll('\\', '/')}`, readFileSync(join(root, folder, name), 'utf8'));
    }
  }
  return files;
}

const house = readFiles('src', 'runtime-host', 'unplugin', 'prettier-plugin', 'map');

describe('the house', () => {
  it('keeps its rules', () => {
    expect(findViolations(house)).toEqual([]);
  });

  it('has its rooms', () => {
    for (const path of [
      'src/language/types.ts',
      'src/1-parse/parse.ts',
      'src/2-check/check.ts',
      'src/5-emit/emit.ts',
      'runtime-host/api/host.ts',
    ]) {
      expect(house.has(path), path).toBe(true);
    }
  });

  it('has files of a comfortable length', () => {
    const lengths = [...house]
      .filter(([path]) => !path.includes('/generated/'))
      .map(([, text]) => text.split('\n').length)
      .sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(150);
  });
});

describe('the rules', () => {
  /** Files are given without their opening comment. */
  const violations = (files: Readonly<Record<string, string>>): string[] =>
    findViolations(new Map(Object.entries(files).map(([path, text]) => [path, `// What lives here.\n\n${text}`])));
  const nothing = 'export const nothing = null;';

  it('let a sound house pass', () => {
    expect(
      violations({
        'src/language/types.ts': nothing,
        'src/source.ts': nothing,
        'src/1-parse/parse.ts':
          "import { nothing } from '../language/types.ts';\nimport * as antlr from 'antlr4ng';\n" +
          'export const x = [nothing, antlr];',
        'src/2-check/check.ts': "import type { nothing } from '../source.ts';\nexport type X = typeof nothing;",
        'src/library/generated/rows.ts':
          "import { nothing } from '../../../runtime-host/namespaces/file/rows.ts';\nexport const rows = nothing;",
        'runtime-host/namespaces/file/rows.ts': nothing,
        'runtime-host/namespaces/file/command-line/policy.ts':
          "import { inspect } from 'node:util';\nexport const x = [inspect, process];",
        'src/cli/permissions/generated/policies.ts':
          "import { x } from '../../../../runtime-host/namespaces/file/command-line/policy.ts';\nexport const y = x;",
        'src/cli/main.ts': "import { readFileSync } from 'node:fs';\nconsole.log(readFileSync);",
      }),
    ).toEqual([]);
  });

  const forbidden: readonly (readonly [from: string, to: string])[] = [
    ['src/language/types.ts', 'src/source.ts'],
    ['src/source.ts', 'src/language/types.ts'],
    ['src/diagnostics/catalog.ts', 'src/library/math.ts'],
    ['src/library/math.ts', 'src/diagnostics/catalog.ts'],
    ['src/abi/imports.ts', 'src/library/math.ts'],
    ['src/1-parse/parse.ts', 'src/2-check/check.ts'],
    ['src/1-parse/parse.ts', 'src/library/math.ts'],
    ['src/2-check/check.ts', 'src/1-parse/parse.ts'],
    ['src/2-check/check.ts', 'src/5-emit/emit.ts'],
    ['src/5-emit/emit.ts', 'src/2-check/check.ts'],
    ['src/5-emit/emit.ts', 'src/1-parse/syntax-tree.ts'],
    ['src/formatter/format.ts', 'src/2-check/check.ts'],
    ['src/language-server/hover.ts', 'src/5-emit/emit.ts'],
    ['src/cli/main.ts', 'src/2-check/check.ts'],
    ['src/compile.ts', 'src/cli/main.ts'],
    ['src/compile.ts', 'runtime-host/api/host.ts'],
    ['runtime-host/api/host.ts', 'src/compile.ts'],
    ['runtime-host/api/host.ts', 'src/5-emit/emit.ts'],
    ['runtime-host/api/host.ts', 'src/diagnostics/catalog.ts'],
    ['runtime-host/api/host.ts', 'runtime-host/node/platform.ts'],
    ['runtime-host/namespaces/file/functions.ts', 'runtime-host/memory/platform.ts'],
    ['runtime-host/api/browser.ts', 'runtime-host/node/platform.ts'],
    ['runtime-host/node/platform.ts', 'runtime-host/memory/platform.ts'],
    ['runtime-host/node/platform.ts', 'runtime-host/api/host.ts'],
    ['runtime-host/errors/errors.ts', 'runtime-host/limits/meter.ts'],
    ['runtime-host/namespaces/file/functions.ts', 'runtime-host/run/execution.ts'],
    ['runtime-host/namespaces/file/functions.ts', 'runtime-host/namespaces/http/rules.ts'],
    ['runtime-host/namespaces/file/functions.ts', 'runtime-host/namespaces/file/rows.ts'],
    ['runtime-host/namespaces/file/rows.ts', 'runtime-host/namespaces/file/faults.ts'],
    ['runtime-host/namespaces/file/rows.ts', 'src/library/registry.ts'],
    ['src/library/generated/rows.ts', 'runtime-host/namespaces/file/functions.ts'],
    ['src/library/registry.ts', 'runtime-host/namespaces/file/rows.ts'],
    ['runtime-host/namespaces/file/functions.ts', 'runtime-host/namespaces/file/command-line/policy.ts'],
    ['runtime-host/permissions/gate.ts', 'runtime-host/permissions/command-line/flags.ts'],
    ['runtime-host/permissions/gate.ts', 'runtime-host/namespaces/requests.ts'],
    ['runtime-host/api/index.ts', 'runtime-host/namespaces/file/command-line/flags.ts'],
    ['runtime-host/namespaces/file/command-line/policy.ts', 'runtime-host/namespaces/http/command-line/policy.ts'],
    ['runtime-host/namespaces/file/command-line/policy.ts', 'src/cli/exit.ts'],
  ];

  it.each(forbidden)('%s may not import %s', (from, to) => {
    const specifier = `${'../'.repeat(from.split('/').length - 1)}${to}`.replace(/^(?=\w)/, './');
    for (const statement of [
      `import { nothing } from '${specifier}';\nexport const x = nothing;`,
      `import type { nothing } from '${specifier}';\nexport type X = typeof nothing;`,
      `export { nothing } from '${specifier}';`,
      `export const load = () => import('${specifier}');`,
    ]) {
      const found = violations({ [from]: statement, [to]: nothing });
      expect(
        found.filter((violation) => violation.startsWith(`${from}: `)),
        statement,
      ).toHaveLength(1);
    }
  });

  const faulty: readonly (readonly [rule: string, path: string, text: string, complaint: string])[] = [
    [
      'binaryen has one door',
      'src/5-emit/emit.ts',
      "import binaryen from '#binaryen';\nexport const x = binaryen;",
      '#binaryen is for',
    ],
    [
      'the package binaryen has none',
      'src/5-emit/binaryen.ts',
      "import binaryen from 'binaryen';\nexport const x = binaryen;",
      'not a dependency',
    ],
    [
      'antlr stays in the first room',
      'src/2-check/check.ts',
      "import * as antlr from 'antlr4ng';\nexport const x = antlr;",
      'antlr4ng is for',
    ],
    [
      'the generated parser stays there too',
      'src/2-check/check.ts',
      "import { P } from '../1-parse/generated/SluiceParser.ts';\nexport const x = P;",
      'may not import',
    ],
    [
      'no unknown packages',
      'src/1-parse/parse.ts',
      "import x from 'left-pad';\nexport const y = x;",
      'not a dependency',
    ],
    [
      'no Node in a room',
      'src/1-parse/parse.ts',
      "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;",
      'node:fs is for',
    ],
    [
      'no Node in the host',
      'runtime-host/api/host.ts',
      "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;",
      'node:fs is for',
    ],
    [
      'no Node in the library',
      'runtime-host/namespaces/file/functions.ts',
      "const fs = await import('node:fs');\nexport const x = fs;",
      'node:fs is for',
    ],
    [
      'no fetch in the library',
      'runtime-host/namespaces/http/functions.ts',
      "export const get = () => fetch('x');",
      'the global fetch',
    ],
    ['no process in a room', 'src/2-check/check.ts', 'export const x = process.env;', 'the global process'],
    ['no console in a room', 'src/2-check/check.ts', 'console.log(1);\nexport {};', 'the global console'],
    ['no default exports', 'src/2-check/check.ts', 'export default 1;', 'a default export'],
    ['no enums', 'src/2-check/check.ts', 'enum X { A }\nexport const x = X;', 'an enum'],
    [
      'no kind without an answer',
      'src/4-optimise/analysis/ranges.ts',
      'export const x = (y: 1 | 2) => { switch (y) { case 1: return 1; default: return 2; } };',
      'a default:',
    ],
    ['no any', 'src/2-check/check.ts', 'export const x = (y: any) => y;', 'the type any'],
    ['no module state', 'src/2-check/check.ts', 'export let x = 1;', 'state at the level'],
    ['no room without a plan', 'src/misc-room/x.ts', nothing, 'in no room'],
    ['no vague names', 'src/2-check/string-utils.ts', nothing, 'says nothing'],
    ['no camel case', 'src/2-check/checkLoops.ts', nothing, 'kebab-case'],
    [
      'imports end in .ts',
      'src/2-check/check.ts',
      "import { nothing } from '../source';\nexport const x = nothing;",
      'does not end in .ts',
    ],
    [
      'no imports of nothing',
      'src/2-check/check.ts',
      "import { nothing } from './gone.ts';\nexport const x = nothing;",
      'there is no',
    ],
    ['no long files', 'src/2-check/check.ts', 'export {};\n'.repeat(701), 'more than 700'],
  ];

  it.each(faulty)('%s', (_rule, path, text, complaint) => {
    const found = violations({ 'src/source.ts': nothing, [path]: text });
    expect(
      found.some((violation) => violation.startsWith(`${path}: `) && violation.includes(complaint)),
      found.join('\n'),
    ).toBe(true);
  });

  it('no file without an opening comment', () => {
    expect(findViolations(new Map([['src/source.ts', nothing]]))).toEqual([
      'src/source.ts: it does not open with a comment that says what lives here',
    ]);
  });

  it('no cycles, of types neither', () => {
    const found = violations({
      'src/2-check/a.ts': "import type { B } from './b.ts';\nexport type A = B;",
      'src/2-check/b.ts': "import { c } from './c.ts';\nexport type B = typeof c;",
      'src/2-check/c.ts': "import type { A } from './a.ts';\nexport const c: A | null = null;",
    });
    expect(found).toEqual(['a cycle of imports: src/2-check/a.ts, src/2-check/b.ts, src/2-check/c.ts']);
  });

  it('name every area once', () => {
    expect(new Set(areas.map(({ path }) => path)).size).toBe(areas.length);
  });
});
