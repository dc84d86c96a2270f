// What stands behind `// →`: the values that a line hands out, as `sluice run` prints them, with ` | ` between several,
// and `throws TypeName: message` for an error that ends the test. A text that would be read otherwise stands in double
// quotes, as a JSON string.

/** One thing that a line does, expected or seen. */
export type Event =
  | { readonly kind: 'value'; readonly text: string }
  /** A null message stands for any. */
  | { readonly kind: 'error'; readonly type: string; readonly message: string | null };

const separator = ' | ';
const quoted = /^"(?:[^"\\]|\\.)*"(?= \| |$)/;
const thrown = /^throws ([A-Za-z]\w*)(?:: (.*))?$/s;

/** The text of a comment that says what its line does; null for every other comment. `// ->` is easier to type. */
export function readMarker(comment: string): string | null {
  return /^\/\/ ?(?:→|->)(?: (.*))?$/su.exec(comment.trimEnd())?.slice(1)[0]?.trim() ?? (isBare(comment) ? '' : null);
}

function isBare(comment: string): boolean {
  return /^\/\/ ?(?:→|->)\s*$/u.test(comment);
}

/** The values and errors of a marker; an empty marker has none. */
export function readEvents(marker: string): readonly Event[] {
  const events: Event[] = [];
  for (let rest = marker; rest !== '';) {
    const text = quoted.exec(rest)?.[0] ?? null;
    // A message may hold anything, so an error goes on to the end.
    const end = text !== null ? text.length : thrown.test(rest) ? rest.length : rest.indexOf(separator);
    const item = end < 0 ? rest : rest.slice(0, end);
    events.push(text === null ? readItem(item) : { kind: 'value', text: unquote(item) });
    if (item.length === rest.length) break;
    rest = rest.slice(item.length + separator.length);
  }
  return events;
}

function readItem(item: string): Event {
  const match = thrown.exec(item);
  if (match === null) return { kind: 'value', text: item };
  const message = match[2]?.trim() ?? null;
  return {
    kind: 'error',
    type: match[1]!,
    message: message !== null && quoted.test(message) ? unquote(message) : message,
  };
}

/** What is in the quotes; the text itself where they hold no JSON string. */
function unquote(item: string): string {
  try {
    return JSON.parse(item) as string;
  } catch {
    return item;
  }
}

/** How an event is written in a marker, so that it is read back the same. */
export function writeEvent(event: Event): string {
  if (event.kind === 'value') return needsQuotes(event.text) ? quote(event.text) : event.text;
  const { type, message } = event;
  if (message === null) return `throws ${type}`;
  const isPlain = message !== '' && message === message.trim() && !message.startsWith('"') && !isUnwritable(message);
  return `throws ${type}: ${isPlain ? message : quote(message)}`;
}

export function writeEvents(events: readonly Event[]): string {
  return events.map(writeEvent).join(separator);
}

function needsQuotes(text: string): boolean {
  return (
    text === '' ||
    text !== text.trim() ||
    text.startsWith('"') ||
    text.startsWith('throws ') ||
    text.includes(separator) ||
    text.endsWith(' |') ||
    isUnwritable(text)
  );
}

/** Whether it has characters that end a line, or that nobody sees. */
function isUnwritable(text: string): boolean {
  return /[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(text);
}

/** As a JSON string without a character that nobody sees. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether what was seen is what was expected. */
export function isSame(expected: Event, seen: Event): boolean {
  if (expected.kind === 'value') return seen.kind === 'value' && seen.text === expected.text;
  return (
    seen.kind === 'error' &&
    seen.type === expected.type &&
    (expected.message === null || seen.message === expected.message)
  );
}
