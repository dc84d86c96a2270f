// What lies behind the gate for the runs of one script: the platform, the gate itself, and what the host has settled
// once for all of them.

import { proceed } from './failures.ts';
import type { Awaitable } from './failures.ts';
import type { PrivateNetwork } from './http/url-rules.ts';
import { Gate } from './permissions/gate.ts';
import type { Log, PermissionHandler } from './permissions/gate.ts';
import type { Platform } from './platform/platform.ts';

export interface WorldOptions {
  /** Decides about every request of the script; without one all are denied. */
  readonly permissions?: PermissionHandler;
  /** How long an answer of the handler may take, in milliseconds; after that it counts as Denied. For ever if left out. */
  readonly promptTimeoutMs?: number;
  /** The variables that Env.get can find, copied when the script is loaded; none if left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Which requests must go to public addresses: `deny` all, `listed` those to names in `allowedDomains` (the default),
   * `allow` none. A grant that lists `localhost` or an IP address allows that one in any case.
   */
  readonly privateNetwork?: PrivateNetwork;
  /** Takes lines for the host's operator, such as why a grant was not one; nothing if left out. */
  readonly log?: Log;
  /** Files, network and system; those of this machine, or what a browser has, if left out. */
  readonly platform?: Platform;
}

/** Nothing is there. */
export const emptyPlatform: Platform = { files: null, http: null, system: null };

export class World {
  readonly platform: Platform;
  readonly gate: Gate;
  readonly log: Log;
  readonly variables: ReadonlyMap<string, string>;
  readonly privateNetwork: PrivateNetwork;
  readonly #roots = new Map<string, string>();

  constructor(options: WorldOptions) {
    const { permissions = null, promptTimeoutMs = null, environment = {}, privateNetwork = 'listed', platform = emptyPlatform } = options;
    this.platform = platform;
    this.log = silentIfBroken(options.log ?? (() => {}));
    this.gate = new Gate({ handler: permissions, promptTimeoutMs, log: this.log });
    this.variables = new Map(Object.entries(environment).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    this.privateNetwork = privateNetwork;
  }

  /** The real path of a directory that a grant allows. What was found once stays; what is missing is looked for again. */
  realRoot(directory: string): Awaitable<string | null> {
    const known = this.#roots.get(directory);
    if (known !== undefined) return known;
    return proceed(this.platform.files?.realPath(directory) ?? null, (real) => {
      if (real !== null) this.#roots.set(directory, real);
      return real;
    });
  }
}

/** A log that throws changes no decision. */
function silentIfBroken(log: Log): Log {
  return (line) => {
    try {
      log(line);
    } catch {
      // The line is lost; there is nobody to tell.
    }
  };
}
