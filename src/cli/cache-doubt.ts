// What is said of a cache that cannot be trusted.

import { escapeControls } from '../diagnostics/display.ts';
import { stderr } from './output.ts';
import type { Doubt } from './own-files.ts';

/** Prints a line for the person who called the command. */
export function tellDoubt(what: string, { path, text }: Doubt, consequence: string): void {
  stderr.line(`sluice: ${what}: ${escapeControls(path)} ${text}; ${consequence}`);
}
