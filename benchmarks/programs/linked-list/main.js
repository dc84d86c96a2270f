// Makes a list of n nodes, sorts it by merging, turns it around and walks through it, again and again.
class Node {
  constructor(value, next) {
    this.value = value;
    this.next = next;
  }
}

function make(n) {
  let list = null;
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    list = new Node(seed >> 16, list);
  }
  return list;
}

function merge(a, b) {
  const head = new Node(0, null);
  let last = head;
  while (a !== null && b !== null) {
    if (a.value <= b.value) {
      last.next = a;
      a = a.next;
    } else {
      last.next = b;
      b = b.next;
    }
    last = last.next;
  }
  last.next = a === null ? b : a;
  return head.next;
}

// Cuts the list in the middle, which the slower of two walkers finds.
function sort(list) {
  if (list === null || list.next === null) return list;
  let slow = list;
  let fast = list.next;
  while (fast !== null && fast.next !== null) {
    slow = slow.next;
    fast = fast.next.next;
  }
  const second = slow.next;
  slow.next = null;
  return merge(sort(list), sort(second));
}

function reverse(list) {
  let result = null;
  while (list !== null) {
    const next = list.next;
    list.next = result;
    result = list;
    list = next;
  }
  return result;
}

function weigh(list) {
  let sum = 0;
  let place = 0;
  while (list !== null) {
    place++;
    sum += place * list.value;
    list = list.next;
  }
  return sum % 1000000007;
}

export function main(n = 200000) {
  let list = make(n);
  let result = weigh(list);
  list = sort(list);
  for (let turn = 0; turn < 10; turn++) {
    result += weigh(list);
    list = reverse(list);
  }
  return result;
}
