// The driver: a file in Sluice that imports the script and calls it in a loop over columns, so that records never leave
// WebAssembly. Its text follows from the plan alone.

import type { Manifest } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { InputColumn, Work } from '../plan/plan.ts';
import { batchBody } from './batches.ts';
import { collector, collectorOf, recordBody } from './records.ts';
import { declareSlot, isWrittenAsText, slotsOf } from './slots.ts';

/** What the driver imports the script as; the files of its structs are `imported0` and so on. */
const scriptName = 'script';

export interface Driver {
  readonly text: string;
  /** The file behind each path that the driver imports. */
  readonly imports: ReadonlyMap<string, string>;
  /** The function of the driver that takes what the script yields; null where that is nothing. */
  readonly yieldsTo: string | null;
}

export function writeDriver(manifest: Manifest, work: Work): Driver {
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
  const body = work.shape === 'batch' ? batchBody(work, typeText) : recordBody(work, typeText);
  const given = work.call.flatMap((argument, at) => (argument.kind === 'given' ? [{ at, type: argument.type }] : []));
  const text = [
    ...given.map(({ at, type }) => `${typeText(type)} a${at} = ${initialValue(type)};`),
    ...work.inputs.flatMap(({ carrier }, at) => (isWrittenAsText(carrier) ? [`string[] d${at} = [];`] : [])),
    ...texts(work).map((at) => `string[] k${at} = [];`),
    ...collectorOf(work, typeText),
    failures,
    `type Rows { ${rowFields(work).join(' ')} }`,
    `export void begin(${given.map(({ at, type }) => `${typeText(type)} b${at}`).join(', ')}) {`,
    ...given.map(({ at }) => `  a${at} = b${at};`),
    '}',
    ...work.inputs.flatMap((input, at) =>
      isWrittenAsText(input.carrier) ? [`export void dictionary${at}(string[] values) { d${at} = values; }`] : [],
    ),
    'export string text(int column, string separator) {',
    ...texts(work).map((at) => `  if (column == ${at}) return k${at}.join(separator);`),
    '  return "";',
    '}',
    `export Rows batch(${['int rows', 'int[] skip', ...slotsOf(work).map(declareSlot)].join(', ')}) {`,
    '  batchRows = rows;',
    '  failures = 0;',
    ...work.inputs.flatMap(beforeLoop),
    ...body,
    '}',
    '',
  ].join('\n');
  const head = [...imports.keys()].map((path) => `import "${path}" as ${path.replace('.slu', '')};`).join('\n');
  return { text: `${head}\n${text}`, imports, yieldsTo: work.shape === 'yields' ? collector : null };
}

function initialValue(type: TypeDescriptor): string {
  if (typeof type !== 'string') return 'null';
  return { int: '0', double: '0.0', boolean: 'false', string: 'null', json: 'null' }[type];
}

/** The written columns that leave as one text. */
function texts({ outputs }: Work): readonly number[] {
  return outputs.flatMap(({ carrier }, at) => (isWrittenAsText(carrier) ? [at] : []));
}

function rowFields({ outputs }: Work): readonly string[] {
  const values = outputs.flatMap(({ carrier }, at) => [
    `${carrier === 'double' ? 'double[]' : isWrittenAsText(carrier) ? 'string' : 'int[]'} o${at};`,
    `int[] z${at};`,
  ]);
  return ['int rows;', 'int skipped;', 'int[] failedAt;', 'string[] failedType;', 'string[] failedText;', ...values];
}

/** What failed in a batch; its arrays are made with the first of them. */
const failures = `int batchRows = 0;
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

function beforeLoop(input: InputColumn, at: number): string[] {
  if (!isWrittenAsText(input.carrier)) return [`  boolean all${at} = v${at}.length() == 0;`];
  return [
    `  boolean coded${at} = c${at}.length() > 0;`,
    `  string[] s${at} = coded${at} ? d${at} : t${at}.split("\\u0000");`,
    `  if (h${at}) unmark(s${at});`,
  ];
}
