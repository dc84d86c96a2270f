// Files that exist in the memory of this page alone, and the variables that Env.get finds. Imports are found among the
// files, and arguments that begin with `@`.

import type { Files } from '../engine/messages.ts';
import { bytes, element } from '../page/element.ts';

const mostBytes = 32 * 2 ** 20;

export class FilesPane {
  readonly #list: HTMLElement;
  readonly #viewer: HTMLElement;
  readonly #variables: HTMLElement;
  readonly #onChange: () => void;
  /** Never changed: who has it compares it. */
  #files: Files = {};
  #shown: string | null = null;

  constructor(options: {
    readonly list: HTMLElement;
    readonly viewer: HTMLElement;
    readonly variables: HTMLElement;
    readonly upload: HTMLInputElement;
    readonly say: (text: string) => void;
    readonly onChange: () => void;
  }) {
    const { list, viewer, variables, upload, say, onChange } = options;
    this.#list = list;
    this.#viewer = viewer;
    this.#variables = variables;
    this.#onChange = onChange;
    upload.addEventListener('change', () => {
      void this.#add([...(upload.files ?? [])], say);
      upload.value = '';
    });
    this.#addVariable('GREETING', 'Hello');
    this.#addVariable('', '');
    this.#draw();
  }

  get files(): Files {
    return this.#files;
  }

  set files(files: Files) {
    this.#files = { ...files };
    this.#draw();
  }

  /** Another text for a file, or a new one. */
  change(path: string, text: string): void {
    this.#files = { ...this.#files, [path]: text };
    this.#draw();
    this.#onChange();
  }

  show(path: string): void {
    this.#shown = path;
    this.#draw();
  }

  get environment(): Readonly<Record<string, string>> {
    const rows = [...this.#variables.querySelectorAll('.variable')].map((row) =>
      [...row.querySelectorAll('input')].map(({ value }) => value),
    );
    return Object.fromEntries(rows.flatMap(([name, value]) => (name === '' ? [] : [[name!, value!] as const])));
  }

  async #add(files: readonly File[], say: (text: string) => void): Promise<void> {
    for (const file of files) {
      if (file.size > mostBytes) say(`${file.name} is too large: ${bytes(file.size)}`);
      else this.#files = { ...this.#files, [file.name]: await file.text() };
    }
    this.#draw();
    this.#onChange();
  }

  #draw(): void {
    const names = Object.keys(this.#files).sort();
    this.#list.replaceChildren(...names.map((name) => this.#item(name)));
    if (names.length === 0) this.#list.append(element('li', { class: 'about' }, 'There is none yet.'));
    const text = this.#shown === null ? undefined : this.#files[this.#shown];
    this.#viewer.hidden = text === undefined;
    this.#viewer.textContent = (text ?? '').slice(0, 100_000);
    this.#viewer.setAttribute('aria-label', this.#shown ?? '');
  }

  #item(name: string): HTMLElement {
    const show = (): void => {
      this.#shown = this.#shown === name ? null : name;
      this.#draw();
    };
    const remove = (): void => {
      this.#files = Object.fromEntries(Object.entries(this.#files).filter(([other]) => other !== name));
      this.#draw();
      this.#onChange();
    };
    return element(
      'li',
      { class: 'file' },
      element(
        'button',
        { type: 'button', class: 'file-name', 'aria-expanded': String(this.#shown === name), onclick: show },
        name,
      ),
      element('span', { class: 'about' }, bytes(new Blob([this.#files[name]!]).size)),
      element('button', { type: 'button', class: 'quiet', 'aria-label': `Delete ${name}`, onclick: remove }, '✕'),
    );
  }

  #addVariable(name: string, value: string): void {
    const field = (label: string, text: string): HTMLInputElement =>
      element('input', {
        type: 'text',
        'aria-label': label,
        placeholder: label,
        value: text,
        spellcheck: 'false',
        autocapitalize: 'off',
      });
    const row = element('div', { class: 'variable' }, field('name', name), field('value', value));
    row.addEventListener('input', () => {
      const isLast = row === this.#variables.lastElementChild;
      if (isLast && row.querySelector('input')!.value !== '') this.#addVariable('', '');
    });
    this.#variables.append(row);
  }
}
