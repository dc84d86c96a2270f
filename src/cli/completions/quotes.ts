// Quotes a word for bash and zsh, whatever it contains.

export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
