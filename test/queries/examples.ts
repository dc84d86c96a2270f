// The examples of the repository, by their paths from its folder.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../examples');

export const exampleTexts: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.slu') && !path.startsWith('plugins/'))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
);
