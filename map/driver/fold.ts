// The driver of `init`, `step`, `merge` and `finish`: a state for each group, which lies in a global and never leaves
// WebAssembly before all records of a partition are in.

import type { Manifest } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { Argument, Fold } from '../plan/plan.ts';
import {
  beforeLoop,
  beginning,
  dictionaries,
  driverOf,
  failures,
  globals,
  rejoining,
  rowsType,
  startRows,
} from './driver.ts';
import type { Driver } from './driver.ts';
import { declareOutput, loopBody, storeOutput } from './records.ts';
import { declareSlot, slotsOf } from './slots.ts';
import {
  argumentsOf,
  handBack,
  isValid,
  limitErrors,
  recordErrors,
  unwritableError,
  whenUnwritable,
} from './values.ts';

/** The arguments of all functions, each once; the values of `begin` follow this list. */
export function givenTo({
  init,
  call,
  finish,
}: Fold): readonly { readonly name: string; readonly type: TypeDescriptor }[] {
  const given = new Map<string, TypeDescriptor>();
  for (const argument of [...init, ...call, ...finish])
    if (argument.kind === 'given') given.set(argument.name, argument.type);
  return [...given].map(([name, type]) => ({ name, type }));
}

export function writeFoldDriver(manifest: Manifest, fold: Fold): Driver {
  return driverOf(manifest, null, (typeText) => {
    const { inputs, outputs } = fold;
    const given = givenTo(fold);
    const all = (call: readonly Argument[]): string =>
      argumentsOf(
        call,
        (at) => `x${at}`,
        isValid,
        (name) => `a${given.findIndex((one) => one.name === name)}`,
      );
    const state = typeText({ struct: fold.state });
    const making = `states[g] = script.init(${all(fold.init)});`;
    const steps = [
      'int g = groups.length() > 0 ? groups[i] : 0;',
      `if (states[g] == null) ${making}`,
      `script.step(${['states[g]', all(fold.call)].filter(Boolean).join(', ')});`,
    ];
    const finished = ['states[g]', all(fold.finish)].filter(Boolean).join(', ');
    const results = [
      'int g = from + i;',
      'if (states[g] != null) {',
      `  ${typeText({ struct: fold.result })} r = script.finish(${finished});`,
      '  if (r != null) {',
      // The first ends the run.
      ...outputs.flatMap((output, at) => {
        const failing = (told: string): string => `if (failures == 0) fail(i, "${unwritableError}", ${told});`;
        return whenUnwritable(output, at, failing).map((line) => `    ${line}`);
      }),
      ...outputs.flatMap((output, at) => storeOutput(output, at, 'rows')).map((line) => `    ${line}`),
      '    group[n] = g;',
      '    n++;',
      '  }',
      '}',
    ];
    return [
      ...globals(inputs, outputs),
      `${state}[] states = [];`,
      // A step that threw may have changed a part of its state.
      'boolean isSpoilt = false;',
      failures,
      rowsType([], 'Stepped', ' boolean isSpoilt;'),
      rowsType(outputs, 'Finished', ' int[] group;'),
      ...beginning(
        given.map(({ type }, at) => ({ name: String(at), type })),
        typeText,
      ),
      'export void room(int groups) {',
      `  ${state}[] more = new ${state}[groups];`,
      '  for (int i = 0; i < states.length(); i++) more[i] = states[i];',
      '  states = more;',
      '}',
      ...dictionaries(inputs),
      ...rejoining(outputs),
      `export Stepped batch(${['int rows', 'int[] skip', 'int[] groups', ...slotsOf(fold).map(declareSlot)].join(', ')}) {`,
      ...beforeLoop(inputs),
      '  isSpoilt = false;',
      ...loopBody(inputs, steps, typeText, { undo: 'isSpoilt = true; ' }),
      '  int n = 0;',
      ...handBack([], 'n', ['isSpoilt']),
      '}',
      // States of a batch of groups, and merging such a batch in.
      `export ${state}[] give(int from, int to) { return states.slice(from, to); }`,
      `export Stepped take(int[] groups, ${state}[] values) {`,
      '  int rows = groups.length();',
      ...startRows,
      ...tried([
        'int g = groups[i];',
        'if (states[g] == null) states[g] = values[i];',
        'else script.merge(states[g], values[i]);',
      ]),
      ...handBack([], 'rows', ['isSpoilt']),
      '}',
      `export Stepped start(int g) {`,
      '  int rows = 1;',
      ...startRows,
      ...tried([making]),
      ...handBack([], 'rows', ['isSpoilt']),
      '}',
      `export Finished finish(int from, int to) {`,
      '  int rows = to - from;',
      '  int n = 0;',
      '  int[] group = new int[rows];',
      ...startRows,
      ...outputs.flatMap(declareOutput),
      ...tried(results),
      ...handBack(outputs, 'n', ['group']),
      '}',
    ];
  });
}

/** A loop over rows in which the first error is the last: states are no records that could be left out. */
function tried(lines: readonly string[]): string[] {
  return [
    '  int skipped = 0;',
    '  for (int i = 0; i < rows && failures == 0; i++) {',
    '    try {',
    ...lines.map((line) => `      ${line}`),
    ...recordErrors.map((name) => `    } catch (${name} e) {\n      fail(i, "${name}", e);`),
    ...limitErrors.map((name) => `    } catch (${name} e) {\n      yield i;`),
    '    }',
    '  }',
  ];
}
