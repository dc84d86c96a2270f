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
  unknownField: 'struct',
  missingField: 'struct',
  emptyStruct: 'name',
};

/** Whether a message may be no more than a consequence of what could not be read. */
export function isConsequence(unreadNames: ReadonlySet<string>, key: FaultKey, parameters: object): boolean {
  const named = namedBy[key];
  return named !== undefined && unreadNames.has((parameters as Readonly<Record<string, string>>)[named]!);
}
