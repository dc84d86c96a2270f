// `--plugin`: functions that scripts may call besides the library. Without the option, no code for plugins is loaded.

import type { CommandInput, Option, OptionGroup } from './command.ts';

const group: OptionGroup = {
  title: 'Plugins',
  summary: 'what scripts may call besides the library; their code runs with your rights.',
};

export const pluginOption: Option = {
  name: 'plugin',
  value: 'FILE',
  repeated: true,
  summary: 'A JavaScript or TypeScript module that exports a plugin, or a module of WebAssembly.',
  group,
};

/** The plugins of the command line. Throws UsageError for a file without a plugin, or with a faulty one. */
export async function readPluginOption(
  input: CommandInput,
  command: string,
): Promise<{ readonly plugins?: readonly unknown[] }> {
  const paths = input.values.get('plugin');
  if (paths === undefined) return {};
  const [{ loadPlugins }, { registryWith }] = await Promise.all([
    import('./load-plugins.ts'),
    import('../library/plugin-registry.ts'),
  ]);
  return { plugins: await loadPlugins(paths, command, registryWith) };
}
