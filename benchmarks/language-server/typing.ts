// What is typed, key by key, with slips that are taken back: as an editor has it that closes brackets and quotes by
// itself. All changes of a document come from here, so that a session is the same each time.

export interface Passage {
  readonly name: string;
  /** Where it is typed: in front of `main`, or as the first statements of a function in the middle. */
  readonly place: 'end' | 'middle';
  readonly keys: string;
}

/** Takes back a character, and with a bracket or quote what was closed by itself. */
const backspace = '\b';
/** Removes what follows, such as what was closed by itself. */
const remove = '\x7f';
const enter = '\r';

export const passages: readonly Passage[] = [
  {
    name: 'a function',
    place: 'end',
    keys:
      '// How many redings\b\b\b\b\b\beadings are high.\r' +
      'int countHigh(double[] readings, double facotr\b\b\btor = 1.5) {\r' +
      'double sum = 0;\r' +
      'foreach (double reading in readigs\b\bngs) {\r' +
      'sum += reding\b\b\b\bading;}\r' +
      'double limit = sum / readings.lenght\b\bth() * factor;\r' +
      'int found = 0;\r' +
      'for (int i = 0; i < readings.length(); i++) {\r' +
      'if (readings[i] > limt\bit) found++;}\r' +
      'return found.max(0);}\r',
  },
  {
    name: 'statements',
    place: 'middle',
    keys:
      'geography.Place here = { name: "Pais\b\bris", latitude: 48.86, longitude: 2.35 };\r' +
      'string whre\b\bere = `${here.name.upper()} at ${here.latitude.toFixed(1)}`;\r' +
      'double far = geography.distance(here, here);\r' +
      // The end of a text and of a block are missing for a while.
      'if (whre\b\bere == "\x7fParis") {\x7f\r' +
      'throw `\x7f${where} is ${far} away`;\r' +
      '\b\b}\r',
  },
];

/** What a key does to the text; nothing where it only moves the cursor. */
export interface Change {
  /** UTF-16 offset. */
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '"': '"', '`': '`' };

/** A text with a cursor in it. */
export class Typist {
  text: string;
  cursor: number;
  /** What was closed by itself, the innermost last. */
  readonly #open: string[] = [];

  constructor(text: string, cursor: number) {
    this.text = text;
    this.cursor = cursor;
  }

  /** Types one key. */
  press(key: string): Change | null {
    if (key === remove) {
      this.#open.pop();
      return this.#change(0, 1, '', 0);
    }
    if (key === backspace) return this.#takeBack();
    if (key === enter) return this.#endLine();
    if (key === this.#open.at(-1)) {
      this.cursor = this.text.indexOf(this.#open.pop()!, this.cursor) + 1;
      return null;
    }
    const closer = closers[key];
    const endsWord = (key === '"' || key === '`') && /\w/.test(this.text[this.cursor - 1] ?? '');
    if (closer === undefined || endsWord) return this.#change(0, 0, key, key.length);
    this.#open.push(closer);
    return this.#change(0, 0, key + closer, 1);
  }

  #takeBack(): Change {
    const isPair = closers[this.text[this.cursor - 1]!] === this.text[this.cursor] && this.#open.length > 0;
    if (isPair) this.#open.pop();
    return this.#change(-1, isPair ? 2 : 1, '', 0);
  }

  #endLine(): Change {
    const line = this.text.slice(this.text.lastIndexOf('\n', this.cursor - 1) + 1, this.cursor);
    const indentation = /^ */.exec(line)![0];
    if (this.text[this.cursor - 1] !== '{') return this.#change(0, 0, `\n${indentation}`, indentation.length + 1);
    const inner = `\n${indentation}  `;
    const isClosed = this.text[this.cursor] === '}';
    return this.#change(0, 0, isClosed ? `${inner}\n${indentation}` : inner, inner.length);
  }

  #change(from: number, removed: number, inserted: string, cursor: number): Change {
    const at = this.cursor + from;
    this.text = this.text.slice(0, at) + inserted + this.text.slice(at + removed);
    this.cursor = at + cursor;
    return { at, removed, inserted };
  }
}
