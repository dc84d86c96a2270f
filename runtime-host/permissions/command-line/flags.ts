// The flags of a namespace as data, for help, completions and the parser. The namespace's policy.ts says what they
// mean.

export interface Flag {
  /** `allow-env`, without the dashes. */
  readonly name: string;
  /** The name of the value in help; null for a switch. */
  readonly value: string | null;
  readonly repeated?: boolean;
  /** The flag also works without a value; a value is given as `--deny-env=NAME` alone. */
  readonly isValueOptional?: boolean;
  readonly summary: string;
  /** Names of the flag in other runtimes. */
  readonly meantBy?: readonly string[];
}

export interface NamespaceFlags {
  /** Flags that allow, and flags that limit what is allowed. */
  readonly allowing: readonly Flag[];
  /** Flags that win over all others. */
  readonly denying: readonly Flag[];
  /** What --allow-all does not cover, for its help. */
  readonly exception?: string;
}

/** A flag that may be given several times. */
export function allow(name: string, value: string, summary: string, meantBy: readonly string[] = []): Flag {
  return { name, value, repeated: true, summary, ...(meantBy.length === 0 ? {} : { meantBy }) };
}

/** A flag that wins over allowing flags; without a value it denies everything that it could name. */
export function deny(name: string, value: string, summary: string, meantBy: readonly string[] = []): Flag {
  return { ...allow(name, value, summary, meantBy), isValueOptional: true };
}

export function limit(name: string, value: string | null, summary: string): Flag {
  return { name, value, summary };
}
