// `sluice explain`: explains a diagnostic, or says when a run-time error is raised.

import { nearestName } from '../language/nearest-name.ts';
import { shownExample } from '../diagnostics/fault.ts';
import type { Fault } from '../diagnostics/fault.ts';
import { renderDiagnostic } from '../diagnostics/render.ts';
import { errorTypes } from '../language/errors.ts';
import { quote } from '../language/quoted-text.ts';
import { raisedWhen } from '../language/raised-when.ts';
import { memoryReader } from '../memory-reader.ts';
import type { CommandInput } from './command.ts';
import { explainedFaults } from './entry-fault.ts';
import { exitCodes, UsageError } from './exit.ts';
import { stdout } from './output.ts';

export async function explainCommand(input: CommandInput): Promise<number> {
  const wanted = input.operand.toLowerCase();
  const row = explainedFaults.find(({ code }) => code.toLowerCase() === wanted);
  const errorType = errorTypes.find(({ name }) => name.toLowerCase() === wanted);
  if (row !== undefined) stdout.line(await explainFault(row));
  else if (errorType !== undefined) stdout.line(explainErrorType(errorType));
  else
    throw unknownCode(input.operand, [
      ...explainedFaults.map(({ code }) => code),
      ...errorTypes.map(({ name }) => name),
    ]);
  return exitCodes.fine;
}

/** The rule, its reason, a script that breaks it with the compiler's message, and the corrected script. */
async function explainFault(row: Fault<never>): Promise<string> {
  const { checkSource, compile } = await import('../compile.ts');
  const options = {
    ...(row.files === undefined ? {} : { reader: memoryReader(row.files) }),
    ...(row.limits === undefined ? {} : { limits: row.limits }),
  };
  const { diagnostics } =
    row.needsCompile === true
      ? await compile('wrong.slu', row.wrong, options)
      : checkSource('wrong.slu', row.wrong, options);
  const found = diagnostics.find(({ code }) => code === row.code);
  return [
    row.code,
    wrap(row.explanation),
    ...(found === undefined && row.help !== null ? [`What to do: ${row.help}`] : []),
    `Wrong:\n\n${indent(shownExample(row.wrong))}`,
    ...(found === undefined ? [] : [`The compiler says:\n\n${indent(renderDiagnostic(found))}`]),
    `Right:\n\n${indent(row.right)}`,
    ...Object.entries(row.files ?? {}).map(([path, text]) => `with ${path}:\n\n${indent(text)}`),
  ].join('\n\n');
}

function explainErrorType({ name, guard }: (typeof errorTypes)[number]): string {
  const caught = guard
    ? `\`catch (e)\` lets it pass; \`catch (${name} e)\` sees it, and the program ends with it when the clause ends.`
    : `\`catch (${name} e)\` and \`catch (e)\` take it; e is the message.`;
  const before = raisedBefore[name] === undefined ? [] : [raisedBefore[name]];
  return [name, `Raised while a script runs. ${raisedWhen[name]}`, caught, ...before].join('\n\n');
}

/** Run-time errors that can also end a run before the script starts. */
const raisedBefore: Readonly<Record<string, string>> = {
  TypeError:
    'A missing, unknown or mistyped argument of main raises it too, before the script starts, where nothing can ' +
    'catch it.',
};

/** Wraps lines for a terminal of 80 columns. */
function wrap(text: string): string {
  return text.replace(/(?=.{79})(.{1,78})\s+/g, '$1\n');
}

function indent(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

function unknownCode(operand: string, known: readonly string[]): UsageError {
  const nearest = nearestName(operand.toUpperCase(), known) ?? nearestName(operand, known);
  return new UsageError(
    `there is no ${quote(operand)} to explain: ` +
      (nearest === null ? 'codes look like E2001, and stand in every message' : `did you mean ${nearest}?`),
    'explain',
  );
}
