// The driver: a file in Sluice that imports the script and calls it in a loop over columns, so that records never leave
// WebAssembly. Its text follows from the plan alone.

import type { Manifest } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { InputColumn, OutputColumn, Work } from '../plan/plan.ts';
import { batchBody } from './batches.ts';
import { collector, collectorOf, recordBody } from './records.ts';
import { declareSlot, isWrittenAsText, slotsOf } from './slots.ts';
import type { TypeText } from './values.ts';

/** What the driver imports the script as; the files of its structs are `imported0` and so on. */
const scriptName = 'script';

export interface Driver {
  readonly text: string;
  /** The file behind each path that the driver imports. */
  readonly imports: ReadonlyMap<string, string>;
  /** The function of the driver that takes what the script yields; null where that is nothing. */
  readonly yieldsTo: string | null;
}

/** What the file of a driver is called: nothing that a script can be. */
export function driverName(script: string, stage: 'map' | 'step'): string {
  return `${script} (driver of ${stage})`;
}

/** Whether that is the file of a driver, among the places of an error. */
export function isDriver(file: string): boolean {
  return / \(driver of (?:map|step)\)$/.test(file);
}

export function writeDriver(manifest: Manifest, work: Work): Driver {
  const yieldsTo = work.shape === 'yields' ? collector : null;
  return driverOf(manifest, yieldsTo, (typeText) => {
    const { outputs } = work;
    const given = work.call.flatMap((argument, at) =>
      argument.kind === 'given' ? [{ name: String(at), type: argument.type }] : [],
    );
    return [
      ...globals(work.inputs, outputs),
      ...collectorOf(work, typeText),
      failures,
      rowsType(outputs),
      ...beginning(given, typeText),
      ...dictionaries(work.inputs),
      ...rejoining(outputs),
      `export Rows batch(${['int rows', 'int[] skip', ...slotsOf(work).map(declareSlot)].join(', ')}) {`,
      ...beforeLoop(work.inputs),
      ...(work.shape === 'batch' ? batchBody(work, typeText) : recordBody(work, typeText)),
      '}',
    ];
  });
}

/** The head of a driver, and what stands behind it. */
export function driverOf(
  manifest: Manifest,
  yieldsTo: string | null,
  body: (typeText: TypeText) => readonly string[],
): Driver {
  const imports = new Map([['script.slu', manifest.name]]);
  const files = [...new Set(manifest.structs.flatMap(({ file }) => (file === undefined ? [] : [file])))];
  const typeText = (type: TypeDescriptor): string => {
    if (typeof type === 'string') return type;
    if ('array' in type) return `${typeText(type.array)}[]`;
    const { name, file } = manifest.structs[type.struct]!;
    if (file === undefined) return `${scriptName}.${name}`;
    const alias = `imported${files.indexOf(file)}`;
    imports.set(`${alias}.slu`, file);
    return `${alias}.${name}`;
  };
  const lines = body(typeText);
  const head = [...imports.keys()].map((path) => `import "${path}" as ${path.replace('.slu', '')};`);
  return { text: [...head, ...lines, ''].join('\n'), imports, yieldsTo };
}

function initialValue(type: TypeDescriptor): string {
  if (typeof type !== 'string') return 'null';
  return { int: '0', double: '0.0', boolean: 'false', string: 'null', json: 'null' }[type];
}

/** Dictionaries of columns, and texts of the last batch. */
export function globals(inputs: readonly InputColumn[], outputs: readonly OutputColumn[]): string[] {
  return [
    ...inputs.flatMap(({ carrier }, at) => (isWrittenAsText(carrier) ? [`string[] d${at} = [];`] : [])),
    ...texts(outputs).map((at) => `string[] k${at} = [];`),
  ];
}

/** Arguments that are the same for all records: `begin` sets `a` and the name. */
export function beginning(
  given: readonly { readonly name: string; readonly type: TypeDescriptor }[],
  typeText: TypeText,
): string[] {
  return [
    ...given.map(({ name, type }) => `${typeText(type)} a${name} = ${initialValue(type)};`),
    `export void begin(${given.map(({ name, type }) => `${typeText(type)} b${name}`).join(', ')}) {`,
    ...given.map(({ name }) => `  a${name} = b${name};`),
    '}',
  ];
}

export function dictionaries(inputs: readonly InputColumn[]): string[] {
  return inputs.flatMap(({ carrier }, at) =>
    isWrittenAsText(carrier) ? [`export void dictionary${at}(string[] values) { d${at} = values; }`] : [],
  );
}

/** `text` gives a column of the last batch with another separator. */
export function rejoining(outputs: readonly OutputColumn[]): string[] {
  return [
    'export string text(int column, string separator) {',
    ...texts(outputs).map((at) => `  if (column == ${at}) return k${at}.join(separator);`),
    '  return "";',
    '}',
  ];
}

/** The written columns that leave as one text. */
function texts(outputs: readonly OutputColumn[]): readonly number[] {
  return outputs.flatMap(({ carrier }, at) => (isWrittenAsText(carrier) ? [at] : []));
}

/** What a batch gives. */
export function rowsType(outputs: readonly OutputColumn[], name = 'Rows', more = ''): string {
  const values = outputs.flatMap(({ carrier }, at) => [
    `${carrier === 'double' ? 'double[]' : isWrittenAsText(carrier) ? 'string' : 'int[]'} o${at};`,
    `int[] z${at};`,
  ]);
  const failed = ['int rows;', 'int skipped;', 'int[] failedAt;', 'string[] failedType;', 'string[] failedText;'];
  return `type ${name} { ${[...failed, ...values].join(' ')}${more} }`;
}

/** What failed in a batch; its arrays are made with the first of them. */
export const failures = `int batchRows = 0;
int failures = 0;
int[] failedAt = [];
string[] failedType = [];
string[] failedText = [];
void fail(int at, string name, string text) {
  if (failures == 0) {
    failedAt = new int[batchRows];
    failedType = new string[batchRows];
    failedText = new string[batchRows];
  }
  failedAt[failures] = at;
  failedType[failures] = name;
  failedText[failures] = text;
  failures++;
}
void unmark(string[] values) {
  for (int i = 0; i < values.length(); i++) if (values[i] == "\\u0001") values[i] = null;
}`;

/** The beginning of a function over `rows` rows. */
export const startRows = ['  batchRows = rows;', '  failures = 0;'];

export function beforeLoop(inputs: readonly InputColumn[]): string[] {
  return [
    ...startRows,
    ...inputs.flatMap(({ carrier }, at) =>
      isWrittenAsText(carrier)
        ? [
            `  boolean coded${at} = c${at}.length() > 0;`,
            `  string[] s${at} = coded${at} ? d${at} : t${at}.split("\\u0000");`,
            `  if (h${at}) unmark(s${at});`,
          ]
        : [`  boolean all${at} = v${at}.length() == 0;`],
    ),
  ];
}
