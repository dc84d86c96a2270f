// Requests for variables and properties: which names flags allow and deny, and how a person is asked.

import { nearestName } from '../../../../src/language/nearest-name.ts';
import { quote } from '../../../../src/language/quoted-text.ts';
import { cutNames, readBounded } from '../../../permissions/command-line/bounds.ts';
import type { NameFlags } from '../../../permissions/command-line/bounds.ts';
import type { Complain, GivenFlags } from '../../../permissions/command-line/given-flags.ts';
import { policyByName } from '../../../permissions/command-line/named-requests.ts';
import type { NamedKind } from '../../../permissions/command-line/named-requests.ts';
import type { FlagPolicy } from '../../../permissions/command-line/policy.ts';
import { showQuoted } from '../../../permissions/command-line/shown-text.ts';
import { knownProperties } from '../functions.ts';
import { EnvGrant } from '../grant.ts';
import type { AnyEnvRequest } from '../requests.ts';

export function readPolicy(given: GivenFlags, bound: GivenFlags | null): FlagPolicy<AnyEnvRequest> {
  const ofVariables = readBounded(given, bound, readVariables, cutNames('--allow-env'));
  const ofProperties = readBounded(given, bound, readProperties, cutNames('--allow-system'));
  const [variables, properties] = [ofVariables.flags, ofProperties.flags];
  const grant: NamedKind['grant'] = (names) => EnvGrant({ allowedVarNames: names });
  const exceeding = ofVariables.exceeding ?? ofProperties.exceeding;
  return policyByName(variables.allowAll, exceeding, (request): NamedKind => {
    switch (request.kind) {
      case 'Env.Get':
        return {
          ...variables,
          name: request.name,
          isDenied: (value) => variableKey(value) === variableKey(request.name),
          call: `Env.get ${showQuoted(request.name)}`,
          text: `read the environment variable ${showQuoted(request.name)}`,
          notes: [],
          topic: { id: 'env', text: 'every request for an environment variable' },
          ruledOut: null,
          flag: '--allow-env',
          scope: `reading the environment variable ${showQuoted(request.name)}`,
          grant,
        };
      case 'Env.System':
        return {
          ...properties,
          name: request.property,
          isDenied: (value) => value === request.property,
          call: `Env.system ${showQuoted(request.property)}`,
          text: `read the property ${showQuoted(request.property)} of the system`,
          notes: [],
          topic: { id: 'system', text: 'every request for a property of the system' },
          ruledOut: knownProperties.has(request.property) ? null : 'there is no such property',
          flag: '--allow-system',
          scope: `reading the property ${showQuoted(request.property)}`,
          grant,
        };
    }
  });
}

function readVariables(given: GivenFlags): NameFlags {
  return {
    allowAll: given.allowAll,
    allowed: given.all('allow-env', readVariable),
    denied: given.denied('deny-env', (value, complain) => readVariable(value, complain, '--deny-env')),
  };
}

function readProperties(given: GivenFlags): NameFlags {
  return {
    allowAll: given.allowAll,
    allowed: given.all('allow-system', readProperty),
    denied: given.denied('deny-system', readProperty),
  };
}

/** The name as Windows compares it: without regard to case. */
function variableKey(name: string): string {
  return process.platform === 'win32' ? name.toUpperCase() : name;
}

function readVariable(value: string, complain: Complain, flag = '--allow-env'): string {
  if (value === '') return complain('takes the name of a variable, and is given nothing');
  if (value === '*') return complain('takes the name of one variable: give it once for each');
  const [name, ...rest] = value.split('=');
  if (rest.length > 0)
    return complain(`takes the name of a variable without a value${name === '' ? '' : `: ${quote(name!)}`}`);
  const names = value.split(',');
  if (names.length > 1 && names.every((each) => /^\w+$/.test(each)))
    return complain(`takes the name of one variable: ${names.map((each) => `${flag}=${each}`).join(' ')}`);
  return value;
}

function readProperty(value: string, complain: Complain): string {
  if (knownProperties.has(value)) return value;
  const near = nearestName(value, knownProperties);
  return complain(
    `takes one of ${[...knownProperties].join(', ')}, ` +
      (value === '' ? 'and is given nothing' : `not ${quote(value)}`) +
      (near === null ? '' : `: did you mean ${near}?`),
  );
}
