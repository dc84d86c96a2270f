// The table of a profile for people.

import { escapeControls } from '../diagnostics/display.ts';
import type { Style } from '../diagnostics/render.ts';
import type { FunctionTime } from './cpu.ts';
import type { FuelProfile, FunctionFuel } from './fuel.ts';

/** More functions, and more parts of one, are no help. */
const mostFunctions = 20;
const mostParts = 5;

export function fuelTable({ total, functions }: FuelProfile, style: Style): readonly string[] {
  const width = Math.max(formatUnits(total).length, 4);
  const row = (units: bigint, what: string): string =>
    `${formatUnits(units).padStart(width)}  ${shareOf(units, total).padStart(7)}  ${what}`;
  const rest = functions.length - mostFunctions;
  return [
    style.faint(`${'fuel'.padStart(width)}    share  function`),
    ...functions
      .slice(0, mostFunctions)
      .flatMap((fn) => [
        row(fn.units, `${style.strong(escapeControls(fn.name))} ${style.faint(placeOf(fn))}`),
        ...fn.parts
          .slice(0, mostParts)
          .map(({ kind, line, units }) => row(units, style.faint(`  ${kind} in line ${line}`))),
      ]),
    ...(rest > 0 ? [`${' '.repeat(width)}           and ${rest} more`] : []),
    `${formatUnits(total).padStart(width)}           in all`,
  ];
}

function placeOf({ file, line, calls }: FunctionFuel): string {
  return `${escapeControls(file)}:${line}, ${formatUnits(calls)} ${calls === 1n ? 'call' : 'calls'}`;
}

/** `1,234,567` */
function formatUnits(units: bigint): string {
  return units.toLocaleString('en-US');
}

function shareOf(units: bigint, total: bigint): string {
  return `${(total === 0n ? 0 : Number((units * 10_000n) / total) / 100).toFixed(1)} %`;
}

/** Only what took a tenth of a millisecond or longer. */
export function timeTable(times: readonly FunctionTime[], style: Style): readonly string[] {
  const total = times.reduce((sum, { ms }) => sum + ms, 0);
  const shown = times.filter(({ ms }) => ms >= 0.1).slice(0, mostFunctions);
  return [
    style.faint('        ms    share  function'),
    ...shown.map(({ name, place, ms }) => {
      const share = `${total === 0 ? 0 : ((100 * ms) / total).toFixed(1)} %`;
      const what = `${style.strong(escapeControls(name))}${place === null ? '' : ` ${style.faint(escapeControls(place))}`}`;
      return `${ms.toFixed(1).padStart(10)}  ${share.padStart(7)}  ${what}`;
    }),
  ];
}
