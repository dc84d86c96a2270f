// Decodes the bytes of an answer in the encoding that the answer declares.

import { NetworkFault } from '../../platform/platform.ts';

const longestText = 0x1fff_ffe8;

/** UTF-8 unless the content type names another encoding. Throws NetworkFault for bytes that are invalid in it. */
export function decodeBody(body: Uint8Array, contentType: string | null): string {
  if (body.length > longestText) throw new NetworkFault('too-large');
  try {
    return decoderFor(contentType).decode(body);
  } catch {
    throw new NetworkFault('not-text');
  }
}

function decoderFor(contentType: string | null): TextDecoder {
  const label = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
  if (label !== undefined) {
    try {
      return new TextDecoder(label, { fatal: true });
    } catch {
      // The encoding is unknown: UTF-8 is the most likely one.
    }
  }
  return new TextDecoder('utf-8', { fatal: true });
}
