// A new kind of node is asked for in each walk that has to know it: kinds that nobody knows are added to a copy of the
// sources, each with a row in the table of kinds that says one thing of it, and the linter names the walks.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Which files ask for it whatever its row says. */
const ofAllExpressions = [
  'src/mir/children.ts',
  'src/mir/effects.ts',
  'src/mir/never-null.ts',
  'src/mir/print.ts',
  'src/mir/verify/expressions.ts',
  'src/4-optimise/analysis/iteration-walk.ts',
  'src/4-optimise/transform/if-conversion.ts',
  'src/5-emit/expressions.ts',
];
const ofAllStatements = [
  'src/mir/effects.ts',
  'src/mir/print.ts',
  'src/mir/verify/definitions.ts',
  'src/mir/verify/statements.ts',
  'src/4-optimise/analysis/iteration-walk.ts',
  'src/5-emit/statements.ts',
];
const ofEvaluation = [
  'src/mir/clone.ts',
  'src/mir/verify/definitions.ts',
  'src/4-optimise/analysis/forward-rewriter.ts',
  'src/4-optimise/analysis/liveness.ts',
  'src/4-optimise/analysis/window-positions.ts',
];
const ofValues = [
  'src/4-optimise/analysis/alias-classes.ts',
  'src/4-optimise/analysis/null-places.ts',
  'src/4-optimise/analysis/ranges.ts',
  'src/4-optimise/outputs.ts',
];
const ofOthersThanSimple = [
  'src/mir/children.ts',
  'src/mir/clone.ts',
  'src/mir/rewrite.ts',
  'src/4-optimise/analysis/forward-rewriter.ts',
  'src/4-optimise/analysis/liveness.ts',
  'src/4-optimise/analysis/window-positions.ts',
];

/** What the row of an expression says, and the files that ask for it then. */
const expressions: Readonly<Record<string, readonly string[]>> = {
  "evaluates: 'all', value: 'result'": [],
  "evaluates: 'first', value: 'result'": ofEvaluation,
  "evaluates: 'own', value: 'result'": ofEvaluation,
  "evaluates: 'all', value: 'place'": ofValues,
  "evaluates: 'all', value: 'operand'": ofValues,
  "evaluates: 'all', value: 'call'": [...ofValues, 'src/4-optimise/analysis/fixed-matrices.ts'],
  "evaluates: 'all', value: 'object'": ['src/4-optimise/analysis/fixed-matrices.ts'],
  "evaluates: 'all', value: 'result', inPaths: true": [
    'src/4-optimise/analysis/access-paths.ts',
    'src/4-optimise/analysis/hoistable-arrays.ts',
    'src/4-optimise/analysis/local-paths.ts',
    'src/4-optimise/remarks/clobbers.ts',
  ],
  "evaluates: 'all', value: 'result', assigns: true": ['src/4-optimise/analysis/assignments.ts'],
  "evaluates: 'all', value: 'result', runsFunction: true": ['src/mir/locals.ts'],
  "evaluates: 'own', value: 'result', namesLocals: true": [
    ...ofEvaluation,
    'src/mir/locals.ts',
    'src/4-optimise/transform/string-builder.ts',
  ],
};

const statements: Readonly<Record<string, readonly string[]>> = {
  "control: 'next', isSimple: true": ['src/mir/children.ts'],
  "control: 'next'": ofOthersThanSimple,
  "control: 'jump'": ofOthersThanSimple,
  "control: 'throws'": ofOthersThanSimple,
  "control: 'returns'": [...ofOthersThanSimple, 'src/4-optimise/outputs.ts'],
  "control: 'blocks'": [
    ...ofOthersThanSimple,
    'src/mir/verify/reentry.ts',
    'src/4-optimise/analysis/local-paths.ts',
    'src/4-optimise/transform/loop-extraction.ts',
    'src/4-optimise/transform/loop-outlining.ts',
    'src/4-optimise/transform/osr-entries.ts',
    'src/mir/re-entry.ts',
    'src/mir/reachability.ts',
  ],
  "control: 'next', isSimple: true, assigns: true": ['src/mir/children.ts', 'src/4-optimise/analysis/assignments.ts'],
  "control: 'next', isSimple: true, namesLocals: true": [
    'src/mir/children.ts',
    'src/mir/clone.ts',
    'src/mir/locals.ts',
  ],
  "control: 'next', isSimple: true, runsFunction: true": ['src/mir/children.ts', 'src/mir/locals.ts'],
};

const nameOf = (form: string, index: number): string => `unknown-${form}-${index}`;

let copy = '';
let reported: readonly { readonly path: string; readonly kinds: readonly string[] }[] = [];

function addTo(file: string, after: string, lines: readonly string[]): void {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(after);
  writeFileSync(
    path,
    text.replace(after, () => `${after}${lines.join('\n')}\n`),
  );
}

function addKinds(form: string, rows: readonly string[], union: string, table: string, fields: string): void {
  const names = rows.map((_, index) => nameOf(form, index));
  addTo(
    'src/mir/mir.ts',
    `export type ${union} =\n`,
    names.map((name) => `  | { readonly kind: '${name}'; ${fields} readonly span: Span }`),
  );
  addTo(
    'src/mir/kinds.ts',
    `const ${table} = {\n`,
    names.map((name, index) => `  '${name}': { ${rows[index]} },`),
  );
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'sluice-kinds-'));
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  for (const name of ['node_modules', 'runtime-host', 'generated'])
    symlinkSync(join(root, name), join(copy, name), 'junction');
  addKinds('expression', Object.keys(expressions), 'Expression', 'expressions', 'readonly type: Type;');
  addKinds('statement', Object.keys(statements), 'Statement', 'statements', '');
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const rule = ['-A', 'all', '-D', 'typescript/switch-exhaustiveness-check', '--type-aware', '--format=unix'];
  const { stdout } = spawnSync(process.execPath, [oxlint, ...rule, 'src/mir', 'src/4-optimise', 'src/5-emit'], {
    cwd: copy,
    encoding: 'utf8',
  });
  reported = stdout.split('\n').flatMap((line) => {
    const [, path, list] = /^(src[^:]*):.*Cases not matched: (.*) \[/.exec(line) ?? [];
    if (path === undefined) return [];
    return [{ path: path.replaceAll('\\', '/'), kinds: list!.split(' | ').map((kind) => kind.slice(1, -1)) }];
  });
}, 120_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe.each([
  { form: 'expression', rows: expressions, always: ofAllExpressions },
  { form: 'statement', rows: statements, always: ofAllStatements },
])('a new $form is asked for', ({ form, rows, always }) => {
  it.each(Object.entries(rows).map(([row, files], index) => ({ row, files, index })))(
    'with the row { $row }',
    ({ files, index }) => {
      const asking = reported.filter(({ kinds }) => kinds.includes(nameOf(form, index))).map(({ path }) => path);
      expect([...new Set(asking)].toSorted()).toEqual([...new Set([...always, ...files])].toSorted());
    },
  );
});
