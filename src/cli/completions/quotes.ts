// One word of bash and zsh, whatever is in it.

export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
