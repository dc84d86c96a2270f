// Requests of plugins: which flags allow and deny, and how a person is asked.

import { inspect } from 'node:util';
import { quote } from '../../../../src/language/quoted-text.ts';
import { cutNames, readBounded } from '../../../permissions/command-line/bounds.ts';
import type { NameFlags } from '../../../permissions/command-line/bounds.ts';
import type { Complain, GivenFlags } from '../../../permissions/command-line/given-flags.ts';
import { policyByName } from '../../../permissions/command-line/named-requests.ts';
import type { FlagPolicy } from '../../../permissions/command-line/policy.ts';
import { show, showQuoted } from '../../../permissions/command-line/shown-text.ts';
import { PluginGrant } from '../grant.ts';
import type { AnyPluginRequest } from '../requests.ts';

export function readPolicy(given: GivenFlags, bound: GivenFlags | null): FlagPolicy<AnyPluginRequest> {
  const { flags, exceeding } = readBounded(given, bound, readFlags, cutNames('--allow-plugin'));
  const { allowAll, allowed, denied } = flags;
  return policyByName(allowAll, exceeding, (request) => {
    const name = `${request.category}:${request.action}`;
    return {
      name,
      allowed,
      denied,
      isDenied: (value) => value === name,
      call: `the plugin permission ${showQuoted(name)}`,
      text: `use a plugin that asks for ${showQuoted(name)}`,
      notes: notesOf(request),
      topic: { id: `plugin ${name}`, text: `every use of ${showQuoted(name)}` },
      ruledOut: null,
      flag: '--allow-plugin',
      scope: `every use of ${showQuoted(name)}, whatever its details`,
      grant: () => PluginGrant({}),
    };
  });
}

function readFlags(given: GivenFlags): NameFlags {
  return {
    allowAll: given.allowAll,
    allowed: given.all('allow-plugin', readPermission),
    denied: given.denied('deny-plugin', readPermission),
  };
}

/** Details may hold anything: they are read without running their code. */
function notesOf({ details }: AnyPluginRequest): readonly string[] {
  return Object.keys(details).map((name) => {
    const value = details[name];
    const text =
      typeof value === 'string'
        ? showQuoted(value)
        : show(inspect(value, { depth: 2, breakLength: Infinity, customInspect: false, maxArrayLength: 20 }));
    return `${show(name)}: ${text}`;
  });
}

function readPermission(value: string, complain: Complain): string {
  const colon = value.indexOf(':');
  if (colon > 0 && colon < value.length - 1) return value;
  return complain(
    `takes CATEGORY:ACTION, such as db:query, ${value === '' ? 'and is given nothing' : `not ${quote(value)}`}`,
  );
}
