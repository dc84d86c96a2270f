// Parts that all drivers have: whether a record can go to the script, its values, errors, and what is handed back.

import type { TypeDescriptor } from '../../src/abi/values.ts';
import { intTypeOf } from '../plan/int-types.ts';
import type { Argument, InputColumn, OutputColumn } from '../plan/plan.ts';
import { isText, isWrittenAsText } from './slots.ts';

export type TypeText = (type: TypeDescriptor) => string;

/** Errors that a record can end with. */
export const recordErrors = [
  'Error',
  'NullAccessError',
  'IndexOutOfBoundsError',
  'DivisionByZeroError',
  'ArithmeticError',
  'CastError',
  'TypeError',
  'KeyNotFoundError',
  'ParseError',
  'FileError',
  'NetworkError',
  'SecurityError',
  'PluginError',
] as const;
/** Errors of limits, which end the instance. */
export const limitErrors = ['QuotaExceededError', 'TimeoutError', 'MemoryLimitError', 'StackOverflowError'] as const;

/** What a record with a null fails with where the parameter cannot be null. */
export const nullError = 'NullError';

/** What it fails with where a value fits no parameter, whose position is the text: not the name of an error. */
export const misfitError = 'Misfit';

/** What it fails with where an int is none of its column's type; the text is the column's position, and the int. */
export const unwritableError = 'Unwritable';

/**
 * The line that looks at a column of `r` whose ints have a type; none for other columns. `then` is done where one
 * cannot be written; `told` is the text of its failure. `element`: what stands behind the names of fields of arrays.
 */
export function whenUnwritable(
  output: OutputColumn,
  at: number,
  then: (told: string) => string,
  element = '',
): readonly string[] {
  const type = intTypeOf(output);
  if (type === null) return [];
  const field = `r.${output.name}${element}`;
  const has = output.valid === null ? '' : `r.${output.valid}${element} && `;
  const isOutside = `(${field} < ${type.least} || ${field} > ${type.most})`;
  return [`if (${has}${isOutside}) { ${then(`\`${at} \${${field}}\``)} }`];
}

/** The condition that row `i` has a value. */
export function isValid(at: number): string {
  return `(all${at} || ((v${at}[i >> 6] >>> (i & 63)) & 1) == 1)`;
}

/**
 * Lines in front of the call: `continue` for a record that does not get there. Where a batch is `whole`, with no row
 * that is left out, no null and no misfit among its numbers, one look says so for all of them.
 */
export function checkLines(inputs: readonly InputColumn[]): string[] {
  const skip = 'if (next < skip.length() && skip[next] == i) { next++; continue; }';
  const lines: string[] = [];
  let ofNumbers = [skip];
  const close = (): void => {
    if (ofNumbers.length > 0) lines.push('if (!whole) {', ...ofNumbers.map((line) => `  ${line}`), '}');
    ofNumbers = [];
  };
  for (const [at, input] of inputs.entries()) {
    const checks = checksOf(input, at);
    if (!isText(input)) ofNumbers.push(...checks);
    else if (checks.length > 0) {
      close();
      lines.push(...checks);
    }
  }
  close();
  return lines;
}

/** Declares what `checkLines` asks for. */
export function declareChecks(inputs: readonly InputColumn[]): string[] {
  const parts = inputs.flatMap((input, at) =>
    isText(input) ? [] : [`all${at}`, ...(input.misfitSql === null ? [] : [`m${at}.length() == 0`])],
  );
  return [
    '  int skipped = 0;',
    '  int next = 0;',
    `  boolean whole = ${['skip.length() == 0', ...parts].join(' && ')};`,
  ];
}

function checksOf(input: InputColumn, at: number): string[] {
  const { parameter, column, nulls, takesNull, misfitSql } = input;
  const lines: string[] = [];
  if (misfitSql !== null)
    lines.push(`if (m${at}.length() > 0 && m${at}[i] != 0) { fail(i, "${misfitError}", "${at}"); continue; }`);
  const isMissing = isText(input) ? `s${at}[coded${at} ? c${at}[i] : i] == null` : `!${isValid(at)}`;
  if (nulls.kind === 'skip') lines.push(`if (${isMissing}) { skipped++; continue; }`);
  if (nulls.kind === 'error' && !takesNull)
    lines.push(
      `if (${isMissing}) { fail(i, "${nullError}", ` +
        `${quote(`${column} is null: take ${parameter}_valid too, or say --null ${parameter}=skip`)}); continue; }`,
    );
  return lines;
}

/** Declares `x0` of row `i`, which is in front of the call, in the `try`. */
export function valueOf(input: InputColumn, at: number, typeText: TypeText): string[] {
  const { carrier, nulls, type } = input;
  const instead = nulls.kind === 'value' ? literal(input, nulls.text) : null;
  switch (carrier) {
    case 'double':
    case 'int':
    case 'boolean': {
      const value = carrier === 'boolean' ? `c${at}[i] != 0` : `c${at}[i]`;
      const zero = { double: '0.0', int: '0', boolean: 'false' }[carrier];
      const isSure = !input.takesNull && instead === null;
      return [`${carrier} x${at} = ${isSure ? value : `${isValid(at)} ? ${value} : ${instead ?? zero}`};`];
    }
    case 'string':
      return [
        `string x${at} = s${at}[coded${at} ? c${at}[i] : i];`,
        ...(instead === null ? [] : [`if (x${at} == null) x${at} = ${instead};`]),
      ];
    case 'json': {
      const read = type === 'json' ? `Json.parse(y${at})` : `Json.parse(y${at}) as ${typeText(type)}`;
      return [
        `string y${at} = s${at}[coded${at} ? c${at}[i] : i];`,
        `${typeText(type)} x${at} = null;`,
        `if (y${at} != null) x${at} = ${read};`,
      ];
    }
  }
}

function literal({ type }: InputColumn, text: string): string {
  return type === 'string' ? quote(text) : text;
}

/** What stands in the brackets of the call. */
export function argumentsOf(
  call: readonly Argument[],
  column: (at: number) => string,
  valid: (at: number) => string,
  given: (name: string, at: number) => string = (_, at) => `a${at}`,
): string {
  const text = (argument: Argument, at: number): string => {
    switch (argument.kind) {
      case 'column':
        return column(argument.at);
      case 'valid':
        return valid(argument.at);
      case 'given':
        return given(argument.name, at);
    }
  };
  return call.map(text).join(', ');
}

/** The JSON text of a value that is an array, a struct or json. */
export function jsonText(type: TypeDescriptor, value: string): string {
  return `Json.stringify(${typeof type === 'object' && 'array' in type ? `${value} as json` : value}, false)`;
}

/** A text as a literal of the language. */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

/** No more of a column leaves the driver than there are rows. */
function cut(name: string, rows: string): string {
  return `${name}.length() <= ${rows} ? ${name} : ${name}.slice(0, ${rows})`;
}

function cutOutput(carrier: string, at: number, rows: string): string {
  return isWrittenAsText(carrier) ? `o${at}` : cut(`o${at}`, rows);
}

/** The end of a function of the driver: what failed, and the columns of `rows` rows. */
export function handBack(outputs: readonly OutputColumn[], rows: string, more: readonly string[] = []): string[] {
  return [
    '  int[] at = new int[failures];',
    '  string[] names = new string[failures];',
    '  string[] texts = new string[failures];',
    '  for (int i = 0; i < failures; i++) {',
    '    at[i] = failedAt[i];',
    '    names[i] = failedType[i];',
    '    texts[i] = failedText[i];',
    '  }',
    ...outputs.flatMap(({ carrier }, at) =>
      isWrittenAsText(carrier)
        ? [
            `  k${at} = w${at}.length() <= ${rows} ? w${at} : w${at}.slice(0, ${rows});`,
            `  string o${at} = k${at}.join("\\u0000");`,
          ]
        : [],
    ),
    `  return { rows: ${rows}, skipped: skipped, failedAt: at, failedType: names, failedText: texts` +
      outputs
        .map(({ carrier }, at) => `, o${at}: ${cutOutput(carrier, at, rows)}, z${at}: ${cut(`z${at}`, rows)}`)
        .join('') +
      `${more.map((name) => `, ${name}: ${name}`).join('')} };`,
  ];
}
