// Makes every order of six elements by swaps, n times, and counts the calls.
class Permutation {
  constructor() {
    this.count = 0;
    this.elements = [0, 1, 2, 3, 4, 5];
  }

  swap(i, j) {
    const element = this.elements[i];
    this.elements[i] = this.elements[j];
    this.elements[j] = element;
  }

  permute(n) {
    this.count++;
    if (n === 0) return;
    const last = n - 1;
    this.permute(last);
    for (let i = last; i >= 0; i--) {
      this.swap(last, i);
      this.permute(last);
      this.swap(last, i);
    }
  }
}

export function main(n = 3000) {
  let total = 0;
  for (let i = 0; i < n; i++) {
    const p = new Permutation();
    p.permute(6);
    total += p.count;
  }
  return total;
}
