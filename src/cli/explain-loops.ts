// `sluice build --explain-loops`: what was done with each loop of a script, what stood in the way, and where.

import type { PassChoice } from '../4-optimise/passes.ts';
import type { ExplainedLoop, LoopRemark } from '../4-optimise/remarks/remarks.ts';
import type { CommandInput } from './command.ts';
import { stdout } from './output.ts';
import { nameOfOperand } from './standard-input.ts';

interface Explanation {
  readonly choice: Pick<PassChoice, 'remarks'>;
  readonly prints: boolean;
  /** Writes it to standard output. */
  readonly print: () => void;
}

/** `format` is that of the diagnostics: who reads those by a program reads this by one too. */
export async function readExplanation(
  { operand, switches, values }: CommandInput,
  format: string,
): Promise<Explanation> {
  const chosen = values.get('explain-loops')?.at(-1);
  if (chosen === undefined && !switches.has('explain-loops')) return { choice: {}, prints: false, print: () => {} };
  const { Remarks } = await import('../4-optimise/remarks/remarks.ts');
  const remarks = new Remarks();
  const isJson = (chosen ?? (format === 'text' ? 'text' : 'json')) === 'json';
  return {
    choice: { remarks },
    prints: true,
    print: () => {
      const loops = remarks.explained();
      stdout.scriptLine(isJson ? JSON.stringify({ loops }) : loopsText(loops, nameOfOperand(operand)));
    },
  };
}

/** Loops under the functions that they are in, as deep as they nest; functions of imported files with their file. */
export function loopsText(loops: readonly ExplainedLoop[], entryFile: string): string {
  if (loops.length === 0) return 'There is no loop in this script.';
  return loops
    .flatMap((loop, index) => {
      const { file, function: name } = loop;
      const before = loops[index - 1];
      if (before?.file === file && before.function === name) return linesOf(loop);
      const of = file === entryFile ? '' : ` of ${file}`;
      return [...(index === 0 ? [] : ['']), `In ${name}${of}:`, ...linesOf(loop)];
    })
    .join('\n');
}

function linesOf({ line, column, depth, head, isOuter, remarks }: ExplainedLoop): readonly string[] {
  const indent = '  '.repeat(depth + 1);
  const said = remarks.flatMap((remark) => remarkLines(remark).map((text) => `${indent}  ${text}`));
  const nothing = said.length > 0 || isOuter ? [] : [`${indent}  nothing to say`];
  return [`${indent}${line}:${column} ${head}`, ...said, ...nothing];
}

const labels = { applied: 'fast', missed: 'slow', analysis: 'note' } as const;

function remarkLines({ outcome, text, help }: LoopRemark): readonly string[] {
  return [`${labels[outcome]}: ${text}`, ...(help === null ? [] : [`  help: ${help}`])];
}
