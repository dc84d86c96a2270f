// docs/performance.md: what the compiler says of the loops of its scripts. The page is written by hand, with scripts in
// fences `sluice` that begin with their names, `// sum.slu`; the fence behind each is made here.

import { lower } from '../src/3-lower/lower.ts';
import { settingsOf } from '../src/4-optimise/pass.ts';
import { runPasses } from '../src/4-optimise/passes.ts';
import { Remarks } from '../src/4-optimise/remarks/remarks.ts';
import { loopsText } from '../src/cli/explain-loops.ts';
import { checkSource } from '../src/compile.ts';

const fence = '```';
const example = /^```sluice\n(\/\/ (\S+\.slu)\n[^]*?)^```\n\n```console\n[^]*?^```$/gm;

/** The page with all that is said of loops made anew. */
export function withLoops(page: string): string {
  return page.replace(example, (_, script: string, name: string) =>
    [
      `${fence}sluice`,
      `${script}${fence}`,
      '',
      `${fence}console`,
      `$ sluice build ${name} --explain-loops`,
      explain(name, script),
      fence,
    ].join('\n'),
  );
}

function explain(name: string, script: string): string {
  const { program, diagnostics } = checkSource(name, script);
  if (program === null || diagnostics.length > 0)
    throw new Error(`${name} of docs/performance.md: ${diagnostics.map(({ message }) => message).join('; ')}`);
  const remarks = new Remarks();
  runPasses(lower(program), settingsOf({ guards: { use: true, depth: true } }), { optimise: true, remarks });
  return loopsText(remarks.explained(), name);
}
