// What the functions of the prelude do, worked out from their bodies: what the rows that they implement must say. A
// value is a set of origins: parts of arguments, or objects that the function made. One walk collects what ends up
// where; functions that call each other are walked until nothing is added.
//
// Source: interprocedural mod-ref analysis by summaries; Banning, "An efficient way to find the side effects of
// procedure calls and the aliases of variables" (POPL 1979).

import type {
  CheckedFunction,
  CheckedProgram,
  Expression,
  FunctionId,
  LocalId,
  Statement,
  StructId,
} from '../src/2-check/typed-tree.ts';
import { operatorById } from '../src/language/operators.ts';
import type { Type } from '../src/language/types.ts';
import type { LibraryFunction } from '../src/library/declare.ts';
import { canRefer } from '../src/library/effects.ts';
import type { Place } from '../src/library/effects.ts';
import type { LibraryRegistry } from '../src/library/registry.ts';

/**
 * Where a value may come from. `0`: the first argument; `0[]`: what it holds; `0[..]`: what is below that; `new`: made
 * here; `any`: worked out, or from outside.
 */
export type Origin = string;
type Origins = ReadonlySet<Origin>;

/** As `Effects`, of what was found so far. */
export interface Summary {
  readonly reads: Set<number>;
  readonly stores: Set<Origin>;
  readonly resizes: Set<Origin>;
  /** What may be found in objects: of an argument's parts, and under `new`. */
  readonly contents: Map<Origin, Set<Origin>>;
  readonly returned: Set<Origin>;
  throws: boolean;
  allocates: boolean;
  isExternal: boolean;
}

/** Structs of which scripts see nothing: keys, which are texts, and what is known of texts. */
const hiddenStructs: ReadonlySet<StructId> = new Set(
  ['JsonShape', 'JsonStep', 'JsonSite', 'TextWindow', 'TextBuilder'].map((name) => `prelude#${name}`),
);

function isHidden(type: Type): boolean {
  return type.kind === 'codeUnits' || type.kind === 'offsets' || (type.kind === 'struct' && hiddenStructs.has(type.id));
}

/** Throws where the prelude keeps an argument for later calls. */
export class EffectInference {
  readonly #program: CheckedProgram;
  readonly #registry: LibraryRegistry;
  readonly #summaries = new Map<FunctionId, Summary>();

  constructor(program: CheckedProgram, registry: LibraryRegistry) {
    this.#program = program;
    this.#registry = registry;
    for (const id of program.functions.keys()) {
      this.#summaries.set(id, {
        reads: new Set(),
        stores: new Set(),
        resizes: new Set(),
        contents: new Map(),
        returned: new Set(),
        throws: false,
        allocates: false,
        isExternal: false,
      });
    }
    for (let before = -1, size = 0; before !== size;) {
      before = size;
      for (const fn of program.functions.values()) new BodyWalk(fn, this.#summaries.get(fn.id)!, this).walk();
      size = [...this.#summaries.values()].reduce((sum, summary) => sum + sizeOf(summary), 0);
    }
  }

  function(id: FunctionId): CheckedFunction {
    return this.#program.functions.get(id)!;
  }

  /** What it does, its callees included. */
  summary(id: FunctionId): Summary {
    return this.#summaries.get(id)!;
  }

  row(id: string): LibraryFunction {
    return this.#registry.byId(id);
  }
}

function sizeOf({ reads, stores, resizes, contents, returned, throws, allocates, isExternal }: Summary): number {
  const held = [...contents.values()].reduce((sum, origins) => sum + origins.size + 1, 0);
  return (
    reads.size +
    stores.size +
    resizes.size +
    held +
    returned.size +
    Number(throws) +
    Number(allocates) +
    Number(isExternal)
  );
}

/** Adds what one body does to its summary, by what is known of the functions that it calls. */
class BodyWalk {
  readonly #fn: CheckedFunction;
  readonly #summary: Summary;
  readonly #all: EffectInference;
  readonly #locals = new Map<LocalId, Set<Origin>>();

  constructor(fn: CheckedFunction, summary: Summary, all: EffectInference) {
    this.#fn = fn;
    this.#summary = summary;
    this.#all = all;
    fn.parameters.forEach(({ local }, at) => this.#locals.set(local, new Set([String(at)])));
  }

  /** Until the locals have all that they are set to anywhere: the order of statements does not count. */
  walk(): void {
    for (let before = -1, size = 0; before !== size;) {
      before = size;
      this.#statements(this.#fn.body);
      size = sizeOf(this.#summary) + [...this.#locals.values()].reduce((sum, origins) => sum + origins.size, 0);
    }
  }

  #statements(nodes: readonly Statement[]): void {
    for (const node of nodes) this.#statement(node);
  }

  #statement(node: Statement): void {
    switch (node.kind) {
      case 'set-local': {
        const origins = this.#locals.get(node.local) ?? new Set();
        this.#locals.set(node.local, origins);
        for (const origin of this.#value(node.value)) origins.add(origin);
        return;
      }
      case 'set-global': {
        const kept = [...this.#value(node.value)].filter((origin) => origin !== 'new' && origin !== 'any');
        if (kept.length > 0 && canRefer(node.value.type) && !isHidden(node.value.type))
          throw new Error(`${this.#fn.name} keeps an argument in ${node.global}`);
        return;
      }
      case 'set-field':
        if (isHidden(node.object.type)) this.#each([node.object, node.value]);
        else if (isHidden(node.value.type)) this.#store(this.#value(node.object), []);
        else this.#store(this.#value(node.object), this.#value(node.value));
        return;
      case 'set-element':
        this.#value(node.index);
        this.#store(this.#value(node.array), this.#value(node.value));
        return;
      case 'set-member':
      case 'set-item':
        this.#summary.throws = true;
        this.#value(node.kind === 'set-member' ? node.key : node.index);
        this.#store(this.#value(node.json), this.#value(node.value));
        return;
      case 'evaluate':
        this.#value(node.expression);
        return;
      case 'if':
        this.#value(node.condition);
        this.#statements(node.then);
        this.#statements(node.otherwise);
        return;
      case 'loop':
        if (node.condition !== null) this.#value(node.condition);
        this.#statements(node.body);
        this.#statements(node.step);
        return;
      case 'return':
        if (node.value !== null) for (const origin of this.#value(node.value)) this.#summary.returned.add(origin);
        return;
      case 'throw':
        this.#summary.throws = true;
        this.#value(node.message);
        return;
      case 'try':
        this.#statements(node.body);
        for (const { body } of node.clauses) this.#statements(body);
        return;
      case 'block':
        this.#statements(node.statements);
        return;
      case 'break':
      case 'continue':
        return;
      case 'finish':
      case 'yield':
        throw new Error(`no ${node.kind} in the prelude`);
    }
  }

  /** Where a value may come from. */
  #value(node: Expression): Origins {
    switch (node.kind) {
      case 'get-local':
        return this.#locals.get(node.local) ?? new Set();
      case 'null':
        return new Set();
      case 'int':
      case 'double':
      case 'boolean':
      case 'string':
      case 'get-global':
        return any;
      case 'get-field': {
        const object = this.#value(node.object);
        if (isHidden(node.object.type)) return any;
        this.#read(object);
        if (isHidden(node.type)) return any;
        return this.#contentsOf(object);
      }
      case 'get-element':
        this.#value(node.index);
        return this.#load(this.#value(node.array));
      case 'get-member':
      case 'get-item':
        this.#summary.throws = true;
        this.#value(node.kind === 'get-member' ? node.key : node.index);
        return this.#load(this.#value(node.json));
      case 'operate':
        this.#operate(node.operator, node.operands);
        return any;
      case 'logical':
      case 'same-object':
        this.#each([node.left, node.right]);
        return any;
      case 'widen':
      case 'is-null':
        this.#value(node.operand);
        return any;
      case 'conditional':
        this.#value(node.condition);
        return new Set([...this.#value(node.then), ...this.#value(node.otherwise)]);
      case 'call':
        return this.#apply(this.#all.summary(node.function), node.arguments);
      case 'library-call':
        return this.#libraryCall(node);
      case 'array-literal':
      case 'json-array':
        return this.#make(node.elements);
      case 'struct-literal':
        return this.#make(node.fields.filter(({ value }) => !isHidden(value.type)).map(({ value }) => value));
      case 'json-object':
        return this.#make(node.members.map(({ value }) => value));
      case 'new-array':
        this.#summary.throws = true;
        this.#each(node.lengths);
        return this.#make([]);
      case 'to-text':
      case 'concat':
        this.#summary.allocates = true;
        this.#summary.throws = true;
        this.#each(node.kind === 'concat' ? node.parts : [node.operand]);
        return any;
      case 'to-json':
      case 'cast':
        throw new Error(`no ${node.kind} in the prelude`);
      case 'item-count':
        this.#summary.throws = true;
        this.#read(this.#value(node.json));
        return any;
      case 'sequence':
        this.#statements(node.statements);
        return this.#value(node.value);
      case 'invalid':
        throw new Error(`no ${node.kind} in the prelude`);
    }
  }

  #each(nodes: readonly Expression[]): void {
    for (const node of nodes) this.#value(node);
  }

  #operate(id: string, operands: readonly Expression[]): void {
    const { implementation } = operatorById(id);
    if (implementation.kind === 'prelude') this.#apply(this.#all.summary(`prelude#${implementation.name}`), operands);
    else this.#each(operands);
  }

  #make(parts: readonly Expression[]): Origins {
    this.#summary.allocates = true;
    for (const part of parts) this.#put('new', this.#value(part));
    return new Set(['new']);
  }

  #libraryCall(node: Expression & { readonly kind: 'library-call' }): Origins {
    const row = this.#all.row(node.function);
    if (row.implementation.kind === 'prelude')
      return this.#apply(this.#all.summary(`prelude#${row.implementation.name}`), node.arguments);
    const { effects } = row;
    const given = node.arguments.map((argument) => this.#value(argument));
    // Others test nothing in the prelude.
    this.#summary.throws ||= effects.throws && node.function.startsWith('Native.');
    this.#summary.allocates ||= effects.allocates;
    this.#summary.isExternal ||= effects.isExternal;
    const at = (place: Place): Origins => this.#at(given, place);
    const touched = (of: Place['of']): Type => (of === 'result' ? row.returns : node.arguments[of]!.type);
    for (const of of effects.reads) this.#read(given[of as number]!);
    for (const place of effects.stores)
      if (!isHidden(touched(place.of))) for (const origin of at(place)) this.#noteStore(origin);
    for (const place of effects.resizes) for (const origin of at(place)) this.#noteResize(origin);
    const result = new Set<Origin>();
    for (const { to, from } of effects.flows) {
      const values = at(from);
      if (to.of !== 'result') this.#store(this.#at(given, holderOf(to)), values);
      else if (to.depth === 'itself') for (const origin of values) result.add(origin);
      else this.#put('new', values);
    }
    const intoResult = effects.flows.filter(({ to }) => to.of === 'result');
    const isMade = intoResult.some(({ to }) => to.depth !== 'itself') || (canRefer(row.returns) && effects.allocates);
    if (isMade) result.add('new');
    if (intoResult.length === 0 && !isMade) return any;
    return effects.isClosed || isMade || canRefer(row.returns) ? result : new Set([...result, 'any']);
  }

  #apply(callee: Summary, nodes: readonly Expression[]): Origins {
    const given = nodes.map((node) => this.#value(node));
    const translated = (origin: Origin): Origins => this.#translate(given, origin);
    this.#summary.throws ||= callee.throws;
    this.#summary.allocates ||= callee.allocates;
    this.#summary.isExternal ||= callee.isExternal;
    for (const at of callee.reads) this.#read(given[at]!);
    for (const place of callee.stores) for (const origin of translated(place)) this.#noteStore(origin);
    for (const place of callee.resizes) for (const origin of translated(place)) this.#noteResize(origin);
    for (const [holder, held] of callee.contents) {
      const values = [...held].flatMap((origin) => [...translated(origin)]);
      for (const origin of translated(holder)) this.#put(origin, values);
    }
    return new Set([...callee.returned].flatMap((origin) => [...translated(origin)]));
  }

  /** What an origin of the callee is here. */
  #translate(given: readonly Origins[], origin: Origin): Origins {
    if (origin === 'new' || origin === 'any') return new Set([origin]);
    const { at, depth } = splitOrigin(origin);
    return this.#at(given, { of: at, depth });
  }

  #at(given: readonly Origins[], { of, depth }: Place): Origins {
    const itself = given[of as number]!;
    if (depth === 'itself') return itself;
    const contents = this.#contentsOf(itself);
    if (depth === 'contents') return contents;
    const reached = new Set([...itself, ...contents]);
    for (const origin of reached) for (const next of this.#contentsOf(new Set([origin]))) reached.add(next);
    return reached;
  }

  #load(object: Origins): Origins {
    this.#read(object);
    return this.#contentsOf(object);
  }

  #contentsOf(object: Origins): Origins {
    const found = new Set<Origin>();
    for (const origin of object) {
      if (!this.#canChange(origin)) found.add('any');
      else if (origin !== 'new') found.add(below(origin));
      for (const held of this.#summary.contents.get(origin) ?? []) found.add(held);
    }
    return found;
  }

  #read(object: Origins): void {
    for (const origin of object)
      if (origin !== 'new' && origin !== 'any') this.#summary.reads.add(splitOrigin(origin).at);
  }

  #store(object: Origins, value: Iterable<Origin>): void {
    for (const origin of object) {
      this.#noteStore(origin);
      this.#put(origin, value);
    }
  }

  #put(holder: Origin, values: Iterable<Origin>): void {
    if (!this.#canChange(holder)) return;
    const held = this.#summary.contents.get(holder) ?? new Set();
    this.#summary.contents.set(holder, held);
    for (const value of values) held.add(value);
  }

  /** Nobody stores into a text or a number. */
  #canChange(origin: Origin): boolean {
    return (
      origin === 'new' ||
      (origin !== 'any' && canRefer(this.#fn.locals[this.#fn.parameters[splitOrigin(origin).at]!.local]!.type))
    );
  }

  #noteStore(origin: Origin): void {
    if (origin !== 'new' && this.#canChange(origin)) this.#summary.stores.add(origin);
  }

  #noteResize(origin: Origin): void {
    if (origin !== 'new' && this.#canChange(origin)) this.#summary.resizes.add(origin);
  }
}

const any: Origins = new Set(['any']);

/** What `x[]` is the contents of. */
function holderOf({ of, depth }: Place): Place {
  return { of, depth: depth === 'contents' ? 'itself' : depth };
}

export function splitOrigin(origin: Origin): { readonly at: number; readonly depth: Place['depth'] } {
  return {
    at: Number.parseInt(origin, 10),
    depth: origin.endsWith('[..]') ? 'reach' : origin.endsWith('[]') ? 'contents' : 'itself',
  };
}

function below(origin: Origin): Origin {
  const { at, depth } = splitOrigin(origin);
  return `${at}${depth === 'itself' ? '[]' : '[..]'}`;
}
