// The question whether a script may do what it wants. One at a time; what closes the dialog in another way denies.

import type { Answer, Wish } from '../engine/messages.ts';
import { find } from '../page/element.ts';

export class PermissionDialog {
  readonly #dialog = find<HTMLDialogElement>('permission');
  #last: Promise<unknown> = Promise.resolve();

  ask(wish: Wish): Promise<Answer> {
    const answer = this.#last.then(() => this.#show(wish));
    this.#last = answer;
    return answer;
  }

  /** Denies what is asked. */
  close(): void {
    if (this.#dialog.open) this.#dialog.close('deny');
  }

  async #show({ kind, verb, object }: Wish): Promise<Answer> {
    find('wish-verb').textContent = verb;
    find('wish-object').textContent = object;
    find('wish-kind').textContent = kind;
    find('wish-note').textContent = kind.startsWith('File.')
      ? 'Files are in the memory of this page: nothing of your disk is touched.'
      : kind.startsWith('Http.')
        ? 'The request goes out from your browser, without cookies.'
        : 'The variables are those of the table under Files.';
    this.#dialog.returnValue = 'deny';
    this.#dialog.showModal();
    await new Promise((resolve) => this.#dialog.addEventListener('close', resolve, { once: true }));
    const answer = this.#dialog.returnValue;
    return answer === 'once' || answer === 'always' ? answer : 'deny';
  }
}
