// The settings of the extension, as package.json declares them, and what of them the language server is told.

import * as vscode from 'vscode';

export interface Settings {
  /** The command `sluice`; '' to look for it. */
  readonly path: string;
  readonly languageServer: 'bundled' | 'workspace';
  readonly runOptions: readonly string[];
  readonly server: ServerSettings;
}

/** They go to the server with `initialize`, and again whenever they change. */
export interface ServerSettings {
  /** Code of plugins is loaded only then. */
  readonly trusted: boolean;
  readonly plugins: readonly string[];
  readonly hints: { readonly parameterNames: boolean; readonly conversions: boolean };
  readonly lenses: { readonly run: boolean; readonly permissions: boolean; readonly costs: boolean };
}

export const section = 'sluice';

/** The settings for a file, or for the window. VS Code leaves out those that are restricted until there is trust. */
export function readSettings(file?: vscode.Uri): Settings {
  const found = vscode.workspace.getConfiguration(section, file ?? null);
  return {
    path: found.get('path', ''),
    languageServer: found.get('languageServer', 'bundled'),
    runOptions: found.get('run.options', []),
    server: {
      trusted: vscode.workspace.isTrusted,
      plugins: found.get('plugins', []),
      hints: {
        parameterNames: found.get('hints.parameterNames', true),
        conversions: found.get('hints.conversions', true),
      },
      lenses: {
        run: found.get('lenses.run', true),
        permissions: found.get('lenses.permissions', true),
        costs: found.get('lenses.costs', false),
      },
    },
  };
}
