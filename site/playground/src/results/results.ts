// The results: text, table, plot or picture of what a run gives, with a switch. What is in sight is drawn a few times a
// second while values come; which way of showing is chosen first follows from their types, until the reader chooses.

import type { Finished, Frame, ShownValue, View } from '../engine/messages.ts';
import { count, duration, element } from '../page/element.ts';
import { Collected, mostValues } from './collected.ts';
import { PictureView } from './picture-view.ts';
import { PlotView } from './plot-view.ts';
import { TableView } from './table-view.ts';
import { TextRows } from './text-rows.ts';

export type Showing = 'text' | 'table' | 'plot' | 'picture';
const showings: readonly (readonly [showing: Showing, label: string])[] = [
  ['text', 'Text'],
  ['table', 'Table'],
  ['plot', 'Plot'],
  ['picture', 'Picture'],
];
const leastDrawMs = 100;

export class Results {
  readonly #stage: HTMLElement;
  readonly #buttons: ReadonlyMap<Showing, HTMLButtonElement>;
  readonly #text: TextRows;
  readonly #table = new TableView();
  readonly #plot = new PlotView();
  readonly #picture = new PictureView();
  #collected = new Collected();
  #chosen: Showing | null = null;
  #drawMs = leastDrawMs;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: {
    readonly stage: HTMLElement;
    readonly switch: HTMLElement;
    readonly jump: (frame: Frame) => void;
  }) {
    this.#stage = options.stage;
    this.#text = new TextRows(options.jump);
    this.#buttons = new Map(
      showings.map(([showing, label]) => {
        const button = element('button', { type: 'button', 'aria-pressed': 'false', 'data-showing': showing }, label);
        button.addEventListener('click', () => this.choose(showing));
        return [showing, button];
      }),
    );
    options.switch.replaceChildren(...this.#buttons.values());
    this.#show('text');
    this.#update();
  }

  /** The reader's choice; it stays for the next runs. Null leaves it to the values again. */
  choose(showing: Showing | null): void {
    this.#chosen = showing;
    if (showing !== null) this.#show(showing);
  }

  get chosen(): Showing | null {
    return this.#chosen;
  }

  begin(): void {
    this.#collected = new Collected();
    this.#text.clear();
    this.#picture.clear();
    this.#update();
  }

  setViews(views: readonly View[]): void {
    this.#collected.views = views;
  }

  add(values: readonly ShownValue[]): void {
    this.#collected.add(values);
    this.#text.addValues(values);
    this.#timer ??= setTimeout(() => this.#update(), this.#drawMs);
  }

  /** The end of a run; gives the sentence that is said and stands below. */
  end({ result, failure, wasStopped, milliseconds, fuel }: Finished): string {
    const { total } = this.#collected;
    if (total > mostValues) this.#text.addNote(`… ${count(total - mostValues)} more values are counted and not kept`);
    if (result !== null) {
      this.#text.addResult(result);
      // A script that only returns something is about that.
      if (total === 0 || this.#collected.viewOf(result).kind === 'svg') this.#collected.add([result]);
    }
    if (failure !== null) this.#text.addFailure(failure);
    if (wasStopped) this.#text.addNote('stopped');
    this.#update();
    if (failure !== null) this.#show('text');
    const how = failure === null ? (wasStopped ? 'Stopped' : 'Finished') : failure.name;
    const parts = [
      `${how} in ${duration(milliseconds)}`,
      `${count(total)} ${total === 1 ? 'value' : 'values'}`,
      ...(fuel === null ? [] : [`${count(fuel)} units of fuel`]),
    ];
    return parts.join(' · ');
  }

  /** What keeps a script from running, as the command line shows it. */
  refuse(frames: readonly string[]): void {
    this.begin();
    for (const frame of frames) this.#text.addNote(`${frame}\n`);
    this.#update();
    this.#show('text');
  }

  #update(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { hasPoints, hasRows, pictures } = this.#collected;
    const isThere: Readonly<Record<Showing, boolean>> = {
      text: true,
      table: hasRows,
      plot: hasPoints,
      picture: pictures.length > 0,
    };
    for (const [showing, button] of this.#buttons) button.disabled = !isThere[showing];
    const wanted = this.#chosen ?? this.#collected.best;
    const begin = performance.now();
    this.#show(isThere[wanted] ? wanted : 'text');
    // Drawing takes a quarter of the time at most.
    this.#drawMs = Math.max(leastDrawMs, 4 * (performance.now() - begin));
  }

  #show(showing: Showing): void {
    for (const [name, button] of this.#buttons) button.setAttribute('aria-pressed', String(name === showing));
    const view = { text: this.#text, table: this.#table, plot: this.#plot, picture: this.#picture }[showing];
    if (this.#stage.firstElementChild !== view.root) this.#stage.replaceChildren(view.root);
    this.#draw(showing);
  }

  #draw(showing: Showing): void {
    switch (showing) {
      case 'text':
        return this.#text.update();
      case 'table':
        return this.#table.show(this.#collected.table());
      case 'plot':
        void this.#plot.show(this.#collected.plot());
        return undefined;
      case 'picture':
        return this.#picture.show(this.#collected.pictures);
    }
  }
}
