// A form for the parameters of main, made from the manifest: what it gives is what the host takes. Values stay while
// the script changes, as long as there is a parameter of that name.

import { element } from '../page/element.ts';
import type { Files } from '../engine/messages.ts';
import type { Parameter, Struct, TypeDescriptor } from '../engine/vocabulary.ts';

/** What was typed, by the name of the parameter. */
export type Typed = Readonly<Record<string, string>>;

/** A mistake in the form, told at its field. */
export class ArgumentMistake extends Error {
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

export class ArgumentsPane {
  readonly #root: HTMLFormElement;
  readonly #section: HTMLElement;
  #typed: Record<string, string> = {};
  #parameters: readonly Parameter[] = [];
  #structs: readonly Struct[] = [];

  constructor(section: HTMLElement, root: HTMLFormElement, run: () => void) {
    this.#section = section;
    this.#root = root;
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      run();
    });
  }

  get typed(): Typed {
    const names = new Set(this.#parameters.map(({ name }) => name));
    return Object.fromEntries(Object.entries(this.#typed).filter(([name, text]) => names.has(name) && text !== ''));
  }

  set typed(typed: Typed) {
    this.#typed = { ...typed };
    this.#draw();
  }

  show(parameters: readonly Parameter[], structs: readonly Struct[]): void {
    const isSame = JSON.stringify([parameters, structs]) === JSON.stringify([this.#parameters, this.#structs]);
    this.#parameters = parameters;
    this.#structs = structs;
    if (!isSame) this.#draw();
  }

  /** What main gets. Throws ArgumentMistake; a text that begins with `@` is that of a file. */
  read(files: Files): Readonly<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    for (const { name, type, required } of this.#parameters) {
      const text = this.#typed[name] ?? '';
      if (text === '' && !required) continue;
      if (text === '' && type !== 'string')
        throw new ArgumentMistake(name, `main wants ${name}, a ${this.#nameOf(type)}`);
      values[name] = valueOf(name, type, text.startsWith('@') ? fileOf(name, text.slice(1), files) : text);
    }
    return values;
  }

  /** Shows a mistake at its field. */
  complain({ parameter, message }: ArgumentMistake): void {
    const field = this.#root.elements.namedItem(parameter);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    field.setCustomValidity(message);
    field.reportValidity();
  }

  #draw(): void {
    this.#section.hidden = this.#parameters.length === 0;
    this.#root.replaceChildren(...this.#parameters.map((parameter) => this.#field(parameter)));
  }

  #field({ name, type, required }: Parameter): HTMLElement {
    const text = this.#typed[name] ?? '';
    const isLong = type !== 'int' && type !== 'double' && type !== 'boolean';
    const attributes = {
      name,
      placeholder: required ? this.#exampleOf(type) : 'default',
      autocomplete: 'off',
      spellcheck: 'false',
      autocapitalize: 'off',
      'aria-required': String(required),
    };
    const field = isLong
      ? element('textarea', { ...attributes, rows: 1 }, text)
      : element('input', {
          ...attributes,
          type: 'text',
          inputmode: type === 'boolean' ? 'text' : 'decimal',
          value: text,
        });
    field.addEventListener('input', () => {
      field.setCustomValidity('');
      this.#typed[name] = field.value;
    });
    const kind = element('span', { class: 'argument-type' }, this.#nameOf(type));
    return element(
      'label',
      { class: isLong ? 'argument argument-long' : 'argument' },
      element('span', {}, kind, ` ${name}`),
      field,
    );
  }

  #nameOf(type: TypeDescriptor): string {
    if (typeof type === 'string') return type;
    return 'array' in type ? `${this.#nameOf(type.array)}[]` : this.#structs[type.struct]!.name;
  }

  #exampleOf(type: TypeDescriptor): string {
    if (typeof type === 'object')
      return 'array' in type
        ? '[…]'
        : `{ ${this.#structs[type.struct]!.fields.map(({ name }) => `"${name}": …`).join(', ')} }`;
    return { int: '42', double: '1.5', boolean: 'true', string: 'text, or @file', json: 'JSON, or @file' }[type];
  }
}

function fileOf(name: string, path: string, files: Files): string {
  const text = files[path];
  if (text === undefined) throw new ArgumentMistake(name, `there is no file ${path}: add it under Files`);
  return text;
}

function valueOf(name: string, type: TypeDescriptor, text: string): unknown {
  if (type === 'string') return text;
  const trimmed = text.trim();
  if (type === 'int') {
    if (/^[+-]?\d+$/.test(trimmed)) return BigInt(trimmed);
    throw new ArgumentMistake(name, `${name} is an int: a whole number, such as 42`);
  }
  if (type === 'double') {
    const number = Number(trimmed);
    if (trimmed !== '' && !Number.isNaN(number)) return number;
    throw new ArgumentMistake(name, `${name} is a double: a number, such as 1.5`);
  }
  if (type === 'boolean') {
    if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
    throw new ArgumentMistake(name, `${name} is a boolean: true or false`);
  }
  try {
    return JSON.parse(trimmed) as unknown;
  } catch (error) {
    throw new ArgumentMistake(name, `${name} is written as JSON: ${(error as Error).message}`);
  }
}
