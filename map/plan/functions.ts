// The exported functions that take records, found by their names: `map` or `mapBatch`, and `init`, `step`, `merge` and
// `finish`, which sum up.

import type { Manifest, ManifestExport } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { nearestName } from '../../src/language/nearest-name.ts';
import { MapError } from '../errors.ts';
import type { Shape } from './plan.ts';
import { describeType } from './types.ts';

/** A function that maps. */
export interface MapFunction {
  readonly fn: ManifestExport;
  readonly shape: Shape;
}

/** The functions that sum up; their signatures fit. */
export interface FoldFunctions {
  readonly init: ManifestExport;
  readonly step: ManifestExport;
  readonly merge: ManifestExport;
  readonly finish: ManifestExport;
  /** The struct of the state. */
  readonly state: number;
  /** The struct that `finish` gives. */
  readonly result: number;
}

export interface Functions {
  readonly map: MapFunction | null;
  readonly fold: FoldFunctions | null;
}

const foldNames = ['init', 'step', 'merge', 'finish'] as const;
type FoldName = (typeof foldNames)[number];

/** Throws MapError for a script that has no function for records. */
export function findFunctions(manifest: Manifest): Functions {
  const names = namesOf(manifest);
  const map = findMap(manifest);
  // Beside `map`, a function called merge or finish may be anything.
  const isFold = names.some((name) => name === 'init' || name === 'step' || (map === null && isFoldName(name)));
  if (map === null && !isFold) throw nothingFound(manifest, names);
  return { map, fold: isFold ? findFold(manifest) : null };
}

function nothingFound({ name }: Manifest, names: readonly string[]): MapError {
  for (const wanted of ['map', 'mapBatch', ...foldNames]) {
    const near = nearestName(wanted, names);
    if (near !== null)
      return new MapError(`${name} exports neither map nor mapBatch: did you mean ${wanted}, where it has ${near}?`);
  }
  return new MapError(
    `${name} exports neither map nor mapBatch: export Out map(double price) { … } takes a record; ` +
      'init, step, merge and finish sum records up',
  );
}

function namesOf({ exports = [] }: Manifest): readonly string[] {
  return exports.map(({ name }) => name);
}

function isFoldName(name: string): name is FoldName {
  return (foldNames as readonly string[]).includes(name);
}

function findMap(manifest: Manifest): MapFunction | null {
  const [fn, other] = (manifest.exports ?? []).filter(({ name }) => name === 'map' || name === 'mapBatch');
  if (other !== undefined) throw new MapError(`${manifest.name} exports both map and mapBatch: one of them is enough`);
  if (fn === undefined) return null;
  return { fn, shape: fn.name === 'mapBatch' ? 'batch' : fn.returns === null ? 'yields' : 'record' };
}

function findFold(manifest: Manifest): FoldFunctions {
  const found = new Map((manifest.exports ?? []).map((fn) => [fn.name, fn]));
  const state = structOf(found.get('init')?.returns ?? found.get('step')?.parameters[0]?.type);
  const stateName = state === null ? 'State' : manifest.structs[state]!.name;
  const signatures = signaturesOf(manifest, stateName, found);
  const others = namesOf(manifest).filter((name) => !isFoldName(name));
  for (const name of foldNames) {
    if (found.has(name)) continue;
    const near = nearestName(name, others);
    throw new MapError(
      `${manifest.name} exports ${list(foldNames.filter((one) => found.has(one)))}, and no ${name}: ` +
        (near === null ? signatures[name] : `did you mean ${name}, where it has ${near}? ${signatures[name]}`),
    );
  }
  const [init, step, merge, finish] = foldNames.map((name) => found.get(name)!) as [
    ManifestExport,
    ManifestExport,
    ManifestExport,
    ManifestExport,
  ];
  const wrong = (fn: ManifestExport, what: string): MapError =>
    new MapError(`${manifest.name}: ${fn.name} ${what}: ${signatures[fn.name as FoldName]}`);
  if (state === null || structOf(init.returns) === null)
    throw wrong(init, `returns ${init.returns === null ? 'nothing' : describeType(manifest, init.returns)}, no struct`);
  const isState = (type: TypeDescriptor | null | undefined): boolean => structOf(type) === state;
  const taken = (fn: ManifestExport, at: number): string => {
    const parameter = fn.parameters[at];
    return parameter === undefined ? 'nothing' : describeType(manifest, parameter.type);
  };
  if (!isState(step.parameters[0]?.type)) throw wrong(step, `takes ${taken(step, 0)} first, and not ${stateName}`);
  if (!isState(merge.parameters[0]?.type) || !isState(merge.parameters[1]?.type) || merge.parameters.length > 2)
    throw wrong(merge, `takes ${list(merge.parameters.map(({ type }) => describeType(manifest, type)))}`);
  if (!isState(finish.parameters[0]?.type))
    throw wrong(finish, `takes ${taken(finish, 0)} first, and not ${stateName}`);
  for (const fn of [step, merge])
    if (fn.returns !== null) throw wrong(fn, `returns ${describeType(manifest, fn.returns)}, and changes the state`);
  const result = structOf(finish.returns);
  if (result === null)
    throw wrong(
      finish,
      `returns ${finish.returns === null ? 'nothing' : describeType(manifest, finish.returns)}, no struct`,
    );
  for (const fn of [init, step, merge, finish])
    if ((fn.outputs?.yields.length ?? 0) > 0) throw wrong(fn, 'yields, which nobody takes');
  return { init, step, merge, finish, state, result };
}

function structOf(type: TypeDescriptor | null | undefined): number | null {
  return typeof type === 'object' && type !== null && 'struct' in type ? type.struct : null;
}

/** As the script should have them; with what `step` takes where it is known. */
function signaturesOf(
  manifest: Manifest,
  state: string,
  found: ReadonlyMap<string, ManifestExport>,
): Readonly<Record<FoldName, string>> {
  const parameters = (found.get('step')?.parameters ?? [])
    .filter(({ type }) => typeof type === 'string')
    .map(({ type, name }) => `${describeType(manifest, type)} ${name}`);
  const result = structOf(found.get('finish')?.returns);
  const out = result === null || manifest.structs[result]!.name === state ? 'Out' : manifest.structs[result]!.name;
  const taken = [`${state} s`, ...(parameters.length === 0 ? ['double price'] : parameters)].join(', ');
  return {
    init: `export ${state} init()`,
    step: `export void step(${taken})`,
    merge: `export void merge(${state} into, ${state} from)`,
    finish: `export ${out} finish(${state} s)`,
  };
}

function list(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}
