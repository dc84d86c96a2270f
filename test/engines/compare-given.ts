// How a check says that it found something else.

/** The line that a check gives if it found something else; none if not. */
export function compareGiven(name: string, expected: readonly string[], found: readonly string[]): readonly string[] {
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(found)];
  return wanted === got ? [] : [`${name}: expected ${wanted}, got ${got}`];
}
