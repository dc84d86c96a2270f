// Limits of loops that stay the same though they are no plain numbers: sums with the length of an array, the length of a
// row, an element of an array that the loop does not set. They may fail, but at the first test of the condition or never.

import type { Expression, Loop } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { typeKey } from '../../language/types.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf } from '../../mir/effects.ts';
import { isUnchanged } from './access-paths.ts';
import { ArrayClasses, rootOf } from './alias-classes.ts';
import { functionsOf } from './analyses.ts';
import { isSizeUnchanged } from './counted-loops.ts';
import type { Changes } from './mod-ref.ts';

/** Nobody writes longer ones. */
const deepest = 8;

const lengths = new Set(['T[].length', 'string.length']);
/** Of ints alone, and never wrong. */
const choices = new Set(['int.min', 'int.max']);

export class InvariantLimits {
  readonly #program: MirProgram;
  /** Made where elements are compared with what a loop sets. */
  #classes: ArrayClasses | null = null;

  constructor(program: MirProgram) {
    this.#program = program;
  }

  /** Whether the int is the same at every test of the condition of a loop with these changes, and has no effect. */
  isInvariant(node: Expression, loop: Loop, fn: MirFunction, changes: Changes, depth = 0): boolean {
    if (depth > deepest || changes.everything) return false;
    const stays = (part: Expression): boolean => this.isInvariant(part, loop, fn, changes, depth + 1);
    if (isUnchanged(node, changes)) return true;
    if (node.kind === 'operate') {
      const { writes, calls, allocates, charges } = effectsOf(node, this.#program.registry);
      const isPlain = node.type.kind === 'int' && writes.length === 0 && calls === null && !allocates && !charges;
      return isPlain && node.operands.every(stays);
    }
    if (node.kind === 'library-call') {
      if (choices.has(node.function)) return node.arguments.every(stays);
      const [array] = node.arguments;
      return lengths.has(node.function) && isSizeUnchanged(array!, changes) && stays(array!);
    }
    return node.kind === 'get-element' && stays(node.array) && stays(node.index) && !this.#maySet(node, loop, fn);
  }

  /** Whether something in the loop may set an element of the array. */
  #maySet(node: Expression & { readonly kind: 'get-element' }, loop: Loop, fn: MirFunction): boolean {
    const classes = (this.#classes ??= this.#findClasses());
    const own = classes.of(fn, node.array);
    if (own.isUnknown) return true;
    const kind = typeKey(node.type);
    let may = false;
    visitAll([loop], (part: Node) => {
      const { writes, calls } = effectsOf(part, this.#program.registry);
      may ||= calls !== null;
      if (may || !writes.some((place) => place.kind === 'contents')) return;
      if (part.kind !== 'set-element') may = true;
      else if (typeKey(part.value.type) === kind) {
        const other = classes.of(fn, part.array);
        may = other.isUnknown || rootOf(other) === rootOf(own);
      }
    });
    return may;
  }

  #findClasses(): ArrayClasses {
    const classes = new ArrayClasses(this.#program, functionsOf(this.#program));
    classes.complete();
    return classes;
  }
}
