// Scalar replacement of structs: a struct that a variable alone holds, and that nobody sees but by its fields, becomes a
// variable for each field. So small functions from structs to structs, once they are inlined, make no objects.
//
//   oc = {x: (a.x - b.x), y: (a.y - b.y)}          oc.x = (a.x - b.x)
//   d = ((oc.x * oc.x) + (oc.y * oc.y))            oc.y = (a.y - b.y)
//                                                  d = ((oc.x * oc.x) + (oc.y * oc.y))
//
// Applies to variables that are set to nothing but struct literals, and to each other. Where one is set to another, no
// field of either is set by itself: it would be set in both.
//
// Fields are set through temporaries where setting one could be seen: by a literal that reads the variable, or by a clause
// behind a literal that fails.
//
// Source: scalar replacement of aggregates, Muchnick, "Advanced Compiler Design and Implementation", 12.2; the objects
// are those that escape analysis finds, Choi et al., "Escape Analysis for Java" (1999), for variables that are never
// merged with others.

import { getLocal } from '../../mir/builders.ts';
import { nodesOf, visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { arePure } from '../../mir/effects.ts';
import { isGet } from '../../mir/locals.ts';
import type { Expression, LocalId, Statement, StructId, StructLiteral } from '../../mir/mir.ts';
import type { Local, MirFunction, Struct } from '../../mir/program.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import type { Span } from '../../source.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const structReplacement: Pass = {
  name: 'struct-replacement',
  summary: 'structs that nobody sees but by their fields are variables, one for each field',
  isRequired: false,
  keeps: ['recursion'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) => {
      if (!fn.body.some(makesStruct)) return fn;
      const direct = withoutAliases(fn);
      const found = findReplaceable(direct);
      return found.size === 0 ? fn : new Replacement(direct, found, program.structs, program.registry).run();
    }),
};

function makesStruct(node: Statement): boolean {
  let makes = false;
  visitAll([node], ({ kind }) => void (makes ||= kind === 'struct-literal'));
  return makes;
}

/**
 * The function without what `v.f += 1` begins with, `$object = v`, where the next statement alone reads `$object`, and
 * does not set `v`: it is `v` itself.
 */
export function withoutAliases(fn: MirFunction): MirFunction {
  const reads = countReads(nodesOf(fn));
  const body = rewriteBlocks(fn.body, (block) =>
    block.flatMap((node, index) => {
      if (aliased(node, block[index + 1], reads) !== null) return [];
      const before = block[index - 1];
      const alias = before === undefined ? null : aliased(before, node, reads);
      return alias === null
        ? [node]
        : rewriteExpressions([node], (part) => (isGet(part, alias.local) ? alias.value : part));
    }),
  );
  return { ...fn, body };
}

/** What a statement sets to a variable that the next one reads alone. */
function aliased(
  node: Statement,
  next: Statement | undefined,
  reads: ReadonlyMap<LocalId, number>,
): { readonly local: LocalId; readonly value: Expression } | null {
  if (node.kind !== 'set-local' || node.value.kind !== 'get-local' || node.value.type.kind !== 'struct') return null;
  const { local, value } = node;
  if (next?.kind !== 'set-field' || countReads([next]).get(local) !== reads.get(local)) return null;
  let isSet = false;
  visitAll([next], (part) => void (isSet ||= part.kind === 'set-local'));
  return isSet || value.local === local ? null : { local, value };
}

function countReads(nodes: readonly Node[]): ReadonlyMap<LocalId, number> {
  const reads = new Map<LocalId, number>();
  visitAll(nodes, (node) => {
    if (node.kind === 'get-local') reads.set(node.local, (reads.get(node.local) ?? 0) + 1);
  });
  return reads;
}

/** What is done with a variable that may hold a struct. */
interface Uses {
  readonly values: Expression[];
  /** How often it is read, and how often of these for one of its fields or to set another variable. */
  reads: number;
  fields: number;
  readonly copies: LocalId[];
  /** Whether a field is set by itself. */
  isChanged: boolean;
}

/** The variables that are replaced, each with its struct. */
function findReplaceable(fn: MirFunction): ReadonlyMap<LocalId, StructId> {
  const uses = usesOf(fn);
  const found = new Map<LocalId, StructId>();
  for (const local of uses.keys()) {
    const { type } = fn.locals[local]!;
    if (type.kind === 'struct') found.set(local, type.id);
  }
  const isReplaceable = (local: LocalId): boolean => {
    const { values, reads, fields, copies, isChanged } = uses.get(local)!;
    const others = [
      ...values.flatMap(leaves).flatMap((leaf) => (leaf.kind === 'get-local' ? [leaf.local] : [])),
      ...copies,
    ];
    const areAll = values.flatMap(leaves).every((leaf) => leaf.kind === 'struct-literal' || leaf.kind === 'get-local');
    const areOne = others.every((other) => other !== local && found.has(other));
    return (
      values.length > 0 && areAll && areOne && reads === fields + copies.length && (others.length === 0 || !isChanged)
    );
  };
  // What is set to a variable that stays an object, or sets one, stays one too.
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const local of found.keys()) if (!isReplaceable(local)) found.delete(local);
  }
  return found;
}

/** What a value is in the end, on each way. */
function leaves(value: Expression): readonly Expression[] {
  if (value.kind === 'sequence') return leaves(value.value);
  return value.kind === 'conditional' ? [...leaves(value.then), ...leaves(value.otherwise)] : [value];
}

function usesOf(fn: MirFunction): ReadonlyMap<LocalId, Uses> {
  const uses = new Map<LocalId, Uses>();
  const parameters = new Set(fn.parameters.map(({ local }) => local));
  for (const [local, { type }] of fn.locals.entries())
    if (type.kind === 'struct' && !parameters.has(local))
      uses.set(local, { values: [], reads: 0, fields: 0, copies: [], isChanged: false });
  if (uses.size === 0) return uses;
  visitAll(nodesOf(fn), (node) => {
    if (node.kind === 'get-local') {
      const of = uses.get(node.local);
      if (of !== undefined) of.reads += 1;
    } else if (node.kind === 'set-local') {
      uses.get(node.local)?.values.push(node.value);
      for (const leaf of leaves(node.value))
        if (leaf.kind === 'get-local') uses.get(leaf.local)?.copies.push(node.local);
    } else if ((node.kind === 'get-field' || node.kind === 'set-field') && node.object.kind === 'get-local') {
      const of = uses.get(node.object.local);
      if (of === undefined) return;
      of.fields += 1;
      of.isChanged ||= node.kind === 'set-field';
    }
  });
  return uses;
}

function catches({ body }: MirFunction): boolean {
  let found = false;
  visitStatements(body, ({ kind }) => (found ||= kind === 'try'));
  return found;
}

function readsOne(value: Expression, locals: readonly LocalId[]): boolean {
  let found = false;
  visitAll([value], (node) => void (found ||= node.kind === 'get-local' && locals.includes(node.local)));
  return found;
}

type SetLocal = Statement & { readonly kind: 'set-local' };

class Replacement {
  readonly #fn: MirFunction;
  readonly #found: ReadonlyMap<LocalId, StructId>;
  readonly #structs: ReadonlyMap<StructId, Struct>;
  readonly #registry: LibraryRegistry;
  readonly #locals: Local[];
  /** Whether a clause of the function may see what there was before a failure. */
  readonly #catches: boolean;
  /** The variables of the fields, by the variable that held the struct. */
  readonly #fields = new Map<LocalId, readonly LocalId[]>();

  constructor(
    fn: MirFunction,
    found: ReadonlyMap<LocalId, StructId>,
    structs: ReadonlyMap<StructId, Struct>,
    registry: LibraryRegistry,
  ) {
    this.#fn = fn;
    this.#found = found;
    this.#structs = structs;
    this.#registry = registry;
    this.#locals = fn.locals.slice();
    this.#catches = catches(fn);
    for (const [local, struct] of found) this.#fields.set(local, this.#declare(local, struct, ''));
  }

  run(): MirFunction {
    const body = rewriteExpressions(
      this.#fn.body,
      (node) => {
        if (node.kind !== 'get-field' || node.object.kind !== 'get-local') return node;
        const fields = this.#fields.get(node.object.local);
        return fields === undefined ? node : getLocal(fields[node.field]!, node.type, node.span);
      },
      (node) => {
        if (node.kind === 'set-field' && node.object.kind === 'get-local') {
          const local = this.#fields.get(node.object.local)?.[node.field];
          return local === undefined ? node : { kind: 'set-local', local, value: node.value, span: node.span };
        }
        if (node.kind !== 'set-local' || !this.#found.has(node.local)) return node;
        return { kind: 'block', statements: this.#set(node, node.value), span: node.span };
      },
    );
    return { ...this.#fn, locals: this.#locals, body };
  }

  /** A variable for each field. */
  #declare(local: LocalId, struct: StructId, prefix: string): readonly LocalId[] {
    const { name } = this.#locals[local]!;
    return this.#structs
      .get(struct)!
      .fields.map(
        (field) =>
          this.#locals.push({ name: `${prefix}${name}.${field.name}`, type: field.type, origin: 'temporary' }) - 1,
      );
  }

  /** Sets the fields of a variable to those of a value. */
  #set(node: SetLocal, value: Expression): readonly Statement[] {
    const { local, span } = node;
    if (value.kind === 'sequence') return [...value.statements, ...this.#set(node, value.value)];
    if (value.kind === 'conditional') {
      const arms = [{ condition: value.condition, then: this.#set(node, value.then) }];
      return [{ kind: 'if', arms, otherwise: this.#set(node, value.otherwise), span }];
    }
    if (value.kind === 'get-local') {
      const from = this.#fields.get(value.local)!;
      return this.#fields.get(local)!.map((to, index) => this.#copy(to, from[index]!, span));
    }
    if (value.kind !== 'struct-literal') throw new Error(`${value.kind} makes no struct`);
    return this.#setEach(local, value);
  }

  #copy(to: LocalId, from: LocalId, span: Span): Statement {
    return { kind: 'set-local', local: to, value: getLocal(from, this.#locals[from]!.type, span), span };
  }

  #setEach(local: LocalId, { fields: values, struct, span }: StructLiteral): readonly Statement[] {
    const fields = this.#fields.get(local)!;
    const set = (to: readonly LocalId[]): readonly Statement[] =>
      values.map(({ field, value }) => ({ kind: 'set-local', local: to[field]!, value, span }));
    // Its fields have been rewritten to their variables by now.
    const isSeen = values.some(
      ({ value }, index) =>
        index > 0 && ((this.#catches && !arePure([value], this.#registry)) || readsOne(value, fields)),
    );
    if (!isSeen) return set(fields);
    const temporaries = this.#declare(local, struct, '$');
    return [...set(temporaries), ...fields.map((to, index) => this.#copy(to, temporaries[index]!, span))];
  }
}
