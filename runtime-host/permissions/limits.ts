// Constraints as they were read from a grant: complete, checked, and the host's no more. Null means no restriction.

export interface FileLimits {
  readonly maxBytes: number | null;
  readonly rewrittenPath: string | null;
  readonly allowedDirectories: readonly string[] | null;
  /** In lower case, without a dot. */
  readonly allowedExtensions: readonly string[] | null;
  readonly readOnly: boolean;
}

export interface EnvLimits {
  readonly allowedVarNames: readonly string[] | null;
}
