// Turns the flags of the command line into the policies of the namespaces, which read their own flags. A flag that
// cannot mean anything is reported before the script begins.

import type { PermissionRequest } from '../../../runtime-host/namespaces/requests.ts';
import type { Complain, GivenFlags } from '../../../runtime-host/permissions/command-line/given-flags.ts';
import type { FlagPolicy } from '../../../runtime-host/permissions/command-line/policy.ts';
import { showFlag } from '../../../runtime-host/permissions/command-line/shown-text.ts';
import { valueOf } from '../command.ts';
import type { CommandInput } from '../command.ts';
import { UsageError } from '../exit.ts';
import { policyReaders } from './generated/policies.ts';

export interface PermissionFlags {
  readonly mayPrompt: boolean;
  /** One policy for all requests of a namespace. */
  readonly policyFor: (request: PermissionRequest) => FlagPolicy<PermissionRequest>;
  /** What of the flags goes beyond those that bound them, as a sentence; null if nothing does. */
  readonly exceeding: string | null;
}

/** Throws UsageError. Relative directories start at `baseDir`. What `bound` does not allow as well is not allowed. */
export function readFlags(
  input: CommandInput,
  command: string,
  baseDir: string,
  bound: { readonly input: CommandInput; readonly command: string; readonly baseDir: string } | null = null,
): PermissionFlags {
  const given = givenFlags(input, command, baseDir);
  const bounding = bound === null ? null : givenFlags(bound.input, bound.command, bound.baseDir);
  const policies = new Map<string, FlagPolicy<PermissionRequest>>(
    Object.entries(policyReaders).map(([namespace, read]) => [namespace, read(given, bounding)]),
  );
  return {
    exceeding: [...policies.values()].map(({ exceeding }) => exceeding).find((what) => what !== null) ?? null,
    mayPrompt: !input.switches.has('no-prompt'),
    policyFor: ({ kind }) => policies.get(kind.split('.')[0]!)!,
  };
}

function givenFlags(input: CommandInput, command: string, baseDir: string): GivenFlags {
  const valuesOf = (flag: string): readonly string[] => input.values.get(flag) ?? [];
  const auditFile = valueOf(input, 'audit');
  return {
    baseDir,
    allowAll: input.switches.has('allow-all'),
    ownFiles: auditFile === undefined || auditFile === '' ? [] : [{ flag: '--audit', value: auditFile }],
    has: (flag) => input.switches.has(flag),
    all: (flag, read) => valuesOf(flag).map((value) => read(value, complainer(flag, command))),
    one: (flag, read) => {
      const value = valueOf(input, flag);
      return value === undefined ? undefined : read(value, complainer(flag, command));
    },
    denied: (flag, read) => ({
      all: input.switches.has(flag) ? `--${flag}` : null,
      items: valuesOf(flag).flatMap((value) =>
        [read(value, complainer(flag, command))]
          .flat()
          .map((each) => ({ flag: showFlag(`--${flag}=${value}`), value: each })),
      ),
    }),
  };
}

function complainer(flag: string, command: string): Complain {
  return (what) => {
    throw new UsageError(`--${flag} ${what}`, command);
  };
}
