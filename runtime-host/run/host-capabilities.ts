// The guarded capabilities for the runs of one script: the platform, the gate, and data that the host sets up once for
// all runs.

import { escapeHidden } from '../../src/language/hidden-characters.ts';
import { proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import { readPluginGrant } from '../namespaces/plugin/grant.ts';
import type { PermissionDecision, PermissionHandler, PermissionRequest } from '../namespaces/requests.ts';
import type { PrivateNetwork } from '../network/private-network.ts';
import { Gate } from '../permissions/gate.ts';
import type { Log } from '../permissions/gate.ts';
import { checkOptionKinds, isFunction, isObject, readOption } from '../primordials/own-options.ts';
import type { OptionKind } from '../primordials/own-options.ts';
import { createObject, disregard, freeze, ownData, ownKeys, ownProperties, partOf } from '../primordials/untampered.ts';
import type { Platform } from '../platform/platform.ts';
import { emptyPlatform } from './capabilities.ts';
import type { RunCapabilities } from './capabilities.ts';

export interface CapabilityOptions {
  /** Decides about every request of the script; without one all are denied. */
  readonly permissions?: PermissionHandler;
  /**
   * The longest time for an answer of the handler, in milliseconds; a later answer counts as Denied. No limit if left
   * out.
   */
  readonly promptTimeoutMs?: number;
  /**
   * Called with each decision about a request when it is made, for an audit log; neither its result nor its errors
   * change a decision.
   */
  readonly onDecision?: (decision: PermissionDecision) => void;
  /** The variables for Env.get, copied when the script is loaded; none if left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Which requests must go to public addresses: with `deny` all; with `listed` (the default) only those to names in
   * `allowedDomains`; with `allow` none. A grant that lists `localhost` or an IP address allows that one in any case.
   */
  readonly privateNetwork?: PrivateNetwork;
  /**
   * Takes lines for the host's operator, such as why a grant was invalid: at most 50 different ones for each run.
   * Nothing is logged if left out.
   */
  readonly log?: Log;
  /** Files, network and system; if left out, those of this machine, or what a browser has. */
  readonly platform?: Platform;
}

const optionKinds: Readonly<Record<keyof CapabilityOptions, OptionKind>> = {
  permissions: { takes: isFunction, what: 'a function that takes a request and answers with a grant or Denied()' },
  promptTimeoutMs: { takes: (value) => typeof value === 'number' && value >= 0, what: 'a number of milliseconds' },
  onDecision: { takes: isFunction, what: 'a function that takes a decision' },
  environment: { takes: isObject, what: 'an object with a text for each variable' },
  privateNetwork: {
    takes: (value) => value === 'deny' || value === 'listed' || value === 'allow',
    what: "'deny', 'listed' or 'allow'",
  },
  log: { takes: isFunction, what: 'a function that takes a line' },
  platform: {
    takes: (value) => isObject(value) && ['files', 'http', 'system'].every((part) => partOf(value, part) !== undefined),
    what: 'a platform, with files, http and system, each of which may be null',
  },
};

export class HostCapabilities implements RunCapabilities {
  readonly platform: Platform;
  readonly gate: Gate<PermissionRequest>;
  readonly log: Log;
  /** Without a prototype. */
  readonly variables: Readonly<Record<string, string>>;
  readonly privateNetwork: PrivateNetwork;
  readonly readPluginGrant = readPluginGrant;
  readonly #roots = createObject(null) as Record<string, string>;

  /** Throws HostError for an option of the wrong type, which would otherwise have another meaning. */
  constructor(given: CapabilityOptions, findChangedBuiltIn: () => string | null = () => null) {
    const options = ownProperties(given);
    checkOptionKinds(options, optionKinds);
    const {
      permissions = null,
      promptTimeoutMs = null,
      onDecision = null,
      environment = {},
      privateNetwork = 'listed',
      platform = emptyPlatform,
    } = options;
    this.platform = readOption('the option platform', () => ({
      files: partOf(platform, 'files'),
      http: partOf(platform, 'http'),
      system: partOf(platform, 'system'),
    })) as Platform;
    this.log = silentIfBroken(options.log ?? (() => {}));
    this.gate = new Gate({ handler: permissions, promptTimeoutMs, onDecision, findChangedBuiltIn });
    this.variables = readOption('the option environment', () => textsOf(environment));
    this.privateNetwork = privateNetwork;
  }

  /**
   * The real path of a directory that a grant allows. A path that was found is kept; a missing one is looked up again.
   */
  realRoot(directory: string): Awaitable<string | null> {
    const known = this.#roots[directory];
    if (known !== undefined) return known;
    return proceed(this.platform.files?.realPath(directory) ?? null, (real) => {
      // A platform of somebody else may answer anything.
      if (typeof real !== 'string') return null;
      this.#roots[directory] = real;
      return real;
    });
  }
}

/** The own properties that are texts. */
function textsOf(environment: object): Readonly<Record<string, string>> {
  const texts = createObject(null) as Record<string, string>;
  const names = ownKeys(environment);
  for (let at = 0; at < names.length; at++) {
    const [name, value] = [names[at]!, ownData(environment, names[at]!)];
    if (typeof name === 'string' && typeof value === 'string') texts[name] = value;
  }
  return freeze(texts);
}

/**
 * A log that fails, at once or later, must not change a decision or end the program. Its lines are safe to print on a
 * terminal.
 */
function silentIfBroken(log: Log): Log {
  return (line) => {
    try {
      disregard(log(escapeHidden(line)));
    } catch {
      // The line is lost; the failure cannot be reported.
    }
  };
}
