// What is wrong with the script, in the words of the compiler, with the edits that mend it.

import { element } from '../page/element.ts';
import type { Fix, Place, Problem, Problems } from '../server/problems.ts';
import { scriptName } from '../names.ts';

/** More are not listed. */
const most = 100;
/** Milliseconds. What is half typed is a mistake most of the time: the list does not come and go with each key. */
const listDelay = 500;

export interface ProblemsOptions {
  readonly list: HTMLElement;
  readonly badge: HTMLElement;
  readonly fixAll: HTMLButtonElement;
  readonly jump: (place: Place) => void;
  readonly fix: (fix: Pick<Fix, 'apply'>) => void;
}

export class ProblemsPane {
  readonly #options: ProblemsOptions;
  #sure: Problems['sure'] = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ProblemsOptions) {
    this.#options = options;
    options.fixAll.addEventListener('click', () => {
      if (this.#sure !== null) options.fix(this.#sure);
    });
  }

  show({ all, sure }: Problems): void {
    const { list, badge, fixAll } = this.#options;
    this.#sure = sure;
    const errors = all.filter(({ severity }) => severity === 'error').length;
    const warnings = all.length - errors;
    badge.textContent = all.length === 0 ? 'No problems' : words(errors, warnings);
    badge.dataset['state'] = errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'fine';
    fixAll.hidden = sure === null;
    fixAll.textContent = `Apply ${sure?.count ?? 0} sure fixes`;
    list.replaceChildren(...all.slice(0, most).map((problem) => this.#item(problem)));
    clearTimeout(this.#timer);
    if (all.length === 0) list.hidden = true;
    else if (list.hidden) this.#timer = setTimeout(() => (list.hidden = false), listDelay);
  }

  #item({ severity, code, message, help, place, labels, fixes }: Problem): HTMLElement {
    const { jump, fix } = this.#options;
    return element(
      'li',
      { class: `problem problem-${severity}` },
      element(
        'button',
        { type: 'button', class: 'problem-head', onclick: () => jump(place) },
        element('span', { class: 'problem-kind' }, `${severity} ${code}`),
        element('span', { class: 'problem-message' }, message),
        element('span', { class: 'problem-place' }, textOf(place)),
      ),
      help === '' ? null : element('p', { class: 'problem-help' }, help),
      ...labels.map((label) =>
        element(
          'button',
          { type: 'button', class: 'problem-label', onclick: () => jump(label.place) },
          element('span', {}, label.text),
          element('span', { class: 'problem-place' }, textOf(label.place)),
        ),
      ),
      fixes.length === 0
        ? null
        : element(
            'p',
            { class: 'problem-fixes' },
            ...fixes.map((each) =>
              element(
                'button',
                { type: 'button', class: 'fix', onclick: () => fix(each) },
                element('span', { 'aria-hidden': 'true' }, '✦ '),
                `Apply fix: ${each.title}`,
              ),
            ),
          ),
    );
  }
}

function textOf({ file, line, column }: Place): string {
  return file === scriptName ? `${line}:${column}` : `${file}:${line}:${column}`;
}

function words(errors: number, warnings: number): string {
  const one = (n: number, what: string): string[] => (n === 0 ? [] : [`${n} ${what}${n === 1 ? '' : 's'}`]);
  return [...one(errors, 'error'), ...one(warnings, 'warning')].join(', ');
}
