// How an argument of main is given on the command line: what is said after one that is missing or does not
// fit, with an example of its type.

import type { ArgumentError, Manifest } from '../../runtime-host/api/node.ts';
import type { TypeDescriptor } from '../abi/values.ts';
import { shellWord } from './quote.ts';

/** Null where the type does not help: a parameter that main does not have. */
export function argumentHelp({ parameter: name }: ArgumentError, manifest: Manifest): string | null {
  const type = manifest.parameters?.find((parameter) => parameter.name === name)?.type;
  if (type === undefined) return null;
  if (type === 'json') return `give it as JSON, such as -a ${shellWord(`${name}=${examples.json}`)}, or with -a ${name}=@FILE`;
  if (type === 'string') return `give it with -a ${name}=TEXT or -a ${name}=@FILE`;
  const example = exampleOf(type, manifest, 0);
  if (example.length > maxExampleLength) return `give it as JSON with -a ${name}=@FILE`;
  return `give it ${typeof type === 'string' ? 'with' : 'as JSON, such as'} -a ${shellWord(`${name}=${example}`)}`;
}

const maxExampleLength = 100;
/** Structs may hold themselves. */
const maxExampleDepth = 3;

const examples = { int: '3', double: '2.5', boolean: 'true', string: '"text"', json: '{"key": 1}' } as const;
const arrayExamples = { int: '[1, 2]', double: '[1, 2.5]', boolean: '[true, false]', string: '["a", "b"]', json: '[{"key": 1}]' } as const;

/** JSON that the type takes. */
function exampleOf(type: TypeDescriptor, manifest: Manifest, depth: number): string {
  if (typeof type === 'string') return examples[type];
  if (depth >= maxExampleDepth) return 'null';
  if ('array' in type) return typeof type.array === 'string' ? arrayExamples[type.array] : `[${exampleOf(type.array, manifest, depth + 1)}]`;
  const fields = manifest.structs[type.struct]!.fields;
  return `{${fields.map((field) => `"${field.name}": ${exampleOf(field.type, manifest, depth + 1)}`).join(', ')}}`;
}
