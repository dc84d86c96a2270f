// Optimisation remarks: what passes say of the loops of a script, to the person who wrote them. All versions of a loop,
// and the function that it was outlined to, have the place of the loop as it was written: there their remarks are put
// together, and what was done in one version counts as done. No pass may decide by remarks: a module is the same with
// and without them.
// Source: optimisation remarks of LLVM (`-Rpass`, `-Rpass-missed`).

import type { Span } from '../../source.ts';
import { positionAt } from '../../source.ts';
import { blocksOf } from '../../mir/children.ts';
import type { Statement } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { reasons } from './reasons.ts';
import type { ReasonKey, Values, ValuesOf } from './reasons.ts';
import { headOf, sourceText } from './source-text.ts';

/** A loop as it was written, and what was said of it: what was done, then what was not, then notes, each by pass. */
export interface ExplainedLoop {
  readonly file: string;
  /** As stacks show it. */
  readonly function: string;
  readonly line: number;
  readonly column: number;
  /** How many loops of its function are around it. */
  readonly depth: number;
  /** Whether others are in it. */
  readonly isOuter: boolean;
  /** Its first line. */
  readonly head: string;
  readonly remarks: readonly LoopRemark[];
}

export interface LoopRemark {
  readonly pass: string;
  readonly reason: ReasonKey;
  readonly outcome: 'applied' | 'missed' | 'analysis';
  readonly text: string;
  /** What can be written instead. */
  readonly help: string | null;
  /** The places that the text names. */
  readonly places: readonly RemarkPlace[];
}

export interface RemarkPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

interface Said {
  readonly key: ReasonKey;
  readonly values: Values;
}

type Reason = (typeof reasons)[ReasonKey];

interface KnownLoop {
  readonly span: Span;
  readonly function: string;
  readonly depth: number;
  readonly isOuter: boolean;
  readonly said: Said[];
}

/**
 * The channel. A pass says what it did, or why not, at the place where it decides, with a row of `reasons.ts`, the loop as
 * it was written, and the values that the row asks for:
 *
 *     context.remarks?.add('unchecked', loop.span, { what: access.span });
 *
 * Where nobody wants to know, `remarks` is null, and nothing is worked out.
 */
export class Remarks {
  readonly #loops = new Map<string, KnownLoop>();
  #passes: readonly string[] = [];
  #entryFile = '';

  /** Takes in the loops of a program as it was lowered; passes are given in the order in which they run. */
  begin(program: MirProgram, passes: readonly string[]): void {
    this.#passes = passes;
    this.#entryFile = program.name;
    for (const fn of [...program.functions.values(), program.entry, program.initialiser])
      if (fn !== null) this.#addLoops(fn.body, fn, 0);
  }

  #addLoops(nodes: readonly Statement[], fn: MirFunction, depth: number): boolean {
    let has = false;
    for (const node of nodes) {
      const isLoop = node.kind === 'loop';
      const isOuter = blocksOf(node)
        .map((block) => this.#addLoops(block, fn, isLoop ? depth + 1 : depth))
        .includes(true);
      has ||= isLoop || isOuter;
      // What sets globals is in two functions.
      if (!isLoop || this.#loops.has(keyOf(node.span))) continue;
      this.#loops.set(keyOf(node.span), { span: node.span, function: fn.name, depth, isOuter, said: [] });
    }
    return has;
  }

  /** Says something of a loop: a row of the table, and its values. */
  add<Key extends ReasonKey>(key: Key, loop: Span, values: ValuesOf<Key>): void {
    this.#loops.get(keyOf(loop))?.said.push({ key, values: values as Values });
  }

  /** As `add`, of the innermost loop that a place is in, if there is one; what has the place of a loop nobody wrote. */
  addAt<Key extends ReasonKey>(key: Key, place: Span, values: ValuesOf<Key>): void {
    if (this.#loops.get(keyOf(place))?.span.end === place.end) return;
    const around = [...this.#loops.values()].filter(
      ({ span }) => span.file === place.file && span.start <= place.start && place.end <= span.end,
    );
    const innermost = around.toSorted((a, b) => b.span.start - a.span.start)[0];
    if (innermost !== undefined) this.add(key, innermost.span, values);
  }

  /** All loops in the order of the text, those of the entry file first. */
  explained(): readonly ExplainedLoop[] {
    const rank = ({ span }: KnownLoop): string => (span.file.name === this.#entryFile ? '' : span.file.name);
    const order = (a: KnownLoop, b: KnownLoop): number =>
      rank(a) === rank(b) ? a.span.start - b.span.start : rank(a) < rank(b) ? -1 : 1;
    return [...this.#loops.values()].toSorted(order).map((loop) => this.#explain(loop));
  }

  #explain({ span, function: name, depth, isOuter, said }: KnownLoop): ExplainedLoop {
    const { line, column } = positionAt(span.file, span.start);
    const [done, left, notes] = (['applied', 'missed', 'analysis'] as const).map((outcome) =>
      joined(
        said.filter(({ key }) => reasons[key].outcome === outcome),
        span,
      ),
    ) as [readonly Joined[], readonly Joined[], readonly Joined[]];
    // The loop as it was stays behind a nest, for what that does not do: what it looks at there is not worth a word.
    const isOfNest = ({ pass }: Reason, what: string): boolean =>
      pass === reasons.unchecked.pass &&
      done.some(({ key, subjects }) => key === 'nestUnchecked' && subjects.includes(what));
    const isDone = ({ pass }: Reason, what: string): boolean =>
      done.some(({ key, subjects }) => reasons[key].pass === pass && subjects.includes(what));
    const without = (one: Joined, isSaid: (reason: Reason, what: string) => boolean): readonly Joined[] => {
      const subjects = one.subjects.filter((what) => !isSaid(reasons[one.key], what));
      return subjects.length === 0 ? [] : [{ ...one, subjects }];
    };
    const withoutDone = (one: Joined): readonly Joined[] =>
      without(one, (reason, what) => isDone(reason, what) || isOfNest(reason, what));
    const byPass = (a: Joined, b: Joined): number =>
      this.#passes.indexOf(reasons[a.key].pass) - this.#passes.indexOf(reasons[b.key].pass);
    const ofLoop = done.flatMap((one) => without(one, isOfNest));
    const remarks = [ofLoop, left.flatMap(withoutDone), notes.flatMap(withoutDone)]
      .flatMap((group) => group.toSorted(byPass))
      .map((one) => remarkOf(one, span));
    return { file: span.file.name, function: name, line, column, depth, isOuter, head: headOf(span), remarks };
  }
}

function keyOf({ file, start }: Span): string {
  return `${start} ${file.name}`;
}

/** Remarks that differ in nothing but what they are about. */
interface Joined extends Said {
  readonly subjects: readonly string[];
}

/** In the order in which their reasons came first; what they are about, in the order of the text. */
function joined(said: readonly Said[], loop: Span): readonly Joined[] {
  const groups = new Map<string, Said[]>();
  for (const one of said) {
    const others = Object.entries(one.values).filter(([name]) => name !== 'what');
    const key = [one.key, ...others.map(([, value]) => (typeof value === 'string' ? value : keyOf(value)))].join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map((group) => ({ ...group[0]!, subjects: subjectsOf(group, loop) }));
}

function subjectsOf(group: readonly Said[], loop: Span): readonly string[] {
  const found = group.map(({ values: { what = '' } }) =>
    typeof what === 'string'
      ? { at: 0, text: `'${what}'` }
      : { at: what.start, text: `'${sourceText(what)}'${isIn(what, loop) ? '' : ` at ${placeText(what, loop)}`}` },
  );
  return [...new Set(found.toSorted((a, b) => a.at - b.at).map(({ text }) => text))];
}

/** What was inlined is written elsewhere. */
function isIn(what: Span, loop: Span): boolean {
  return what.file === loop.file && loop.start <= what.start && what.end <= loop.end;
}

/** A place as it is named in what is said of a loop. */
function placeText(place: Span, loop: Span): string {
  const { line, column } = positionAt(place.file, place.start);
  return `${place.file === loop.file ? '' : `${place.file.name}:`}${line}:${column}`;
}

function remarkOf({ key, values, subjects }: Joined, loop: Span): LoopRemark {
  const { pass, outcome, text, help } = reasons[key];
  const shown: Record<string, string> = {};
  const places: RemarkPlace[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (name === 'what') shown[name] = listed(subjects);
    else if (typeof value === 'string') shown[name] = value;
    else {
      places.push({ file: value.file.name, ...positionAt(value.file, value.start) });
      shown[name] = placeText(value, loop);
    }
  }
  const say = text as (values: Readonly<Record<string, string>>) => string;
  return { pass, reason: key, outcome, text: say(shown), help, places };
}

/** `a, b and c`. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;
}
