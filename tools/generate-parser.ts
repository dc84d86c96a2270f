// Generates the parser from grammar/*.g4 with antlr-ng, when the grammar has changed.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const target = join(root, 'src/1-parse/generated');
const grammars = ['SluiceLexer', 'SluiceParser'];
const generator = join(root, 'node_modules/antlr-ng/dist/cli/runner.js');

function hashGrammar(): string {
  const hash = createHash('sha256');
  for (const name of grammars) hash.update(readFileSync(join(root, 'grammar', `${name}.g4`)));
  return hash.update(readFileSync(import.meta.filename)).digest('hex');
}

function isFresh(stamp: string): boolean {
  const files = grammars.map((name) => join(target, `${name}.ts`));
  return files.every((file) => existsSync(file) && readFileSync(file, 'utf8').startsWith(`// ${stamp}`));
}

function generate(stamp: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-grammar-'));
  const files = grammars.map((name) => join(root, 'grammar', `${name}.g4`));
  const options = [
    '-Dlanguage=TypeScript',
    '--generate-visitor',
    'false',
    '--generate-listener',
    'false',
    '-o',
    folder,
  ];
  try {
    execFileSync(process.execPath, [generator, ...options, ...files], { stdio: 'inherit' });
    mkdirSync(target, { recursive: true });
    for (const name of grammars) {
      const text = readFileSync(join(folder, `${name}.ts`), 'utf8');
      // The generated code is not written for our compiler settings; its declarations still serve.
      writeFileSync(join(target, `${name}.ts`), `// ${stamp}\n// @ts-nocheck\n${text}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const stamp = hashGrammar();
if (!isFresh(stamp)) generate(stamp);
