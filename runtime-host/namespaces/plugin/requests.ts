// The requests of calls of plugin functions that are declared with a permission.

import { freeze } from '../../primordials/untampered.ts';

/** A call of a plugin's function that is declared with a permission. */
class PluginRequest {
  readonly kind = 'Plugin';
  readonly category: string;
  readonly action: string;
  /** What the plugin says about the call. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(category: string, action: string, details: Readonly<Record<string, unknown>>) {
    this.category = category;
    this.action = action;
    this.details = freeze({ ...details });
    freeze(this);
  }
}

export const requests = PluginRequest;

export type AnyPluginRequest = InstanceType<typeof requests>;
