// The driver of `map`: a loop over the rows of a batch, with a `try` around each.

import type { OutputColumn, Work } from '../plan/plan.ts';
import { isWrittenAsText } from './slots.ts';
import { argumentsOf, checksOf, handBack, isValid, jsonText, limitErrors, recordErrors, valueOf } from './values.ts';
import type { TypeText } from './values.ts';

export function recordBody(work: Work, typeText: TypeText): string[] {
  const { inputs, shape, outputs } = work;
  const isYields = shape === 'yields';
  return [
    '  int skipped = 0;',
    '  int next = 0;',
    '  int n = 0;',
    ...(isYields ? [] : outputs.flatMap(declareOutput)),
    '  for (int i = 0; i < rows; i++) {',
    '    if (next < skip.length() && skip[next] == i) { next++; continue; }',
    ...inputs.flatMap((input, at) => checksOf(input, at).map((line) => `    ${line}`)),
    // Which record has begun: what it has yielded does not count if it fails.
    ...(isYields ? ['    yield i;'] : []),
    '    try {',
    ...inputs.flatMap((input, at) => valueOf(input, at, typeText).map((line) => `      ${line}`)),
    ...call(work, typeText).map((line) => `      ${line}`),
    ...recordErrors.map((name) => `    } catch (${name} e) {\n      fail(i, "${name}", e);`),
    ...limitErrors.map((name) => `    } catch (${name} e) {\n      yield i;`),
    '    }',
    '  }',
    ...handBack(isYields ? { ...work, outputs: [] } : work, 'n'),
  ];
}

function call(work: Work, typeText: TypeText): string[] {
  const text = `script.map(${argumentsOf(work, (at) => `x${at}`, isValid)})`;
  if (work.shape === 'yields') return [`${text};`];
  return [
    `${typeText({ struct: work.result })} r = ${text};`,
    'if (r == null) continue;',
    ...work.outputs.flatMap(storeOutput),
    'n++;',
  ];
}

function declareOutput({ carrier }: OutputColumn, at: number): string[] {
  const values = isWrittenAsText(carrier)
    ? `string[] w${at} = new string[rows];`
    : carrier === 'double'
      ? `double[] o${at} = new double[rows];`
      : `int[] o${at} = new int[rows];`;
  return [`  ${values}`, `  int[] z${at} = [];`];
}

function storeOutput({ name, carrier, valid, type }: OutputColumn, at: number): string[] {
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
          `  if (z${at}.length() == 0) z${at} = new int[rows];`,
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
