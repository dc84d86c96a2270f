// The fault that `run` and `build` report for a file without an entry or exports. The file itself is not wrong: other
// files may import it, and `check` accepts it.

import { catalog } from '../diagnostics/catalog.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { fault } from '../diagnostics/fault.ts';
import type { Fault } from '../diagnostics/fault.ts';
import { createSourceFile } from '../source.ts';

export const nothingToRun = fault<{ readonly verb: 'run' | 'build' }>({
  code: 'E2900',
  message: ({ verb }) => `there is nothing to ${verb} here: the file has neither statements at top level nor a main`,
  help: 'Write statements at top level, or main(...) { ... } around them.',
  explanation:
    'A program begins at its main, or at the first of its statements at top level. A file with only types, ' +
    'functions and variables is a library: other files may import it, and it can be built if it exports a ' +
    'function.',
  wrong: 'int twice(int n) { return 2 * n; }',
  right: 'int twice(int n) { return 2 * n; }\nreturn twice(21);',
});

/** Every fault that has a code and an explanation. */
export const explainedFaults: readonly Fault<never>[] = [
  ...Object.values(catalog),
  nothingToRun,
] as readonly Fault<never>[];

/** The diagnostic, placed at the end of the last line. */
export function reportNothingTo(verb: 'run' | 'build', name: string, text: string): Diagnostic {
  const file = createSourceFile(name, text);
  const end = file.text.trimEnd().length;
  const { code, help, message } = nothingToRun;
  const advice = verb === 'build' ? `${help} A function that the host may call is marked export.` : help;
  return {
    code,
    type: 'SemanticError',
    severity: 'error',
    message: message({ verb }),
    help: advice,
    span: { file, start: end, end },
    labels: [],
    fix: null,
  };
}
