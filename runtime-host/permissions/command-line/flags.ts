// The flags of a namespace as data, for help, completions and the parser. What they mean is in its policy.ts.

export interface Flag {
  /** `allow-env`, without the dashes. */
  readonly name: string;
  /** How help calls the value; null for a switch. */
  readonly value: string | null;
  readonly repeated?: boolean;
  /** It is a switch too; a value is given as `--deny-env=NAME` alone. */
  readonly isValueOptional?: boolean;
  readonly summary: string;
  /** What other runtimes call it. */
  readonly meantBy?: readonly string[];
}

export interface NamespaceFlags {
  /** Those that allow, and those that limit what is allowed. */
  readonly allowing: readonly Flag[];
  /** Those that win over all others. */
  readonly denying: readonly Flag[];
  /** What --allow-all leaves to flags of its own, for its help. */
  readonly exception?: string;
}

/** A flag that may be given several times. */
export function allow(name: string, value: string, summary: string, meantBy: readonly string[] = []): Flag {
  return { name, value, repeated: true, summary, ...(meantBy.length === 0 ? {} : { meantBy }) };
}

/** A flag that wins over those that allow; without a value it denies all that it could name. */
export function deny(name: string, value: string, summary: string, meantBy: readonly string[] = []): Flag {
  return { ...allow(name, value, summary, meantBy), isValueOptional: true };
}

export function limit(name: string, value: string | null, summary: string): Flag {
  return { name, value, summary };
}
