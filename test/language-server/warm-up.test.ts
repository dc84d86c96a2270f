// The formatter is made ready while nobody types, so that the first formatting of a session is as quick as any other.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../src/language-server/session.ts';
import { FormatterWarmUp } from '../../src/language-server/warm-up.ts';
import { analyse } from '../../src/queries/index.ts';
import { createSourceFile } from '../../src/source.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A session with one document; `options` is asked at each round. */
function sessionOf(text: string, options: (name: string) => Promise<object> = async () => ({})) {
  const analysis = analyse(createSourceFile('/a.slu', text), null, {});
  const state = { isCurrent: true, asked: vi.fn<typeof options>(options) };
  const session = {
    analyses: { isCurrent: () => state.isCurrent, ofName: () => analysis },
    environment: { formatOptions: state.asked },
  } as unknown as Session;
  return { ...state, state, warmUp: new FormatterWarmUp(session) };
}

describe('warming the formatter up', () => {
  it('waits until nobody types, and is over after some rounds', async () => {
    const { warmUp, asked } = sessionOf('main(){yield 1;}');
    for (let key = 0; key < 20; key++) {
      warmUp.postpone('/a.slu');
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(asked).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    const rounds = asked.mock.calls.length;
    expect(rounds).toBeGreaterThan(1);
    warmUp.postpone('/a.slu');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveBeenCalledTimes(rounds);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves long documents, those that are not understood yet, and ended sessions alone', async () => {
    const long = sessionOf(`main() { ${'yield 1; '.repeat(10_000)} }`);
    const stale = sessionOf('main() { }');
    stale.state.isCurrent = false;
    const ended = sessionOf('main() { }');
    for (const { warmUp } of [long, stale, ended]) warmUp.postpone('/a.slu');
    ended.warmUp.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    for (const { asked } of [long, stale, ended]) expect(asked).not.toHaveBeenCalled();
  });

  it('bears a configuration that cannot be read', async () => {
    const { warmUp, asked } = sessionOf('main() { }', async () => Promise.reject(new Error('no')));
    warmUp.postpone('/a.slu');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.mock.calls.length).toBeGreaterThan(1);
  });
});
