// How an argument of main is given on the command line: the text after the error for an argument that is missing or
// does not fit, with an example of each type.

import { describeType } from '../../runtime-host/api/node.ts';
import type { ArgumentError, Manifest } from '../../runtime-host/api/node.ts';
import type { ManifestParameter } from '../abi/manifest.ts';
import type { TypeDescriptor } from '../abi/values.ts';
import { shellWord } from '../language/quoted-text.ts';

/**
 * The lines after the error: about the parameter whose argument does not fit, or about all parameters if one is
 * missing.
 */
export function argumentHelp({ parameter: name, message }: ArgumentError, manifest: Manifest): readonly string[] {
  const parameters = manifest.parameters ?? [];
  const parameter = parameters.find((candidate) => candidate.name === name);
  if (parameter === undefined) return [];
  return isMissing(message)
    ? ['main takes', ...listParameters(parameters, manifest)]
    : [howToGive(parameter, manifest)];
}

function isMissing(message: string): boolean {
  return message.startsWith('missing argument ');
}

/** A longer list does not help. */
const maxParameters = 40;

/** Type and name of each parameter as in the script, and how to give it. */
function listParameters(parameters: readonly ManifestParameter[], manifest: Manifest): string[] {
  const rows = parameters.slice(0, maxParameters).map((parameter) => {
    const { name, type, required } = parameter;
    return {
      declared: `${describeType(type, manifest.structs)} ${name}${required ? '' : ' (optional)'}`,
      given: wordFor(parameter, manifest),
    };
  });
  const width = Math.min(Math.max(...rows.map(({ declared }) => declared.length)), maxDeclaredWidth);
  const more = parameters.length - rows.length;
  return [
    ...rows.map(({ declared, given }) => `  ${declared.padEnd(width)}  ${given}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

const maxDeclaredWidth = 40;

function howToGive(parameter: ManifestParameter, manifest: Manifest): string {
  const { name, type } = parameter;
  const word = wordFor(parameter, manifest);
  if (type === 'json') return `give it as JSON, such as ${word}, or with -a ${name}=@FILE`;
  if (type === 'string') return `give it with ${word} or -a ${name}=@FILE`;
  return (
    `give it ${typeof type === 'string' ? 'with' : word.endsWith('=@FILE') ? 'as JSON with' : 'as JSON, such as'} ` +
    word
  );
}

/** Words for a shell that give the parameter a value of its type. */
function wordFor({ name, type }: ManifestParameter, manifest: Manifest): string {
  if (type === 'string') return `-a ${name}=TEXT`;
  const example = exampleOf(type, manifest, 0);
  return example.length > maxExampleLength ? `-a ${name}=@FILE` : `-a ${shellWord(`${name}=${example}`)}`;
}

const maxExampleLength = 100;
/** A struct may contain its own type. */
const maxExampleDepth = 3;

const examples = { int: '3', double: '2.5', boolean: 'true', string: '"text"', json: '{"key": 1}' } as const;
const arrayExamples = {
  int: '[1, 2]',
  double: '[1, 2.5]',
  boolean: '[true, false]',
  string: '["a", "b"]',
  json: '[{"key": 1}]',
} as const;

/** JSON that fits the type. */
function exampleOf(type: TypeDescriptor, manifest: Manifest, depth: number): string {
  if (typeof type === 'string') return examples[type];
  if (depth >= maxExampleDepth) return 'null';
  if ('array' in type)
    return typeof type.array === 'string'
      ? arrayExamples[type.array]
      : `[${exampleOf(type.array, manifest, depth + 1)}]`;
  const fields = manifest.structs[type.struct]!.fields;
  return `{${fields.map((field) => `"${field.name}": ${exampleOf(field.type, manifest, depth + 1)}`).join(', ')}}`;
}
