// What is wrong with the script, in the words of the compiler, with the edits that mend it.

import type { Problem } from '../engine/messages.ts';
import { element } from '../page/element.ts';

export interface ProblemsOptions {
  readonly list: HTMLElement;
  readonly badge: HTMLElement;
  readonly fixAll: HTMLButtonElement;
  readonly lineOf: (offset: number) => { readonly line: number; readonly column: number };
  readonly jump: (problem: Problem) => void;
  readonly fix: (problem: Problem, at: number) => void;
  readonly fixSure: (problems: readonly Problem[]) => void;
}

export class ProblemsPane {
  readonly #options: ProblemsOptions;
  #problems: readonly Problem[] = [];

  constructor(options: ProblemsOptions) {
    this.#options = options;
    options.fixAll.addEventListener('click', () => options.fixSure(this.#problems));
  }

  show(problems: readonly Problem[]): void {
    const { list, badge, fixAll } = this.#options;
    this.#problems = problems;
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    const warnings = problems.length - errors;
    badge.textContent = problems.length === 0 ? 'No problems' : words(errors, warnings);
    badge.dataset['state'] = errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'fine';
    const sure = problems.filter(({ fixes }) => fixes.some((fix) => fix.sure)).length;
    fixAll.hidden = sure < 2;
    fixAll.textContent = `Apply ${sure} sure fixes`;
    list.replaceChildren(...problems.slice(0, 100).map((problem) => this.#item(problem)));
    list.hidden = problems.length === 0;
  }

  #item(problem: Problem): HTMLElement {
    const { lineOf, jump, fix } = this.#options;
    const { line, column } = lineOf(problem.from);
    const fixes = problem.fixes.map(({ description }, at) =>
      element(
        'button',
        { type: 'button', class: 'fix', 'aria-label': `Apply fix: ${description}`, onclick: () => fix(problem, at) },
        element('span', { 'aria-hidden': 'true' }, '✦ '),
        `Apply fix: ${description}`,
      ),
    );
    return element(
      'li',
      { class: `problem problem-${problem.severity}` },
      element(
        'button',
        { type: 'button', class: 'problem-head', onclick: () => jump(problem) },
        element('span', { class: 'problem-kind' }, `${problem.type} ${problem.code}`),
        element('span', { class: 'problem-message' }, problem.message),
        element('span', { class: 'problem-place' }, `${line}:${column}`),
      ),
      problem.help === null ? null : element('p', { class: 'problem-help' }, problem.help),
      element('pre', { class: 'problem-frame' }, middleOf(problem.frame)),
      fixes.length === 0 ? null : element('p', { class: 'problem-fixes' }, ...fixes),
    );
  }
}

/** The source lines of a frame: the sentence and the advice around it are shown by themselves. */
function middleOf(frame: string): string {
  const lines = frame.split('\n').slice(2);
  const help = lines.findIndex((line) => line.startsWith('help:'));
  return (help < 0 ? lines : lines.slice(0, help)).join('\n');
}

function words(errors: number, warnings: number): string {
  const one = (n: number, what: string): string[] => (n === 0 ? [] : [`${n} ${what}${n === 1 ? '' : 's'}`]);
  return [...one(errors, 'error'), ...one(warnings, 'warning')].join(', ');
}
