// Whether what a log says is what a function returns: a module reads an answer as its type has it, and relies on that.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { Type } from '../../src/language/types.ts';
import { builtInLibraries } from '../../src/library/registry.ts';
import type { Answer } from '../marshalling/parts.ts';
import { Parts } from '../marshalling/parts.ts';
import { isNumber } from '../marshalling/type-guards.ts';
import type { UsedFunction, UsedPlugin } from '../plugins/link.ts';

/** Whether a module can read an answer as what the function returns. */
export type AnswerCheck = (answer: Answer) => boolean;

/** By what is called: functions of the library, and of plugins. */
export function answerChecks(plugins: readonly UsedPlugin[]): ReadonlyMap<string, AnswerCheck> {
  const ofLibrary = builtInLibraries.flatMap(({ functions }) => functions.filter(({ implementation }) => implementation.kind === 'host').map(({ id, returns }): [string, AnswerCheck] => [id, (answer) => fitsLibrary(answer, returns)]));
  const ofPlugins = plugins.flatMap(({ structs, functions }) => functions.map((fn): [string, AnswerCheck] => [fn.id, (answer) => fitsPlugin(fn, answer, structs)]));
  return new Map([...ofLibrary, ...ofPlugins]);
}

/** The library's json comes as text, and its texts may be null. */
function fitsLibrary(answer: Answer, type: Type): boolean {
  switch (type.kind) {
    case 'void':
      return answer === undefined;
    case 'int':
      return isInt(answer);
    case 'double':
      return typeof answer === 'number';
    case 'boolean':
      return typeof answer === 'boolean';
    case 'json':
      return typeof answer === 'string';
    case 'string':
      return typeof answer === 'string' || answer === null;
    case 'array':
      return answer === null || (answer instanceof Parts && answer.kind === 'array' && Array.from(answer.items).every((item) => fitsLibrary(item, type.element)));
    default:
      return true;
  }
}

function fitsPlugin({ returns, returnsNull, way }: UsedFunction, answer: Answer, structs: readonly ManifestStruct[]): boolean {
  if (returns === null) return answer === undefined;
  // As the function of WebAssembly gives it.
  if (way === 'linked') return returns === 'int' ? isInt(answer) : typeof answer === 'number';
  return answer === null ? returnsNull || returns === 'json' : fitsPart(returns, answer, structs);
}

/** Whether a part is a value of the type, or the null of it. */
export function fitsOrNull(type: TypeDescriptor, part: unknown, structs: readonly ManifestStruct[]): boolean {
  return part === null ? !isNumber(type) : fitsPart(type, part, structs);
}

function fitsPart(type: TypeDescriptor, part: unknown, structs: readonly ManifestStruct[]): boolean {
  const orNull = (inner: TypeDescriptor, item: unknown): boolean => fitsOrNull(inner, item, structs);
  if (type === 'json') return fitsJson(part);
  if (type === 'int') return isInt(part);
  if (typeof type === 'string') return typeof part === (type === 'double' ? 'number' : type);
  if (!(part instanceof Parts)) return false;
  const { kind, items } = part;
  if ('struct' in type) {
    const { fields } = structs[type.struct]!;
    return kind === 'struct' && items.length === fields.length && fields.every((field, at) => orNull(field.type, items[at]));
  }
  if (type.array === 'double') return items instanceof Float64Array;
  if (type.array === 'int') return items instanceof BigInt64Array;
  return kind === 'array' && Array.from(items).every((item) => orNull(type.array, item));
}

function isInt(part: unknown): boolean {
  return typeof part === 'bigint' && BigInt.asIntN(64, part) === part;
}

function fitsJson(part: unknown): boolean {
  if (!(part instanceof Parts)) return part === null || isInt(part) || ['number', 'boolean', 'string'].includes(typeof part);
  const { kind, items } = part;
  if (kind === 'struct') return false;
  return Array.from(items).every((item, at) => (kind === 'object' && at % 2 === 0 ? typeof item === 'string' : fitsJson(item))) && (kind === 'array' || items.length % 2 === 0);
}
