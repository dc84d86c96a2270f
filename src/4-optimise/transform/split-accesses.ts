// The accesses of a function to arrays of structs that become structs of field arrays (structure-of-arrays.ts): each
// becomes an access to every one of the arrays, or to that of the field that is asked for.

import type { Type } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { getLocal } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { arePure, every } from '../../mir/effects.ts';
import { isConstant } from '../../mir/kinds.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Expression, GetElement, LibraryCall, LocalId, SetField, Statement, StructId } from '../../mir/mir.ts';
import type { Local, MirFunction, Struct } from '../../mir/program.ts';
import { rewriteDefaults, rewriteExpressions } from '../../mir/rewrite.ts';
import type { Span } from '../../source.ts';
import { findCursors } from '../analysis/element-cursors.ts';
import type { Cursor } from '../analysis/element-cursors.ts';
import { columnsOf } from '../analysis/splittable-arrays.ts';

/** Which arrays are split, and what type a place has then that had the type. */
export interface SplitArrays {
  /** The struct of the field arrays, if the expression of the function gives an array that is split. */
  readonly structFor: (fn: MirFunction, array: Expression) => Struct | null;
  /** The type that an expression of the function has then. */
  readonly typeOf: (fn: MirFunction, node: Expression) => Type;
  /** Whether a field of such a struct is set by itself: then a variable with an element is a cursor. */
  readonly isChanged: (struct: StructId) => boolean;
  /** The types that the fields of a struct have then. */
  readonly fieldTypes: (struct: StructId) => readonly Type[];
}

/** The function with its accesses rewritten; `declared` has the new types of its locals already. */
export function splitAccesses(
  declared: MirFunction,
  original: MirFunction,
  arrays: SplitArrays,
  registry: LibraryRegistry,
): MirFunction {
  return new Splitting(declared, original, arrays, registry).run();
}

/** A value that can be evaluated several times, behind statements that are executed first. */
interface Repeatable {
  readonly before: readonly Statement[];
  readonly value: Expression;
}

/** Where an element lies: the struct of the field arrays, and an index, which can be evaluated several times. */
interface Place {
  readonly array: Expression;
  readonly index: Expression;
  readonly struct: Struct;
  readonly checked: boolean;
  readonly span: Span;
}

/** The fields of a struct by their indices, behind statements that work them out. */
interface FieldValues {
  readonly before: readonly Statement[];
  readonly fields: readonly Expression[];
}

/** Larger ones are worked out once. */
const largestRepeated = 5;

class Splitting {
  readonly #fn: MirFunction;
  readonly #original: MirFunction;
  readonly #arrays: SplitArrays;
  readonly #registry: LibraryRegistry;
  readonly #locals: Local[];
  readonly #cursors: ReadonlyMap<LocalId, Cursor>;
  /** Elements that are read as a whole: who asks for one of their fields needs no other. */
  readonly #elements = new WeakMap<Expression, Place>();
  /** The elements that cursors stand for, by the locals of these. */
  readonly #places = new Map<LocalId, Place>();
  /** Of each array that a foreach goes through, its field arrays: loops test an index against one in a variable. */
  readonly #walked = new Map<LocalId, readonly LocalId[]>();

  constructor(declared: MirFunction, original: MirFunction, arrays: SplitArrays, registry: LibraryRegistry) {
    this.#fn = declared;
    this.#original = original;
    this.#arrays = arrays;
    this.#registry = registry;
    this.#locals = [...declared.locals];
    this.#cursors = findCursors(original);
  }

  run(): MirFunction {
    const change = (node: Expression, original: Expression): Expression =>
      this.#access(node, original) ?? this.#typed(node, original);
    const { parameters } = rewriteDefaults(this.#fn, change);
    const body = rewriteExpressions(this.#fn.body, change, (node, original) => this.#statement(node, original));
    return { ...this.#fn, locals: this.#locals, parameters, body };
  }

  #structFor(original: Expression): Struct | null {
    return this.#arrays.structFor(this.#original, original);
  }

  #typed(node: Expression, original: Expression): Expression {
    const type = this.#arrays.typeOf(this.#original, original);
    return type === original.type ? node : { ...node, type };
  }

  /** What becomes of a node that makes such an array or reads it; null for all others. */
  #access(node: Expression, original: Expression): Expression | null {
    if (node.kind === 'get-field') return this.#field(node) ?? this.#fieldAtCursor(node, original);
    if (node.kind === 'library-call' && original.kind === 'library-call') return this.#libraryCall(node, original);
    if (node.kind === 'get-element' && original.kind === 'get-element') {
      const struct = this.#structFor(original.array);
      return struct === null ? null : this.#element(node, struct);
    }
    if (node.kind !== 'new-array' && node.kind !== 'array-literal') return null;
    const struct = this.#structFor(original);
    if (struct === null) return null;
    return node.kind === 'new-array'
      ? this.#newArrays(node.lengths[0]!, struct, node.span)
      : this.#literals(node.elements, struct, node.span);
  }

  /** A field of an element that was read as a whole. */
  #field({ object, field }: Expression & { readonly kind: 'get-field' }): Expression | null {
    if (!this.#elements.has(object)) return null;
    if (object.kind !== 'sequence') return fieldIn(object, field);
    const value = fieldIn(object.value, field);
    return { ...object, value, type: value.type };
  }

  #fieldAtCursor(
    { object, field, span }: Expression & { readonly kind: 'get-field' },
    original: Expression,
  ): Expression | null {
    if (object.kind !== 'get-local') return null;
    const place = this.#places.get(object.local);
    if (place === undefined) return null;
    // It fails in the place of the element.
    const isTest = this.#cursors.get(object.local)?.testedBy === original;
    return this.#fieldAt(place, field, isTest ? place.span : span);
  }

  #fieldAt({ array, index, struct, checked }: Place, field: number, span: Span): Expression {
    const of = this.#fieldArray(array, struct, field, span);
    return { kind: 'get-element', array: of, index, checked, type: elementOf(of), span };
  }

  /** `{x: a.x[i], y: a.y[i]}` */
  #element(node: GetElement, struct: Struct): Expression {
    const { type, span } = node;
    const array = this.#repeatable(node.array, [node.index], 'array');
    const index = this.#repeatable(node.index, [], 'index');
    const fields = struct.fields.map((_, field) => {
      const of = this.#fieldArray(array.value, struct, field, span);
      return { field, value: { ...node, array: of, index: index.value, type: elementOf(of) } };
    });
    const whole: Expression = { kind: 'struct-literal', struct: structOf(type), fields, type, span };
    const element = behind([...array.before, ...index.before], whole);
    const place = { array: array.value, index: index.value, struct, checked: node.checked, span };
    this.#elements.set(whole, place);
    this.#elements.set(element, place);
    return element;
  }

  #libraryCall(node: LibraryCall, original: LibraryCall): Expression | null {
    const [of] = original.arguments;
    if (of?.type.kind !== 'array' || node.typeArgument === null) return null;
    const struct = this.#structFor(of);
    const [array] = node.arguments as readonly [Expression];
    if (struct === null)
      return this.#typed({ ...node, typeArgument: array.type.kind === 'array' ? array.type.element : null }, original);
    switch (node.function) {
      case 'T[].length':
      case 'T[].isEmpty':
        return callOn(node, this.#fieldArray(array, struct, 0, node.span), []);
      case 'T[].pop':
        return this.#popped(node, array, struct);
    }
    // It is a statement, which is rewritten as a whole.
    return node;
  }

  #popped(node: LibraryCall, of: Expression, struct: Struct): Expression {
    const { type, span } = node;
    const array = this.#repeatable(of, [], 'array');
    const fields = struct.fields.map((_, field) => {
      const popped = this.#fieldArray(array.value, struct, field, span);
      return { field, value: { ...callOn(node, popped, []), type: elementOf(popped) } };
    });
    return behind(array.before, { kind: 'struct-literal', struct: structOf(type), fields, type, span });
  }

  #newArrays(of: Expression, struct: Struct, span: Span): Expression {
    const length = this.#repeatable(of, [], 'length');
    const made = struct.fields.map(({ type }, field): Expression => ({
      kind: 'new-array',
      lengths: [length.value],
      ...(field === 0 ? {} : { isCharged: true }),
      type,
      span,
    }));
    return behind(length.before, literalOf(struct, made, span));
  }

  #literals(elements: readonly Expression[], struct: Struct, span: Span): Expression {
    const columns = columnsOf(elements, this.#registry);
    const each = columns === null ? elements.map((element) => this.#values(element, elements)) : [];
    const made = struct.fields.map(({ type }, field): Expression => {
      const column = columns?.[field] ?? each.map(({ fields }) => fields[field]!);
      return { kind: 'array-literal', elements: column, type, span };
    });
    const before = each.flatMap((one) => one.before);
    return behind(before, literalOf(struct, made, span));
  }

  #statement(node: Statement, original: Statement): Statement {
    if (node.kind === 'set-field') return this.#setField(node) ?? node;
    if (node.kind === 'set-local') {
      const cursor = this.#cursors.get(node.local);
      const place = this.#elements.get(node.value);
      if (cursor !== undefined && place !== undefined && this.#arrays.isChanged(structOf(node.value.type)))
        return this.#point(node, cursor, place);
    }
    if (
      node.kind === 'set-local' &&
      original.kind === 'set-local' &&
      this.#fn.locals[node.local]?.origin === 'foreach'
    ) {
      const struct = this.#structFor(original.value);
      return struct === null ? node : this.#walk(node, struct);
    }
    if (node.kind === 'set-element' && original.kind === 'set-element') {
      const struct = this.#structFor(original.array);
      return struct === null ? node : this.#stored(node, struct);
    }
    if (node.kind !== 'evaluate' || original.kind !== 'evaluate') return node;
    const [call, before] = [node.expression, original.expression];
    if (call.kind !== 'library-call' || before.kind !== 'library-call') return node;
    if (call.function !== 'T[].push') return node;
    const struct = this.#structFor(before.arguments[0]!);
    return struct === null ? node : this.#pushed(call, struct);
  }

  /** `a.x[i] = value` */
  #setField(node: SetField): Statement | null {
    const { object, field, value, span } = node;
    if (object.kind === 'get-local') {
      const place = this.#places.get(object.local);
      if (place === undefined) return null;
      const array = this.#fieldArray(place.array, place.struct, field, span);
      return { kind: 'set-element', array, index: place.index, value, span };
    }
    const place = this.#elements.get(object);
    if (place === undefined) return null;
    const before = object.kind === 'sequence' ? object.statements : [];
    const array = this.#repeatable(place.array, [value], 'array');
    const index = this.#repeatable(place.index, [value], 'index');
    const at = { ...place, array: array.value, index: index.value };
    // The index is tested in front of the value, which may fail too.
    const tests = arePure([value], this.#registry) ? [] : [this.#test(at, field)];
    const of = this.#fieldArray(at.array, at.struct, field, span);
    const set: Statement = { kind: 'set-element', array: of, index: at.index, value, span };
    return { kind: 'block', statements: [...before, ...array.before, ...index.before, ...tests, set], span };
  }

  /** A read of a field, which fails as that of the element does. */
  #test(place: Place, field: number): Statement {
    return this.#temporary(this.#fieldAt(place, field, place.span), 'tested').before[0]!;
  }

  /** A cursor is the place of its element, worked out in front where that changes meanwhile. */
  #point(node: Statement & { readonly kind: 'set-local' }, { changed, field, testedBy }: Cursor, of: Place) {
    const { value, span } = node;
    const isKept = (part: Expression): boolean =>
      every([part], (inner) => inner.kind !== 'get-field' && inner.kind !== 'get-global' && !isIn(changed, inner));
    const keep = (part: Expression, name: string): Repeatable =>
      isKept(part) ? { before: [], value: part } : this.#temporary(part, name);
    const array = keep(of.array, 'array');
    const index = keep(of.index, 'index');
    const place = { ...of, array: array.value, index: index.value };
    this.#places.set(node.local, place);
    const before = value.kind === 'sequence' ? value.statements : [];
    const tests = place.checked && testedBy === null ? [this.#test(place, field)] : [];
    return { kind: 'block', statements: [...before, ...array.before, ...index.before, ...tests], span } as const;
  }

  /** `ps = a` becomes `ps.x = a.x;  ps.y = a.y`. */
  #walk(node: Statement & { readonly kind: 'set-local' }, struct: Struct): Statement {
    const { local, span } = node;
    const array = this.#repeatable(node.value, [], 'array');
    const { name } = this.#locals[local]!;
    const known = this.#walked.get(local);
    const fields = known ?? struct.fields.map((field) => this.#declare(`${name}.${field.name}`, field.type));
    this.#walked.set(local, fields);
    const sets = fields.map((field, at): Statement => ({
      kind: 'set-local',
      local: field,
      value: this.#fieldArray(array.value, struct, at, span),
      span,
    }));
    return { kind: 'block', statements: [...array.before, ...sets], span };
  }

  /** `x = …;  a.x[i] = x;  a.y[i] = 0.0` */
  #stored(node: Statement & { readonly kind: 'set-element' }, struct: Struct): Statement {
    const { span } = node;
    const array = this.#repeatable(node.array, [node.index, node.value], 'array');
    const index = this.#repeatable(node.index, [node.value], 'index');
    const values = this.#values(node.value, []);
    const stores = values.fields.map((value, field): Statement => ({
      kind: 'set-element',
      array: this.#fieldArray(array.value, struct, field, span),
      index: index.value,
      value,
      span,
    }));
    return { kind: 'block', statements: [...array.before, ...index.before, ...values.before, ...stores], span };
  }

  /** `a.x.push(1.0);  a.y.push(0.0)` */
  #pushed(call: LibraryCall, struct: Struct): Statement {
    const { span } = call;
    const [of, value] = call.arguments as readonly [Expression, Expression];
    const array = this.#repeatable(of, [value], 'array');
    const values = this.#values(value, []);
    const calls = values.fields.map((pushed, field): Statement => ({
      kind: 'evaluate',
      expression: callOn(call, this.#fieldArray(array.value, struct, field, span), [pushed]),
      span,
    }));
    return { kind: 'block', statements: [...array.before, ...values.before, ...calls], span };
  }

  /** The fields of a struct, each evaluated once and in the order in which it is written. */
  #values(value: Expression, following: readonly Expression[]): FieldValues {
    if (value.kind === 'sequence') {
      const { before, fields } = this.#values(value.value, following);
      return { before: [...value.statements, ...before], fields };
    }
    if (value.kind !== 'struct-literal') return this.#copied(value);
    const before: Statement[] = [];
    const fields: Expression[] = [];
    const written = value.fields.map((one) => one.value);
    for (const [at, one] of value.fields.entries()) {
      const isPlain = isConstant(one.value) || one.value.kind === 'get-local';
      const isKept = isPlain && isStable(one.value, [...written.slice(at + 1), ...following], this.#registry);
      const kept = isKept ? { before: [], value: one.value } : this.#temporary(one.value, 'field');
      before.push(...kept.before);
      fields[one.field] = kept.value;
    }
    return { before, fields };
  }

  #copied(value: Expression): FieldValues {
    const { before, value: copy } = this.#temporary(value, 'struct');
    const { span } = value;
    const struct = structOf(value.type);
    const fields = this.#arrays
      .fieldTypes(struct)
      .map((type, field): Expression => ({ kind: 'get-field', object: copy, struct, field, type, span }));
    return { before, fields };
  }

  /** The value itself where it is the same behind those that follow, and is short; else a variable. */
  #repeatable(value: Expression, following: readonly Expression[], name: string): Repeatable {
    return isStable(value, following, this.#registry) ? { before: [], value } : this.#temporary(value, name);
  }

  /** The array of one field. */
  #fieldArray(object: Expression, struct: Struct, field: number, span: Span): Expression {
    const { type } = struct.fields[field]!;
    const walked = object.kind === 'get-local' ? this.#walked.get(object.local) : undefined;
    if (walked !== undefined) return { kind: 'get-local', local: walked[field]!, nonNull: true, type, span };
    const known = object.kind === 'get-local' ? { ...object, nonNull: true } : object;
    return { kind: 'get-field', object: known, struct: struct.id, field, nonNull: true, type, span };
  }

  #declare(name: string, type: Type): LocalId {
    return this.#locals.push({ name, type, origin: 'temporary' }) - 1;
  }

  #temporary(value: Expression, name: string): Repeatable {
    const { type, span } = value;
    const local = this.#declare(name, type);
    return { before: [{ kind: 'set-local', local, value, span }], value: getLocal(local, type, span) };
  }
}

/** Whether a value can be evaluated behind others, and again, as if it had been evaluated once in front of them. */
function isStable(value: Expression, following: readonly Expression[], registry: LibraryRegistry): boolean {
  const set = new Set<LocalId>();
  visitAll(following, (node) => {
    for (const local of localsSet(node)) set.add(local);
  });
  const isQuiet = arePure(following, registry);
  let size = 0;
  return every([value], (node) => {
    size += 1;
    if (size > largestRepeated || !('type' in node)) return false;
    if (node.kind === 'get-local') return !set.has(node.local);
    if (node.kind === 'get-field' || node.kind === 'get-global') return isQuiet;
    return isConstant(node) || (node.kind === 'operate' && arePure([node], registry));
  });
}

/** The same function of another array. */
function callOn(node: LibraryCall, array: Expression, others: readonly Expression[]): LibraryCall {
  return { ...node, arguments: [array, ...others], typeArgument: elementOf(array) };
}

function literalOf(struct: Struct, values: readonly Expression[], span: Span): Expression {
  const { id, module, name } = struct;
  const fields = values.map((value, field) => ({ field, value }));
  return { kind: 'struct-literal', struct: id, fields, type: { kind: 'struct', id, module, name }, span };
}

function fieldIn(whole: Expression, field: number): Expression {
  if (whole.kind !== 'struct-literal') throw new Error(`${whole.kind} is no element`);
  return whole.fields[field]!.value;
}

function behind(statements: readonly Statement[], value: Expression): Expression {
  if (statements.length === 0) return value;
  return { kind: 'sequence', statements, value, type: value.type, span: value.span };
}

function isIn(locals: ReadonlySet<LocalId>, node: Node): boolean {
  return node.kind === 'get-local' && locals.has(node.local);
}

function elementOf({ type }: Expression): Type {
  if (type.kind !== 'array') throw new Error(`${type.kind} is no array`);
  return type.element;
}

function structOf(type: Type): StructId {
  if (type.kind !== 'struct') throw new Error(`${type.kind} is no struct`);
  return type.id;
}
