// Distinguishes a built module from a script. It is a file of its own for commands that look at a file and run nothing:
// they load no more of the host.

const wasmMagic = [0x00, 0x61, 0x73, 0x6d];

/** Whether bytes begin as every WebAssembly module does. */
export function isWasm(bytes: Uint8Array): boolean {
  return wasmMagic.every((byte, at) => bytes[at] === byte);
}
