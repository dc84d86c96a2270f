// A plan as text for people.

import type { TypeDescriptor } from '../../src/abi/values.ts';
import { describePermissions } from './permissions.ts';
import type { InputColumn, MapPlan, OutputColumn, Shape, WorkPlan } from './plan.ts';

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
const cost = { record: 60, number: 30, text: 250, stagedByte: 10 } as const;

/** What will be read, converted and written, and what it may take; of a stream, all but the last. */
export function describePlan(plan: MapPlan | WorkPlan): string {
  if (!('files' in plan)) return linesOf(plan, 'a stream of Arrow, batch by batch', 'a stream of Arrow').join('\n');
  const { files, format, partitions, output, outputFormat } = plan;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = partitions?.reduce((sum, { from, to }) => sum + to - from, 0) ?? null;
  const known =
    rows === null
      ? 'records and partitions are counted when it runs'
      : `${count(rows, 'record')} in ${count(partitions!.length, 'partition')}`;
  const input = `${count(files.length, 'file')} (${format}), ${sizeOf(bytes)}, ${known}`;
  return [...linesOf(plan, input, `${output} (${outputFormat})`), `estimate     ${estimate(plan, rows, bytes)}`].join(
    '\n',
  );
}

function linesOf(plan: WorkPlan, input: string, output: string): string[] {
  const { script, work, settings } = plan;
  return [
    `script       ${script}: ${shapes[work.shape]}`,
    `input        ${input}`,
    ...table(work.inputs.map((input) => inputRow(plan, input))),
    ...work.call.flatMap((argument) =>
      argument.kind === 'given'
        ? [`  -a ${argument.name}: ${typeText(plan, argument.type)}, the same for all records`]
        : [],
    ),
    `output       ${output}`,
    ...table(work.outputs.map((column) => outputRow(column))),
    `permissions  ${describePermissions(plan.asks, plan.allowed)}`,
    `limits       ${settings.limits.timeMs / 1000} s and ${sizeOf(settings.limits.memoryBytes)} ` +
      `for a batch of records; ${settings.maxErrors} records may fail`,
  ];
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
    `${typeText(plan, type)} ${parameter}`,
    [conversion, ofNull].filter(Boolean).join('; '),
  ];
}

function outputRow({ name, carrier, valid }: OutputColumn): string[] {
  return [name, '→', written[carrier]!, valid === null ? '' : `null where ${valid} is false`];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((at) => Math.max(0, ...rows.map((row) => row[at]!.length)));
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' ')}`.trimEnd());
}

function typeText({ structs }: Pick<WorkPlan, 'structs'>, type: TypeDescriptor): string {
  if (typeof type === 'string') return type;
  return 'array' in type ? `${typeText({ structs }, type.array)}[]` : structs[type.struct]!.name;
}

function estimate({ work, format }: MapPlan, rows: number | null, bytes: number): string {
  const each = [...work.inputs, ...work.outputs].reduce(
    (sum: number, { carrier }) => sum + (carrier === 'string' || carrier === 'json' ? cost.text : cost.number),
    cost.record,
  );
  const staging = format === 'parquet' ? 0 : (bytes * cost.stagedByte) / 1e9;
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
