// The shape of a command: its options and help are data, and its code is loaded when it runs, so that `--help` and
// `check` never load what only a build needs.

export interface Option {
  /** `--format`, without the dashes. */
  readonly name: string;
  /** `-o`, without the dash. */
  readonly short?: string;
  /** The name of the value in help; null for a switch. */
  readonly value: string | null;
  /** The only allowed values, the default first. */
  readonly choices?: readonly string[];
  readonly repeated?: boolean;
  /** The option also works without a value; a value is given as `--option=value` alone. */
  readonly isValueOptional?: boolean;
  readonly summary: string;
  /** The group in which help lists it; the first group if left out. */
  readonly group?: OptionGroup;
  /** Other names that people try for it; they are no options, but surely mean this one. */
  readonly meantBy?: readonly string[];
}

/** Options that help lists together, below a title. */
export interface OptionGroup {
  readonly title: string;
  readonly summary: string;
}

export interface Command {
  readonly name: string;
  /** The name of the operand in help, `FILE`; empty for a command without one. */
  readonly operand: string;
  /** The only allowed operands. */
  readonly operandChoices?: readonly string[];
  /** It takes any number of operands, none too; without this exactly one. */
  readonly takesMany?: boolean;
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

/** Runs the command and answers with an exit code. */
export type CommandWork = (input: CommandInput) => Promise<number>;

/** What was given on the command line, checked against the command's options. */
export interface CommandInput {
  /** The first of them; empty if there is none. */
  readonly operand: string;
  readonly operands: readonly string[];
  /** The options without a value. */
  readonly switches: ReadonlySet<string>;
  /** Values by option, in the order given. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** The value of an option that is given at most once. */
export function valueOf(input: CommandInput, option: string): string | undefined {
  return input.values.get(option)?.[0];
}
