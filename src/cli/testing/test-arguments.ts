// The arguments that main has in a test: `// args: {"xs": [1, 2]}` at the top of the file says them.

import type { Arguments } from '../../../runtime-host/api/node.ts';
import type { SyntaxFile } from '../../1-parse/syntax-tree.ts';
import type { Manifest } from '../../abi/manifest.ts';
import { positionAt } from '../../source.ts';
import { readArgumentsComment } from '../../testing/tests.ts';
import { UsageError } from '../exit.ts';
import { readArguments } from '../script-arguments.ts';

/** Throws UsageError for a comment that holds no object, ArgumentError for values that do not fit. */
export function argumentsOf(file: SyntaxFile, manifest: Manifest): Arguments {
  const comment = readArgumentsComment(file);
  if (comment === null) return {};
  const { line } = positionAt(file.source, comment.span.start);
  const values = parseObject(comment.json);
  if (values === null)
    throw new UsageError(
      `the comment // args: in line ${line} holds a JSON object, a value for each parameter of main`,
    );
  const words = Object.entries(values).map(([name, value]) => {
    const type = manifest.parameters?.find((parameter) => parameter.name === name)?.type;
    const text = type === 'string' && typeof value === 'string' ? value : JSON.stringify(value);
    // What begins with @ would be the name of a file.
    return `${name}=${text.startsWith('@') ? '@' : ''}${text}`;
  });
  return readArguments(manifest, words, 'test');
}

/** Numbers keep their text, so that an int keeps all its digits. */
function parseObject(json: string): Record<string, unknown> | null {
  const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };
  const keep = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value;
  try {
    const value: unknown = JSON.parse(json, keep);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
