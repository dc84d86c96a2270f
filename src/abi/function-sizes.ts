// How many bytes of a module the code of each function takes, read from the binary format: the sizes are in its code
// section, the names in the custom section `name`.

/** A function of a module, with the bytes of its code. */
export interface FunctionSize {
  /** As the script has it; in imported files with the file in front, `lib.slu#area`. */
  readonly name: string;
  readonly bytes: number;
  /** Whether it is the script's own: others come from the library and the boundary. */
  readonly isOwn: boolean;
}

const sections = { custom: 0, code: 10 } as const;
const functionNames = 1;

/** Reads numbers and names from the bytes of a module. */
class Reader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.#bytes[this.at++]!;
  }

  /** An unsigned LEB128. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  name(): string {
    const length = this.number();
    this.at += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.at - length, this.at));
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }
}

/**
 * The functions of a module, the largest first. What was inlined counts for where it went; loops that run as functions
 * of their own count for their function. Rejects with WebAssembly.CompileError for bytes that are no module.
 */
export async function functionSizes(wasm: Uint8Array<ArrayBuffer>): Promise<FunctionSize[]> {
  const imports = WebAssembly.Module.imports(await WebAssembly.compile(wasm)).filter(({ kind }) => kind === 'function');
  const sizes: number[] = [];
  const names = new Map<number, string>();
  const reader = new Reader(wasm, 8);
  while (!reader.isAtEnd) {
    const kind = reader.byte();
    const size = reader.number();
    const end = reader.at + size;
    if (kind === sections.code) readSizes(reader, sizes);
    else if (kind === sections.custom && reader.name() === 'name') readNames(reader, end, names);
    reader.at = end;
  }
  const found = new Map<string, FunctionSize>();
  for (const [index, bytes] of sizes.entries()) {
    const { name, isOwn } = named(names.get(imports.length + index) ?? `function ${index}`);
    found.set(name, { name, isOwn, bytes: bytes + (found.get(name)?.bytes ?? 0) });
  }
  return [...found.values()].sort((a, b) => b.bytes - a.bytes);
}

function readSizes(reader: Reader, sizes: number[]): void {
  for (let left = reader.number(); left > 0; left--) {
    const size = reader.number();
    sizes.push(size);
    reader.at += size;
  }
}

function readNames(reader: Reader, end: number, names: Map<number, string>): void {
  while (reader.at < end) {
    const kind = reader.byte();
    const size = reader.number();
    const next = reader.at + size;
    if (kind === functionNames)
      for (let left = reader.number(); left > 0; left--) {
        const index = reader.number();
        names.set(index, reader.name());
      }
    reader.at = next;
  }
}

/** What begins with a dollar sign is at the boundary, `prelude#` is the library, all else the script's. */
function named(called: string): Pick<FunctionSize, 'name' | 'isOwn'> {
  const name = called.replace(/(?<=.)\$loop\d+$/, '');
  if (name === '$entry') return { name: 'main', isOwn: true };
  return { name: name.replace('prelude#', 'library '), isOwn: !/^(?:\$|prelude#)/.test(name) };
}
