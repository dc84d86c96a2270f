// The runtime host, on any platform: what embedders import, except for reading files.

export type { ExportParameter, ScriptLocation, Manifest, ManifestExport } from '../src/abi/manifest.ts';
export { JsonDouble } from './arguments.ts';
export type { ArgumentValue, Arguments } from './arguments.ts';
export { AbortError, ArgumentError, formatLocation, HostError, InternalError, ScriptError } from './errors.ts';
export type { Consumer } from './run-execution.ts';
export type { PrivateNetwork } from './http/url-rules.ts';
export { loadScript, Script } from './host.ts';
export { ScriptInstance } from './instance.ts';
export { isWasm } from './wasm-bytes.ts';
export type { ModuleSource, ScriptOptions } from './host.ts';
export type { LimitExtension, LimitKind, LimitOptions, LimitRequest, LimitValues } from './limits/options.ts';
export type { Log, PermissionDecision, PermissionHandler } from './permissions/gate.ts';
export { Denied, EnvGrant, FileGrant, Granted, HttpGrant, PluginGrant } from './permissions/grants.ts';
export type { Denial, EnvConstraints, FileConstraints, Grant, HttpConstraints, PermissionAnswer, PluginConstraints } from './permissions/grants.ts';
export { PermissionRequest } from './permissions/requests.ts';
export { createMemoryPlatform } from './platform/memory.ts';
export type { MemoryPlatform, MemoryPlatformOptions } from './platform/memory.ts';
export type { MemoryAnswer, MemoryRequest, MemoryServer } from './platform/memory-http.ts';
export type { Platform } from './platform/platform.ts';
export { seededRandom } from './library/math.ts';
export type { LogEntry, RunLog } from './replay/log.ts';
export type { RunTimes, ScriptRun } from './run.ts';
export type { AnyScript, CallResult, ScriptTypes } from './script-types.ts';
export { formatDouble, formatJson, formatValue } from './text.ts';
export { describeType } from './values.ts';
export type { ScriptStruct, ScriptValue } from './values.ts';
