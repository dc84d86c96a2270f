// Builds a text of n numbers piece by piece, and adds up what its characters are.
let content = new StaticArray<u16>(64);
let length = 0;

/** Room for as many more characters. */
function reserve(count: i32): void {
  if (length + count <= content.length) return;
  const larger = new StaticArray<u16>(2 * (length + count));
  memory.copy(changetype<usize>(larger), changetype<usize>(content), (<usize>length) << 1);
  content = larger;
}

function append(part: string): void {
  const count = part.length;
  reserve(count);
  memory.copy(changetype<usize>(content) + ((<usize>length) << 1), changetype<usize>(part), (<usize>count) << 1);
  length += count;
}

/** Digits without a string of their own. */
function appendNumber(number: i32): void {
  reserve(11);
  let rest: u32 = number < 0 ? <u32>-number : <u32>number;
  if (number < 0) unchecked((content[length++] = 45));
  let digits = 1;
  for (let limit: u32 = 10; limit <= rest && digits < 10; limit *= 10) digits++;
  for (let at = length + digits - 1; at >= length; at--) {
    unchecked((content[at] = <u16>(48 + (rest % 10))));
    rest /= 10;
  }
  length += digits;
}

export function run(n: i32): f64 {
  content = new StaticArray<u16>(64);
  length = 0;
  for (let i = 0; i < n; i++) {
    appendNumber(<i32>(((<i64>i) * 7919) % 100003));
    append(': ');
    append(i % 3 == 0 ? 'item' : 'thing');
    appendNumber(i - 1000);
    append(';');
  }
  let check: u32 = 0;
  for (let i = 0; i < length; i++) check = (check * 31 + unchecked(content[i])) & 0xffffff;
  return <f64>length * 16777216.0 + <f64>check;
}
