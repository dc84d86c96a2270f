// Keys for jobs: Ed25519, as PEM. Whoever has the private one says what workers run; workers know public ones.

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { MapError } from '../errors.ts';

/**
 * Writes a new pair of keys to NAME.key, which the owner alone can read, and NAME.pub. Throws MapError where a file is
 * there already or cannot be written.
 */
export function writeKeys(name: string): { readonly privateKey: string; readonly publicKey: string } {
  const files = { privateKey: `${name}.key`, publicKey: `${name}.pub` };
  for (const path of Object.values(files))
    if (existsSync(path))
      throw new MapError(`${path} is there already: jobs that it signed would no longer be trusted`);
  const pair = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  try {
    writeFileSync(files.privateKey, pair.privateKey, { mode: 0o600, flag: 'wx' });
    writeFileSync(files.publicKey, pair.publicKey, { flag: 'wx' });
  } catch (error) {
    throw new MapError(`cannot write ${name}.key and ${name}.pub: ${(error as NodeJS.ErrnoException).code}`);
  }
  return files;
}

/** Throws MapError where the file is no private key for Ed25519. */
export function readPrivateKey(path: string): KeyObject {
  return readKey(path, 'private', createPrivateKey);
}

/** Throws MapError where the file is no public key for Ed25519. */
export function readPublicKey(path: string): KeyObject {
  return readKey(path, 'public', createPublicKey);
}

function readKey(path: string, kind: 'private' | 'public', create: (text: string) => KeyObject): KeyObject {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new MapError(`cannot read the ${kind} key ${path}: sluice map-keys NAME makes NAME.key and NAME.pub`);
  }
  // A public key can be had from a private one, which has no place on a worker.
  const isPrivate = text.includes('PRIVATE KEY');
  try {
    const key = create(text);
    if (key.asymmetricKeyType === 'ed25519' && isPrivate === (kind === 'private')) return key;
  } catch {
    // Said below.
  }
  throw new MapError(`${path} is no ${kind} key for Ed25519: sluice map-keys NAME makes NAME.key and NAME.pub`);
}

/** What is signed of a job: the folder, and the hash of its spec there. */
export interface Signed {
  readonly output: string;
  readonly spec: string;
}

export function signatureOf(key: KeyObject, signed: Signed): string {
  return sign(null, bytesOf(signed), key).toString('base64url');
}

export function isSigned(keys: readonly KeyObject[], signed: Signed, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  return keys.some((key) => verify(null, bytesOf(signed), key, bytes));
}

/** Such a text is signed nowhere else. */
function bytesOf({ output, spec }: Signed): Uint8Array {
  return Buffer.from(JSON.stringify(['sluice map job', 1, output, spec]));
}
