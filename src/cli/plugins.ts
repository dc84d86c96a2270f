// `--plugin`: what scripts may call besides the library. Nothing of plugins is loaded for who has none.

import type { CommandInput, Option } from './command.ts';

export const pluginOption: Option = {
  name: 'plugin',
  value: 'FILE',
  repeated: true,
  summary: 'Let the script call a plugin: a JavaScript or TypeScript module that exports it, or a module of WebAssembly. Its code runs with your rights.',
};

/** The plugins of the command line. Throws UsageError for a file that has none, or a faulty one. */
export async function readPluginOption(input: CommandInput, command: string): Promise<{ readonly plugins?: readonly unknown[] }> {
  const paths = input.values.get('plugin');
  if (paths === undefined) return {};
  const { loadPlugins } = await import('./load-plugins.ts');
  return { plugins: await loadPlugins(paths, command) };
}
