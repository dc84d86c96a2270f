// The last section of docs/architecture.md: the list of passes, and one loop on its way through all of them.

import { lower } from '../src/3-lower/lower.ts';
import { settingsOf } from '../src/4-optimise/pass.ts';
import { passes, runPasses } from '../src/4-optimise/passes.ts';
import { checkSource } from '../src/compile.ts';
import { printFunction } from '../src/mir/print.ts';
import type { MirProgram } from '../src/mir/program.ts';

const fence = '```';

/** A loop that each kind of pass has something to say of. */
const script = `double square(double x) { return x * x; }

double length(double[] xs) {
  double sum = 0.0;
  for (int i = 0; i < xs.length(); i++) sum += square(xs[i]);
  return Math.sqrt(sum);
}

main(int n) {
  double[] xs = new double[n];
  xs.fill(0.5);
  return length(xs);
}`;

/** The functions that `length` is, and those that passes took out of it. */
function printed({ functions }: MirProgram): string {
  return [...functions.values()]
    .filter(({ id }) => id.startsWith('#length'))
    .map(printFunction)
    .join('\n\n');
}

/** Where the section begins; it reaches to the end of the page. */
const heading = '## The passes';

/** The page with the section made anew. */
export function withPasses(page: string): string {
  return `${page.slice(0, page.indexOf(heading))}${section()}`;
}

function section(): string {
  return [
    heading,
    '',
    'From here on made from `src/4-optimise/passes.ts` by `tools/generate-docs.ts`. Each pass is a file of its name in',
    '`src/4-optimise/transform/`, whose head says what it does, when it does not apply, and where it comes from.',
    '`sluice build --print-mir=PASS` shows what a pass made of a script, ' +
      '`--without-pass PASS` leaves an optional one out.',
    '',
    '| Pass | | What it does |',
    '|---|---|---|',
    ...passes.map(({ name, isRequired, summary }) => `| \`${name}\` | ${isRequired ? 'required' : ''} | ${summary} |`),
    '',
    '### One loop on its way',
    '',
    `${fence}sluice`,
    '// length.slu',
    script,
    fence,
    '',
    ...walk(),
  ].join('\n');
}

/** `length` behind each pass that changes it; the names of the others. */
function walk(): readonly string[] {
  const { program } = checkSource('length.slu', script);
  const lines: string[] = [];
  let last = '';
  let idle: string[] = [];
  const tellIdle = (): void => {
    if (idle.length > 0) lines.push(`Left as it is by ${idle.map((name) => `\`${name}\``).join(', ')}.`, '');
    idle = [];
  };
  const settings = settingsOf({ guards: { use: true, depth: true } });
  runPasses(lower(program!), settings, {
    optimise: true,
    observe: (name, mir) => {
      const text = printed(mir);
      if (text === last) {
        idle.push(name);
        return;
      }
      tellIdle();
      last = text;
      const summary = passes.find((pass) => pass.name === name)?.summary ?? 'what lowering makes of it';
      lines.push(
        `#### ${name}`,
        '',
        `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
        '',
        `${fence}text`,
        text,
        fence,
        '',
      );
    },
  });
  tellIdle();
  return lines;
}
