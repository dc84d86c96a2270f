// A script's types as a TypeScript declaration file: arguments, yields and result of main, exported functions, and the
// structs that these use. Input types accept more than output types: an int may be given as a number, but comes out as
// the option `ints` says.

import type { Ints, Manifest } from '../../runtime-host/api/node.ts';
import type {
  ExportParameter,
  ManifestExport,
  ManifestOutputs,
  ManifestParameter,
  ManifestStruct,
  SentType,
} from '../abi/manifest.ts';
import type { TypeDescriptor } from '../abi/values.ts';

/** The text of a `.d.ts`; `typeName` is the interface that loadScript takes as its type parameter. */
export function declareTypes(manifest: Manifest, typeName: string, ints: Ints = 'bigint'): string {
  const names = nameStructs(manifest.structs, typeName);
  const { parameters, exports = [], results = [], outputs } = manifest;
  const writing = new Writing(names, ints);
  const takesNone = parameters === null || parameters.length === 0;
  const given = takesNone ? 'Readonly<Record<string, never>>' : writing.record(parameters);
  const yields = parameters === null ? 'never' : writing.yields(manifest, outputs);
  const result = outputs === undefined ? writing.sent(results, ['undefined']) : writing.given(outputs);
  const signatures = exports.map((fn) => `    ${memberName(fn.name)}${writing.signature(fn)};\n`);
  const ofCalls = exports.map(
    (fn) => `    readonly ${memberName(fn.name)}: ${writing.yields(manifest, fn.outputs)};\n`,
  );
  const byName = (lines: readonly string[]): string =>
    lines.length === 0 ? 'Readonly<Record<never, never>>' : `{\n${lines.join('')}  }`;
  const members = [
    `  /** What ints are here: loadScript has to be told the same. */`,
    `  readonly ints: '${ints}';`,
    `  /** By name, for run(). */`,
    `  readonly arguments: ${given};`,
    `  /** What main yields. */`,
    `  readonly yields: ${yields};`,
    `  /** What main returns; undefined where it ends without a result. */`,
    `  readonly result: ${parameters === null ? 'undefined' : result};`,
    `  /** For call() and callSync(). */`,
    `  readonly exports: ${byName(signatures)};`,
    `  /** What these yield. */`,
    `  readonly callYields: ${byName(ofCalls)};`,
  ];
  const scriptTypes = `export interface ${typeName} {\n${members.join('\n')}\n}`;
  // Structs and json are declared only if they are used.
  return [...writing.structs(manifest.structs), ...writing.json(), scriptTypes].map((part) => `${part}\n`).join('\n');
}

/** `loadScript<MeanScript>` for mean.slu. */
export function typeNameOf(fileName: string): string {
  const words = fileName
    .replace(/\.(slu|wasm)$/, '')
    .split(/[^\p{ID_Continue}$]+/u)
    .filter((word) => word !== '');
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return `${/^[\p{ID_Start}$_]/u.test(name) ? '' : '_'}${name}Script`;
}

/** The names of the language. Anybody may have made the module, and its names must not become other declarations. */
const identifier = /^[A-Za-z_]\w*$/;

/** Quotes a name that TypeScript would read as something else: `new` would declare a constructor. */
export function memberName(name: string): string {
  return identifier.test(name) && name !== 'new' ? name : JSON.stringify(name);
}

type Way = 'in' | 'out';

/** The names of the interfaces for output and input values of the struct with this index. */
interface StructName {
  readonly in: string;
  readonly out: string;
}

/** Names that TypeScript or this file itself has taken already. */
const takenNames = [
  'any',
  'bigint',
  'boolean',
  'never',
  'null',
  'number',
  'object',
  'string',
  'symbol',
  'undefined',
  'unknown',
  'void',
  'BigInt64Array',
  'Float64Array',
  'Json',
  'Readonly',
  'Record',
];

/** Words that cannot name a parameter in TypeScript. */
const reservedWords = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected
  public return static super switch this throw true try typeof var void while with yield`.split(/\s+/),
);

function nameStructs(structs: readonly ManifestStruct[], typeName: string): readonly StructName[] {
  const taken = new Set([...takenNames, ...reservedWords, typeName]);
  const free = (wanted: string): string => {
    let name = wanted;
    for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`;
    taken.add(name);
    return name;
  };
  const outer = structs.map(({ name }) => free(identifier.test(name) ? name : 'Struct'));
  return outer.map((out) => ({ out, in: free(`${out}Input`) }));
}

const intTypes: Readonly<Record<Ints, string>> = { bigint: 'bigint', number: 'number', auto: 'number | bigint' };

/** Formats types and collects the declarations that they need. */
class Writing {
  readonly #names: readonly StructName[];
  /** The type of an int that comes out. */
  readonly #int: string;
  /** Entries such as `in 0` and `out 2`, in the order of first use. */
  readonly #used = new Set<string>();
  #usesJson = false;

  constructor(names: readonly StructName[], ints: Ints) {
    this.#names = names;
    this.#int = intTypes[ints];
  }

  type(type: TypeDescriptor, way: Way): string {
    return isNullable(type) ? `${this.#withoutNull(type, way)} | null` : this.#withoutNull(type, way);
  }

  record(parameters: readonly ManifestParameter[]): string {
    const members = parameters.map(({ name, type, required }) => {
      const member = `${memberName(name)}${required ? '' : '?'}: ${this.type(type, 'in')}`;
      return `    readonly ${member}${required ? '' : ' | undefined'};\n`;
    });
    return `{\n${members.join('')}  }`;
  }

  signature({ parameters, returns, outputs }: ManifestExport): string {
    const lastRequired = parameters.findLastIndex(({ required }) => required);
    const given =
      outputs !== undefined && outputs.returns.length > 0
        ? this.#exactly(outputs.returns, [])
        : returns === null
          ? 'undefined'
          : this.type(returns, 'out');
    const taken = parameters.map((parameter, index) => this.#parameter(parameter, index < lastRequired));
    return `(${taken.join(', ')}): ${given}`;
  }

  /** Older modules list their yields only for the whole module, not for each export. */
  yields({ yields = [] }: Manifest, outputs: ManifestOutputs | undefined): string {
    return outputs === undefined ? this.sent(yields, []) : this.#exactly(outputs.yields, []);
  }

  given({ returns, returnsNothing }: ManifestOutputs): string {
    return this.#exactly(returns, returnsNothing ? ['undefined'] : []);
  }

  sent(types: readonly SentType[], more: readonly string[]): string {
    const parts = new Set(types.flatMap((type) => (type === null ? [] : [this.#withoutNull(type, 'out')])));
    const all = [...parts, ...(types.some((type) => type === null || isNullable(type)) ? ['null'] : []), ...more];
    return all.length === 0 ? 'never' : all.join(' | ');
  }

  /** Includes null only if the module says so. */
  #exactly(types: readonly SentType[], more: readonly string[]): string {
    const parts = types.map((type) => (type === null ? 'null' : this.#withoutNull(type, 'out')));
    const all = new Set([...parts, ...more]);
    return all.size === 0 ? 'never' : [...all].join(' | ');
  }

  structs(structs: readonly ManifestStruct[]): string[] {
    const declared: string[] = [];
    // Fields refer to further structs, which are added to the set during this loop.
    for (const use of this.#used) {
      const [way, index] = use.split(' ') as [Way, string];
      const fields = structs[Number(index)]!.fields.map(
        ({ name, type }) => `  readonly ${memberName(name)}: ${this.type(type, way)};\n`,
      );
      declared.push(`export interface ${this.#names[Number(index)]![way]} {\n${fields.join('')}}`);
    }
    return declared;
  }

  json(): string[] {
    return this.#usesJson
      ? [
          `export type Json = null | boolean | ${this.#int === 'number' ? '' : 'bigint | '}number | string | ` +
            'readonly Json[] | { readonly [key: string]: Json };',
        ]
      : [];
  }

  #withoutNull(type: TypeDescriptor, way: Way): string {
    if (typeof type === 'object')
      return 'array' in type ? this.#array(type.array, way) : this.#struct(type.struct, way);
    switch (type) {
      case 'int':
        return way === 'in' ? 'bigint | number' : this.#int;
      case 'double':
        return 'number';
      case 'boolean':
        return 'boolean';
      case 'string':
        return 'string';
      case 'json':
        this.#usesJson = true;
        return 'Json';
    }
  }

  #parameter({ name, type, required, variadic }: ExportParameter, isBeforeRequired: boolean): string {
    const safe = reservedWords.has(name) ? `${name}_` : identifier.test(name) ? name : '_';
    if (!variadic) {
      const text = this.type(type, 'in');
      return required ? `${safe}: ${text}` : isBeforeRequired ? `${safe}: ${text} | undefined` : `${safe}?: ${text}`;
    }
    const element = this.type((type as { readonly array: TypeDescriptor }).array, 'in');
    return `...${safe}: readonly ${inBrackets(element)}[] | readonly [${this.#withoutNull(type, 'in')}]`;
  }

  #array(element: TypeDescriptor, way: Way): string {
    const plain = `readonly ${inBrackets(this.type(element, way))}[]`;
    if (element !== 'int' && element !== 'double') return plain;
    if (element === 'int' && way === 'out' && this.#int !== 'bigint') return plain;
    const typed = element === 'int' ? 'BigInt64Array' : 'Float64Array';
    return way === 'in' ? `${typed} | ${plain}` : typed;
  }

  #struct(index: number, way: Way): string {
    this.#used.add(`${way} ${index}`);
    return this.#names[index]![way];
  }
}

function isNullable(type: TypeDescriptor): boolean {
  return typeof type === 'object' || type === 'string';
}

function inBrackets(type: string): string {
  return type.includes(' ') ? `(${type})` : type;
}
