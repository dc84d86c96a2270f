// Counts what the generator of programs draws of the library: every parameter of every row from every kind of place,
// and what happens to every result. The rows are those of the registry, so that a new one is wanted as soon as it is
// there.

import { drawnRows, isChangeable, partsOf } from './generator/library-calls.ts';
import { sources } from './generator/places.ts';
import { drawAny } from './programs.ts';
import { RandomText, textOf } from './random-text.ts';

/** `json.getIntArray: default from field`, `json.getIntArray: result stored into` */
function describe(row: string, part: string, source: string): string {
  return part === 'result' ? `${row}: result ${source}` : `${row}: ${part} from ${source}`;
}

/** What must be drawn. */
export const wantedDraws: readonly string[] = drawnRows.flatMap((row) => [
  ...partsOf(row).flatMap(({ name }) => sources.map((source) => describe(row.id, name, source))),
  ...(row.returns.kind === 'void' ? [] : [describe(row.id, 'result', 'used')]),
  ...(isChangeable(row.returns) ? [describe(row.id, 'result', 'stored into')] : []),
]);

/** How often each was drawn in the programs of so many seeds from 1. */
export function countDraws(programs: number): ReadonlyMap<string, number> {
  const counts = new Map(wantedDraws.map((draw) => [draw, 0]));
  const add = (draw: string): unknown => counts.set(draw, (counts.get(draw) ?? 0) + 1);
  const texts = new RandomText(
    (dice) => {
      const { text, draws } = drawAny(dice);
      for (const { row, part, source } of draws)
        add(describe(row, part, part !== 'result' || source === 'stored into' ? source : 'used'));
      return text;
    },
    () => [],
  );
  for (let seed = 1; seed <= programs; seed++) textOf(texts, seed);
  return counts;
}

/** Those that were drawn less often than that, with how often. */
export function seldomDrawn(programs: number, least: number): readonly string[] {
  const counts = countDraws(programs);
  return wantedDraws.filter((draw) => counts.get(draw)! < least).map((draw) => `${draw}: ${counts.get(draw)}`);
}
