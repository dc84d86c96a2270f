// The requests of Env calls: for a variable, or for a property of the system.

import { freeze } from '../../primordials/untampered.ts';

class EnvGetRequest {
  readonly kind = 'Env.Get';
  /** The name of the variable. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
    freeze(this);
  }
}

class EnvSystemRequest {
  readonly kind = 'Env.System';
  /** Such as `os.name`. */
  readonly property: string;

  constructor(property: string) {
    this.property = property;
    freeze(this);
  }
}

export const requests = { Get: EnvGetRequest, System: EnvSystemRequest } as const;

export type AnyEnvRequest = InstanceType<(typeof requests)[keyof typeof requests]>;
