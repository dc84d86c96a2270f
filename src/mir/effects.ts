// The effects of a node of Mir without its children: which places it reads and writes, and whether it may fail, wait,
// allocate, use fuel or jump. One answer for every kind of node: analyses and passes ask it and keep no lists of their
// own. Understating an effect is a wrong answer somewhere; overstating one costs speed.

import type {
  CopyElements,
  Expression,
  FunctionId,
  GetHoisted,
  GlobalId,
  LocalId,
  LoopId,
  SetHoisted,
  StructId,
} from './mir.ts';
import { partsOf, visitAll } from './children.ts';
import type { Node } from './children.ts';
import { calleeOf, localsRead, localsSet } from './locals.ts';
import { isNeverNull } from './never-null.ts';
import { operatorById } from '../language/operators.ts';
import { arrayOf } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { refusesNull } from '../library/declare.ts';
import type { Place } from '../library/effects.ts';
import type { LibraryRegistry } from '../library/registry.ts';

/** Where a value is kept. */
export type Location =
  | { readonly kind: 'local'; readonly local: LocalId }
  | { readonly kind: 'global'; readonly global: GlobalId }
  | { readonly kind: 'field'; readonly struct: StructId; readonly field: number }
  /**
   * The contents of values of a type (elements, fields, members), or the contents of values that lie that deep inside
   * them; of a call, inside the operand `of`.
   */
  | ({ readonly kind: 'contents'; readonly type: Type } & Pick<Place, 'depth'> & Partial<Place>)
  /** The lengths of arrays of the type. */
  | ({ readonly kind: 'length'; readonly type: Type } & Pick<Place, 'depth'> & Partial<Place>)
  /** The scratch memory. */
  | { readonly kind: 'scratch' };

export interface Effects {
  readonly reads: readonly Location[];
  readonly writes: readonly Location[];
  /** The function of the program that it calls; the effects of that function are not included. */
  readonly calls: FunctionId | null;
  /** It may raise an error, apart from errors of limits. */
  readonly throws: boolean;
  /** It cannot fail only because of an earlier test, so it must not be moved in front of that test. */
  readonly isGuarded: boolean;
  /** The host may run other code meanwhile, so that anything may have changed behind it. */
  readonly waits: boolean;
  /** It makes a new object: evaluated twice, it makes two. */
  readonly allocates: boolean;
  /** It uses fuel, at once or in the iterations of a loop: evaluated twice, it uses twice as much. */
  readonly charges: boolean;
  /** The host may be asked whether the program may go on, for its memory, fuel or time: a limit may end it here. */
  readonly polls: boolean;
  /** It depends on what is outside the program, or changes it. */
  readonly isExternal: boolean;
  /** Where it jumps: out of the function, or to the end of an iteration of a loop or of the loop. */
  readonly leaves: LoopId | 'function' | null;
}

const none: Effects = {
  reads: [],
  writes: [],
  calls: null,
  throws: false,
  isGuarded: false,
  waits: false,
  allocates: false,
  charges: false,
  polls: false,
  isExternal: false,
  leaves: null,
};

/** It makes or walks something whose size the program decides. */
const working = { charges: true, polls: true } as const;

export function effectsOf(node: Node, registry: LibraryRegistry): Effects {
  switch (node.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'string':
    case 'null':
    case 'in-range':
    case 'logical':
    case 'conditional':
    case 'select':
    case 'wrap32':
    case 'splat':
    case 'extract-lane':
    case 'lane-wise':
    case 'widen':
    case 'is-null':
    case 'same-object':
    case 'sequence':
    case 'evaluate':
    case 'if':
    case 'block':
      return none;
    // A text that a loop appends to is put together when it is read.
    case 'get-local':
      return { ...none, reads: locals(localsRead(node)), polls: node.type.kind === 'string' };
    case 'get-global':
      return { ...none, reads: [{ kind: 'global', global: node.global }] };
    case 'get-field':
      return {
        ...none,
        ...testingNull(node.object),
        reads: [{ kind: 'field', struct: node.struct, field: node.field }],
      };
    case 'get-element':
      return {
        ...none,
        ...tested(node.checked && node.isRedundant !== true),
        reads: contentsAndLength(node.array.type),
      };
    case 'get-hoisted':
      return ofHoisted(node);
    // What is there was put there before.
    case 'load':
      return { ...none, reads: [scratch], isGuarded: true };
    case 'store':
      return { ...none, writes: [scratch], isGuarded: true };
    case 'copy-elements':
      return ofCopy(node);
    // It may grow, and what it answers depends on the engine.
    case 'reserve-scratch':
      return { ...none, isExternal: true };
    case 'row-length':
      return { ...none, reads: contentsOfElements(node.elements) };
    // What it sets meanwhile is as it was behind it.
    case 'distinct-rows': {
      const matrices = node.operands.filter(({ type }) => type.kind === 'elements');
      return { ...none, reads: [...matrices.flatMap(contentsOfElements), scratch], isGuarded: true, isExternal: true };
    }
    // The elements are known to exist.
    case 'in-bounds':
      return { ...none, isGuarded: true };
    case 'operate':
      return ofOperator(node);
    case 'check-null':
      return { ...none, ...testingNull(node.operand) };
    case 'call':
      return { ...none, ...working, calls: calleeOf(node) };
    case 'library-call':
      return ofLibraryCall(node, registry);
    // Long ones take memory that is counted.
    case 'array-literal':
      return { ...none, allocates: true, polls: true };
    case 'struct-literal':
    case 'json-array':
    case 'character':
      return { ...none, allocates: true };
    case 'json-object':
      return { ...none, ...working, allocates: true };
    case 'new-array':
      return { ...none, ...working, allocates: true, throws: true };
    case 'to-text':
      return node.operand.type.kind === 'string'
        ? none
        : { ...none, ...working, throws: true, reads: reachOf(node.operand.type) };
    case 'concat':
    case 'build-text':
      return { ...none, ...working, throws: true };
    case 'append-text':
      return {
        ...none,
        ...working,
        throws: true,
        reads: locals(localsRead(node)),
        writes: locals(localsSet(node)),
      };
    // The text is a string from then on.
    case 'built-text':
      return { ...none, reads: locals(localsRead(node)), writes: locals([node.local]), polls: true };
    case 'built-length':
      return { ...none, reads: locals(localsRead(node)) };
    case 'to-json':
    case 'cast':
      return { ...none, ...working, allocates: true, throws: true, reads: reachOf(node.operand.type) };
    case 'get-member':
      return { ...none, ...working, throws: true, reads: contentsOf(node.json.type) };
    case 'get-item':
    case 'item-count':
      return { ...none, throws: true, reads: contentsAndLength(node.json.type) };
    case 'set-local':
      return { ...none, writes: locals(localsSet(node)) };
    case 'set-global':
      return { ...none, writes: [{ kind: 'global', global: node.global }] };
    case 'set-field':
      return {
        ...none,
        ...testingNull(node.object),
        writes: [{ kind: 'field', struct: node.struct, field: node.field }],
      };
    case 'set-element':
      return { ...none, ...tested(node.isRedundant !== true), writes: contentsOf(node.array.type) };
    case 'set-member':
      return { ...none, ...working, throws: true, writes: contentsOf(node.json.type) };
    case 'set-item':
      return { ...none, throws: true, writes: contentsOf(node.json.type) };
    case 'hoist-array':
      return {
        ...none,
        polls: node.window !== null,
        reads: contentsAndLength(node.array.type),
        writes: locals(localsSet(node)),
      };
    case 'set-hoisted':
      return {
        ...ofHoisted(node),
        reads: locals(localsRead(node)),
        writes: contentsOf(node.hoisted.array.type),
      };
    case 'set-range':
      return {
        ...none,
        isGuarded: true,
        reads: [
          ...locals(localsRead(node)),
          // The value stands for the first of the elements that are read.
          ...(node.value.kind === 'get-hoisted' ? contentsOf(node.value.hoisted.array.type) : []),
        ],
        writes: contentsOf(node.hoisted.array.type),
      };
    // It may have no end.
    case 'loop':
      return {
        ...none,
        ...working,
        calls: calleeOf(node),
        reads: locals([
          ...(node.counted === undefined ? [] : localsIn([node.counted.limit, node.counted.step])),
          ...localsRead(node),
        ]),
        writes: locals(localsSet(node)),
      };
    case 'call-outlined':
      return {
        ...none,
        ...working,
        calls: calleeOf(node),
        reads: locals(localsRead(node)),
        writes: locals(localsSet(node)),
      };
    // Evaluated twice, a count counts twice, as a charge does.
    case 'charge':
    case 'count':
    case 'attribute':
      return { ...none, charges: true };
    // Every charge changes what it says.
    case 'out-of-fuel':
      return { ...none, isExternal: true };
    case 'poll':
      return { ...none, polls: true };
    case 'osr-exit':
      return { ...none, reads: locals(localsRead(node)), leaves: 'function' };
    case 'break':
    case 'continue':
      return { ...none, leaves: node.loop };
    case 'return':
      return { ...none, leaves: 'function' };
    case 'return-live-outs':
      return { ...none, reads: locals(localsRead(node)), leaves: 'function' };
    // A value may be too deep for the host.
    case 'finish':
      return {
        ...none,
        ...working,
        reads: node.value === null ? [] : reachOf(node.value.type),
        throws: true,
        isExternal: true,
        leaves: 'function',
      };
    case 'yield':
      return { ...none, ...working, reads: reachOf(node.value.type), throws: true, waits: true, isExternal: true };
    case 'throw':
      return { ...none, throws: true };
    case 'try':
      return { ...none, writes: locals(localsSet(node)) };
  }
}

function ofOperator(node: Expression & { readonly kind: 'operate' }): Effects {
  const { throws, reads, allocates, charges } = operatorById(node.operator).effects;
  if (throws && isDivisionByConstant(node)) return none;
  if (!throws && !allocates && !charges) return none;
  return {
    ...none,
    throws,
    charges,
    polls: charges || allocates,
    reads: reads ? node.operands.flatMap(({ type }) => reachOf(type)) : [],
  };
}

/** Whether it divides ints by a constant other than 0, which cannot fail. */
export function isDivisionByConstant({ operator, operands }: Expression & { readonly kind: 'operate' }): boolean {
  const divisor = operands[1];
  return (operator === '/(int,int)' || operator === '%(int,int)') && divisor?.kind === 'int' && divisor.value !== 0n;
}

/** The effects in its row. Functions that only the prelude calls have further effects, which no row lists. */
function ofLibraryCall(node: Expression & { readonly kind: 'library-call' }, registry: LibraryRegistry): Effects {
  const row = registry.byId(node.function);
  const { preludeOnly } = row;
  const { reads, stores, resizes, throws, waits, allocates, isExternal, cost } = row.effects;
  const tests = node.arguments.filter((_, index) => refusesNull(row, index));
  const charges = preludeOnly || cost === null || cost.length > 0;
  const at =
    (kind: 'contents' | 'length') =>
    ({ of, depth }: Place): Location => ({
      kind,
      type: of === 'result' ? node.type : node.arguments[of]!.type,
      depth,
      of,
    });
  const looksAt = reads.map((of): Place => ({ of, depth: 'reach' }));
  return {
    ...none,
    reads: [...looksAt.map(at('contents')), ...looksAt.map(at('length'))],
    writes: [...stores.map(at('contents')), ...resizes.map(at('length'))],
    throws: preludeOnly || throws || !tests.every(isNeverNull),
    isGuarded: tests.length > 0,
    waits,
    allocates,
    charges,
    polls: charges || allocates || waits || isExternal,
    isExternal: preludeOnly || isExternal,
  };
}

const scratch: Location = { kind: 'scratch' };

function contentsOfElements({ type }: Expression): readonly Location[] {
  return [{ kind: 'contents', type: type.kind === 'elements' ? arrayOf(type.element) : type, depth: 'reach' }];
}

function ofCopy({ into, elements }: CopyElements): Effects {
  const contents = contentsOfElements(elements);
  const [reads, writes] = into === 'scratch' ? [contents, [scratch]] : [[scratch], contents];
  return { ...none, ...working, reads, writes, isGuarded: true };
}

/** An access to hoisted elements. A checked access to a text may move its window. */
function ofHoisted(node: GetHoisted | SetHoisted): Effects {
  const { hoisted, checked, isRedundant } = node;
  const moves = checked && hoisted.window !== null;
  const { elements, window } = hoisted;
  return {
    ...none,
    ...tested(checked && isRedundant !== true),
    polls: moves,
    reads: [...locals(localsRead(node)), ...contentsOf(hoisted.array.type)],
    writes: moves ? locals([elements, window!.start, window!.size]) : [],
  };
}

function tested(checked: boolean): Pick<Effects, 'throws' | 'isGuarded'> {
  return { throws: checked, isGuarded: !checked };
}

function testingNull(object: Expression): Pick<Effects, 'throws' | 'isGuarded'> {
  return tested(!isNeverNull(object));
}

function locals(ids: readonly LocalId[]): readonly Location[] {
  return ids.map((local) => ({ kind: 'local', local }));
}

function localsIn(nodes: readonly Expression[]): readonly LocalId[] {
  const found: LocalId[] = [];
  visitAll(nodes, (node) => void found.push(...localsRead(node)));
  return found;
}

function contentsOf(type: Type): readonly Location[] {
  return [{ kind: 'contents', type, depth: 'itself' }];
}

function contentsAndLength(type: Type): readonly Location[] {
  return [...contentsOf(type), { kind: 'length', type, depth: 'itself' }];
}

function reachOf(type: Type): readonly Location[] {
  return [
    { kind: 'contents', type, depth: 'reach' },
    { kind: 'length', type, depth: 'reach' },
  ];
}

/**
 * Whether the node only computes a value: evaluated again at the same place it gives the same value, and it may be left
 * out.
 */
export function isPure(effects: Effects): boolean {
  return effects.writes.length === 0 && effects.leaves === null && isSilent(effects) && !effects.charges;
}

/** Whether nothing outside the function can observe the node: it neither fails nor polls nor calls the host. */
export function isSilent({ calls, throws, waits, allocates, polls, isExternal }: Effects): boolean {
  return calls === null && !throws && !waits && !allocates && !polls && !isExternal;
}

/** Whether all in the nodes is pure. */
export function arePure(nodes: readonly Node[], registry: LibraryRegistry): boolean {
  return every(nodes, (node) => isPure(effectsOf(node, registry)));
}

/**
 * Whether the node may be evaluated wherever the values that it reads are the same, even in front of the tests before
 * it.
 */
export function isSpeculatable(node: Expression, registry: LibraryRegistry): boolean {
  return every([node], (part) => {
    const effects = effectsOf(part, registry);
    return isPure(effects) && !effects.isGuarded;
  });
}

/** Whether a condition is true of the nodes and of everything inside them. */
export function every(nodes: readonly Node[], holds: (node: Node) => boolean): boolean {
  const pending = [...nodes];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!holds(node)) return false;
    for (const part of partsOf(node)) pending.push(part);
  }
  return true;
}
