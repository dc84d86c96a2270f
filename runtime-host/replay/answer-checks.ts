// Whether what a log says is what a function returns: a module reads an answer as its type has it, and relies on that.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { Type } from '../../src/language/types.ts';
import { builtInLibraries } from '../../src/library/registry.ts';
import type { Answer } from '../marshalling/parts.ts';
import { Parts } from '../marshalling/parts.ts';
import { isInt, isPart } from './part-guard.ts';
import type { UsedFunction, UsedPlugin } from '../plugins/used-plugin.ts';

/** Whether a module can read an answer as what the function returns. */
export type AnswerCheck = (answer: Answer) => boolean;

/** By what is called: functions of the library, and of plugins. */
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
      return (
        answer === null ||
        (answer instanceof Parts &&
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
    case 'invalid':
      // No function of the host gives these.
      return true;
  }
}

function fitsPlugin(
  { returns, returnsNull, way }: UsedFunction,
  answer: Answer,
  structs: readonly ManifestStruct[],
): boolean {
  if (returns === null) return answer === undefined;
  // As the function of WebAssembly gives it.
  if (way === 'linked') return returns === 'int' ? isInt(answer) : typeof answer === 'number';
  return answer === null ? returnsNull || returns === 'json' : isPart(returns, answer, structs);
}
