// The name that was probably meant.

/** Only generated files have more names of a similar length; their names are too similar for a suggestion. */
const mostCompared = 500;

/**
 * The candidate nearest to a name by Damerau-Levenshtein distance (optimal string alignment), if it is near enough: one
 * edit for short names, one edit per three characters for longer ones. A difference in case costs less than an edit.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  let compared = 0;
  if (name.length > 60) return null;
  // One edit turns a name of one or two letters into any other such name.
  const isShort = name.length < 3;
  let best: string | null = null;
  let least = Math.max(1, Math.floor(name.length / 3)) + 0.5;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= least) continue;
    compared += 1;
    if (compared > mostCompared) break;
    const distance =
      candidate.toLowerCase() === name.toLowerCase() ? 0.1 : slips(name.toLowerCase(), candidate.toLowerCase());
    if (distance < (isShort ? Math.min(least, 0.5) : least)) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** The file of a folder that was probably meant; the name may lack its extension. */
export function nearestFile(name: string, present: readonly string[]): string | null {
  return present.find((other) => other === `${name}.slu`) ?? nearestName(name, present);
}

function slips(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
