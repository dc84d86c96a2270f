// Constraints as they were read from a grant: complete, checked, and the host's no more. Null means no restriction.

import type { DomainRule } from '../network/domains.ts';

export interface FileLimits {
  readonly maxBytes: number | null;
  readonly rewrittenPath: string | null;
  readonly allowedDirectories: readonly string[] | null;
  readonly deniedDirectories: readonly string[] | null;
  /** In lower case, without a dot. */
  readonly allowedExtensions: readonly string[] | null;
  readonly readOnly: boolean;
}

export interface HttpLimits {
  readonly maxResponseSize: number | null;
  readonly timeoutMs: number | null;
  readonly allowedDomains: readonly DomainRule[] | null;
  readonly deniedDomains: readonly DomainRule[] | null;
  readonly allowedPorts: readonly number[] | null;
  readonly httpsOnly: boolean;
}

export interface EnvLimits {
  readonly allowedVarNames: readonly string[] | null;
}
