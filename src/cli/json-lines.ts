// What the command prints for programs to read.

import { formatJson } from '../../runtime-host/node.ts';
import type { ScriptError, ScriptValue } from '../../runtime-host/node.ts';

/** `{"yield":{"text":"4.0","value":4.0}}`: ints keep all their digits, doubles are never written as ints. */
export function valueLine(kind: 'yield' | 'result', value: ScriptValue, text: string): string {
  return `{"${kind}":{"text":${JSON.stringify(text)},"value":${formatJson(value)}}}`;
}

export function errorLine(error: Pick<ScriptError, 'name' | 'message' | 'frames'>): string {
  const stack = error.frames.map(({ file, line, column, function: name }) => ({ file, line, column, function: name }));
  return JSON.stringify({ error: { type: error.name, message: error.message, stack } });
}
