// The JSON lines that the command prints for programs.

import { formatJson } from '../../runtime-host/api/node.ts';
import type { ScriptError, ScriptValue } from '../../runtime-host/api/node.ts';

/** `{"yield":{"text":"4.0","value":4.0}}`: ints keep all digits, doubles never look like ints. */
export function valueLine(kind: 'yield' | 'result', value: ScriptValue, text: string): string {
  // Whether a number inside json is an int, only its text tells.
  const written = typeof value === 'number' && Number.isFinite(value) ? text : formatJson(value);
  return `{"${kind}":{"text":${JSON.stringify(text)},"value":${written}}}`;
}

export function errorLine(error: Pick<ScriptError, 'name' | 'message' | 'frames'>): string {
  const stack = error.frames.map(({ file, line, column, function: name }) => ({ file, line, column, function: name }));
  return JSON.stringify({ error: { type: error.name, message: error.message, stack } });
}
