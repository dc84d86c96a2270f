// What is not said beside a mistake in the syntax, since it may be a consequence of that mistake: what could not be
// read may declare whatever name stands in it.

import type { FaultKey } from '../diagnostics/catalog.ts';

/** The parameter that is a name, in messages that are true only if all declarations could be read. */
const namedBy: Partial<Readonly<Record<FaultKey, string>>> = {
  unknownName: 'name',
  unknownType: 'name',
  unknownFunction: 'name',
  unknownMethod: 'method',
  noField: 'field',
  notInImport: 'name',
  duplicateName: 'name',
  argumentCount: 'name',
};

/** The parameter that names a struct, in messages that are true only if all of its fields could be read. */
const fieldsOf: Partial<Readonly<Record<FaultKey, string>>> = {
  unknownField: 'struct',
  missingField: 'struct',
  emptyStruct: 'name',
};

/** What a program has not said, since it could not be read. */
export interface Unread {
  /** Names in what could not be read, which may declare any of them. */
  readonly unreadNames: ReadonlySet<string>;
  /** The names of structs some of whose fields could perhaps not be read. */
  readonly partialStructs: ReadonlySet<string>;
}

/** Whether a message may be no more than a consequence of what could not be read. */
export function isConsequence({ unreadNames, partialStructs }: Unread, key: FaultKey, parameters: object): boolean {
  const isIn = (names: ReadonlySet<string>, named: string | undefined): boolean =>
    named !== undefined && names.has((parameters as Readonly<Record<string, string>>)[named]!);
  return isIn(unreadNames, namedBy[key]) || isIn(partialStructs, fieldsOf[key]);
}
