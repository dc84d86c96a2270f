// The features that an engine needs. Each is tested with a module of a few bytes; a sentence says which version has a
// missing one.

interface Feature {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly options: WebAssembly.CompileOptions;
  /** The answer of `WebAssembly.validate` if the engine has the feature. */
  readonly valid: boolean;
  /** The first Node with it. */
  readonly node: string;
}

const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
/** One function type without parameters and results. */
const plainType = [0x01, 0x04, 0x01, 0x60, 0x00, 0x00];

function text(name: string): number[] {
  return [name.length, ...Array.from(name, (character) => character.charCodeAt(0))];
}

const features: readonly Feature[] = [
  {
    name: 'garbage-collected structs and arrays (WasmGC)',
    // (type (struct (field i32)))
    bytes: Uint8Array.from([...header, 0x01, 0x05, 0x01, 0x5f, 0x01, 0x7f, 0x00]),
    options: {},
    valid: true,
    node: '22.0',
  },
  {
    name: 'final exception handling (exnref)',
    // (func (try_table))
    bytes: Uint8Array.from([
      ...header,
      ...plainType,
      0x03,
      0x02,
      0x01,
      0x00,
      0x0a,
      0x08,
      0x01,
      0x06,
      0x00,
      0x1f,
      0x40,
      0x00,
      0x0b,
      0x0b,
    ]),
    options: {},
    valid: true,
    node: '24.13',
  },
  {
    name: 'JS string builtins',
    // (import "wasm:js-string" "length" (func)): the type is wrong, and only an engine that knows the builtin refuses
    // it.
    bytes: Uint8Array.from([
      ...header,
      ...plainType,
      0x02,
      0x19,
      0x01,
      ...text('wasm:js-string'),
      ...text('length'),
      0x00,
      0x00,
    ]),
    options: { builtins: ['js-string'] },
    valid: false,
    node: '24.0',
  },
];

/** Whether this engine can suspend a script while its host waits (JSPI). */
export function canSuspend(): boolean {
  return typeof WebAssembly.Suspending === 'function' && typeof WebAssembly.promising === 'function';
}

const engines = 'Node 24.20, Deno 2.9, Bun 1.4, Chromium 137, Firefox 153 and Safari 27';

/** The end of a sentence: what to do about a call that has to wait for the host and cannot. */
export function howToWait(): string {
  if (canSuspend()) return 'use call() instead of callSync()';
  return (
    `this engine cannot suspend WebAssembly (JSPI), which ${engines} ` +
    'can, and older Firefox with javascript.options.wasm_js_promise_integration in about:config'
  );
}

export type Validate = (bytes: Uint8Array<ArrayBuffer>, options: WebAssembly.CompileOptions) => boolean;

/** One sentence about what this engine lacks; null if everything is there. */
export function missingFeatures(validate: Validate = WebAssembly.validate): string | null {
  const missing = features.filter((feature) => validate(feature.bytes, feature.options) !== feature.valid);
  if (missing.length === 0) return null;
  const list = missing.map((feature) => `${feature.name}, in Node since ${feature.node}`).join('; ');
  return `this engine lacks ${list}: everything that is needed is in ${engines}, and later ones`;
}

/**
 * The names of the features that this engine lacks, suspension included: without it scripts run, but their calls cannot
 * wait.
 */
export function lackingFeatures(): readonly string[] {
  const missing = features.filter((feature) => WebAssembly.validate(feature.bytes, feature.options) !== feature.valid);
  return [...missing.map(({ name }) => name), ...(canSuspend() ? [] : ['suspending (JSPI)'])];
}
