// The name that somebody probably meant.

/** The candidate nearest to a misspelled name, or null if none is near enough to be meant. */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  const furthest = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | null = null;
  let smallest = furthest + 1;
  if (name.length > 100) return null;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= smallest) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) best = Math.min(best, beforeLast[column - 2]! + 1);
      next.push(best);
    }
    beforeLast = last;
    last = next;
  }
  return last[to.length]!;
}
