// A namespace that Sluice does not have, as a folder that somebody adds: one function, one constraint, a flag and a
// prompt.

/** The files of runtime-host/namespaces/clock. */
export const clockFolder: Readonly<Record<string, string>> = {
  'rows.ts': `// The Clock namespace.

import { host } from '../../../src/language/implementation.ts';
import { fn, library } from '../../../src/library/declare.ts';

export const rows = library('Clock', 'The time elsewhere, each call with the host\\'s permission.', [
  fn('string time(string zone)', 'The time in a zone. SecurityError if the host denies it.', host('Clock.Time'), 'Clock.time("UTC") → noon in UTC'),
]);
`,
  'requests.ts': `// What a script asks for by calling Clock.

import { freeze } from '../../primordials/untampered.ts';

class ClockTimeRequest {
  readonly kind = 'Clock.Time';
  readonly zone: string;

  constructor(zone: string) {
    this.zone = zone;
    freeze(this);
  }
}

export const requests = { Time: ClockTimeRequest } as const;

export type AnyClockRequest = InstanceType<(typeof requests)[keyof typeof requests]>;
`,
  'grant.ts': `// What a host may say of clocks in a grant, and how it is read.

import { makeGrant } from '../../permissions/grants.ts';
import type { Grant } from '../../permissions/grants.ts';
import { listOf, optional, readGrant, text } from '../../permissions/read-grant.ts';
import type { ConstraintRow, GrantProblem } from '../../permissions/read-grant.ts';

export interface ClockConstraints {
  readonly allowedZones?: readonly string[] | null;
}

export interface ClockLimits {
  readonly allowedZones: readonly string[] | null;
}

/** Grants a Clock request within constraints. */
export function ClockGrant(constraints: ClockConstraints): Grant {
  return makeGrant('Clock', constraints);
}

const table = { allowedZones: optional(listOf(text)) } satisfies Record<keyof ClockConstraints, ConstraintRow<unknown, unknown>>;

export function readClockGrant(grant: Grant): ClockLimits | GrantProblem {
  return readGrant(grant, 'Clock', table);
}
`,
  'functions.ts': `// The Clock namespace, where it is always noon.

import { Failure, proceed } from '../../errors/failures.ts';
import { checkText, maxNameLength } from '../../permissions/texts.ts';
import type { CallScope } from '../call-scope.ts';
import type { GuardedNamespace } from '../namespace.ts';
import { readClockGrant } from './grant.ts';
import { requests } from './requests.ts';

export const namespace: GuardedNamespace = {
  fault: 'SecurityError',
  bind: (_capabilities, ask) => ({
    time: (_scope: CallScope, zone: string) => {
      checkText(zone, 'zone', 'Clock.time', maxNameLength);
      return proceed(ask(new requests.Time(zone), 'Clock.time', readClockGrant), ({ allowedZones }) => {
        if (allowedZones !== null && !allowedZones.includes(zone)) throw new Failure('SecurityError', 'Clock.time denied: outside allowedZones');
        if (zone === 'broken') throw new Error('the host stumbles');
        return \`noon in \${zone}\`;
      });
    },
  }),
};
`,
  'index.ts': `// What embedders import of clocks.

export { ClockGrant } from './grant.ts';
export type { ClockConstraints } from './grant.ts';
`,
  'command-line/flags.ts': `// The flags for clocks.

import { allow, deny } from '../../../permissions/command-line/flags.ts';
import type { NamespaceFlags } from '../../../permissions/command-line/flags.ts';

export const flags: NamespaceFlags = {
  allowing: [allow('allow-clock', 'ZONE', 'Let it know the time in this zone.')],
  denying: [deny('deny-clock', 'ZONE', 'Let it not know the time in this zone, or in any.')],
};
`,
  'command-line/policy.ts': `// Requests for the time: which zones flags allow and deny, and how a person is asked.

import type { Complain, GivenFlags } from '../../../permissions/command-line/given-flags.ts';
import { cutNames, readBounded } from '../../../permissions/command-line/bounds.ts';
import type { NameFlags } from '../../../permissions/command-line/bounds.ts';
import { policyByName } from '../../../permissions/command-line/named-requests.ts';
import type { FlagPolicy } from '../../../permissions/command-line/policy.ts';
import { showQuoted } from '../../../permissions/command-line/shown-text.ts';
import { ClockGrant } from '../grant.ts';
import type { AnyClockRequest } from '../requests.ts';

export function readPolicy(given: GivenFlags, bound: GivenFlags | null): FlagPolicy<AnyClockRequest> {
  const { flags, exceeding } = readBounded(given, bound, readFlags, cutNames('--allow-clock'));
  const { allowAll, allowed, denied } = flags;
  return policyByName(allowAll, exceeding, ({ zone }) => ({
    name: zone,
    allowed,
    denied,
    isDenied: (value) => value === zone,
    call: \`Clock.time \${showQuoted(zone)}\`,
    text: \`know the time in \${showQuoted(zone)}\`,
    notes: [],
    topic: { id: 'clock', text: 'every request for the time' },
    ruledOut: null,
    flag: '--allow-clock',
    scope: \`the time in \${showQuoted(zone)}\`,
    grant: (names) => ClockGrant({ allowedZones: names }),
  }));
}

function readFlags(given: GivenFlags): NameFlags {
  const [allowed, denied] = [given.all('allow-clock', readZone), given.denied('deny-clock', readZone)];
  return { allowAll: given.allowAll, allowed, denied };
}

function readZone(value: string, complain: Complain): string {
  return value === '' ? complain('takes the name of a zone, and is given nothing') : value;
}
`,
};

/** What an embedder does with it: uses its types, and says what became of a few scripts. */
export const clockProgram = `
import { ClockGrant, Denied, Granted, loadScript, PermissionRequest } from './runtime-host/api/node.ts';
import type { ClockConstraints, PermissionHandler } from './runtime-host/api/node.ts';
import { commands } from './src/cli/commands.ts';
import { commandHelp } from './src/cli/help.ts';
import { parseOptions } from './src/cli/parse-options.ts';
import { decideBy } from './src/cli/permissions/decide.ts';
import { readFlags } from './src/cli/permissions/read-flags.ts';
import { compile } from './src/compile.ts';
import { librarySection } from './src/library/page.ts';
import { builtInLibraries } from './src/library/registry.ts';

const inUtc: ClockConstraints = { allowedZones: ['UTC'] };

/** The type of the request follows from its kind. */
const handler: PermissionHandler = (request) => {
  if (request.kind !== 'Clock.Time') return Denied();
  return request instanceof PermissionRequest.Clock.Time && request.zone === 'UTC' ? ClockGrant(inUtc) : Granted;
};

const { artifact } = await compile('clock.slu', 'main(string zone) { return Clock.time(zone); }');

async function time(zone: string, permissions?: PermissionHandler): Promise<unknown> {
  const script = await loadScript(artifact!.wasm, permissions === undefined ? {} : { permissions });
  return script.run({ zone }).result.then((value) => value, (error: unknown) => String(error));
}

const run = commands.find(({ name }) => name === 'run')!;
const lines: string[] = [];
const asked: string[] = [];
const handlerOf = (...words: string[]): PermissionHandler => decideBy(readFlags(parseOptions(run, ['a.slu', ...words]), 'run', '/'), { log: (line) => lines.push(line), ask: null }).handler;
const asking = decideBy(readFlags(parseOptions(run, ['a.slu']), 'run', '/'), { log: () => {}, ask: async (prompt) => {
  asked.push(prompt.text, prompt.scope!.text);
  return 'run';
} }).handler;

console.log(JSON.stringify({
  ungranted: await time('UTC'),
  granted: await time('UTC', handler),
  unrestricted: await time('Europe/Rome', handler),
  outside: await time('Europe/Rome', () => ClockGrant(inUtc)),
  stumbling: await time('broken', () => Granted),
  misread: await time('UTC', () => ClockGrant({ allowedZones: 'UTC' } as never)),
  control: await time('U\\nTC', handler),
  byFlag: await time('UTC', handlerOf('--allow-clock=UTC')),
  byOtherFlag: await time('UTC', handlerOf('--allow-clock=CET')),
  deniedByFlag: await time('UTC', handlerOf('--allow-all', '--deny-clock=UTC')),
  byPerson: [await time('UTC', asking), await time('UTC', asking)],
  lines,
  asked,
  page: librarySection(builtInLibraries.find(({ name }) => name === 'Clock')!),
  help: commandHelp(run).split('\\n').filter((line) => /^  --(allow|deny)-clock/.test(line)),
}));
`;
