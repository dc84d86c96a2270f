// The towers of Hanoi with disks in linked lists: thirteen of them go from one pile to another, n times.
class Disk {
  next: Disk | null = null;
  constructor(public size: i32) {}
}

class Towers {
  piles: StaticArray<Disk | null> = new StaticArray<Disk | null>(3);
  moves: i32 = 0;

  push(disk: Disk, pile: i32): void {
    const top = unchecked(this.piles[pile]);
    if (top !== null && disk.size >= top.size) throw new Error('a disk cannot lie on a smaller one');
    disk.next = top;
    unchecked((this.piles[pile] = disk));
  }

  pop(pile: i32): Disk {
    const top = unchecked(this.piles[pile]);
    if (top === null) throw new Error('there is no disk on the pile');
    unchecked((this.piles[pile] = top.next));
    top.next = null;
    return top;
  }

  moveTop(from: i32, to: i32): void {
    this.push(this.pop(from), to);
    this.moves++;
  }

  moveDisks(disks: i32, from: i32, to: i32): void {
    if (disks == 1) {
      this.moveTop(from, to);
      return;
    }
    const other = 3 - from - to;
    this.moveDisks(disks - 1, from, other);
    this.moveTop(from, to);
    this.moveDisks(disks - 1, other, to);
  }
}

export function run(n: i32): f64 {
  let moves = 0;
  for (let i = 0; i < n; i++) {
    const towers = new Towers();
    for (let size = 13; size > 0; size--) towers.push(new Disk(size), 0);
    towers.moveDisks(13, 0, 1);
    moves += towers.moves;
  }
  return moves;
}
