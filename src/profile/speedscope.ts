// The file format of speedscope (https://www.speedscope.app/file-format-schema.json): the stacks that were sampled, and
// exact fuel by function, below which are its loops and its lines that have the library work.

import type { FuelProfile, FunctionFuel, PartFuel } from './fuel.ts';
import type { Sample, SampledStack } from './samples.ts';

interface Frame {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
}

class Frames {
  readonly list: Frame[] = [];
  readonly #numbers = new Map<string, number>();

  number(frame: Frame): number {
    const key = JSON.stringify(frame);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.list.length);
    return this.list.push(frame) - 1;
  }
}

/** JSON text. `exporter` is the command with its version. */
export function speedscopeFile(
  name: string,
  profile: FuelProfile,
  samples: readonly Sample<SampledStack>[],
  exporter: string,
): string {
  const frames = new Frames();
  const lines = new Map(profile.functions.map((fn) => [`${fn.name} ${fn.file}`, fn.line]));
  const stacks = samples.map(({ stack, units }) => ({
    weight: units,
    stack: stack.toReversed().map((frame) => {
      const line = lines.get(`${frame.function} ${frame.file}`);
      return frames.number({ name: frame.function, file: frame.file, ...(line === undefined ? {} : { line }) });
    }),
  }));
  const sampled = samples.reduce((sum, { units }) => sum + units, 0);
  const rest = Number(profile.total) - sampled;
  const exact = profile.functions.flatMap((fn) => partsOf(fn, frames));
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name,
    exporter,
    activeProfileIndex: 0,
    shared: { frames: frames.list },
    profiles: [
      // What was used behind the last sample belongs to nobody.
      profileOf('fuel by stack, sampled', [...stacks, ...(rest > 0 ? [{ weight: rest, stack: [] }] : [])]),
      profileOf('fuel by function and loop, exact', exact),
    ],
  });
}

interface Weighted {
  /** Outermost first. */
  readonly stack: readonly number[];
  readonly weight: number;
}

function profileOf(name: string, parts: readonly Weighted[]): unknown {
  return {
    type: 'sampled',
    name,
    unit: 'none',
    startValue: 0,
    endValue: parts.reduce((sum, { weight }) => sum + weight, 0),
    samples: parts.map(({ stack }) => stack),
    weights: parts.map(({ weight }) => weight),
  };
}

function partsOf(fn: FunctionFuel, frames: Frames): readonly Weighted[] {
  const { name, file, line } = fn;
  const own = frames.number({ name, file, line });
  const part = ({ kind, line: at, units }: PartFuel): Weighted => ({
    stack: [own, frames.number({ name: `${name}: ${kind} in line ${at}`, file, line: at })],
    weight: Number(units),
  });
  return [...(fn.calls > 0n ? [{ stack: [own], weight: Number(fn.calls) }] : []), ...fn.parts.map(part)];
}
