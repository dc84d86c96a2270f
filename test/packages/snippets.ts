// What a page of the documentation shows, as steps that can be taken in a folder: files, commands, programs, and what
// they print.

export interface Step {
  readonly kind: 'file' | 'command' | 'program';
  /** Of a file. */
  readonly name: string;
  readonly text: string;
  /** What is printed, where the page says so. */
  readonly prints: string | null;
}

/**
 * A block without a language that opens with the name of a script is that file; another one is what the step before it
 * prints.
 */
export function stepsOf(page: string): readonly Step[] {
  const blocks = [...page.matchAll(/```(\w*)\n([^]*?)```\n(\s*)/g)].map(([, language, text, gap]) => ({
    language: language!,
    text: text!,
    gap: gap!,
  }));
  return blocks.flatMap(({ language, text, gap }, at): Step[] => {
    const next = blocks[at + 1];
    const prints =
      gap === '\n' &&
      next !== undefined &&
      page.includes(`${text}\`\`\`\n\n\`\`\`\n${next.text}`) &&
      next.language === ''
        ? next.text
        : null;
    const name = language === '' ? /^\/\/ ([\w-]+\.slu)\b/.exec(text)?.[1] : undefined;
    if (name !== undefined) return [{ kind: 'file', name, text, prints: null }];
    if (language === 'sh')
      return text
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('npx sluice '))
        .map((line) => ({ kind: 'command', name: '', text: line.slice('npx sluice '.length), prints }));
    return language === 'ts' || language === 'js' ? [{ kind: 'program', name: '', text, prints }] : [];
  });
}
