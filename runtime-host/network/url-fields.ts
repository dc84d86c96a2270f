// The parts of a URL, taken with the engine's own accessors as they were when the host was loaded: what is decided
// about a URL and what is connected to are read in the same way, whatever a host program did to the class meanwhile.

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
/** The name in lower case and punycode, or an address: four decimal numbers, or in brackets. */
export const hostnameOf = getterOf('hostname');
/** With the port, unless it is the scheme's own. */
export const hostOf = getterOf('host');
export const originOf = getterOf('origin');
export const hrefOf = getterOf('href');
export const pathnameOf = getterOf('pathname');
/** With its question mark; empty without one. */
export const searchOf = getterOf('search');
const writtenPortOf = getterOf('port');
const usernameOf = getterOf('username');
const passwordOf = getterOf('password');

/** Null for a text that is no URL. */
export const parseUrl: (text: string, base?: string) => URL | null = URL.parse.bind(URL);
const toNumber = Number;

/** The port that is connected to. */
export function portOf(url: URL): number {
  const port = writtenPortOf(url);
  return port === '' ? (isSecure(url) ? 443 : 80) : toNumber(port);
}

export function isSecure(url: URL): boolean {
  return protocolOf(url) === 'https:';
}

/** Whether there is a user name or a password in it. */
export function hasCredentials(url: URL): boolean {
  return usernameOf(url) !== '' || passwordOf(url) !== '';
}

/** Takes away what comes after `#`, which is for nobody but who asks. */
export function dropFragment(url: URL): void {
  setHash(url, '');
}
