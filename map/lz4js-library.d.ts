// The part of the library `lz4js` that is used here: it comes without types.

declare module 'lz4js' {
  /** Bytes that a frame has at most once it is unpacked. */
  export function decompressBound(frame: Uint8Array): number;
  export function decompress(frame: Uint8Array): Uint8Array;
}
