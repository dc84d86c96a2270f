// The shape of a command: its options and help are data, its work is loaded when it is wanted, so that
// `--help` and `check` never load what only a build needs.

export interface Option {
  /** `--format`, without the dashes. */
  readonly name: string;
  /** `-o`, without the dash. */
  readonly short?: string;
  /** How help calls the value; null for a switch. */
  readonly value: string | null;
  /** The only values that are taken, the default first. */
  readonly choices?: readonly string[];
  readonly repeated?: boolean;
  /** It is a switch too; a value is given as `--option=value` alone. */
  readonly isValueOptional?: boolean;
  readonly summary: string;
  /** Where help lists it; among the first if left out. */
  readonly group?: OptionGroup;
  /** Other names, which are no options and surely mean this one. */
  readonly meantBy?: readonly string[];
}

/** Options that help lists together, below a title. */
export interface OptionGroup {
  readonly title: string;
  readonly summary: string;
}

export interface Command {
  readonly name: string;
  /** How help calls the operand, `FILE`. */
  readonly operand: string;
  /** The only operands that are taken. */
  readonly operandChoices?: readonly string[];
  readonly summary: string;
  readonly options: readonly Option[];
  readonly examples: readonly string[];
  readonly load: () => Promise<CommandWork>;
}

/** Options of every command. */
export const commonOptions: readonly Option[] = [
  { name: 'help', short: 'h', value: null, summary: 'Show help.' },
  { name: 'version', short: 'v', value: null, summary: 'Show the version.' },
];

/** Does the work and answers with an exit code. */
export type CommandWork = (input: CommandInput) => Promise<number>;

/** What was given on the command line, checked against the command's options. */
export interface CommandInput {
  readonly operand: string;
  /** Those that have a value are not among them. */
  readonly switches: ReadonlySet<string>;
  /** Values by option, in the order given. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** The value of an option that is given at most once. */
export function valueOf(input: CommandInput, option: string): string | undefined {
  return input.values.get(option)?.[0];
}
