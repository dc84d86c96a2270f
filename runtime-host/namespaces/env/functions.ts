// The Env namespace: variables from the snapshot that the host supplied, and a few known properties of the system.

import type { CallScope } from '../call-scope.ts';
import { Failure, proceed } from '../../errors/failures.ts';
import type { Awaitable } from '../../errors/failures.ts';
import { checkText, maxNameLength } from '../../permissions/texts.ts';
import { hasOwn, indexInText } from '../../primordials/untampered.ts';
import type { SystemProperties, SystemProperty } from '../../platform/platform.ts';
import type { GuardedNamespace } from '../namespace.ts';
import { readEnvGrant } from './grant.ts';
import type { EnvLimits } from './grant.ts';
import { requests } from './requests.ts';
import type { AnyEnvRequest } from './requests.ts';

export interface EnvHost {
  /** Null if the script may learn nothing about the system. */
  readonly system: SystemProperties | null;
  /** Has no prototype. */
  readonly variables: Readonly<Record<string, string>>;
  /** Throws, or rejects with, a Failure if the request is denied. */
  readonly ask: (request: AnyEnvRequest, called: string) => Awaitable<EnvLimits>;
}

const systemProperties: Readonly<Record<SystemProperty, true>> = {
  'os.name': true,
  'os.arch': true,
  'os.version': true,
  'runtime.name': true,
  'runtime.version': true,
  'user.locale': true,
  'user.timezone': true,
};

/** The properties that Env.system knows. */
export const knownProperties: ReadonlySet<string> = new Set(Object.keys(systemProperties));

/** The functions of the namespace; they throw, or reject with, a Failure. */
export function envFunctions(host: EnvHost) {
  const perform = (
    called: string,
    name: string,
    what: string,
    request: AnyEnvRequest,
    find: (system: SystemProperties) => string | null,
  ): Awaitable<string | null> => {
    const { system } = host;
    if (system === null) throw denied(called, 'this host tells nothing of its environment');
    return proceed(host.ask(request, called), ({ allowedVarNames }) => {
      if (allowedVarNames !== null && !includes(allowedVarNames, name))
        throw denied(called, `${what} outside allowedVarNames`);
      return find(system);
    });
  };
  return {
    get: (_scope: CallScope, name: string) => {
      checkText(name, 'name', 'Env.get', maxNameLength);
      if (name === '' || indexInText(name, '=') >= 0)
        throw denied('Env.get', name === '' ? 'the name is empty' : 'the name holds =');
      return perform('Env.get', name, 'the name is', new requests.Get(name), () => host.variables[name] ?? null);
    },
    system: (_scope: CallScope, property: string) => {
      checkText(property, 'property', 'Env.system', maxNameLength);
      if (property === '') throw denied('Env.system', 'the property is empty');
      const find = (system: SystemProperties): string | null =>
        hasOwn(systemProperties, property) ? textOrNull(system(property as SystemProperty)) : null;
      return perform('Env.system', property, 'the property is', new requests.System(property), find);
    },
  };
}

export const namespace: GuardedNamespace = {
  fault: 'SecurityError',
  bind: ({ platform, variables }, ask) =>
    envFunctions({ system: platform.system, variables, ask: (request, called) => ask(request, called, readEnvGrant) }),
};

function includes(names: readonly string[], name: string): boolean {
  for (let at = 0; at < names.length; at++) if (names[at] === name) return true;
  return false;
}

/** A platform of somebody else may answer anything. */
function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function denied(called: string, what: string): Failure {
  return new Failure('SecurityError', `${called} denied: ${what}`);
}
