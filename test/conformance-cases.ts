// Reads the conformance cases from the disk, for whoever runs them, here or in another engine.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCase } from './conformance-harness.ts';
import type { Case } from './conformance-harness.ts';

const casesFolder = join(import.meta.dirname, 'conformance');

/** The text of every case by its name, `topic/rule.slu`, sorted. */
export function readCaseTexts(): Readonly<Record<string, string>> {
  const names = readdirSync(casesFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.slu'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(casesFolder, name), 'utf8')]));
}

/** Every case, sorted by name. */
export function readCases(): Case[] {
  return Object.entries(readCaseTexts()).map(([name, text]) => readCase(name, text));
}
