// What CSV and NDJSON become before records are mapped: Parquet with the values that the script takes, each as its
// parameter has it. A value that does not fit its parameter is null there, with a flag beside it.

import type { Fold, InputColumn, MapPlan, Stage, Taken } from './plan.ts';

/** In front of names that no column of a file has. */
export const ownPrefix = '\u0001';

const valueName = (at: number): string => `${ownPrefix}value${at}`;
const misfitName = (at: number): string => `${ownPrefix}misfit${at}`;
const groupName = (at: number): string => `${ownPrefix}group${at}`;

export interface StagedColumn {
  readonly name: string;
  /** Over the columns of the file. */
  readonly sql: string;
}

/** The columns that the script takes from the files. */
export function stagedColumns({ map, fold }: Pick<MapPlan, 'map' | 'fold'>): readonly StagedColumn[] {
  const { inputs, by }: Taken & Partial<Pick<Fold, 'by'>> = (map ?? fold!).work;
  return [
    ...inputs.flatMap(({ sql, misfitSql }, at) => [
      { name: valueName(at), sql },
      ...(misfitSql === null ? [] : [{ name: misfitName(at), sql: misfitSql }]),
    ]),
    ...(by ?? []).map(({ sql }, at) => ({ name: groupName(at), sql })),
  ];
}

/** The plan over what was staged: what was mapped is summed up as it is. */
export function ofStaged(plan: MapPlan): MapPlan {
  const { map, fold } = plan;
  if (map !== null) return { ...plan, map: withWork(map, { inputs: stagedInputs(map.work.inputs) }) };
  const { inputs, by } = fold!.work;
  const groups = by.map((group, at) => ({ ...group, sql: quoted(groupName(at)) }));
  return { ...plan, fold: withWork(fold!, { inputs: stagedInputs(inputs), by: groups }) };
}

function withWork<Kind>(stage: Stage<Kind>, changed: Partial<Kind>): Stage<Kind> {
  return { ...stage, work: { ...stage.work, ...changed } };
}

function stagedInputs(inputs: readonly InputColumn[]): readonly InputColumn[] {
  return inputs.map((input, at) => ({
    ...input,
    sql: quoted(valueName(at)),
    misfitSql: input.misfitSql === null ? null : quoted(misfitName(at)),
  }));
}

const quoted = (name: string): string => `"${name}"`;
