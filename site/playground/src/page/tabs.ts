// Tabs as the pattern has them: one is in the order of Tab, arrow keys move between them.

import { find } from './element.ts';

export class Tabs {
  readonly #tabs: readonly HTMLElement[];

  constructor(list: HTMLElement) {
    this.#tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
    this.#tabs.forEach((tab, at) => {
      tab.addEventListener('click', () => this.select(tab.id));
      tab.addEventListener('keydown', (event) => {
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.#tabs.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        const next = this.#tabs[(to + this.#tabs.length) % this.#tabs.length]!;
        this.select(next.id);
        next.focus();
      });
    });
  }

  select(id: string): void {
    for (const tab of this.#tabs) {
      const isSelected = tab.id === id;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      find(tab.getAttribute('aria-controls')!).hidden = !isSelected;
    }
  }
}
