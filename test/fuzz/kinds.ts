// The kinds of programs that are about one thing, by the name that `--only` takes.

export const kindNames = ['loops', 'chains', 'nests', 'searches', 'borders'] as const;

export type KindName = (typeof kindNames)[number];

export function isKind(name: string): name is KindName {
  return (kindNames as readonly string[]).includes(name);
}
