// The arguments of main: checked against the manifest and copied before the script starts. Those of calls are in
// call-arguments.ts.

import type { Manifest } from '../../src/abi/manifest.ts';
import { nearestName } from '../../src/language/nearest-name.ts';
import { ArgumentError, unreadable } from '../errors/errors.ts';
import { ownValue, read } from './foreign-values.ts';
import { decodeJavaScript } from './javascript-values.ts';
import type { CheckedArguments } from './marshalled-values.ts';
import { describeType } from './value-writer.ts';

/** The arguments of main by the names of its parameters. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Throws ArgumentError for the first argument that is unknown, missing or of the wrong type. */
export function checkArguments(manifest: Manifest, values: Arguments): CheckedArguments {
  const parameters = manifest.parameters ?? [];
  const names = parameters.map((parameter) => parameter.name);
  const given = read(
    () => Object.keys(values),
    (cause) => {
      throw new ArgumentError(null, `the arguments of a run: ${unreadable}`, { cause });
    },
  );
  for (const name of given) {
    if (!names.includes(name)) throw new ArgumentError(name, unknownArgument(name, names));
  }
  return parameters.map(({ name, type, required }) => {
    const value = read(
      () => ownValue(values, name)?.value,
      (cause) => {
        throw new ArgumentError(name, `${name}: ${unreadable}`, { cause });
      },
    );
    if (value !== undefined) return decodeJavaScript(type, value, manifest.structs, { parameter: name, call: null });
    if (required)
      throw new ArgumentError(
        name,
        `missing argument ${name}: main takes ${describeType(type, manifest.structs)} ${name}`,
      );
    return undefined;
  });
}

function unknownArgument(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  if (nearest !== null) return `unknown argument ${name}: did you mean ${nearest}?`;
  return (
    `unknown argument ${name}: ` + (names.length === 0 ? 'main takes no arguments' : `main takes ${names.join(', ')}`)
  );
}
