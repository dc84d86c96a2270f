// Writes a table of n lines as CSV text, reads it again, and sums what is in its columns.
const names: StaticArray<string> = ['tea', 'coffee', 'sugar', 'oat biscuits', 'milk'];

/** No line is longer. */
const LINE = 64;

const COMMA: u16 = 44;
const POINT: u16 = 46;
const ZERO: u16 = 48;
const NEW_LINE: u16 = 10;

type Text = StaticArray<u16>;

let end = 0;

function write(text: Text, c: u16): void {
  unchecked((text[end++] = c));
}

function writeText(text: Text, part: string): void {
  for (let i = 0; i < part.length; i++) unchecked((text[end++] = <u16>part.charCodeAt(i)));
}

function writeNumber(text: Text, number: u32): void {
  let digits = 1;
  for (let limit: u32 = 10; limit <= number && digits < 10; limit *= 10) digits++;
  for (let at = end + digits - 1; at >= end; at--) {
    unchecked((text[at] = <u16>(ZERO + (number % 10))));
    number /= 10;
  }
  end += digits;
}

function makeTable(n: i32): Text {
  const text = new StaticArray<u16>((n + 1) * LINE);
  end = 0;
  writeText(text, 'name,count,price,note\n');
  let seed: u32 = 42;
  for (let i = 0; i < n; i++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    const cents = (seed >> 16) % 100;
    writeText(text, unchecked(names[(seed >> 8) % 5]));
    write(text, COMMA);
    writeNumber(text, (seed >> 12) % 1000);
    write(text, COMMA);
    writeNumber(text, (seed >> 10) % 500);
    write(text, POINT);
    write(text, <u16>(ZERO + cents / 10));
    write(text, <u16>(ZERO + (cents % 10)));
    writeText(text, ',line ');
    writeNumber(text, i);
    write(text, NEW_LINE);
  }
  return text;
}

function find(text: Text, at: i32, c: u16): i32 {
  while (unchecked(text[at]) != c) at++;
  return at;
}

export function run(n: i32): f64 {
  const text = makeTable(n);
  let count: i64 = 0;
  let letters: i64 = 0;
  let price: f64 = 0;
  // The first line is that of the titles.
  let at = find(text, 0, NEW_LINE) + 1;
  while (at < end) {
    const first = find(text, at, COMMA);
    letters += first - at;
    at = first + 1;
    let number = 0;
    for (let c = unchecked(text[at++]); c != COMMA; c = unchecked(text[at++])) number = number * 10 + (<i32>c - ZERO);
    count += number;
    number = 0;
    let scale = 0;
    for (let c = unchecked(text[at++]); c != COMMA; c = unchecked(text[at++])) {
      if (c == POINT) {
        scale = 1;
      } else {
        number = number * 10 + (<i32>c - ZERO);
        scale *= 10;
      }
    }
    price += scale == 0 ? <f64>number : <f64>number / scale;
    const last = find(text, at, NEW_LINE);
    letters += last - at;
    at = last + 1;
  }
  return <f64>(count + letters) + price;
}
