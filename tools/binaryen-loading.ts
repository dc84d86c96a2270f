// The text of the module `#loading`, which reads Binaryen's .wasm file.

/**
 * What `#loading` stands for: reads the .wasm file, which bundlers find by the expression that names it. Whoever loads
 * Binaryen may read it first, from elsewhere too, and have something done just before the engine compiles it.
 */
export const loadingModule = `// Made by tools/split-binaryen.ts.
let bytes = null;
let isTaken = false;

/** What is wrong, and what to do about it. */
function lost(url, why) {
  return new Error(
    'the compiler cannot load its file binaryen.wasm, at ' + url + ': ' + why + '. Copy it there from the package ' +
      'sluice, where it is dist/binaryen.wasm, or say where it is with the option wasmUrl',
  );
}

async function readFrom(url) {
  // Where there are files, what has no scheme is a path.
  const files = /^(file:|(?![a-z][a-z0-9+.-]+:))/i.test(url) ? globalThis.process?.getBuiltinModule?.('fs') : undefined;
  if (files !== undefined) {
    try {
      return new Uint8Array(files.readFileSync(url.startsWith('file:') ? new URL(url) : url));
    } catch (error) {
      throw lost(url, error.code === 'ENOENT' ? 'there is no such file' : String(error.code));
    }
  }
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw lost(url, 'it cannot be fetched');
  }
  if (!response.ok) throw lost(url, 'the status of the answer is ' + response.status);
  return new Uint8Array(await response.arrayBuffer());
}

export const loading = {
  before() {},
  async read(given) {
    if (bytes !== null || isTaken) return;
    const url = String(given ?? new URL('./binaryen.wasm', import.meta.url));
    const found = await readFrom(url);
    // Servers answer with a page where they have no file.
    if (found[0] !== 0 || found[1] !== 0x61 || found[2] !== 0x73 || found[3] !== 0x6d)
      throw lost(url, 'what is there is no WebAssembly');
    bytes = found;
  },
  async take() {
    await this.read();
    const taken = bytes;
    bytes = null;
    isTaken = true;
    return taken;
  },
};
`;

export const loadingTypes = `export declare const loading: {
  /** Called when the engine is about to compile Binaryen. */
  before: () => void;
  /**
   * Reads the file unless it has been read; from its own place if no other is given. Rejects with an Error that says
   * what to do.
   */
  read: (url?: string | URL) => Promise<void>;
  /** The file, once. */
  take: () => Promise<Uint8Array>;
};
`;
