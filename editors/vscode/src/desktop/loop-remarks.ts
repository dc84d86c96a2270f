// What the compiler says of loops (`sluice build --explain-loops=json`), read and put into a line and into Markdown.

export interface LoopReport {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly head: string;
  /** Whether other loops are in it: what is said then stands at those. */
  readonly isOuter: boolean;
  readonly remarks: readonly LoopRemark[];
}

export interface LoopRemark {
  readonly outcome: string;
  readonly text: string;
  readonly help: string | null;
}

/** Finds the object among what else the command writes. */
export function readLoops(output: string): readonly LoopReport[] {
  const line = output.split('\n').find((one) => one.startsWith('{"loops":'));
  if (line === undefined) return [];
  const { loops } = JSON.parse(line) as { readonly loops: readonly LoopReport[] };
  return loops.filter(({ remarks }) => remarks.length > 0);
}

const slowOutcome = 'missed';

/** The line behind a loop: what keeps it slow, or else how much makes it fast. */
export function summaryOf({ remarks }: LoopReport): { readonly text: string; readonly isSlow: boolean } {
  const slow = remarks.filter(({ outcome }) => outcome === slowOutcome);
  const [first] = slow;
  if (first === undefined) return { text: `fast: ${shorten(remarks[0]!.text)}`, isSlow: false };
  const rest = slow.length === 1 ? '' : ` (and ${slow.length - 1} more)`;
  return { text: `slow: ${shorten(first.text)}${rest}`, isSlow: true };
}

const longest = 90;

function shorten(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

const words: Readonly<Record<string, string>> = { applied: 'fast', missed: 'slow' };

/** All of it, as Markdown; texts of scripts stand in it as they are. */
export function describeLoop({ head, remarks }: LoopReport): string {
  const lines = remarks.map(({ outcome, text, help }) => {
    const advice = help === null ? '' : `  \n  ${escapeMarkdown(help)}`;
    return `- **${words[outcome] ?? 'note'}**: ${escapeMarkdown(text)}${advice}`;
  });
  return [`\`\`\`sluice\n${head.replaceAll('`', "'")}\n\`\`\``, ...lines].join('\n');
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-!|<>&]/g, String.raw`\$&`);
}
