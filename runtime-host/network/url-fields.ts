// The parts of a URL, read with the engine's accessors as they were when the host was loaded: the check of a URL and
// the connection read it in the same way, whatever a host program has done to the class since then.

const getterOf = (name: keyof URL): ((url: URL) => string) => {
  const get = Object.getOwnPropertyDescriptor(URL.prototype, name)!.get! as (this: URL) => string;
  return Function.prototype.call.bind(get) as (url: URL) => string;
};

const setHash = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(URL.prototype, 'hash')!.set!) as (
  url: URL,
  hash: string,
) => void;

/** `https:` */
export const protocolOf = getterOf('protocol');
/** The name in lower case and punycode, or an address: four decimal numbers, or IPv6 in brackets. */
export const hostnameOf = getterOf('hostname');
/** With the port, unless it is the default port of the scheme. */
export const hostOf = getterOf('host');
export const originOf = getterOf('origin');
export const hrefOf = getterOf('href');
export const pathnameOf = getterOf('pathname');
/** With its question mark; empty if there is none. */
export const searchOf = getterOf('search');
const writtenPortOf = getterOf('port');
const usernameOf = getterOf('username');
const passwordOf = getterOf('password');

/** Null for a text that is no URL. */
export const parseUrl: (text: string, base?: string) => URL | null = URL.parse.bind(URL);
const toNumber = Number;

/** The port of the connection. */
export function portOf(url: URL): number {
  const port = writtenPortOf(url);
  return port === '' ? (isSecure(url) ? 443 : 80) : toNumber(port);
}

export function isSecure(url: URL): boolean {
  return protocolOf(url) === 'https:';
}

/** Whether it contains a user name or a password. */
export function hasCredentials(url: URL): boolean {
  return usernameOf(url) !== '' || passwordOf(url) !== '';
}

/** Removes the part from `#` on, which is never sent. */
export function dropFragment(url: URL): void {
  setHash(url, '');
}
