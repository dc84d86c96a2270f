// A script in the fragment of the address: JSON, deflated, in base64 for URLs. It never leaves the browser but by the
// link, since servers do not get fragments.

export interface Shared {
  readonly script: string;
  readonly arguments?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly showing?: string;
}

const prefix = 's1=';
/** A link that unpacks to more is no script. */
const mostCharacters = 4_000_000;

/** The fragment, without its `#`. */
export async function packFragment(shared: Shared): Promise<string> {
  const stream = new Blob([JSON.stringify(shared)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return prefix + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** What a fragment holds; null if it is of another kind. Throws for one that is damaged. */
export async function unpackFragment(fragment: string): Promise<Shared | null> {
  if (!fragment.startsWith(prefix)) return null;
  try {
    const binary = atob(fragment.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return readShared(JSON.parse(await inflate(packed)));
  } catch (error) {
    throw new Error('the link is damaged: a part of it may be missing', { cause: error });
  }
}

/** Stops where the text becomes too long, so that a small link cannot fill the memory. */
async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > mostCharacters) throw new Error('it is too long');
  }
}

function readShared(given: unknown): Shared {
  const { script, arguments: values, files, showing } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof script !== 'string') throw new Error('there is no script in it');
  return {
    script,
    ...(areTexts(values) ? { arguments: values } : {}),
    ...(areTexts(files) ? { files } : {}),
    ...(typeof showing === 'string' ? { showing } : {}),
  };
}

function areTexts(given: unknown): given is Readonly<Record<string, string>> {
  return (
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    Object.values(given).every((text) => typeof text === 'string')
  );
}
