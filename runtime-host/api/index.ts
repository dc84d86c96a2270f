// The runtime host, on any platform: what embedders import, except for reading files.

export type { ExportParameter, ScriptLocation, Manifest, ManifestExport } from '../../src/abi/manifest.ts';
export { JsonDouble } from '../values/json-double.ts';
export type { Arguments } from '../marshalling/arguments.ts';
export type { ArgumentValue } from '../marshalling/javascript-values.ts';
export {
  AbortError,
  ArgumentError,
  BusyError,
  formatLocation,
  HostError,
  InternalError,
  ScriptError,
} from '../errors/errors.ts';
export type { Consumer } from '../run/run-execution.ts';
export { loadScript, Script } from './host.ts';
export { createPool } from './pool.ts';
export type { Pool } from './pool.ts';
export type { PoolOptions, PoolStats } from '../worker/pool-options.ts';
export { ScriptInstance } from '../run/instance.ts';
export { isWasm } from '../engine/wasm-bytes.ts';
export type { LoadOptions, ModuleSource, ScriptOptions } from './host.ts';
export type { LimitExtension, LimitKind, LimitOptions, LimitRequest, LimitValues } from '../limits/options.ts';
export * from '../namespaces/generated/exports.ts';
export { PermissionRequest } from '../namespaces/requests.ts';
export type { PermissionDecision, PermissionHandler } from '../namespaces/requests.ts';
export type { Log } from '../permissions/gate.ts';
export { Denied, Granted } from '../permissions/grants.ts';
export type { Denial, Grant, PermissionAnswer } from '../permissions/grants.ts';
export { createMemoryPlatform } from '../memory/platform.ts';
export type { MemoryPlatform, MemoryPlatformOptions } from '../memory/platform.ts';
export type { MemoryAnswer, MemoryRequest, MemoryServer } from '../memory/http.ts';
export type { Platform } from '../platform/platform.ts';
export type { LogEntry, RunLog } from '../run/run-log.ts';
export type { RunTimes, ScriptRun } from '../run/run.ts';
export type { AnyScript, CallResult, Ints, RunOptions, ScriptTypes } from '../run/script-types.ts';
export { formatDouble, formatJson, formatValue } from '../values/text.ts';
export { describeType } from '../marshalling/value-writer.ts';
export type { ScriptStruct, ScriptValue } from '../values/script-value.ts';
