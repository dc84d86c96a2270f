// Element narrowing: arrays of ints that are never large have elements of 8, 16 or 32 bits, so that caches hold more of
// them, and new ones take less memory to clear.
//
//   int[] bytes, int[] from      u8[] bytes, u32[] from
//   bytes[i] = (x & 255)         bytes[i] = (x & 255)
//   from[i] = i                  from[i] = i
//
// All arrays that may be one have elements of one size, the least in which all that is ever stored has room. What is read
// is an int of 64 bits as before, and the memory that a script is charged for stays that of such ints.
//
// Applies to arrays in variables, parameters, results, globals and other arrays. Does not apply to what may be resized, is
// in a struct or json, comes from the host or goes there, nor to what library functions copy or join.
//
// Source: Stephenson, Babb, Amarasinghe, "Bitwidth Analysis with Application to Silicon Compilation" (PLDI 2000).

import { arrayOf } from '../../language/types.ts';
import type { IntStorage, Type } from '../../language/types.ts';
import { nodesOf, partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { LibraryCall } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { elementsOf, rootOf } from '../analysis/alias-classes.ts';
import type { ArrayClass } from '../analysis/alias-classes.ts';
import { functionsOf } from '../analysis/analyses.ts';
import { arrayGivers, arrayTakers } from '../analysis/exposure.ts';
import type { Range, Ranges } from '../analysis/ranges.ts';
import type { Pass } from '../pass.ts';
import { functionsOfAnyArray, withArrayTypes } from '../retyped-arrays.ts';

export const elementNarrowing: Pass = {
  name: 'element-narrowing',
  summary: 'arrays of small ints have elements of 8, 16 or 32 bits',
  isRequired: false,
  keeps: ['recursion', 'ranges'],
  run: (program, context) =>
    functionsOf(program).some(makesInts) ? new Narrowing(program, context.analyses.get('ranges')).run() : program,
};

/** Whether the function makes an array of ints, or one of such arrays. */
function makesInts(fn: MirFunction): boolean {
  let makes = false;
  visitAll(nodesOf(fn), (node) => {
    makes ||= (node.kind === 'new-array' || node.kind === 'array-literal') && isOfInts(node.type);
  });
  return makes;
}

function isOfInts(type: Type): boolean {
  return type.kind === 'array' && (type.element.kind === 'int' || isOfInts(type.element));
}

/** What is small, with the numbers that have room, the least room first. */
const storages: readonly (readonly [IntStorage, Range])[] = [
  ['u8', { low: 0n, high: (1n << 8n) - 1n }],
  ['u16', { low: 0n, high: (1n << 16n) - 1n }],
  ['u32', { low: 0n, high: (1n << 32n) - 1n }],
  ['i32', { low: -(1n << 31n), high: (1n << 31n) - 1n }],
];

/** Rows that are compared with others have to be alike. */
function takesAny({ function: id, arguments: given }: LibraryCall): boolean {
  return functionsOfAnyArray.has(id) && (id === 'T[].fill' || !given.slice(1).some(({ type }) => isOfInts(type)));
}

class Narrowing {
  readonly #program: MirProgram;
  readonly #ranges: Ranges;
  /** Arrays that are seen by somebody who takes an int for 64 bits. */
  readonly #wide = new Set<ArrayClass>();

  constructor(program: MirProgram, ranges: Ranges) {
    this.#program = program;
    this.#ranges = ranges;
    const exported = new Set(program.exports.map(({ function: id }) => id));
    for (const fn of functionsOf(program)) {
      if (exported.has(fn.id)) this.#giveUp(fn.returns, this.#ranges.arrays.at(`return ${fn.id}`));
      visitAll(nodesOf(fn), (node) => this.#note(fn, node));
    }
  }

  run(): MirProgram {
    return withArrayTypes(this.#program, this.#ranges.arrays, (type, of) => this.#narrowed(type, of));
  }

  /** Gives up the arrays that the node takes or gives, where these have to be as they are. */
  #note(fn: MirFunction, node: Node): void {
    const { arrays } = this.#ranges;
    if ('type' in node && isOfInts(node.type) && !arrayGivers.has(node.kind))
      this.#giveUp(node.type, arrays.of(fn, node));
    if (node.kind === 'call' && !this.#program.functions.has(node.function))
      this.#giveUp(node.type, arrays.of(fn, node));
    const isCallThat = node.kind === 'library-call' && takesAny(node);
    const isInside = node.kind === 'call' && this.#program.functions.has(node.function);
    if (isCallThat || isInside || (node.kind !== 'call' && arrayTakers.has(node.kind))) return;
    for (const part of partsOf(node))
      if ('type' in part && isOfInts(part.type)) this.#giveUp(part.type, arrays.of(fn, part));
  }

  #giveUp(type: Type, of: ArrayClass): void {
    if (type.kind !== 'array') return;
    this.#wide.add(rootOf(of));
    if (type.element.kind === 'array') this.#giveUp(type.element, elementsOf(of));
  }

  /** The type with elements as small as can be; `of` gives the class of its arrays. */
  #narrowed(type: Type, of: () => ArrayClass): Type {
    if (!isOfInts(type)) return type;
    const { element } = type as Type & { readonly kind: 'array' };
    if (element.kind === 'array') {
      const inner = this.#narrowed(element, () => elementsOf(of()));
      return inner === element ? type : arrayOf(inner);
    }
    const storage = this.#storageOf(of());
    return storage === null ? type : arrayOf({ kind: 'int', storage });
  }

  #storageOf(array: ArrayClass): IntStorage | null {
    if (this.#wide.has(rootOf(array))) return null;
    const { low, high } = this.#ranges.ofElements(array);
    return storages.find(([, room]) => room.low <= low && high <= room.high)?.[0] ?? null;
  }
}
