// The hash by which a log identifies its module.

import { HostError } from '../errors/errors.ts';

/**
 * The hash of a module's bytes, in hexadecimal. Throws HostError if there are no bytes, or no function for hashes;
 * `what` names the module in the error.
 */
export async function hashModule(
  source: Uint8Array | ArrayBuffer | WebAssembly.Module | null,
  what = 'the module',
): Promise<string> {
  if (source === null || source instanceof WebAssembly.Module)
    throw new HostError(`a log names ${what} by a hash of its bytes: pass the bytes, not a WebAssembly.Module`);
  const { subtle } = crypto as { readonly subtle?: typeof crypto.subtle };
  if (subtle === undefined)
    throw new HostError('logs of runs need a page that was loaded over https, or from localhost');
  const hash = await subtle.digest(
    'SHA-256',
    Uint8Array.from(source instanceof ArrayBuffer ? new Uint8Array(source) : source),
  );
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
