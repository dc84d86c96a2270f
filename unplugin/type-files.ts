// The types of a script as TypeScript finds them: `x.d.slu.ts` beside `x.slu`, which every way of resolving modules
// takes with the option allowArbitraryExtensions.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { declareTypes, typeNameOf } from '../src/cli/type-declarations.ts';
import type { EmittedProgram } from '../src/index.ts';
import type { Ints } from '../runtime-host/run/script-types.ts';
import { functionsOf } from './module-text.ts';

const mark = 'written by unplugin-sluice';

/** Why they were not written; null if they are there. Scripts of packages of others are left alone. */
export function writeDeclarations(id: string, manifest: EmittedProgram['manifest'], ints: Ints): string | null {
  if (/[/\\]node_modules[/\\]/.test(id)) return null;
  const path = id.replace(/\.slu$/, '.d.slu.ts');
  const content = declarations(basename(id), manifest, ints);
  try {
    const known = readOrNull(path);
    if (known === content) return null;
    if (known !== null && !known.split('\n', 1)[0]!.includes(mark))
      return (
        `${basename(path)} is another's file, and the types of ${basename(id)} ` +
        'were not written: remove it, or say types: false'
      );
    writeFileSync(path, content);
    return null;
  } catch (error) {
    return (
      `the types of ${basename(id)} cannot be written ` +
      `(${(error as { readonly code?: string }).code ?? 'unknown'}): types: false does without`
    );
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}

function declarations(name: string, manifest: EmittedProgram['manifest'], ints: Ints): string {
  const typeName = typeNameOf(name);
  const functions = functionsOf(manifest).map(({ name: own, waits }, at) => {
    const type = `${typeName}['exports']['${own}']`;
    const declared = waits ? `(...values: Parameters<${type}>) => Promise<ReturnType<${type}>>` : type;
    return `declare const function${at}: ${declared};\nexport { function${at} as ${own} };\n`;
  });
  return `// Types of a script, ${mark}.

${declareTypes(manifest, typeName, ints)}
/** Makes a script of the module, with permissions, limits and isolation of its own. */
declare const load: (options?: Omit<import('sluice-host').ScriptOptions, 'ints'>) => Promise<import('sluice-host').Script<${typeName}>>;
export default load;
${functions.join('')}`;
}
