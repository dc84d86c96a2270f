// The driver of `mapBatch`: leaves out the rows that cannot go to the script, and calls it once with whole columns.

import { hasIntTypes } from '../plan/int-types.ts';
import type { InputColumn, OutputColumn, Work } from '../plan/plan.ts';
import { isText, isWrittenAsText } from './slots.ts';
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

export function batchBody(work: Work, typeText: TypeText): string[] {
  const { inputs, outputs, call } = work;
  const valid = call.flatMap((argument) => (argument.kind === 'valid' ? [argument.at] : []));
  return [
    ...declareChecks(inputs),
    '  int kept = 0;',
    '  int n = 0;',
    '  int[] keep = new int[rows];',
    '  for (int i = 0; i < rows; i++) {',
    ...checkLines(inputs).map((line) => `    ${line}`),
    '    keep[kept] = i;',
    '    kept++;',
    '  }',
    ...outputs.flatMap(declareOutput),
    '  if (kept > 0) {',
    '    try {',
    ...inputs.flatMap((input, at) => columnOf(input, at, typeText).map((line) => `      ${line}`)),
    ...valid.flatMap((at) => [
      `      boolean[] u${at} = new boolean[kept];`,
      `      for (int j = 0; j < kept; j++) { int i = keep[j]; u${at}[j] = ${isValid(at)}; }`,
    ]),
    `      ${typeText({ struct: work.result })} r = script.mapBatch(${argumentsOf(
      call,
      (at) => `p${at}`,
      (at) => `u${at}`,
    )});`,
    ...storeOutputs(outputs).map((line) => `      ${line}`),
    ...recordErrors.map(
      (name) =>
        `    } catch (${name} e) {\n      n = 0;\n      for (int j = 0; j < kept; j++) fail(keep[j], "${name}", e);`,
    ),
    ...limitErrors.map((name) => `    } catch (${name} e) {\n      yield -1;`),
    '    }',
    '  }',
    ...handBack(outputs, 'n'),
  ];
}

/** The column of the rows that are kept; numbers that need nothing done are handed on as they are. */
function columnOf(input: InputColumn, at: number, typeText: TypeText): string[] {
  const { carrier, type } = input;
  const isPlain = (carrier === 'double' || carrier === 'int') && !isText(input);
  const fill = [
    `p${at} = new ${typeText(type)}[kept];`,
    `for (int j = 0; j < kept; j++) {`,
    '  int i = keep[j];',
    ...valueOf(input, at, typeText).map((line) => `  ${line}`),
    `  p${at}[j] = x${at};`,
    '}',
  ];
  return isPlain
    ? [
        `${typeText(type)}[] p${at} = c${at};`,
        `if (kept < rows || !all${at}) {`,
        ...fill.map((line) => `  ${line}`),
        '}',
      ]
    : [`${typeText(type)}[] ${fill[0]!}`, ...fill.slice(1)];
}

function declareOutput({ carrier }: OutputColumn, at: number): string[] {
  const values = isWrittenAsText(carrier)
    ? `string[] w${at} = [];`
    : carrier === 'double'
      ? `double[] o${at} = [];`
      : `int[] o${at} = [];`;
  return [`  ${values}`, `  int[] z${at} = [];`];
}

function storeOutputs(outputs: readonly OutputColumn[]): string[] {
  const first = outputs[0]!;
  const store = [...outputs.flatMap(storeOutput), 'n = m;'];
  return [
    'if (r != null) {',
    `  int m = r.${first.name}.length();`,
    ...outputs.flatMap(({ name, valid }) =>
      [name, ...(valid === null ? [] : [valid])].map(
        (field) =>
          `  if (r.${field}.length() != m) ` +
          `throw \`${field} has \${r.${field}.length()} elements, and ${first.name} \${m}\`;`,
      ),
    ),
    ...(hasIntTypes(outputs)
      ? [
          '  boolean isWritable = true;',
          ...outputs.flatMap((output, at) => checkOutput(output, at).map((line) => `  ${line}`)),
          '  if (isWritable) {',
          ...store.map((line) => `    ${line}`),
          '  }',
        ]
      : store.map((line) => `  ${line}`)),
    '}',
  ];
}

/** Which record an element is of, nobody knows: all of the batch fail, as where the function throws. */
function checkOutput(output: OutputColumn, at: number): string[] {
  const failing = (told: string): string =>
    `isWritable = false; for (int k = 0; k < kept; k++) fail(keep[k], "${unwritableError}", ${told});`;
  const check = whenUnwritable(output, at, failing, '[j]');
  return check.map((line) => `for (int j = 0; j < m && isWritable; j++) ${line}`);
}

function storeOutput({ name, carrier, valid, type }: OutputColumn, at: number): string[] {
  const field = `r.${name}`;
  const ofValid =
    valid === null ? [] : [`z${at} = new int[m];`, `for (int j = 0; j < m; j++) if (!r.${valid}[j]) z${at}[j] = 1;`];
  switch (carrier) {
    case 'double':
    case 'int':
      return [`o${at} = ${field};`, ...ofValid];
    case 'boolean':
      return [`o${at} = new int[m];`, `for (int j = 0; j < m; j++) o${at}[j] = ${field}[j] ? 1 : 0;`, ...ofValid];
    case 'string':
    case 'json':
      return [
        `w${at} = new string[m];`,
        ...ofValid,
        'for (int j = 0; j < m; j++) {',
        `  if (${field}[j] != null) {`,
        `    w${at}[j] = ${carrier === 'string' ? `${field}[j]` : jsonText(type, `${field}[j]`)};`,
        '  } else {',
        `    w${at}[j] = "";`,
        `    if (z${at}.length() == 0) z${at} = new int[m];`,
        `    z${at}[j] = 1;`,
        '  }',
        '}',
      ];
  }
}
