// Faults in arrays on the stack: which lie there, how long, and where their elements are.

import type { Mutant } from './mutants.ts';

const stack = 'src/5-emit/stack.ts';
const arrays = 'src/5-emit/stack-arrays.ts';
const shared = 'src/mir/stack.ts';
const lifetimes = 'src/4-optimise/analysis/array-lifetimes.ts';
const pass = 'src/4-optimise/transform/stack-allocation.ts';

export const stackMutants: readonly Mutant[] = [
  {
    name: 'stack: new arrays have what was there before',
    file: stack,
    from: `m.i32.lt_u(readAddress(), clean())`,
    to: `m.i32.gt_u(readAddress(), clean())`,
  },
  {
    name: 'stack: nests copy over the arrays',
    file: 'src/5-emit/intrinsics.ts',
    from: `fb.emitter.hasStack ? fb.module.i64.extend_u(emitStackPointer(fb.emitter)) : fb.module.i64.const(0n),`,
    to: `fb.module.i64.const(0n),`,
    isMissed: 'there is a page in front of the arrays, and copies in small programs are smaller',
  },
  {
    name: 'stack: what a nest has copied behind the arrays counts as clean',
    file: 'src/5-emit/scratch.ts',
    from: `[emitMarkWritten(fb.emitter, read), m.i32.const(1)]`,
    to: `[m.i32.const(1)]`,
  },
  {
    name: 'stack: what a function returns is taken off',
    file: 'src/5-emit/function-builder.ts',
    from: `return this.emitter.putsOnStack(target) && target.fn.leavesOnStack !== true`,
    to: `return this.emitter.putsOnStack(target)`,
  },
  {
    name: 'stack: ints of one and two bytes are where nests have theirs',
    file: shared,
    from: `return isOnStack(element) && bytesOnStack(element) === bytesOf(storageIn(element));`,
    to: `return isOnStack(element);`,
  },
  {
    name: 'stack: rows are as far apart as their elements are long',
    file: arrays,
    from: `m.i64.const(BigInt(2 * headerBytes - 1))`,
    to: `m.i64.const(BigInt(headerBytes - 1))`,
  },
  {
    name: 'stack: rows of rows are as far apart as rows',
    file: arrays,
    from: `m.i32.shl(depth, m.i32.const(Math.log2(headerBytes)))`,
    to: `m.i32.shl(depth, m.i32.const(0))`,
  },
  {
    name: 'stack: a nest begins at the header of the first row',
    file: 'src/4-optimise/nests/packing.ts',
    from: `const headers = isFlat(array) ? 1 : array.dimensions;`,
    to: `const headers = 1;`,
  },
  {
    name: 'stack: ints of four bytes have a sign',
    file: arrays,
    from: `return storageIn(element) === 'i32'`,
    to: `return storageIn(element) !== 'u8'`,
  },
  {
    name: 'stack allocation: rows that are stored may be anywhere',
    file: pass,
    from: `if ((isTaking || isInside || isPlain) && !storesRow) return;`,
    to: `if (isTaking || isInside || isPlain) return;`,
  },
  {
    name: 'stack allocation: what is made in a try is there in its clause',
    file: lifetimes,
    from: `if (isInTry) return false;`,
    to: ``,
  },
  {
    name: 'stack allocation: what the next iteration reads is gone',
    file: lifetimes,
    from: `(this.#liveIn(fn).get(loop) ?? []).every((local) => !reached.has(localKey(fn.id, local))),`,
    to: `true,`,
  },
  {
    name: 'stack allocation: what is handed on by another variable is gone',
    file: 'src/4-optimise/analysis/array-flow.ts',
    from: `for (const place of reached) for`,
    to: `for (const place of [] as string[]) for`,
  },
  {
    name: 'stack allocation: what a function replaces in a global is gone',
    file: lifetimes,
    from: `return loops.length === 0 && this.#seldom.has(fn);`,
    to: `return loops.length === 0;`,
  },
  {
    name: 'stack allocation: what a function in a try gives a global is gone behind its clause',
    file: lifetimes,
    from: `.filter(({ id }) => !inTries.has(id))`,
    to: ``,
  },
  {
    name: 'stack allocation: what a function gives a global is taken off behind it',
    file: lifetimes,
    from: `(this.#givers.has(id) && isOnStack(returns)) || this.#keepers.has(id);`,
    to: `this.#givers.has(id) && isOnStack(returns);`,
  },
  {
    name: 'stack allocation: a global is an array before it is set',
    file: pass,
    from: `this.#placed(type, own) !== type && !lifetimes.isSetFirst(id)`,
    to: `false`,
  },
  {
    name: 'stack: an iteration takes off what was there before the loop',
    file: 'src/5-emit/loops.ts',
    from: `[...emitBeforeBody(fb, node, save), ...emitArrival(fb, node), iterations]`,
    to: `[...emitArrival(fb, node), iterations]`,
  },
  {
    name: 'stack: what an outlined loop gives back is taken off',
    file: 'src/5-emit/loop-outlining.ts',
    from: `leavesOnStack(outlined, fb.instance.fn.locals) && fb.emitter.putsOnStack(target)`,
    to: `false`,
  },
  {
    name: 'stack: a loop that is entered again takes off what its iteration has made',
    file: 'src/5-emit/osr.ts',
    from: `...(context.savedStack === null ? [] : [context.savedStack]),`,
    to: ``,
  },
  {
    name: 'stack allocation: a null may be among them',
    file: pass,
    from: `= new Set(['null']);`,
    to: `= new Set([]);`,
  },
  {
    name: 'stack: the last elements are not filled',
    file: arrays,
    from: `repeat('rest', size, store()),`,
    to: `m.nop(),`,
  },
  {
    name: 'stack arrays: their elements are other numbers than those of rows',
    file: 'src/language/types.ts',
    from: `return values.get(element.kind) ?? element;`,
    to: `return element.kind === 'int' ? intType : element;`,
  },
];
