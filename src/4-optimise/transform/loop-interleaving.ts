// Loop interleaving: the next iteration of a loop works ahead, up to the end of its inner loop, while the inner loop of
// this one waits for its own values. The two inner loops run in turns, each by an iteration, until one of them is over.
//
//   loop 1 while (x < n)                       $ahead = false
//     z = 0.0                                  loop 1 while (x < n)
//     loop 2 while (z < 4.0)                     if $ahead
//       z = ((z * z) + c)                          $ahead = false; $ended = $ended'; z = z'
//     if (z > 5.0)                               else
//       count = (count + 1)                        $ended = false; z = 0.0
//   step                                         if !$ended
//     x = (x + 1)                                  x' = (x + 1)
//                                                  if (x' < n)
//                                                    z' = 0.0; $ended' = false; $ahead = true
//                                                    loop 3
//                                                      if !(z < 4.0)   $ended = true; break 3
//                                                      z = ((z * z) + c)
//                                                      if !(z' < 4.0)  $ended' = true; break 3
//                                                      z' = ((z' * z') + c)
//                                                  if !$ended
//                                                    loop 2 while (z < 4.0) …
//                                                if (z > 5.0) …
//
// What this iteration waits for is always worked on, so the other one costs twice the time at most, and where nobody comes
// to need it, it is dropped. Fuel that it uses is charged when its turn has come, and may stop the program then.
//
// Applies where all up to the end of the inner loop is worked out from numbers, cannot fail, and reads nothing that another
// iteration sets; and where an iteration of the inner loop waits more than twice as long as it works. Does not apply where
// the inner loop branches, or is not the first one in the other.
// Source: unroll-and-jam, for inner loops whose ends are not known; the turns as in Kocberber, Falsafi, Grot, "Asynchronous
// memory access chaining", VLDB 2015.

import { booleanType, intType } from '../../language/types.ts';
import { arithmetic, getLocal, int, not, zeroOf } from '../../mir/builders.ts';
import { hasLoop, visitStatements } from '../../mir/children.ts';
import { copyWithLoops } from '../../mir/clone.ts';
import { asTemporary } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { isEndless } from '../../mir/reachability.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import type { Span } from '../../source.ts';
import { readInterleaving } from '../analysis/interleaving.ts';
import type { Interleaving, InterleavingContext } from '../analysis/interleaving.ts';
import { findLoopLiveness } from '../analysis/liveness.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { Remarks } from '../remarks/remarks.ts';

/** So many units are charged at most before the program is stopped. */
const longestStrip = 1024n;

export const loopInterleaving: Pass = {
  name: 'loop-interleaving',
  summary: 'inner loops that wait for their own values run beside those of the next iteration',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    const { registry } = program;
    return mapFunctions(program, context, (fn) => {
      if (!hasNest(fn)) return fn;
      let live: ReturnType<InterleavingContext['liveness']> | null = null;
      const around: InterleavingContext = {
        fn,
        registry,
        liveness: () => (live ??= findLoopLiveness(fn)),
        changesOf: (loop) => modRef.of([loop], fn),
      };
      const interleaver = new Interleaver(fn, context.settings.countsFuel, context.remarks);
      const body = rewriteBlocks(fn.body, (block) =>
        block.flatMap((node) => {
          const found = node.kind === 'loop' ? readInterleaving(node, around) : null;
          return found === null ? [node] : interleaver.interleave(found);
        }),
      );
      return interleaver.locals.length === fn.locals.length ? fn : { ...fn, locals: interleaver.locals, body };
    });
  },
};

function hasNest({ body }: MirFunction): boolean {
  let found = false;
  visitStatements(body, (node) => (found ||= node.kind === 'loop' && hasLoop(node.body)));
  return found;
}

class Interleaver {
  readonly locals: Local[];
  readonly #countsFuel: boolean;
  readonly #remarks: Remarks | null;
  #lastLoop: LoopId = 0;

  constructor(fn: MirFunction, countsFuel: boolean, remarks: Remarks | null) {
    this.locals = [...fn.locals];
    this.#countsFuel = countsFuel;
    this.#remarks = remarks;
    visitStatements(fn.body, (node) => {
      if (node.kind === 'loop') this.#lastLoop = Math.max(this.#lastLoop, node.id);
    });
  }

  interleave({ outer, before, inner, behind, counters, own, handedOn }: Interleaving): readonly Statement[] {
    const { span } = inner;
    this.#remarks?.add('interleaved', span, {});
    const isAhead = this.#flag('ahead', span);
    const ended = this.#flag('ended', span);
    const endedNext = this.#flag('ended', span);
    const used = this.#countsFuel ? this.#add({ name: 'used', type: intType, origin: 'temporary' }) : null;
    const names = new Map([...counters, ...own].map((local) => [local, this.#add(asTemporary(this.locals[local]!))]));
    const next = (nodes: readonly Statement[]): readonly Statement[] =>
      charged(
        copyWithLoops(
          nodes,
          (local) => names.get(local) ?? local,
          (loop) => loop,
        ),
        used,
      );
    const copies = (from: Iterable<LocalId>): readonly Statement[] =>
      [...from].map((local) => setLocal(names.get(local)!, getLocal(local, this.locals[local]!.type, span), span));
    const handOver: readonly Statement[] = [
      isAhead.set(false),
      setLocal(ended.local, endedNext.value, span),
      ...handedOn.map((local) => setLocal(local, getLocal(names.get(local)!, this.locals[local]!.type, span), span)),
      ...(used === null ? [] : this.#payment(used, inner)),
    ];
    const turns = this.#turns(inner, { ended, endedNext, used, next });
    const begin: readonly Statement[] = [
      ...(used === null ? [] : [setLocal(used, int(0n, span), span)]),
      ...next(before),
      endedNext.set(false),
      isAhead.set(true),
      turns,
    ];
    const [test] = next([{ kind: 'evaluate', expression: outer.condition!, span }]) as readonly [
      Statement & { readonly kind: 'evaluate' },
    ];
    const { counted, ...rest } = inner;
    const alone: Loop = { ...rest, ...(counted === undefined ? {} : { counted: { ...counted, start: null } }) };
    const body: readonly Statement[] = [
      branch(isAhead.value, handOver, [ended.set(false), ...before], span),
      branch(
        not(ended.value),
        [
          ...copies(counters),
          ...next(outer.step),
          branch(test.expression, begin, [], span),
          branch(not(ended.value), [alone], [], span),
        ],
        [],
        span,
      ),
      ...behind,
    ];
    // They have a value from the first iteration on.
    const nothing = [endedNext.local, ...handedOn.map((local) => names.get(local)!), ...(used === null ? [] : [used])];
    return [
      isAhead.set(false),
      ...nothing.map((local) => setLocal(local, zeroOf(this.locals[local]!.type, span), span)),
      { ...outer, body },
    ];
  }

  /**
   * Charges what was used ahead. Where the inner loop stops the program when its fuel is used up, so does this: before
   * anything behind the loop is done, and with no more units charged than a strip of a loop would be.
   */
  #payment(used: LocalId, { isShort, span }: Loop): readonly Statement[] {
    const units = getLocal(used, intType, span);
    if (isShort === true) return [charge(units, span)];
    this.#lastLoop += 1;
    const strip = int(longestStrip, span);
    const poll: Statement = { kind: 'poll', span };
    return [
      {
        kind: 'loop',
        id: this.#lastLoop,
        condition: { kind: 'operate', operator: '>(int,int)', operands: [units, strip], type: booleanType, span },
        testFirst: true,
        body: [charge(strip, span), setLocal(used, arithmetic('-', units, strip), span), poll],
        step: [],
        span,
        isShort: true,
        weight: 0,
      },
      charge(units, span),
      poll,
    ];
  }

  /** Both inner loops in turns, until one is over. */
  #turns(inner: Loop, { ended, endedNext, used, next }: Ends): Loop {
    this.#lastLoop += 1;
    const id = this.#lastLoop;
    const { span, weight = 1 } = inner;
    const leave = (flag: Flag, first: readonly Statement[]): readonly Statement[] => [
      flag.set(true),
      ...first,
      { kind: 'break', loop: id, span },
    ];
    const units = int(BigInt(weight), span);
    const count: readonly Statement[] = used === null ? [] : [charge(units, span)];
    // What stands behind the turn stops the program, and this iteration has used something in it.
    const stop: readonly Statement[] = used === null || inner.isShort === true ? [] : [{ kind: 'poll', span }];
    const countNext: readonly Statement[] =
      used === null ? [] : [setLocal(used, arithmetic('+', getLocal(used, intType, span), units), span)];
    return {
      kind: 'loop',
      id,
      condition: null,
      testFirst: true,
      body: [
        ...iteration(inner, leave(ended, []), count),
        ...next(iteration(inner, leave(endedNext, stop), countNext)),
      ],
      step: [],
      span,
      ...(inner.isShort === true ? { isShort: true } : {}),
      // It is charged in the turns what this iteration uses, and counted what the next one does.
      ...(used === null ? { weight } : { weight: 0 }),
    };
  }

  #add(local: Local): LocalId {
    return this.locals.push(local) - 1;
  }

  #flag(name: string, span: Span): Flag {
    const local = this.#add({ name, type: booleanType, origin: 'temporary' });
    return {
      local,
      value: getLocal(local, booleanType, span),
      set: (value) => setLocal(local, { kind: 'boolean', value, type: booleanType, span }, span),
    };
  }
}

interface Flag {
  readonly local: LocalId;
  readonly value: Expression;
  readonly set: (value: boolean) => Statement;
}

interface Ends {
  readonly ended: Flag;
  readonly endedNext: Flag;
  /** The fuel that the next iteration has used ahead; null where it is not counted. */
  readonly used: LocalId | null;
  /** The statements as the next iteration runs them. */
  readonly next: (nodes: readonly Statement[]) => readonly Statement[];
}

/** One iteration of a loop as statements, with what it does where the loop is over. */
function iteration(loop: Loop, leave: readonly Statement[], count: readonly Statement[]): readonly Statement[] {
  const { id, condition, testFirst, body, step, span } = loop;
  const test: readonly Statement[] =
    condition === null || isEndless(loop) ? [] : [branch(not(condition), leave, [], span)];
  const inside = rewriteExpressions(
    [...body, ...step],
    (node) => node,
    (node) =>
      node.kind === 'break' && node.loop === id ? { kind: 'block', statements: leave, span: node.span } : node,
  );
  return testFirst ? [...test, ...inside, ...count] : [...inside, ...count, ...test];
}

/** The statements with what they charge added to a local. */
function charged(nodes: readonly Statement[], used: LocalId | null): readonly Statement[] {
  if (used === null) return nodes;
  return rewriteExpressions(
    nodes,
    (node) => node,
    (node) => {
      const { span } = node;
      if (node.kind !== 'charge') return node;
      return setLocal(used, arithmetic('+', getLocal(used, intType, span), node.units), span);
    },
  );
}

function branch(
  condition: Expression,
  then: readonly Statement[],
  otherwise: readonly Statement[],
  span: Span,
): Statement {
  return { kind: 'if', arms: [{ condition, then }], otherwise, span };
}

function setLocal(local: LocalId, value: Expression, span: Span): Statement {
  return { kind: 'set-local', local, value, span };
}

function charge(units: Expression, span: Span): Statement {
  return { kind: 'charge', units, span };
}
