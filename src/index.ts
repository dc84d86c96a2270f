// The public API of the compiler. Running what it makes is the runtime host's.

export { checkSource, compile } from './compile.ts';
export type { CheckResult, CompileResult } from './compile.ts';
export type { Diagnostic, DiagnosticType, Fix, Label } from './diagnostics/diagnostic.ts';
export type { EmitOptions, EmittedProgram } from './3-emit/emitted-program.ts';
export type { Position, SourceFile, Span } from './source.ts';
