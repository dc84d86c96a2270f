// Sizes as people write them: a number of bytes, or a number and a unit.

const units: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

/** `4096`, `10MB`, `1.5 MiB`, in bytes; null for a text that is no size, or no whole number of bytes. */
export function readByteSize(text: string): number | null {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
  if (number === undefined || !Object.hasOwn(units, unit!.toLowerCase())) return null;
  const bytes = Number(number) * units[unit!.toLowerCase()]!;
  return Number.isSafeInteger(bytes) ? bytes : null;
}
