// What reports for programs say of a failure: its kind, its place and its words.

import { positionAt } from '../../source.ts';
import type { Failure, Frame } from '../compare.ts';
import { writeEvents } from '../notation.ts';

export interface Described {
  /** One line. */
  readonly message: string;
  readonly type: 'mismatch' | 'error' | 'fault';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** As comments write them; null where nothing was compared. */
  readonly expected: string | null;
  readonly actual: string | null;
  readonly stack: readonly string[];
}

export function describeFailure(failure: Failure): Described {
  const place = { file: failure.span.file.name, ...positionAt(failure.span.file, failure.span.start) };
  switch (failure.kind) {
    case 'values': {
      const expected = writeEvents(failure.expected);
      const actual = writeEvents(failure.actual);
      const message = `expected ${shown(expected)}, got ${shown(actual)}`;
      return { ...place, type: 'mismatch', message, expected, actual, stack: [] };
    }
    case 'error': {
      const [top] = failure.frames;
      return {
        ...place,
        ...(top === undefined ? {} : { file: top.file, line: top.line, column: top.column }),
        type: 'error',
        message: `${failure.type}: ${failure.message}`,
        expected: null,
        actual: null,
        stack: failure.frames.map(describeFrame),
      };
    }
    case 'fault':
      return { ...place, type: 'fault', message: failure.message, expected: null, actual: null, stack: [] };
  }
}

export function describeFrame({ function: name, file, line, column }: Frame): string {
  return `${name} (${file}:${line}:${column})`;
}

function shown(events: string): string {
  return events === '' ? 'nothing' : events;
}
