// The question to a person: what the script wants, what each answer covers, a letter and Enter. Only a line that was
// typed after the question appeared counts as an answer.

import type { PermissionRequest } from '../../../runtime-host/namespaces/requests.ts';
import type { PermissionPrompt } from '../../../runtime-host/permissions/command-line/policy.ts';
import type { Style } from '../../diagnostics/render.ts';

/** The terminal that shows the questions. */
export interface Terminal {
  /** Discards what was typed so far. */
  discardInput(): Promise<void>;
  write(text: string): void;
  /** The next line, without its end; null at the end of input. */
  readLine(): Promise<string | null>;
}

/** `gone` means that nobody can answer any more. */
export type PromptAnswer = 'once' | 'run' | 'deny' | 'deny-topic' | 'gone';

interface Choice {
  readonly key: string;
  readonly answer: PromptAnswer;
  readonly text: string;
}

export async function ask(
  terminal: Terminal,
  style: Style,
  prompt: PermissionPrompt<PermissionRequest>,
): Promise<PromptAnswer> {
  const choices = choicesFor(prompt);
  const keys = `${choices
    .slice(0, -1)
    .map(({ key }) => key)
    .join(', ')} or ${choices.at(-1)!.key}`;
  const question = [
    '',
    `${style.strong('This script wants to')} ${prompt.text}.`,
    ...prompt.notes.map((note) => `  ${note}`),
    ...choices.map(({ key, text }) => `  ${style.strong(key)}  ${text}`),
    `${style.strong(`${keys}?`)} `,
  ].join('\n');
  for (let text = question; ; text = `Please answer with ${keys}, and Enter: `) {
    await terminal.discardInput();
    terminal.write(text);
    const line = await terminal.readLine();
    if (line === null) {
      terminal.write('\n');
      return 'gone';
    }
    const chosen = choices.find(({ key }) => key === line.trim().toLowerCase());
    if (chosen !== undefined) return chosen.answer;
  }
}

function choicesFor({ scope, topic }: PermissionPrompt<PermissionRequest>): readonly Choice[] {
  return [
    { key: 'y', answer: 'once', text: 'allow once' },
    ...(scope === null ? [] : [{ key: 'a', answer: 'run' as const, text: `allow for this run: ${scope.text}` }]),
    { key: 'n', answer: 'deny', text: 'deny' },
    { key: 'd', answer: 'deny-topic', text: `deny for this run: ${topic.text}` },
  ];
}
