// Which functions can be inlined, and as what: as one expression, if they compute numbers and cannot fail, or as
// statements without a return, followed by a value.

import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { isScalar } from '../../language/types.ts';
import { operatorById } from '../../language/operators.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { getLocal } from '../../mir/builders.ts';
import { visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf, isSilent } from '../../mir/effects.ts';
import { localsSet } from '../../mir/locals.ts';

/** Functions of numbers with more nodes than this are not inlined. */
const largestValue = 48;
/** Other functions with at most this number of nodes are inlined at every call. */
const small = 24;

/** How many nodes larger ones have at most, and their copies together. */
export interface InlinedSize {
  readonly largest: number;
  readonly mostCopied: number;
}

export const usualSize: InlinedSize = { largest: 120, mostCopied: 360 };
/** Of functions whose loops are unrolled: each copy does the work of many calls. */
export const unrolledSize: InlinedSize = { largest: 400, mostCopied: 800 };

/** A function that can be inlined, with its body as statements and a value. */
export interface Inlinable {
  readonly fn: MirFunction;
  /** The locals of the function, and one more if the value is in a new one. */
  readonly locals: readonly Local[];
  /** None of them returns. */
  readonly statements: readonly Statement[];
  /** What it gives; null for a function without a value. */
  readonly value: Expression | null;
  readonly size: number;
  /** How often it reads each of its locals. */
  readonly reads: ReadonlyMap<LocalId, number>;
  readonly sets: ReadonlySet<LocalId>;
}

/** How a function is inlined that `calls` places call; null if it is not. */
export function readInlinable(
  fn: MirFunction,
  calls: number,
  { largest, mostCopied }: InlinedSize,
  registry: LibraryRegistry,
): Inlinable | null {
  if (fn.generic) return null;
  const asValue = readValue(fn, registry);
  if (asValue !== null) return asValue;
  const inlinable = canBeInlined(fn, largest, registry) ? readStatements(fn) : null;
  if (inlinable === null) return null;
  const { size } = inlinable;
  return size <= small || (size <= largest && size * calls <= mostCopied) ? inlinable : null;
}

/** A function with its statements and its value, and what is asked of them. */
export function describe(
  fn: MirFunction,
  locals: readonly Local[],
  statements: readonly Statement[],
  value: Expression | null,
): Inlinable {
  const reads = new Map<LocalId, number>();
  const sets = new Set<LocalId>();
  let size = 0;
  visitAll([...statements, ...(value === null ? [] : [value])], (node) => {
    size += 1;
    if (node.kind === 'get-local') reads.set(node.local, (reads.get(node.local) ?? 0) + 1);
    for (const local of localsSet(node)) sets.add(local);
  });
  return { fn, locals, statements, value, size, reads, sets };
}

function readValue(fn: MirFunction, registry: LibraryRegistry): Inlinable | null {
  if (!fn.locals.every(({ type }) => isScalar(type))) return null;
  const value = valueOf(fn.body);
  if (value === null) return null;
  const inlinable = describe(fn, fn.locals, [], value);
  let cannotFail = true;
  visitAll([value], (node) => (cannotFail &&= isSilent(effectsOf(node, registry)) && node.kind !== 'if'));
  return cannotFail && inlinable.size <= largestValue ? inlinable : null;
}

/** Statements that always end in a `return`, as one expression; null for other statements, and if they are too many. */
function valueOf(statements: readonly Statement[], depth = 0): Expression | null {
  if (statements.length > largestValue || depth > largestValue) return null;
  const at = statements.findIndex(({ kind }) => kind === 'return' || kind === 'if' || kind === 'block');
  const node = statements[at];
  const rest = statements.slice(at + 1);
  const before = statements.slice(0, Math.max(at, 0));
  if (node === undefined || !before.every(({ kind }) => kind === 'set-local' || kind === 'set-global')) return null;
  const value =
    node.kind === 'return'
      ? node.value
      : node.kind === 'if'
        ? choiceOf(node, rest, depth + 1)
        : valueOf([...(node as Statement & { readonly kind: 'block' }).statements, ...rest], depth + 1);
  if (value === null || before.length === 0) return value;
  return { kind: 'sequence', statements: before, value, type: value.type, span: value.span };
}

type If = Statement & { readonly kind: 'if' };

function choiceOf({ arms, otherwise, span }: If, rest: readonly Statement[], depth: number): Expression | null {
  return arms.reduceRight<Expression | null>(
    (other, { condition, then }) => {
      const one = other === null ? null : valueOf(then, depth);
      return one === null || other === null
        ? null
        : { kind: 'conditional', condition, then: one, otherwise: other, type: one.type, span };
    },
    arms.length > largestValue ? null : valueOf([...otherwise, ...rest], depth),
  );
}

/** Whether no node of the function takes longer than a call, and all of them can stand in a sequence. */
function canBeInlined(fn: MirFunction, largest: number, registry: LibraryRegistry): boolean {
  let size = 0;
  let can = true;
  visitAll(fn.body, (node) => {
    size += 1;
    can &&= size <= largest + maxReturns && isCheap(node, registry);
  });
  return can;
}

/** Returns, which become settings of a local, add to the size. */
const maxReturns = 16;

const cheap: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  'int',
  'double',
  'boolean',
  'string',
  'null',
  'get-local',
  'get-global',
  'get-field',
  'get-element',
  'logical',
  'conditional',
  'select',
  'widen',
  'check-null',
  'is-null',
  'same-object',
  'call',
  'struct-literal',
  'sequence',
  'set-local',
  'set-global',
  'set-field',
  'set-element',
  'charge',
  'evaluate',
  'if',
  'return',
  'throw',
  'block',
]);

/** Whether the node, without its children, takes no longer than a call, and can stand in a sequence. */
export function isCheap(node: Node, registry: LibraryRegistry): boolean {
  if (node.kind === 'operate') {
    const { allocates, charges } = operatorById(node.operator).effects;
    return !allocates && !charges;
  }
  if (node.kind !== 'library-call') return cheap.has(node.kind);
  const { implementation, effects } = registry.byId(node.function);
  const isInstruction = implementation.kind === 'instruction' || implementation.kind === 'intrinsic';
  return isInstruction && !effects.waits && !effects.allocates && (effects.cost?.length ?? 1) === 0;
}

/** Any function, as statements without a return, and a value; null where it is left in another way than at its end. */
export function readStatements(fn: MirFunction): Inlinable | null {
  const { body, locals, returns, span } = fn;
  let returned = 0;
  visitStatements(body, ({ kind }) => {
    if (kind === 'return') returned += 1;
  });
  const last = body.at(-1);
  if (returned === 1 && last?.kind === 'return') return describe(fn, locals, body.slice(0, -1), last.value);
  const result: Local = { name: 'result', type: returns, origin: 'temporary' };
  const found = withoutReturns(body, locals.length);
  if (found === null) return null;
  if (returns.kind === 'void') return describe(fn, locals, found.statements, null);
  if (found.ends !== 'always') return null;
  return describe(fn, [...locals, result], found.statements, getLocal(locals.length, returns, span));
}

export interface Returned {
  readonly statements: readonly Statement[];
  /** Whether control has returned or failed behind the statements. */
  readonly ends: 'always' | 'sometimes' | 'never';
}

/**
 * The statements with assignments to `result` in place of returns. The statements behind an `if` that returns move into
 * its other branch; null if two branches would need them.
 */
export function withoutReturns(nodes: readonly Statement[], result: LocalId): Returned | null {
  const at = nodes.findIndex((node) => node.kind === 'throw' || hasReturn(node));
  const node = nodes[at];
  if (node === undefined) return { statements: nodes, ends: 'never' };
  const before = nodes.slice(0, at);
  const found = endOf(node, nodes.slice(at + 1), result);
  return found === null ? null : { statements: [...before, ...found.statements], ends: found.ends };
}

function endOf(node: Statement, rest: readonly Statement[], result: LocalId): Returned | null {
  if (node.kind === 'throw') return { statements: [node], ends: 'always' };
  if (node.kind === 'return') {
    const { value, span } = node;
    const set: readonly Statement[] = value === null ? [] : [{ kind: 'set-local', local: result, value, span }];
    return { statements: set, ends: 'always' };
  }
  if (node.kind === 'block') return withoutReturns([...node.statements, ...rest], result);
  return node.kind === 'if' ? endOfIf(node, rest, result) : null;
}

function endOfIf(node: If, rest: readonly Statement[], result: LocalId): Returned | null {
  const [arm, ...others] = node.arms as readonly [If['arms'][number], ...If['arms']];
  const besides: readonly Statement[] = others.length === 0 ? node.otherwise : [{ ...node, arms: others }];
  const one = withoutReturns(arm.then, result);
  const other = withoutReturns(besides, result);
  if (one === null || other === null) return null;
  const isLast = rest.length === 0;
  if (!isLast && one.ends !== 'always' && other.ends !== 'always') return null;
  const then = isLast || one.ends === 'always' ? one : withoutReturns([...arm.then, ...rest], result);
  const otherwise = isLast || other.ends === 'always' ? other : withoutReturns([...besides, ...rest], result);
  if (then === null || otherwise === null) return null;
  const ends = then.ends === otherwise.ends ? then.ends : 'sometimes';
  const written: If = {
    kind: 'if',
    arms: [{ ...arm, then: then.statements }],
    otherwise: otherwise.statements,
    span: node.span,
  };
  return { statements: [written], ends };
}

/** Whether the statement or one in it returns. */
export function hasReturn(node: Statement): boolean {
  let found = false;
  visitStatements([node], ({ kind }) => (found ||= kind === 'return'));
  return found;
}
