// What the client has chosen: options given at the start, and changed while it runs. Whatever has the wrong type counts
// as left out: a faulty setting must not keep an editor from starting.

/** `initializationOptions`, and the section `sluice` of the configuration. */
export interface Settings {
  /** Whether the user trusts this workspace. Code of plugins is loaded only then. */
  readonly trusted: boolean;
  /** JavaScript modules with plugins: paths, relative to the first folder of the workspace. */
  readonly plugins: readonly string[];
  /** What addresses of explanations begin with, such as `https://host/diagnostics#`; null for no links. */
  readonly explanations: string | null;
  readonly hints: { readonly parameterNames: boolean; readonly conversions: boolean };
  readonly lenses: { readonly run: boolean; readonly permissions: boolean; readonly costs: boolean };
}

export const defaultSettings: Settings = {
  trusted: false,
  plugins: [],
  explanations: null,
  hints: { parameterNames: true, conversions: true },
  lenses: { run: true, permissions: true, costs: false },
};

/**
 * Settings with what a workspace says of itself, which its client hands on as it is: it cannot say that it is trusted.
 */
export function readWorkspaceSettings(given: unknown, before: Settings): Settings {
  return { ...readSettings(given, before), trusted: before.trusted };
}

/** Settings with what `given` says; the others stay. */
export function readSettings(given: unknown, before: Settings = defaultSettings): Settings {
  const options = recordOf(given);
  const [hints, lenses] = [recordOf(options['hints']), recordOf(options['lenses'])];
  const { plugins, explanations } = options;
  return {
    trusted: flagOf(options['trusted'], before.trusted),
    plugins: isTexts(plugins) ? plugins : before.plugins,
    explanations: typeof explanations === 'string' ? explanations : before.explanations,
    hints: {
      parameterNames: flagOf(hints['parameterNames'], before.hints.parameterNames),
      conversions: flagOf(hints['conversions'], before.hints.conversions),
    },
    lenses: {
      run: flagOf(lenses['run'], before.lenses.run),
      permissions: flagOf(lenses['permissions'], before.lenses.permissions),
      costs: flagOf(lenses['costs'], before.lenses.costs),
    },
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function flagOf(value: unknown, otherwise: boolean): boolean {
  return typeof value === 'boolean' ? value : otherwise;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
