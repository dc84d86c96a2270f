// The driver of `map`: a loop over the rows of a batch, with a `try` around each. What `void map` yields the compiler
// hands to a function of the driver (the option `yieldsTo`), which puts it into columns that grow.

import { batchRows } from '../plan/plan.ts';
import { hasIntTypes } from '../plan/int-types.ts';
import type { InputColumn, OutputColumn, Work } from '../plan/plan.ts';
import { isWrittenAsText } from './slots.ts';
import {
  argumentsOf,
  checkLines,
  declareChecks,
  handBack,
  isValid,
  jsonText,
  limitErrors,
  recordErrors,
  unwritableError,
  valueOf,
  whenUnwritable,
} from './values.ts';
import type { TypeText } from './values.ts';

export function recordBody(work: Work, typeText: TypeText): string[] {
  const { inputs, shape, outputs } = work;
  const isYields = shape === 'yields';
  const first = ['int before = n;', ...(isYields && hasIntTypes(outputs) ? ['unwritable = null;'] : [])].join(' ');
  return [
    ...(isYields ? ['  n = 0;'] : ['  int n = 0;', ...outputs.flatMap(declareOutput)]),
    // What a record has yielded does not count if it fails.
    ...loopBody(inputs, call(work, typeText), typeText, isYields ? { first, undo: 'n = before; ' } : {}),
    ...handBack(outputs, 'n'),
  ];
}

/**
 * The loop over the rows of a batch that can go to the script: `call` is what one goes through, `first` stands in front
 * of it, and `undo` where it fails.
 */
export function loopBody(
  inputs: readonly InputColumn[],
  call: readonly string[],
  typeText: TypeText,
  { first = '', undo = '' }: { readonly first?: string; readonly undo?: string },
): string[] {
  return [
    ...declareChecks(inputs),
    '  for (int i = 0; i < rows; i++) {',
    ...checkLines(inputs).map((line) => `    ${line}`),
    ...(first === '' ? [] : [`    ${first}`]),
    '    try {',
    ...inputs.flatMap((input, at) => valueOf(input, at, typeText).map((line) => `      ${line}`)),
    ...call.map((line) => `      ${line}`),
    ...recordErrors.map((name) => `    } catch (${name} e) {\n      ${undo}fail(i, "${name}", e);`),
    ...limitErrors.map((name) => `    } catch (${name} e) {\n      yield i;`),
    '    }',
    '  }',
  ];
}

/** The function that yields go to. */
export const collector = 'collect';

/** What stands in front of the driver's functions: the columns of `void map`, and what fills them. */
export function collectorOf(work: Work, typeText: TypeText): string[] {
  const { outputs, shape, result } = work;
  if (shape !== 'yields') return [];
  const growing = outputs.flatMap(({ carrier }, at) => {
    const [element, name] = columnOf(carrier, at);
    return [
      `  ${element}[] new${at} = new ${element}[room];`,
      `  for (int i = 0; i < n; i++) new${at}[i] = ${name}[i];`,
      `  ${name} = new${at};`,
      `  if (z${at}.length() > 0) {`,
      `    int[] nulls = new int[room];`,
      `    for (int i = 0; i < n; i++) nulls[i] = z${at}[i];`,
      `    z${at} = nulls;`,
      '  }',
    ];
  });
  return [
    'int n = 0;',
    'int room = 0;',
    // The first that a record has yielded.
    ...(hasIntTypes(outputs) ? ['string unwritable = null;'] : []),
    ...outputs.flatMap(({ carrier }, at) => {
      const [element, name] = columnOf(carrier, at);
      return [`${element}[] ${name} = [];`, `int[] z${at} = [];`];
    }),
    'void grow() {',
    `  room = room == 0 ? ${batchRows} : room * 2;`,
    ...growing,
    '}',
    `void ${collector}(${typeText({ struct: result })} r) {`,
    '  if (r == null) return;',
    ...outputs.flatMap((output, at) =>
      whenUnwritable(output, at, (told) => `if (unwritable == null) unwritable = ${told}; return;`).map(
        (line) => `  ${line}`,
      ),
    ),
    '  if (n == room) grow();',
    ...outputs.flatMap((output, at) => storeOutput(output, at, 'room').map((line) => `  ${line}`)),
    '  n++;',
    '}',
  ];
}

/** The type of the elements and the name of the array that a column is collected in. */
function columnOf(carrier: string, at: number): readonly [string, string] {
  return isWrittenAsText(carrier) ? ['string', `w${at}`] : [carrier === 'double' ? 'double' : 'int', `o${at}`];
}

function call(work: Work, typeText: TypeText): string[] {
  const text = `script.map(${argumentsOf(work.call, (at) => `x${at}`, isValid)})`;
  const failed = (told: string): string => `fail(i, "${unwritableError}", ${told});`;
  if (work.shape === 'yields')
    return [
      `${text};`,
      ...(hasIntTypes(work.outputs) ? [`if (unwritable != null) { n = before; ${failed('unwritable')} }`] : []),
    ];
  return [
    `${typeText({ struct: work.result })} r = ${text};`,
    'if (r == null) continue;',
    ...work.outputs.flatMap((output, at) => whenUnwritable(output, at, (told) => `${failed(told)} continue;`)),
    ...work.outputs.flatMap((output, at) => storeOutput(output, at, 'rows')),
    'n++;',
  ];
}

/** Arrays for up to `rows` values of a column. */
export function declareOutput({ carrier }: OutputColumn, at: number): string[] {
  const [element, name] = columnOf(carrier, at);
  return [`  ${element}[] ${name} = new ${element}[rows];`, `  int[] z${at} = [];`];
}

/** Stores the fields of `r` as row `n` of columns that have room for so many rows. */
export function storeOutput({ name, carrier, valid, type }: OutputColumn, at: number, room: string): string[] {
  const field = `r.${name}`;
  const isNull = [
    ...(valid === null ? [] : [`!r.${valid}`]),
    ...(isWrittenAsText(carrier) ? [`${field} == null`] : []),
  ];
  const whenNull =
    isNull.length === 0
      ? []
      : [
          `if (${isNull.join(' || ')}) {`,
          `  if (z${at}.length() == 0) z${at} = new int[${room}];`,
          `  z${at}[n] = 1;`,
          `} else if (z${at}.length() > 0) z${at}[n] = 0;`,
        ];
  switch (carrier) {
    case 'double':
    case 'int':
      return [`o${at}[n] = ${field};`, ...whenNull];
    case 'boolean':
      return [`o${at}[n] = ${field} ? 1 : 0;`, ...whenNull];
    case 'string':
      return [`w${at}[n] = ${field} == null ? "" : ${field};`, ...whenNull];
    case 'json':
      return [`w${at}[n] = ${field} == null ? "" : ${jsonText(type, field)};`, ...whenNull];
  }
}
