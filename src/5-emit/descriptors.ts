// The types in the manifest: those of parameters, results and yields, with their structs.

import type { Output, Outputs } from '../mir/outputs.ts';
import type { ManifestOutputs, ManifestStruct, SentType } from '../abi/manifest.ts';
import type { TypeDescriptor } from '../abi/values.ts';
import { typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Emitter } from './emitter.ts';

export function describeType(emitter: Emitter, type: Type): TypeDescriptor {
  switch (type.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'string':
    case 'json':
      return type.kind;
    case 'array':
      return { array: describeType(emitter, type.element) };
    case 'struct':
      return { struct: emitter.structIndex(type.id) };
    case 'void':
    case 'null':
    case 'invalid':
    case 'variable':
    case 'codeUnits':
    case 'offsets':
    case 'slots':
    case 'elements':
    case 'vector':
      throw new Error(`a value of type ${type.kind} does not travel`);
  }
}

/** The distinct types, in the order of their first use. */
export function describeSent(emitter: Emitter, types: Iterable<Type>): SentType[] {
  const byKey = new Map([...types].map((type): [string, Type] => [typeKey(type), type]));
  return [...byKey.values()].map((type) => (type.kind === 'null' ? null : describeType(emitter, type)));
}

export function describeOutputs(emitter: Emitter, { yields, returns, returnsNothing }: Outputs): ManifestOutputs {
  const describe = (outputs: readonly Output[]): SentType[] => {
    const types = describeSent(
      emitter,
      outputs.flatMap(({ type }) => (type.kind === 'null' ? [] : [type])),
    );
    return outputs.some(({ type, nullable }) => nullable || type.kind === 'null') ? [...types, null] : types;
  };
  return { yields: describe(yields), returns: describe(returns), returnsNothing };
}

/** The structs that cross the boundary; their fields may add further structs to the list during the loop. */
export function describeStructs(emitter: Emitter): ManifestStruct[] {
  const described: ManifestStruct[] = [];
  for (let index = 0; index < emitter.travellingStructs.length; index++) {
    const struct = emitter.structs.get(emitter.travellingStructs[index]!)!;
    const fields = struct.fields.map((field) => ({ name: field.name, type: describeType(emitter, field.type) }));
    const origin = struct.module === '' ? {} : { file: struct.span.file.name };
    described.push({ name: struct.name, ...origin, fields });
  }
  return described;
}
