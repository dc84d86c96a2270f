// Checks the answers in a log against the types of the functions: a module reads an answer by its type and relies on
// that.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { Type } from '../../src/language/types.ts';
import { builtInLibraries } from '../../src/library/registry.ts';
import type { Answer } from '../marshalling/marshalled-values.ts';
import { Composite } from '../marshalling/marshalled-values.ts';
import { isInt, isValueOf } from './value-guard.ts';
import type { UsedFunction, UsedPlugin } from '../plugins/used-plugin.ts';

/** Whether a module can read an answer as the function's result. */
export type AnswerCheck = (answer: Answer) => boolean;

/** The checks by name, for functions of the library and of plugins. */
export function answerChecks(plugins: readonly UsedPlugin[]): ReadonlyMap<string, AnswerCheck> {
  const ofLibrary = builtInLibraries.flatMap(({ functions }) =>
    functions
      .filter(({ implementation }) => implementation.kind === 'host')
      .map(({ id, returns }): [string, AnswerCheck] => [id, (answer) => fitsLibrary(answer, returns)]),
  );
  const ofPlugins = plugins.flatMap(({ structs, functions }) =>
    functions.map((fn): [string, AnswerCheck] => [fn.id, (answer) => fitsPlugin(fn, answer, structs)]),
  );
  return new Map([...ofLibrary, ...ofPlugins]);
}

/** In the library, json is sent as text, and texts may be null. */
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
      return (
        answer === null ||
        (answer instanceof Composite &&
          answer.kind === 'array' &&
          Array.from(answer.items).every((item) => fitsLibrary(item, type.element)))
      );
    case 'struct':
    case 'null':
    case 'variable':
    case 'codeUnits':
    case 'offsets':
    case 'slots':
    case 'elements':
    case 'vector':
    case 'invalid':
      // No host function returns these types.
      return true;
  }
}

function fitsPlugin(
  { returns, returnsNull, way }: UsedFunction,
  answer: Answer,
  structs: readonly ManifestStruct[],
): boolean {
  if (returns === null) return answer === undefined;
  // Here the answer is the direct result of a WebAssembly function.
  if (way === 'linked') return returns === 'int' ? isInt(answer) : typeof answer === 'number';
  return answer === null ? returnsNull || returns === 'json' : isValueOf(returns, answer, structs);
}
