// Faults that a compiler like this one could have: in lowering, in analyses, in passes and in what rows of the library
// say of their effects. Fuzzing must find each (`npm run fuzz:mutants`).

import { boundMutants } from './bound-mutants.ts';
import { narrowMutants } from './narrow-mutants.ts';
import { elementMutants } from './element-mutants.ts';
import { interleavingMutants } from './interleaving-mutants.ts';
import { intervalMutants } from './interval-mutants.ts';
import { nestMutants } from './nest-mutants.ts';
import { pivotMutants } from './pivot-mutants.ts';
import { peelingMutants } from './peeling-mutants.ts';
import { rangeMutants } from './range-mutants.ts';
import { recurrenceMutants } from './recurrence-mutants.ts';
import { reductionMutants } from './reduction-mutants.ts';
import { numberMutants } from './number-mutants.ts';
import { scratchMutants } from './scratch-mutants.ts';
import { stackMutants } from './stack-mutants.ts';
import { structArrayMutants } from './struct-array-mutants.ts';
import { structMutants } from './struct-mutants.ts';
import { subscriptMutants } from './subscript-mutants.ts';

export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Stands in the file once. */
  readonly from: string;
  readonly to: string;
  /** Why fuzzing does not find it, for one that is known not to be found. */
  readonly isMissed?: string;
}

const analysis = 'src/4-optimise/analysis';
const transform = 'src/4-optimise/transform';

export const mutants: readonly Mutant[] = [
  {
    name: 'lowering: parts of a text from right to left',
    file: 'src/3-lower/operators.ts',
    from: `pending.push({ node: right, isOperand: true }, { node: left, isOperand: true });`,
    to: `pending.push({ node: left, isOperand: true }, { node: right, isOperand: true });`,
  },
  {
    name: 'lowering: a long chain is worked out behind what follows it',
    file: 'src/3-lower/operators.ts',
    from: `      operands = [{ kind: 'get-local', local, type, span }];`,
    to: `      operands = [];`,
  },
  {
    name: 'global constant propagation: globals that functions set are constants too',
    file: `${transform}/global-constant-propagation.ts`,
    from: `void (node.kind === 'set-global' && constants.delete(node.global))`,
    to: `void node`,
  },
  {
    name: 'mod-ref: calls change nothing',
    file: `${analysis}/mod-ref.ts`,
    from: `      found.add(callee);`,
    to: `      void callee;`,
  },
  {
    name: 'mod-ref: fields that a loop sets are taken for unchanged',
    file: `${analysis}/mod-ref.ts`,
    from: `        found.fields.add(fieldKey(location.struct, location.field));`,
    to: ``,
  },
  {
    name: 'dead-store elimination: drops a read that may fail',
    file: `${transform}/dead-store-elimination.ts`,
    from: `isTemporary(node, fn) && arePure([node.value], registry)`,
    to: `isTemporary(node, fn)`,
  },
  {
    name: 'liveness: what clauses read is dead in the body of a try',
    file: `${analysis}/liveness.ts`,
    from: `    this.#atFailure |= clauses;`,
    to: ``,
  },
  {
    name: 'forward rewriter: known in a clause what the body found out',
    file: `${analysis}/forward-rewriter.ts`,
    from: `      this.known = this.#nothing;`,
    to: `      this.known = afterBody;`,
  },
  {
    name: 'nullness: a loop forgets nothing of what it sets',
    file: `${transform}/nullness.ts`,
    from: `    this.#forget(localsSetIn([loop]));`,
    to: ``,
  },
  {
    name: 'forward rewriter: what one operand says holds behind the whole condition',
    file: `${analysis}/forward-rewriter.ts`,
    from: `        this.known = ends.reduce((one, other) => this.#meet(one, other));`,
    to: ``,
  },
  {
    name: 'index set splitting: only the first index of an iteration is tested',
    file: `${transform}/index-set-splitting.ts`,
    from: `least === most ? [least] : [least, most]`,
    to: `[least]`,
  },
  {
    name: 'index set splitting: an iteration inside uses no fuel',
    file: `${transform}/index-set-splitting.ts`,
    from: `step: [...inside.step, `,
    to: `step: [...inside.step.filter(({ kind }) => kind !== 'charge'), `,
  },
  {
    name: 'window positions: where branches meet, the first one counts',
    file: `${analysis}/window-positions.ts`,
    from: `one.base !== other.base ? null : around(one, other)`,
    to: `one.base !== other.base ? null : one`,
  },
  {
    name: 'nullness: every argument is tested',
    file: `${transform}/nullness.ts`,
    from: `refusesNull(row, index) && this.#learn(argument)`,
    to: `row !== null && index >= 0 && this.#learn(argument)`,
  },
  {
    name: 'redundant-check elimination: an index is forgotten nowhere',
    file: `${transform}/redundant-check-elimination.ts`,
    from: `this.#keep(({ locals }) => !locals.has(node.local));`,
    to: `return;`,
  },
  {
    name: 'redundant-check elimination: a loop forgets nothing of what it changes',
    file: `${transform}/redundant-check-elimination.ts`,
    from: `  protected override enterLoop(loop: Loop): void {
    this.#forget(loop);`,
    to: `  protected override enterLoop(): void {`,
  },
  {
    name: 'bounds-check elimination: the last index is one too small',
    file: `${analysis}/index-groups.ts`,
    from: `? arithmetic('-', limit, int(1n, span))`,
    to: `? arithmetic('-', limit, int(2n, span))`,
  },
  {
    name: 'bounds-check elimination: any index behind a condition is taken to be in range',
    file: `${analysis}/index-groups.ts`,
    from: `else if (group !== undefined && group.low <= linear.offset && linear.offset <= group.high)`,
    to: `else if (group !== undefined)`,
  },
  {
    name: 'bounds-check elimination: the offset of an index is left out',
    file: `${analysis}/index-groups.ts`,
    from: `      if (linear.offset > group.high) group.high = linear.offset;`,
    to: ``,
  },
  {
    name: 'fixed matrices: a row that is stored is like all others',
    file: `${analysis}/fixed-matrices.ts`,
    from: `this.#swaps.has(node) ? this.#swapped : this.#otherRows,`,
    to: `this.#swapped,`,
  },
  {
    name: 'fixed matrices: a row that is resized is as long as all others',
    file: `${analysis}/fixed-matrices.ts`,
    from: `rootOf(other) === root || rootOf(other) === row`,
    to: `rootOf(other) === root`,
  },
  {
    name: 'fixed matrices: what a cast makes has rows of one length',
    file: `${analysis}/fixed-matrices.ts`,
    from: `if (isCopy(node)) this.#giveUp(node.type, node, () => this.#classes.of(fn, node));`,
    to: ``,
    isMissed: 'nests get their matrices from new; a cast gives rows of several lengths to a nest too seldom',
  },
  {
    name: 'exit-test replacement: an array is taken to end where the loop does',
    file: `${transform}/exit-test-replacement.ts`,
    from: `proviso: not(at(furthest, behind, furthest.high)) }`,
    to: `proviso: null }`,
  },
  {
    name: 'loop-invariant code motion: an array is hoisted though the loop resizes it',
    file: `${analysis}/counted-loops.ts`,
    from: `return array.type.kind === 'array' && !changes.mayResize(array);`,
    to: `return array.type.kind === 'array' && !changes.everything;`,
  },
  {
    name: 'array aliases: an array that another variable holds too is another',
    file: `${analysis}/array-aliases.ts`,
    from: `one.isUnknown || rootOf(one) === own`,
    to: `one.isUnknown`,
  },
  {
    name: 'counted loops: a limit moves to the other side with its sign',
    file: `${analysis}/moved-limits.ts`,
    from: `isPlus ? '-' : '+'`,
    to: `isPlus ? '+' : '-'`,
  },
  {
    name: 'induction variables: a variable that is set besides goes along',
    file: `${analysis}/induction-variables.ts`,
    from: `      sets.get(local) === steps.size &&`,
    to: ``,
  },
  {
    name: 'ranges: a difference is never negative',
    file: `${analysis}/ranges.ts`,
    from: `within(a.low - b.high, a.high - b.low)`,
    to: `within(larger(0n, a.low - b.high), larger(0n, a.high - b.low))`,
  },
  {
    name: 'alias classes: what a field is set to is another array',
    file: `${analysis}/alias-classes.ts`,
    from: `if (holdsArray(value.type)) unite(`,
    to: `if (holdsArray(value.type) && node.kind !== 'set-field') unite(`,
  },
  {
    name: 'int32 narrowing: any value is shifted to the right in 32 bits',
    file: `${transform}/int32-narrowing.ts`,
    from: `(!isLeft && !isWithin(ranges.of(fn, value), mask))`,
    to: `false`,
  },
  {
    name: 'character unboxing: no character is the character 0',
    file: `${transform}/character-unboxing.ts`,
    from: `?? -1)`,
    to: `?? 0)`,
  },
  {
    name: 'character unboxing: a text that is missing is missed by codeAt',
    file: `${transform}/character-unboxing.ts`,
    from: `isNeverNull(text)`,
    to: `isNeverNull(text) || true`,
  },
  {
    name: 'character unboxing: a character is a longer text',
    file: `${transform}/character-unboxing.ts`,
    from: `value: symbol === '!='`,
    to: `value: symbol === '=='`,
  },
  {
    name: 'character unboxing: texts are ordered the other way round',
    file: `${transform}/character-unboxing.ts`,
    from: `operands: [one, other] }`,
    to: `operands: [other, one] }`,
  },
  {
    name: 'inlining: a parameter that is set is replaced by its constant',
    file: 'src/4-optimise/inlined-calls.ts',
    from: `if (isConstant(argument)) return !sets.has(parameter);`,
    to: `if (isConstant(argument)) return true;`,
  },
  {
    name: 'inlining: a variable that a later argument sets replaces the parameter',
    file: 'src/4-optimise/inlined-calls.ts',
    from: `!areSet(argument.local, call.arguments.slice(index + 1))`,
    to: `!areSet(argument.local, [])`,
  },
  {
    name: 'inlining: the place of code that is inlined twice is that of the inner call',
    file: 'src/mir/clone.ts',
    from: `inlined === undefined ? { callee, at } : { ...inlined, at: place(inlined.at) }`,
    to: `inlined ?? { callee, at }`,
  },
  {
    name: 'partial inlining: what comes before the test sets what it reads',
    file: `${transform}/partial-inlining.ts`,
    from: `for (const local of localsSet(node)) parameters.delete(local);`,
    to: ``,
  },
  {
    name: 'partial inlining: the guard reads a field of what may be null',
    file: `${transform}/partial-inlining.ts`,
    from: `objects.add(node.object.local)`,
    to: `objects.has(node.object.local)`,
  },
  {
    name: 'inlining: an inlined call uses no fuel',
    file: 'src/4-optimise/inlined-calls.ts',
    from: `counts ? [{ kind: 'charge', units: int(1n, span), span }] : []`,
    to: `[]`,
  },
  {
    name: 'effects: push leaves the length of an array as it is',
    file: 'src/library/array.ts',
    from: `      resizes: ['this'],
      flows: ['this[] = item'],`,
    to: `      flows: ['this[] = item'],`,
  },
  {
    name: 'effects: what is pushed is not in the array',
    file: 'src/library/array.ts',
    from: `      flows: ['this[] = item'],`,
    to: ``,
  },
  {
    name: 'effects: pop gives what was never in the array',
    file: 'src/library/array.ts',
    from: `  resizes: ['this'],
  flows: ['result = this[]'],`,
    to: `  resizes: ['this'],`,
  },
  {
    name: 'depth: functions between recursive ones hand nothing on',
    file: `${transform}/depth.ts`,
    from: `analyses.get('recursion').betweenRecursion()`,
    to: `analyses.get('recursion').recursive()`,
    isMissed: 'how deep calls may nest is counted in bytes of frames, of which the interpreter knows nothing',
  },
  {
    name: 'fuel: functions that make calls do not poll',
    file: `${transform}/fuel.ts`,
    from: `hasCall ||= kind === 'call'`,
    to: `hasCall ||= kind === 'array-literal'`,
    isMissed:
      'what a program uses stays the same; only one that has no fuel left would go on, and all here have enough',
  },
  {
    name: 'loop fuel: loops that may fail are charged at their end',
    file: `${transform}/loop-fuel.ts`,
    from: `isSilent(effectsOf(node, registry))`,
    to: `isSilent({ ...effectsOf(node, registry), throws: false })`,
  },
  {
    name: 'strip-mining: variables that come towards each other meet where the second began',
    file: `${transform}/strip-mining.ts`,
    from: `    if (limitStep !== 0n) {
      const both`,
    to: `    if (limitStep > 9n) {
      const both`,
  },
  {
    name: 'peephole: remainders are masked whatever they are compared with',
    file: `${transform}/peephole.ts`,
    from: `right.kind !== 'int' || right.value !== 0n || left.kind`,
    to: `right.kind !== 'int' || left.kind`,
  },
  {
    name: 'continue elimination: what follows goes on behind a branch that continues',
    file: `${transform}/continue-elimination.ts`,
    from: `tail(ends(nodes, loop.id) ? nodes : [...nodes, ...rest], loop)`,
    to: `tail([...(ends(nodes, loop.id) ? nodes.slice(0, -1) : nodes), ...rest], loop)`,
  },
  {
    name: 'loop canonicalisation: a continue passes the step',
    file: `${transform}/loop-canonicalisation.ts`,
    from: ` || hasContinue(loop)) return loop;`,
    to: ` || hasContinue({ ...loop, body: [] })) return loop;`,
  },
  {
    name: 'loop outlining: what only the next call of the loop reads is not handed back',
    file: 'src/4-optimise/outlined-loops.ts',
    from: `isReadBehind(local) || needed.includes(local)`,
    to: `isReadBehind(local)`,
  },
  {
    name: 'loop extraction: what is read behind the loop alone is not handed back',
    file: `${transform}/loop-extraction.ts`,
    from: `(local) => behind.includes(local)`,
    to: `() => false`,
  },
  {
    name: 'string builder: a text that becomes null keeps what it was',
    file: `${transform}/string-builder.ts`,
    from: `arms: [{ condition: isNull, then: [take] }]`,
    to: `arms: [{ condition: isNull, then: [] }]`,
  },
  {
    name: 'array representation: arrays of arrays are never resized',
    file: `${transform}/array-representation.ts`,
    from: `if (type.kind === 'array') keys.add(`,
    to: `if (type.kind === 'array' && type.element.kind !== 'array') keys.add(`,
  },
  {
    name: 'if-conversion: a condition that changes something comes behind the values',
    file: `${transform}/if-conversion.ts`,
    from: `arePure([condition], registry) ||`,
    to: `true ||`,
  },
  {
    name: 'fuel: the call of an outlined loop is one of the script',
    file: `${transform}/fuel.ts`,
    from: `liveOuts === null ? [charge(1, span)`,
    to: `liveOuts !== undefined ? [charge(1, span)`,
  },
  {
    name: 'osr entries: a local is not kept in between',
    file: `${transform}/osr-entries.ts`,
    from: `live: this.#live.get(node.id)! }`,
    to: `live: this.#live.get(node.id)!.slice(1) }`,
  },
  {
    name: 'suspension: who calls what waits does not wait',
    file: `${transform}/suspension.ts`,
    from: `waits || [...calls].some((callee) => suspending.has(callee));`,
    to: `waits;`,
  },
  {
    name: 'effects: reverse leaves the elements where they are',
    file: 'src/library/array.ts',
    from: `    'int[] xs = [1, 2]; xs.reverse(); xs → [2,1]',
    { reads: ['this'], stores: ['this'],`,
    to: `    'int[] xs = [1, 2]; xs.reverse(); xs → [2,1]',
    { reads: ['this'],`,
  },
  {
    name: 'effects: positions are never negative',
    file: 'src/library/effects.ts',
    from: `positions = [-1n,`,
    to: `positions = [0n,`,
  },
  {
    name: 'scalar promotion: what is set is not stored behind the loop',
    file: `${transform}/scalar-promotion.ts`,
    from: `      if (isWritten) behind.push(`,
    to: `      if (places.size < 0) behind.push(`,
  },
  {
    name: 'dependences: two arrays of one class are never the same',
    file: `${analysis}/dependences.ts`,
    from: `  return differ(still.elements, other.elements, iterations);`,
    to: `  return 'never';`,
    isMissed: 'one loop must keep an element in place and store into the same array by a name that a call gave it',
  },
  {
    name: 'dependences: what stays is never among what the loop goes through',
    file: `${analysis}/dependences.ts`,
    from: `  return isOutside(still, b.offset, counted, span);`,
    to: `  return 'never';`,
  },
  {
    name: 'fixed matrices: a row that is stored is as long as the others',
    file: `${analysis}/fixed-matrices.ts`,
    from: `if (typeof target !== 'string' && value.type.kind === 'array')
        this.#add(`,
    to: `if (typeof target !== 'string' && value.type.kind === 'array' && node.span.start < 0)
        this.#add(`,
  },
  {
    name: 'owed fuel: branches that meet owe what they like',
    file: 'src/5-emit/owed-fuel.ts',
    from: `const rest = branch.meets ? branch.owed - owed : 0;`,
    to: `const rest = 0;`,
  },
  {
    name: 'owed fuel: what is paid is owed still',
    file: 'src/5-emit/owed-fuel.ts',
    from: `  if (pays) fb.owed = 0;`,
    to: ``,
  },
  {
    name: 'budget: a call does not give back its frame',
    file: 'src/5-emit/fuel.ts',
    from: `return fb.module.i64.add(readBudget(fb), fb.module.local.get(fb.frameLocal, i64));`,
    to: `return readBudget(fb);`,
    isMissed: 'thousands of recursive calls must return, one after another',
  },
  ...nestMutants,
  ...rangeMutants,
  ...reductionMutants,
  ...peelingMutants,
  ...numberMutants,
  ...scratchMutants,
  ...structMutants,
  ...elementMutants,
  ...structArrayMutants,
  ...intervalMutants,
  ...pivotMutants,
  ...recurrenceMutants,
  ...boundMutants,
  ...narrowMutants,
  ...subscriptMutants,
  ...stackMutants,
  ...interleavingMutants,
];
