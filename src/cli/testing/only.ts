// `--only`: a part of the name of a test, or a regular expression between slashes.

import { quote } from '../../language/quoted-text.ts';
import { UsageError } from '../exit.ts';

/** Whether a test runs: any of the patterns fits `FILE > NAME`. Throws UsageError for an invalid expression. */
export function readOnly(patterns: readonly string[]): (path: string, name: string) => boolean {
  const tests = patterns.map(readPattern);
  return (path, name) => tests.length === 0 || tests.some((fits) => fits(`${path} > ${name}`));
}

function readPattern(pattern: string): (title: string) => boolean {
  const match = /^\/(.+)\/([imsu]*)$/.exec(pattern);
  if (match === null) return (title) => title.includes(pattern);
  try {
    const expression = new RegExp(match[1]!, match[2]);
    return (title) => expression.test(title);
  } catch {
    throw new UsageError(
      `--only takes a part of a name or a regular expression, and ${quote(pattern)} is none`,
      'test',
    );
  }
}
