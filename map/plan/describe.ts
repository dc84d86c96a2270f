// A plan as text for people.

import { describeMaxErrors } from './max-errors.ts';
import { intTypeOf } from './int-types.ts';
import { mergeTree, mergeWidth } from './merge-tree.ts';
import { describePermissions } from './permissions.ts';
import { mostGroups, pieceRows } from './plan.ts';
import type { Argument, InputColumn, MapPlan, OutputColumn, Shape, Taken, WorkPlan } from './plan.ts';
import { describeStruct, describeType } from './types.ts';

const shapes: Readonly<Record<Shape, string>> = {
  record: 'map takes a record and gives one or none',
  yields: 'map takes a record and yields any number',
  batch: 'mapBatch takes columns and gives columns',
};

const written: Readonly<Record<string, string>> = {
  double: 'DOUBLE',
  int: 'BIGINT',
  boolean: 'BOOLEAN',
  string: 'VARCHAR',
  json: 'JSON',
};

/** Nanoseconds a record: measured on one core with a script that does little. */
const cost = { record: 60, number: 30, text: 250, group: 150, stagedByte: 5 } as const;

/** What will be read, converted and written, and what it may take; of a stream, all but the last. */
export function describePlan(plan: MapPlan | WorkPlan): string {
  if (!('files' in plan))
    return [
      ...linesOf(plan, 'a stream of Arrow, batch by batch', 'a stream of Arrow'),
      ...foldRows(
        plan,
        `states of ${count(pieceRows, 'record')} or more, in the order of the stream`,
        'a stream of Arrow, once that has ended',
      ),
      ...boundsOf(plan),
    ].join('\n');
  const { files, format, partitions, output, outputFormat } = plan;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = partitions?.reduce((sum, { from, to }) => sum + to - from, 0) ?? null;
  const known =
    rows === null
      ? 'records and partitions are counted when it runs'
      : `${count(rows, 'record')} in ${count(partitions!.length, 'partition')}`;
  const input = `${count(files.length, 'file')} (${format}), ${sizeOf(bytes)}, ${known}`;
  const merges =
    partitions === null
      ? `states of up to ${mergeWidth} neighbouring partitions, and so on`
      : mergesOf(partitions.length);
  return [
    ...linesOf(plan, input, `${output} (${outputFormat})`),
    ...foldRows(plan, merges, `${output}/summary.${outputFormat}`),
    ...boundsOf(plan),
    `estimate     ${estimate(plan, rows, bytes)}`,
  ].join('\n');
}

function linesOf(plan: WorkPlan, input: string, output: string): string[] {
  const { script, map, fold } = plan;
  const whats = [
    ...(map === null ? [] : [shapes[map.work.shape]]),
    ...(fold === null ? [] : [`init, step, merge and finish sum ${map === null ? 'records' : 'what that gives'} up`]),
  ];
  return [
    `script       ${script}: ${whats.join('; ')}`,
    `input        ${input}`,
    ...takenRows(plan, (map ?? fold)!.work),
    ...givenRows(plan),
    ...(map === null ? [] : [`output       ${output}`, ...table(map.work.outputs.map(outputRow))]),
  ];
}

function boundsOf({ asks, allowed, settings }: WorkPlan): string[] {
  return [
    `permissions  ${describePermissions(asks, allowed)}`,
    `limits       ${settings.limits.timeMs / 1000} s and ${sizeOf(settings.limits.memoryBytes)} ` +
      `for a batch of records; ${describeMaxErrors(settings.maxErrors)} may fail`,
  ];
}

function takenRows(plan: WorkPlan, { inputs }: Taken): string[] {
  return table(inputs.map((input) => inputRow(plan, input)));
}

function givenRows(plan: WorkPlan): string[] {
  const { map, fold } = plan;
  const call: readonly Argument[] = [
    ...(map?.work.call ?? []),
    ...(fold === null ? [] : [...fold.work.init, ...fold.work.call, ...fold.work.finish]),
  ];
  const lines = call.flatMap((argument) =>
    argument.kind === 'given'
      ? [`  -a ${argument.name}: ${describeType(plan, argument.type)}, the same for all records`]
      : [],
  );
  return [...new Set(lines)];
}

/** What is summed up, where it was mapped before; the groups, the state, how states are merged, and the summary. */
function foldRows(plan: WorkPlan, merges: string, summary: string): string[] {
  const { map, fold } = plan;
  if (fold === null) return [];
  const { work } = fold;
  const { by, state, outputs } = work;
  const groups = by.map(({ column, written }): OutputColumn => ({
    name: column,
    carrier: 'string',
    type: 'string',
    valid: null,
    written,
  }));
  const keys = by.map(({ column }) => column).join(', ');
  return [
    ...(map !== null ? ['step takes   what is written', ...takenRows(plan, work)] : []),
    `groups       ${keys === '' ? 'one' : `by ${keys}: ${mostGroups.toLocaleString('en-US')} at most`}`,
    `state        ${describeStruct(plan, state)}`,
    `merges       ${merges}`,
    `summary      ${summary}`,
    ...table([...groups, ...outputs].map(outputRow)),
  ];
}

function mergesOf(partitions: number): string {
  const { nodes } = mergeTree(partitions);
  if (nodes.length === 0) return 'none: there is one partition';
  const levels = new Set(nodes.map(({ id }) => id.split('-')[1])).size;
  return (
    `${count(nodes.length, 'merge')} of up to ${mergeWidth} states, in ${count(levels, 'level')}, ` +
    'in the order of partitions'
  );
}

function inputRow(
  plan: WorkPlan,
  { column, columnType, type, parameter, conversion, takesNull, nulls }: InputColumn,
): string[] {
  const ofNull =
    nulls.kind === 'skip'
      ? 'null leaves the record out'
      : nulls.kind === 'value'
        ? `null becomes ${nulls.text}`
        : takesNull
          ? ''
          : 'null is a dead letter';
  return [
    `${column} ${columnType}`,
    '→',
    `${describeType(plan, type)} ${parameter}`,
    [conversion, ofNull].filter(Boolean).join('; '),
  ];
}

function outputRow(output: OutputColumn): string[] {
  const { name, carrier, valid, written: type } = output;
  const unit = intTypeOf(output)?.unit;
  const notes = [
    ...(unit === undefined ? [] : [`the int is ${unit}`]),
    ...(valid === null ? [] : [`null where ${valid} is false`]),
  ];
  return [name, '→', type ?? written[carrier]!, notes.join('; ')];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((at) => Math.max(0, ...rows.map((row) => row[at]!.length)));
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' ')}`.trimEnd());
}

function estimate({ map, fold, format }: MapPlan, rows: number | null, bytes: number): string {
  const columns = [...(map?.work.inputs ?? []), ...(map?.work.outputs ?? []), ...(fold?.work.inputs ?? [])];
  const keys = fold === null ? 0 : fold.work.by.length * cost.group;
  const each = columns.reduce(
    (sum: number, { carrier }) => sum + (carrier === 'string' || carrier === 'json' ? cost.text : cost.number),
    cost.record + keys,
  );
  const staging = format === 'parquet' || format === 'arrow' ? 0 : (bytes * cost.stagedByte) / 1e9;
  const mapping = ((rows ?? bytes / 50) * each) / 1e9;
  const seconds = Math.max(1, Math.ceil(staging + mapping));
  return `about ${seconds} s of one core, and what the script itself takes`;
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;
}

function sizeOf(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]!}`;
}
