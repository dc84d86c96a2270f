// Structures of arrays: an array of structs becomes an array for each field, so that no struct is allocated where one is
// stored, elements lie side by side, and the passes for loops find arrays of numbers.
//
//   ps = [{x: 1.0, y: 2.0}]                       ps = {x: [1.0], y: [2.0]}
//   ps[i] = {x: (ps[j].x + dx), y: 0.0}           x = (ps.x[j] + dx);  ps.x[i] = x;  ps.y[i] = 0.0
//
// A struct of the field arrays takes the place of the array wherever it goes: in variables, parameters, results, fields
// and other arrays. An element that is read as a whole is a new struct, most of which struct-replacement removes.
//
// Applies to the arrays of analysis/splittable-arrays.ts. Does not apply to those of a struct of which more would be
// allocated then, since whole elements are handed on in loops.
//
// Source: structure peeling; Hundt, Mannarswamy, Chakrabarti, "Practical Structure Layout Optimization and Advice"
// (CGO 2006).

import { arrayOf } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { visitWithLoops, nodesOf } from '../../mir/children.ts';
import type { Expression, StructId } from '../../mir/mir.ts';
import type { Field, MirFunction, MirProgram, Struct } from '../../mir/program.ts';
import { elementsOf, rootOf } from '../analysis/alias-classes.ts';
import type { ArrayClass } from '../analysis/alias-classes.ts';
import { functionsOf } from '../analysis/analyses.ts';
import { fieldKey, localKey } from '../analysis/assignments.ts';
import { SplittableArrays } from '../analysis/splittable-arrays.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext } from '../pass.ts';
import { splitAccesses } from './split-accesses.ts';
import type { SplitArrays } from './split-accesses.ts';
import { structReplacement, withoutAliases } from './struct-replacement.ts';

export const structureOfArrays: Pass = {
  name: 'structure-of-arrays',
  summary: 'an array of structs is an array for each field, where nobody can tell',
  isRequired: false,
  keeps: ['recursion'],
  run: (given, context) => {
    if (!hasArraysOfStructs(given)) return given;
    const program = mapFunctions(given, context, withoutAliases);
    const splittable = new SplittableArrays(program);
    const made = countMade(program, context);
    const kept = new Set<StructId>();
    for (;;) {
      const split = new FieldArrays(program, splittable, kept).run(context);
      if (split === program) return given;
      const more = [...countMade(split, context)].filter(
        ([id, count]) => program.structs.has(id) && count > (made.get(id) ?? 0),
      );
      if (more.length === 0) return split;
      for (const [id] of more) kept.add(id);
    }
  },
};

function hasArraysOfStructs(program: MirProgram): boolean {
  const holders = [
    ...functionsOf(program).flatMap(({ locals }) => locals),
    ...program.globals.values(),
    ...[...program.structs.values()].flatMap(({ fields }) => fields),
  ];
  return holders.some(({ type }) => isOfStructs(type));
}

function isOfStructs(type: Type): boolean {
  return type.kind === 'array' && (type.element.kind === 'struct' || isOfStructs(type.element));
}

/** How often literals of each struct are evaluated behind struct replacement: ten times as often in each loop. */
function countMade(program: MirProgram, context: PassContext): ReadonlyMap<StructId, number> {
  const made = new Map<StructId, number>();
  for (const fn of functionsOf(structReplacement.run(program, context)))
    visitWithLoops(nodesOf(fn), (node, loops) => {
      if (node.kind === 'struct-literal') made.set(node.struct, (made.get(node.struct) ?? 0) + 10 ** loops);
    });
  return made;
}

/** The structs that take the place of arrays, and the program with them. */
class FieldArrays implements SplitArrays {
  readonly #program: MirProgram;
  readonly #splittable: SplittableArrays;
  /** Structs whose arrays stay as they are. */
  readonly #kept: ReadonlySet<StructId>;
  readonly #structs = new Map<ArrayClass, Struct>();

  constructor(program: MirProgram, splittable: SplittableArrays, kept: ReadonlySet<StructId>) {
    this.#program = program;
    this.#splittable = splittable;
    this.#kept = kept;
  }

  run(context: PassContext): MirProgram {
    const { arrays } = this.#splittable;
    const globals = new Map(
      [...this.#program.globals].map(([id, global]) => {
        const type = this.#typed(global.type, () => arrays.at(`global ${id}`));
        if (type === global.type) return [id, global];
        const { value } = global;
        return [id, { ...global, type, value: value?.kind === 'null' ? { ...value, type } : value }];
      }),
    );
    const structs = new Map([...this.#program.structs].map(([id, struct]) => [id, this.#withTypes(struct)]));
    const changed = mapFunctions({ ...this.#program, globals }, context, (fn) =>
      splitAccesses(this.#declared(fn), fn, this, this.#program.registry),
    );
    if (this.#structs.size === 0) return this.#program;
    for (const struct of this.#structs.values()) structs.set(struct.id, struct);
    return { ...changed, structs };
  }

  structFor(fn: MirFunction, array: Expression): Struct | null {
    return this.#structOf(array.type, () => this.#splittable.arrays.of(fn, array));
  }

  typeOf(fn: MirFunction, node: Expression): Type {
    return this.#typed(node.type, () => this.#splittable.arrays.of(fn, node));
  }

  isChanged(struct: StructId): boolean {
    return this.#splittable.isChanged(struct);
  }

  fieldTypes(struct: StructId): readonly Type[] {
    return this.#withTypes(this.#program.structs.get(struct)!).fields.map(({ type }) => type);
  }

  /** The struct of the field arrays, of arrays that are split; null for all others. */
  #structOf(type: Type, array: () => ArrayClass): Struct | null {
    const struct = this.#splittable.structOf(type, array);
    if (struct === null || this.#kept.has(struct.id)) return null;
    const own = rootOf(array());
    const known = this.#structs.get(own);
    if (known !== undefined) return known;
    const { module, span } = struct;
    const fields: Field[] = [];
    const id = `${struct.id} field arrays ${this.#structs.size}`;
    const made: Struct = { id, module, name: `${struct.name}Arrays`, span, fields };
    // Known before its fields are, one of which may be such an array.
    this.#structs.set(own, made);
    for (const field of this.#withTypes(struct).fields) fields.push({ name: field.name, type: arrayOf(field.type) });
    return made;
  }

  /** The type of what holds an array of the class, or an array with such arrays in it. */
  #typed(type: Type, array: () => ArrayClass): Type {
    if (type.kind !== 'array') return type;
    const struct = this.#structOf(type, array);
    if (struct !== null) return { kind: 'struct', id: struct.id, module: struct.module, name: struct.name };
    const element = this.#typed(type.element, () => elementsOf(array()));
    return element === type.element ? type : arrayOf(element);
  }

  #withTypes(struct: Struct): Struct {
    const { arrays } = this.#splittable;
    const fields = struct.fields.map((field, index) => {
      const type = this.#typed(field.type, () => arrays.at(fieldKey(struct.id, index)));
      return type === field.type ? field : { ...field, type };
    });
    return { ...struct, fields };
  }

  #declared(fn: MirFunction): MirFunction {
    const { arrays } = this.#splittable;
    const locals = fn.locals.map((local, at) => {
      const type = this.#typed(local.type, () => arrays.at(localKey(fn.id, at)));
      return type === local.type ? local : { ...local, type };
    });
    return { ...fn, locals, returns: this.#typed(fn.returns, () => arrays.at(`return ${fn.id}`)) };
  }
}
