// The functions that ask for permission. Only the namespaces that a module imports from are loaded.

import { guardedFunctions } from './generated/guarded-functions.ts';
import type { GuardedNamespace } from './namespace.ts';

const loaders: Readonly<Record<string, () => Promise<GuardedNamespace>>> = guardedFunctions;

/** The namespaces by name. `imports` are the names of a module's imports, such as `File.read`. */
export async function loadGuarded(imports: ReadonlySet<string>): Promise<Readonly<Record<string, GuardedNamespace>>> {
  const wanted = Object.keys(loaders).filter((name) =>
    [...imports].some((imported) => imported.startsWith(`${name}.`)),
  );
  return Object.fromEntries(await Promise.all(wanted.map(async (name) => [name, await loaders[name]!()] as const)));
}
