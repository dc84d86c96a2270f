// Makes every order of six elements by swaps, n times, and counts the calls.
class Permutation {
  count: i32 = 0;
  elements: StaticArray<i64> = [0, 1, 2, 3, 4, 5];

  swap(i: i32, j: i32): void {
    const elements = this.elements;
    const element = unchecked(elements[i]);
    unchecked((elements[i] = elements[j]));
    unchecked((elements[j] = element));
  }

  permute(n: i32): void {
    this.count++;
    if (n == 0) return;
    const last = n - 1;
    this.permute(last);
    for (let i = last; i >= 0; i--) {
      this.swap(last, i);
      this.permute(last);
      this.swap(last, i);
    }
  }
}

export function run(n: i32): f64 {
  let total: i64 = 0;
  for (let i = 0; i < n; i++) {
    const p = new Permutation();
    p.permute(6);
    total += p.count;
  }
  return <f64>total;
}
