// Makes a list of n nodes, sorts it by merging, turns it around and walks through it, again and again.
class Node {
  constructor(
    public value: i32,
    public next: Node | null,
  ) {}
}

function make(n: i32): Node | null {
  let list: Node | null = null;
  let seed: i32 = 42;
  for (let i = 0; i < n; i++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    list = new Node(seed >> 16, list);
  }
  return list;
}

// The node before the first one is always the same.
const head = new Node(0, null);

function merge(a: Node | null, b: Node | null): Node | null {
  let last = head;
  while (a !== null && b !== null) {
    if (a.value <= b.value) {
      last.next = a;
      last = a;
      a = a.next;
    } else {
      last.next = b;
      last = b;
      b = b.next;
    }
  }
  last.next = a === null ? b : a;
  return head.next;
}

// Cuts the list in the middle, which the slower of two walkers finds.
function sort(list: Node | null): Node | null {
  if (list === null || list.next === null) return list;
  let slow = list;
  let fast = list.next;
  while (fast !== null) {
    const next = fast.next;
    if (next === null) break;
    slow = slow.next!;
    fast = next.next;
  }
  const second = slow.next;
  slow.next = null;
  return merge(sort(list), sort(second));
}

function reverse(list: Node | null): Node | null {
  let result: Node | null = null;
  while (list !== null) {
    const next = list.next;
    list.next = result;
    result = list;
    list = next;
  }
  return result;
}

function weigh(list: Node | null): i64 {
  let sum: i64 = 0;
  let place: i64 = 0;
  while (list !== null) {
    place++;
    sum += place * list.value;
    list = list.next;
  }
  return sum % 1000000007;
}

export function run(n: i32): f64 {
  let list = make(n);
  let result = weigh(list);
  list = sort(list);
  for (let iteration = 0; iteration < 10; iteration++) {
    result += weigh(list);
    list = reverse(list);
  }
  head.next = null;
  return <f64>result;
}
