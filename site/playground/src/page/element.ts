// Elements by one expression, and those that the page has from the start.

type Child = Node | string | null;
type Attributes = Readonly<Record<string, string | boolean | number | ((event: never) => void) | null>>;

/** Makes an element. `on…` attributes are listeners, false and null leave one out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null) continue;
    if (typeof value === 'function') made.addEventListener(key.slice(2), value as unknown as EventListener);
    else made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** The element with that id. Throws where the page has none. */
export function find<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found as Kind;
}

/** `1,234` and `12.3 KB` for people. */
export function count(number: number): string {
  return number.toLocaleString('en');
}

export function bytes(number: number): string {
  if (number < 1_000) return `${number} B`;
  return number < 1e6 ? `${(number / 1e3).toFixed(1)} KB` : `${(number / 1e6).toFixed(1)} MB`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 10_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
