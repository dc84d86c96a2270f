// What stands above declarations: running, benchmarking and testing the script, the permissions that a function can
// reach, with the options that give them, and how large its code is. The server runs nothing: the client starts the
// command line in a terminal, where prompts appear.

import type { CodeLens, Command, ServerCapabilities } from 'vscode-languageserver';
import { permissionsOf } from '../queries/index.ts';
import { hasExpectations } from '../testing/expectations.ts';
import { findTests } from '../testing/tests.ts';
import { Costs } from './costs.ts';
import type { FunctionCost } from './environment.ts';
import { baseName, folderOf, isUri } from './names.ts';
import { atDocument } from './requests.ts';
import type { Asked } from './requests.ts';
import type { Session } from './session.ts';

export const codeLensCapabilities: ServerCapabilities = { codeLensProvider: {} };

/** What the client does with a lens: `sluice WORDS` in a terminal, in the folder. */
export interface TerminalCommand {
  readonly words: readonly string[];
  readonly folder: string;
}

/** By the command of the command line that a lens starts. */
export const lensTitles = { run: 'Run', bench: 'Benchmark', test: 'Run test' } as const;

export const runInTerminal = 'sluice.runInTerminal';

export function answerCodeLenses(session: Session): void {
  const costs = new Costs(session);
  session.connection.onCodeLens(
    atDocument(session, (asked) => [
      ...runLenses(session, asked),
      ...permissionLenses(session, asked),
      ...(session.settings.lenses.costs ? costLenses(session, asked, costs.of(asked.analysis)) : []),
    ]),
  );
}

function runLenses({ settings, places }: Session, { file, analysis: { entry } }: Asked): CodeLens[] {
  if (!settings.lenses.run || isUri(file.name)) return [];
  const [script, folder] = [baseName(file.name), folderOf(file.name)];
  const isTested = hasExpectations(entry.syntax);
  return findTests(entry.syntax).flatMap(({ name, kind, place }): CodeLens[] => {
    const range = places.range(place);
    const lens = (command: keyof typeof lensTitles, ...rest: string[]): CodeLens => ({
      range,
      command: inTerminal(lensTitles[command], { words: [command, script, ...rest], folder }),
    });
    const test = lens('test', `--only=/> ${name}$/`);
    if (kind === 'function') return [test];
    return [lens('run'), lens('bench'), ...(isTested ? [test] : [])];
  });
}

function inTerminal(title: string, command: TerminalCommand): Command {
  return { title, command: runInTerminal, arguments: [command] };
}

/** A lens without a command is text. */
function permissionLenses({ settings, places }: Session, { analysis }: Asked): CodeLens[] {
  if (!settings.lenses.permissions) return [];
  return permissionsOf(analysis)
    .filter(({ requests }) => requests.length > 0)
    .map(({ nameSpan, requests }) => {
      const flags = [...new Set(requests.map(({ flag }) => flag))].join(' ');
      return { range: places.range(nameSpan), command: { title: `asks: ${flags}`, command: '' } };
    });
}

function costLenses(
  { places }: Session,
  { analysis: { entry } }: Asked,
  costs: ReadonlyMap<string, FunctionCost>,
): CodeLens[] {
  const functions = entry.syntax.items.flatMap((item) => (item.kind === 'function-declaration' ? [item.name] : []));
  const main = findTests(entry.syntax).flatMap(({ name, kind, place }) =>
    kind === 'run' ? [{ text: name, span: place }] : [],
  );
  return [...functions, ...main].flatMap(({ text, span }) => {
    const cost = costs.get(text);
    if (cost === undefined) return [];
    const title = `${cost.wasmBytes.toLocaleString('en')} bytes, ${Math.round(cost.share * 100)} % of the code`;
    return [{ range: places.range(span), command: { title, command: '' } }];
  });
}
