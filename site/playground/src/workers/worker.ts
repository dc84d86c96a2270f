// The language server and the engine, each in a worker of its own, from one file: what both need, parser and checker,
// is loaded once. The name of the worker says which of them it is.

import type { Role } from './start-worker.ts';

// Where the types are those of a page, a name is nothing.
const { name: role } = globalThis as unknown as { readonly name: Role };
if (role === 'language-server') await import('sluice/language-server/worker');
else await import('../engine/engine-worker.ts');
