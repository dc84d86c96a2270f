// What the engine's profiler has seen, as its user thinks of it: functions of the script by their names and lines, the
// library and the host as one frame each. The form is that of the Chrome DevTools Protocol (Profiler.Profile), which is
// what a .cpuprofile file holds.

export interface CallFrame {
  readonly functionName: string;
  readonly scriptId: string;
  readonly url: string;
  /** From 0; -1 where there is none. */
  readonly lineNumber: number;
  readonly columnNumber: number;
}

export interface CpuNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  readonly hitCount?: number;
  readonly children?: readonly number[];
}

export interface CpuProfile {
  readonly nodes: readonly CpuNode[];
  /** Microseconds. */
  readonly startTime: number;
  readonly endTime: number;
  /** The node of each sample, and the microseconds from the one before. */
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

export interface ScriptFunction {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** The name of what the command itself does. */
const own = '(sluice)';

/** What a function of a module is: one of the script, or `library`. */
export type Resolve = (wasmName: string) => ScriptFunction | 'library';

interface Made {
  readonly id: number;
  readonly callFrame: CallFrame;
  hitCount: number;
  readonly children: number[];
  readonly byFrame: Map<string, Made>;
  readonly kind: Kind;
}

type Kind = 'engine' | 'script' | 'library' | 'host';

/** The profile with frames of scripts, each path of them once. */
export function foldProfile(profile: CpuProfile, resolve: Resolve): CpuProfile {
  const originals = new Map(profile.nodes.map((node) => [node.id, node]));
  const made: Made[] = [];
  const make = (kind: Kind, callFrame: CallFrame): Made => {
    const node: Made = { id: made.length + 1, callFrame, hitCount: 0, children: [], byFrame: new Map(), kind };
    made.push(node);
    return node;
  };
  const below = (parent: Made, kind: Kind, frame: CallFrame): Made => {
    const key = `${kind} ${frame.functionName} ${frame.url} ${frame.lineNumber}`;
    const known = parent.byFrame.get(key) ?? make(kind, frame);
    if (!parent.byFrame.has(key)) parent.children.push(known.id);
    parent.byFrame.set(key, known);
    return known;
  };
  const [first] = profile.nodes;
  if (first === undefined) return profile;
  const root = make('engine', first.callFrame);
  /** The node that each of the engine's has become. Those of the host above scripts are nobody's. */
  const became = new Map<number, Made>([[first.id, root]]);
  const pending = [...(first.children ?? [])].map((id) => ({ id, parent: root }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { callFrame, children = [] } = originals.get(next.id)!;
    const [kind, frame] = frameOf(callFrame, resolve);
    const { parent } = next;
    const isSame = kind === parent.kind && (kind === 'library' || kind === 'host');
    const hasScript = parent.kind === 'script' || parent.kind === 'library' || parent.kind === 'host';
    const node = isSame || (kind === 'host' && !hasScript) ? parent : below(parent, kind, frame);
    became.set(next.id, node);
    pending.push(...children.map((id) => ({ id, parent: node })));
  }
  const samples = profile.samples?.map((id) => {
    const node = became.get(id) ?? root;
    // The command's own work.
    return node === root && id !== first.id ? below(root, 'engine', plain(own)) : node;
  });
  for (const node of samples ?? []) node.hitCount++;
  return {
    ...profile,
    nodes: made.map(({ id, callFrame, hitCount, children }) => ({ id, callFrame, hitCount, children })),
    ...(samples === undefined ? {} : { samples: samples.map(({ id }) => id) }),
  };
}

function frameOf(frame: CallFrame, resolve: Resolve): readonly [Kind, CallFrame] {
  if (frame.url === '' && /^\(.*\)$/.test(frame.functionName)) return ['engine', frame];
  if (!frame.url.startsWith('wasm:')) return ['host', plain('(host)')];
  const found = resolve(frame.functionName);
  if (found === 'library') return ['library', plain('(library)')];
  const { name, file, line } = found;
  return ['script', { functionName: name, scriptId: '0', url: file, lineNumber: line - 1, columnNumber: 0 }];
}

function plain(functionName: string): CallFrame {
  return { functionName, scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 };
}

export interface FunctionTime {
  readonly name: string;
  /** Null for what is no function of the script. */
  readonly place: string | null;
  /** Milliseconds in the function itself. */
  readonly ms: number;
}

/** Nothing runs, or the command does. */
const notTheScripts: ReadonlySet<string> = new Set(['(root)', '(idle)', own]);

/** Times of a folded profile, the longest first, without what is not the script's. */
export function timesOf({ nodes, samples = [], timeDeltas = [] }: CpuProfile): readonly FunctionTime[] {
  const byNode = new Map<number, number>();
  samples.forEach((id, at) => byNode.set(id, (byNode.get(id) ?? 0) + Math.max(0, timeDeltas[at] ?? 0)));
  const times = new Map<string, FunctionTime>();
  for (const { id, callFrame } of nodes) {
    const { functionName: name, url, lineNumber } = callFrame;
    const ms = (byNode.get(id) ?? 0) / 1000;
    if (ms === 0 || (url === '' && notTheScripts.has(name))) continue;
    const place = url === '' ? null : `${url}:${lineNumber + 1}`;
    const key = `${name} ${place}`;
    times.set(key, { name, place, ms: ms + (times.get(key)?.ms ?? 0) });
  }
  return [...times.values()].toSorted((a, b) => b.ms - a.ms || (a.name < b.name ? -1 : 1));
}
