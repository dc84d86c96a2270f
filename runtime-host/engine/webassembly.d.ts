// The parts of the engine's WebAssembly interface that are used here: TypeScript declares them only together with the
// DOM, and builtins, tags and exceptions not yet.

declare namespace WebAssembly {
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  interface CompileOptions {
    readonly builtins?: readonly string[];
    readonly importedStringConstants?: string;
  }
  interface ImportDescriptor {
    readonly module: string;
    readonly name: string;
    readonly kind: string;
  }
  interface ExportDescriptor {
    readonly name: string;
    readonly kind: string;
  }
  class Module {
    constructor(bytes: ArrayBufferView | ArrayBuffer, options?: CompileOptions);
    static customSections(module: Module, name: string): ArrayBuffer[];
    static imports(module: Module): ImportDescriptor[];
    static exports(module: Module): ExportDescriptor[];
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class Memory {
    constructor(limits: { readonly initial: number; readonly maximum?: number });
    readonly buffer: ArrayBuffer;
  }
  class Global {
    value: unknown;
  }
  class Tag {
    constructor(type: { readonly parameters: readonly string[] });
  }
  class Exception {
    constructor(tag: Tag, payload: readonly unknown[]);
    is(tag: Tag): boolean;
    getArg(tag: Tag, index: number): unknown;
  }
  /** Makes an import that suspends the WebAssembly stack of its caller while a promise is pending. */
  class Suspending {
    constructor(fn: (...values: never[]) => unknown);
  }
  /** Makes an export that returns a promise, and whose stack such imports may suspend. */
  function promising(fn: (...values: never[]) => unknown): (...values: unknown[]) => Promise<unknown>;
  class RuntimeError extends Error {}
  class CompileError extends Error {}
  class LinkError extends Error {}
  function validate(bytes: ArrayBufferView | ArrayBuffer, options?: CompileOptions): boolean;
}
