// Texts that are pictures, in a frame that may do nothing: no scripts, no forms, no network. Several are frames of one
// film, with a slider.

import { element } from '../page/element.ts';

/** The frame inherits the page's policy; this one leaves nothing but the picture's own styles. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
const style =
  'html,body{margin:0;height:100%}body{display:grid;place-items:center}svg{max-width:100%;max-height:100vh}';

export class PictureView {
  readonly root: HTMLElement;
  readonly #frame = element('iframe', { sandbox: '', title: 'The picture that the script made', tabindex: -1 });
  readonly #slider = element('input', { type: 'range', min: 0, max: 0, 'aria-label': 'Which picture' });
  readonly #place = element('span', { class: 'picture-place' });
  #pictures: readonly string[] = [];
  #shown = '';
  #follows = true;

  constructor() {
    this.#slider.addEventListener('input', () => {
      this.#follows = Number(this.#slider.value) === this.#pictures.length - 1;
      this.#draw();
    });
    const bar = element('div', { class: 'picture-bar' }, this.#slider, this.#place);
    this.root = element('div', { class: 'picture' }, this.#frame, bar);
  }

  clear(): void {
    this.#follows = true;
    this.show([]);
  }

  show(pictures: readonly string[]): void {
    this.#pictures = pictures;
    this.#slider.max = String(Math.max(pictures.length - 1, 0));
    if (this.#follows) this.#slider.value = this.#slider.max;
    this.root.classList.toggle('is-film', pictures.length > 1);
    this.#draw();
  }

  #draw(): void {
    const at = Number(this.#slider.value);
    const picture = this.#pictures[at] ?? '';
    this.#place.textContent = `${at + 1} of ${this.#pictures.length}`;
    if (picture === this.#shown) return;
    this.#shown = picture;
    const head = `<meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style>`;
    this.#frame.srcdoc = `<!doctype html>${head}${picture}`;
  }
}
