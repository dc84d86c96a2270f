// Writes the grammars of syntaxes/ anew: `node editors/vscode/tools/generate-grammar.ts`. A test compares.

import { writeFileSync } from 'node:fs';
import { grammarFiles } from './textmate-grammar.ts';

for (const [path, text] of Object.entries(grammarFiles)) writeFileSync(new URL(`../${path}`, import.meta.url), text);
