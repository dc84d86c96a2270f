// The functions that make plugins. A host accepts plugins of any copy of this file: a page loads it apart from the
// host, and only if it has plugins.

export { ScriptFunction, ScriptModule } from '../plugins/decorators.ts';
export type { ModuleOptions } from '../plugins/decorators.ts';
export { defineModule } from '../plugins/define.ts';
export type { FunctionDefinition, FunctionOptions, ModuleDefinition } from '../plugins/define.ts';
export type { PluginModule } from '../../src/library/plugin-declaration.ts';
export { wasmPlugin } from '../plugins/wasm-plugin.ts';
export type { WasmPluginOptions } from '../plugins/wasm-plugin.ts';
export type { PluginContext } from '../plugins/work.ts';
