// The towers of Hanoi with disks in linked lists: thirteen of them go from one pile to another, n times.
class Disk {
  constructor(size) {
    this.size = size;
    this.next = null;
  }
}

class Towers {
  constructor() {
    this.piles = [null, null, null];
    this.moves = 0;
  }

  push(disk, pile) {
    const top = this.piles[pile];
    if (top !== null && disk.size >= top.size) throw new Error('a disk cannot lie on a smaller one');
    disk.next = top;
    this.piles[pile] = disk;
  }

  pop(pile) {
    const top = this.piles[pile];
    if (top === null) throw new Error('there is no disk on the pile');
    this.piles[pile] = top.next;
    top.next = null;
    return top;
  }

  moveTop(from, to) {
    this.push(this.pop(from), to);
    this.moves++;
  }

  moveDisks(disks, from, to) {
    if (disks === 1) {
      this.moveTop(from, to);
      return;
    }
    const other = 3 - from - to;
    this.moveDisks(disks - 1, from, other);
    this.moveTop(from, to);
    this.moveDisks(disks - 1, other, to);
  }
}

export function main(n = 500) {
  let moves = 0;
  for (let i = 0; i < n; i++) {
    const towers = new Towers();
    for (let size = 13; size > 0; size--) towers.push(new Disk(size), 0);
    towers.moveDisks(13, 0, 1);
    moves += towers.moves;
  }
  return moves;
}
