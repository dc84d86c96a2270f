// What CSV and NDJSON become before records are mapped: Parquet with the values that the script takes, each as its
// parameter has it. A value that does not fit its parameter is null there, with its text beside it, which is null
// for all others. Where no record may fail, and all values fit, nothing stands beside them.

import type { Fold, InputColumn, MapPlan, Stage, Taken } from './plan.ts';
import { mostRead } from './misfits.ts';
import { unitOf, units, unitText, wholeSql } from './units.ts';

/** In front of names that no column of a file has. */
export const ownPrefix = '\u0001';

/** What is wrong with a line of CSV that has other numbers of fields than columns; null for all others. */
export const raggedName = `${ownPrefix}ragged`;

/** The condition of a misfit, in SQL, where all values of a column fit: nobody needs to look. */
export const noMisfit = 'false';

const valueName = (at: number): string => `${ownPrefix}value${at}`;
const misfitName = (at: number): string => `${ownPrefix}misfit${at}`;
const unitName = (at: number): string => `${ownPrefix}unit${at}`;
const groupName = (at: number): string => `${ownPrefix}group${at}`;

export interface StagedColumn {
  readonly name: string;
  /** Over the columns of the file. */
  readonly sql: string;
}

/** The columns that the script takes from the files; all values of those in `fitting` fit. */
export function stagedColumns(
  { map, fold }: Pick<MapPlan, 'map' | 'fold'>,
  fitting: ReadonlySet<string> = new Set(),
): readonly StagedColumn[] {
  const { inputs, by }: Taken & Partial<Pick<Fold, 'by'>> = (map ?? fold!).work;
  return [
    ...inputs.flatMap(({ column, sql, misfitSql, textSql, unitSql }, at) => [
      { name: valueName(at), sql },
      ...(misfitSql === null
        ? []
        : [
            {
              name: misfitName(at),
              sql: fitting.has(column)
                ? 'CAST(NULL AS VARCHAR)'
                : `CASE WHEN ${misfitSql} THEN left(${textSql}, ${mostRead}) END`,
            },
          ]),
      ...(unitSql === null ? [] : [{ name: unitName(at), sql: unitSql }]),
    ]),
    ...(by ?? []).map(({ sql }, at) => ({ name: groupName(at), sql })),
  ];
}

/** What the end of a query says of a value that `fittingColumns` has no room for. */
export const misfitWords = 'a value that does not fit its parameter';

/**
 * The columns that the script takes where every value of them fits its parameter, and ints are whole numbers: the
 * values alone. Any other value ends the query. Those of columns in `typed` fit already.
 */
export function fittingColumns(
  { map, fold }: Pick<MapPlan, 'map' | 'fold'>,
  typed: ReadonlySet<string>,
): readonly StagedColumn[] {
  const { inputs, by }: Taken & Partial<Pick<Fold, 'by'>> = (map ?? fold!).work;
  const fault = `error('${misfitWords}')`;
  const fitting = ({ column, sql, misfitSql, textSql, unitSql }: InputColumn): string => {
    if (misfitSql === null || typed.has(column)) return sql;
    return unitSql === null ? `CASE WHEN ${misfitSql} THEN ${fault} ELSE ${sql} END` : wholeSql(textSql, fault);
  };
  return [
    ...inputs.map((input, at) => ({ name: valueName(at), sql: fitting(input) })),
    ...(by ?? []).map(({ sql }, at) => ({ name: groupName(at), sql })),
  ];
}

/** The columns of a CSV that are taken as doubles alone. */
export function columnsOfDoubles({ map, fold }: Pick<MapPlan, 'map' | 'fold'>): ReadonlySet<string> {
  const { inputs, by }: Taken & Partial<Pick<Fold, 'by'>> = (map ?? fold!).work;
  const others = inputs.filter(({ carrier }) => carrier !== 'double');
  const texts = new Set([...others, ...(by ?? [])].map(({ column }) => column));
  return new Set(inputs.map(({ column }) => column).filter((column) => !texts.has(column)));
}

/** SQL, over what was staged, of how many fields have each unit, for the inputs whose fields say that by themselves. */
export function unitCounts({ map, fold }: Pick<MapPlan, 'map' | 'fold'>): readonly (readonly string[])[] {
  return withUnits((map ?? fold!).work).map(({ at }) =>
    units.map((_, unit) => `count(*) FILTER (${quoted(unitName(at))} = ${unit})`),
  );
}

function withUnits({ inputs }: Taken): readonly { readonly at: number; readonly column: string }[] {
  return inputs.flatMap(({ unitSql, column }, at) => (unitSql === null ? [] : [{ at, column }]));
}

/**
 * The plan over what was staged, by what `unitCounts` gave for all of it, or null where all of it fits: what was mapped
 * is summed up as it is. Throws MapError for a column of which as many fields have one unit as another.
 */
export function ofStaged(plan: MapPlan, counts: readonly (readonly number[])[] | null): MapPlan {
  const { map, fold } = plan;
  const { inputs, by }: Taken & Partial<Pick<Fold, 'by'>> = (map ?? fold!).work;
  const staged = counts === null ? fittingInputs(inputs) : stagedInputs(inputs, unitsOf(inputs, counts));
  if (map !== null) return { ...plan, map: withWork(map, { inputs: staged }) };
  const groups = by!.map((group, at) => ({ ...group, sql: quoted(groupName(at)) }));
  return { ...plan, fold: withWork(fold!, { inputs: staged, by: groups }) };
}

function withWork<Kind>(stage: Stage<Kind>, changed: Partial<Kind>): Stage<Kind> {
  return { ...stage, work: { ...stage.work, ...changed } };
}

function unitsOf(inputs: readonly InputColumn[], counts: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  return new Map(withUnits({ inputs, call: [] }).map(({ at, column }, index) => [at, unitOf(column, counts[index]!)]));
}

function fittingInputs(inputs: readonly InputColumn[]): readonly InputColumn[] {
  return inputs.map((input, at) => ({
    ...input,
    sql: quoted(valueName(at)),
    misfitSql: input.misfitSql === null ? null : noMisfit,
    textSql: 'CAST(NULL AS VARCHAR)',
    unitSql: null,
  }));
}

function stagedInputs(inputs: readonly InputColumn[], found: ReadonlyMap<number, number>): readonly InputColumn[] {
  return inputs.map((input, at) => {
    const unit = found.get(at);
    const [value, misfit, unitOfField] = [valueName(at), misfitName(at), unitName(at)].map(quoted) as [
      string,
      string,
      string,
    ];
    const isOther = unit === undefined ? '' : ` OR coalesce(${unitOfField} <> ${unit}, false)`;
    return {
      ...input,
      sql: value,
      misfitSql: input.misfitSql === null ? null : `(${misfit} IS NOT NULL${isOther})`,
      textSql: unit === undefined ? misfit : `coalesce(${misfit}, ${unitText(value, unitOfField)})`,
      unitSql: null,
      mostly: unit === undefined ? null : units[unit]!.many,
    };
  });
}

const quoted = (name: string): string => `"${name}"`;
