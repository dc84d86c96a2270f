// Requests by name: environment variables, properties of the system, and what plugins guard.

import { inspect } from 'node:util';
import { knownProperties } from '../../../runtime-host/namespaces/env/functions.ts';
import { EnvGrant, Granted, PluginGrant } from '../../../runtime-host/api/node.ts';
import type { Grant } from '../../../runtime-host/api/node.ts';
import type { AnyEnvRequest } from '../../../runtime-host/namespaces/env/requests.ts';
import type { PermissionRequest } from '../../../runtime-host/namespaces/requests.ts';
import type { PermissionFlags } from './read-flags.ts';
import { show, showFlag, showQuoted } from './show.ts';
import type { Wish } from './wish.ts';

type PluginRequest = Extract<PermissionRequest, { kind: 'Plugin' }>;
type NamedRequest = AnyEnvRequest | PluginRequest;

/** What a kind of request is about, and how it is told. */
interface NamedKind {
  readonly allowed: readonly string[];
  readonly name: string;
  readonly call: string;
  readonly text: string;
  readonly notes: readonly string[];
  readonly topic: { readonly id: string; readonly text: string };
  readonly ruledOut: string | null;
  readonly flag: string;
  readonly scope: string;
  readonly grant: (names: readonly string[]) => Grant;
}

/** What the flags grant; null if none covers the request. */
export function grantNamed(flags: PermissionFlags, request: NamedRequest): Grant | null {
  if (flags.allowAll) return Granted;
  const { allowed, name, grant } = kindOf(flags, request);
  return allowed.includes(name) ? grant(allowed) : null;
}

export function wishForNamed(flags: PermissionFlags, request: NamedRequest): Wish {
  const { call, text, notes, topic, ruledOut, flag, name, scope, grant } = kindOf(flags, request);
  const allows = (other: PermissionRequest): Grant | null => (other.kind === request.kind && kindOf(flags, other as NamedRequest).name === name ? grant([name]) : null);
  return { call, text, notes, topic, ruledOut, flag: showFlag(`${flag}=${name}`), grant: grant([name]), scope: { text: scope, allows } };
}

function kindOf(flags: PermissionFlags, request: NamedRequest): NamedKind {
  switch (request.kind) {
    case 'Env.Get':
      return {
        allowed: flags.variables,
        name: request.name,
        call: `Env.get ${showQuoted(request.name)}`,
        text: `read the environment variable ${showQuoted(request.name)}`,
        notes: [],
        topic: { id: 'env', text: 'every request for an environment variable' },
        ruledOut: null,
        flag: '--allow-env',
        scope: `reading the environment variable ${showQuoted(request.name)}`,
        grant: (names) => EnvGrant({ allowedVarNames: names }),
      };
    case 'Env.System':
      return {
        allowed: flags.properties,
        name: request.property,
        call: `Env.system ${showQuoted(request.property)}`,
        text: `read the property ${showQuoted(request.property)} of the system`,
        notes: [],
        topic: { id: 'system', text: 'every request for a property of the system' },
        ruledOut: knownProperties.has(request.property) ? null : 'there is no such property',
        flag: '--allow-system',
        scope: `reading the property ${showQuoted(request.property)}`,
        grant: (names) => EnvGrant({ allowedVarNames: names }),
      };
    case 'Plugin': {
      const name = `${request.category}:${request.action}`;
      return {
        allowed: flags.plugins,
        name,
        call: `the plugin permission ${showQuoted(name)}`,
        text: `use a plugin that asks for ${showQuoted(name)}`,
        notes: notesOf(request),
        topic: { id: `plugin ${name}`, text: `every use of ${showQuoted(name)}` },
        ruledOut: null,
        flag: '--allow-plugin',
        scope: `every use of ${showQuoted(name)}, whatever its details`,
        grant: () => PluginGrant({}),
      };
    }
  }
}

/** Details may hold anything: they are looked at without running code of theirs. */
function notesOf({ details }: PluginRequest): readonly string[] {
  return Object.keys(details).map((name) => {
    const value = details[name];
    const text = typeof value === 'string' ? showQuoted(value) : show(inspect(value, { depth: 2, breakLength: Infinity, customInspect: false, maxArrayLength: 20 }));
    return `${show(name)}: ${text}`;
  });
}
