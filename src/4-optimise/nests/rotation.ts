// Loops that hand arrays on in a circle: two buffers that change places behind each step, three levels of a wave. With as
// many iterations in one as it takes until each variable has its own array again, none of them is set any more, and the
// loop may be a nest. What is left over is done by the loop as it was: behind whole rounds all is as it would be there.
//
// Source: unrolling against copies between iterations, Allen, Kennedy, "Optimizing Compilers for Modern Architectures",
// section 8.3; modulo variable expansion, Lam, "Software pipelining" (1988).

import { intType } from '../../language/types.ts';
import { arithmetic, asNullable, getLocal, int, not } from '../../mir/builders.ts';
import { flatten, visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { copyStatements } from '../../mir/clone.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import type { Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { isEndless } from '../../mir/reachability.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { pathKey } from '../analysis/access-paths.ts';
import { flipped, readStep } from '../analysis/counted-loops.ts';
import type { LoopLiveness } from '../analysis/liveness.ts';
import { readIntComparison } from './comparisons.ts';
import { exitOf, leaveWith } from './exits.ts';
import { count } from './reading.ts';

/** More iterations would make more code than they are worth. */
const mostIterations = 3;

export interface Rotation {
  /** Several iterations in one. */
  readonly loop: Loop;
  readonly iterations: number;
  /** Where the variables that hand arrays on are read for that. */
  readonly arrays: readonly Expression[];
}

interface RotationContext {
  readonly live: () => LoopLiveness;
  readonly copyLocal: (local: LocalId) => LocalId;
  /** An iteration more uses a unit of fuel more. */
  readonly countsFuel: boolean;
}

/** The variable that held, when the iteration began, the array that a variable holds now, by its key. */
type Holders = Map<string, Expression>;

/** The loop with several iterations in one; null where it hands on no arrays, or does so in another way. */
export function unrollRotation(loop: Loop, context: RotationContext): Rotation | null {
  const counted = countedHead(loop);
  const written = counted === null ? withStepInside(loop) : loop;
  const body = flatten(written.body);
  const moved = movedArrays(body);
  const head = moved.size === 0 ? null : (counted ?? uncountedHead(written));
  const conditions = written.condition === null ? [] : [written.condition];
  if (head === null || readsAny(conditions, moved) || !areObjectsUsed(body, moved)) return null;
  const live = context.live();
  const isLive = (local: LocalId): boolean => live.atIteration.includes(local) || live.behind.includes(local);
  const carried = [...moved.values()].filter((place) => place.kind !== 'get-local' || isLive(place.local));
  const iterations = orderOf(carried, handOn(body, moved));
  if (iterations === null) return null;
  const own = [...count(body, localsSet).keys()].filter((local) => !moved.has(keyOfLocal(local)) && !isLive(local));
  const copying: Copying = { written, head, moved, holders: new Map(), done: [] };
  const copies = Array.from({ length: iterations }, (_, copy) => {
    const names = new Map(copy === 0 ? [] : own.map((local) => [local, context.copyLocal(local)] as const));
    const apart = copy === 0 || !context.countsFuel ? [] : [chargeOf(written)];
    return [...apart, ...copyIteration(body, copying, names, copy)];
  });
  const unrolled: Loop = { ...written, ...head.together(iterations), body: copies.flat() };
  const keys = carried.map((place) => pathKey(place));
  const read = body.flatMap((node) => moveOf(node)?.from ?? []);
  return { loop: unrolled, iterations, arrays: read.filter((place) => keys.includes(pathKey(place))) };
}

/** A variable that holds an array: a local, a global, or a field of a local's object. */
type Place = Expression & { readonly kind: 'get-local' | 'get-global' | 'get-field' };

/** What a statement sets to the array of another variable; null for other statements. */
function moveOf(node: Statement): { readonly to: Place; readonly from: Place } | null {
  const from = node.kind === 'set-local' || node.kind === 'set-global' || node.kind === 'set-field' ? node.value : null;
  if (from === null || !isPlace(from)) return null;
  const to = placeSet(node, from);
  return to === null ? null : { to, from };
}

function placeSet(node: Statement, { type, span }: Place): Place | null {
  if (node.kind === 'set-local') return { kind: 'get-local', local: node.local, type, span };
  if (node.kind === 'set-global') return { kind: 'get-global', global: node.global, type, span };
  if (node.kind !== 'set-field' || node.object.kind !== 'get-local') return null;
  const { object, struct, field } = node;
  return { kind: 'get-field', object, struct, field, type, span };
}

function isPlace(node: Node): node is Place {
  if (!('type' in node) || node.type.kind !== 'array') return false;
  return (
    node.kind === 'get-local' ||
    node.kind === 'get-global' ||
    (node.kind === 'get-field' && node.object.kind === 'get-local')
  );
}

function keyOfLocal(local: LocalId): string {
  return `local ${local}`;
}

/** The variables that are set right in the body, and in no other way, to arrays of each other or of what stays as it is. */
function movedArrays(body: readonly Statement[]): ReadonlyMap<string, Place> {
  const moves = body.flatMap((node) => moveOf(node) ?? []);
  const places = new Map(moves.map(({ to }) => [pathKey(to)!, to]));
  const sets = count(body, localsSet);
  const timesSet = (place: Place): number =>
    place.kind === 'get-local' ? (sets.get(place.local) ?? 0) : setsOf(body, place);
  for (const [key, place] of places)
    if (moves.filter(({ to }) => pathKey(to) === key).length !== timesSet(place)) places.delete(key);
  // What comes from a variable that is set in another way cannot be read there instead.
  for (let before = -1; before !== places.size;) {
    before = places.size;
    for (const { to, from } of moves)
      if (!places.has(pathKey(from)!) && timesSet(from) > 0) places.delete(pathKey(to)!);
  }
  return places;
}

/** How often a global is set, or a field; infinitely often where the object may be another. */
function setsOf(body: readonly Statement[], place: Place): number {
  let times = 0;
  visitAll(body, (node) => {
    if (place.kind === 'get-global') times += node.kind === 'set-global' && node.global === place.global ? 1 : 0;
    if (place.kind !== 'get-field') return;
    const { object, struct, field } = place;
    if (object.kind === 'get-local' && localsSet(node).includes(object.local)) times = Infinity;
    if ((node.kind !== 'set-field' && node.kind !== 'get-field') || node.struct !== struct || node.field !== field)
      return;
    if (pathKey(node.object) !== pathKey(object)) times = Infinity;
    else times += node.kind === 'set-field' ? 1 : 0;
  });
  return times;
}

/** Whether the nodes read one of the variables, such as for a limit, `step < now.length()`, that may differ between them. */
function readsAny(nodes: readonly Node[], moved: ReadonlyMap<string, Place>): boolean {
  let reads = false;
  visitAll(nodes, (node) => void (reads ||= isPlace(node) && moved.has(pathKey(node)!)));
  return reads;
}

/** Whether the objects of all fields are used besides, so that the nest makes sure that they are not missing. */
function areObjectsUsed(body: readonly Statement[], moved: ReadonlyMap<string, Place>): boolean {
  const used = new Set<string>();
  visitAll(
    body.filter((node) => moveOf(node) === null),
    (node) => void (node.kind === 'get-field' && used.add(pathKey(node.object) ?? '')),
  );
  const isUsed = (place: Place): boolean => place.kind !== 'get-field' || used.has(pathKey(place.object)!);
  const places = body.flatMap((node) => Object.values(moveOf(node) ?? {}));
  return [...moved.values(), ...places].every(isUsed);
}

/** Where the arrays come from behind an iteration. */
function handOn(body: readonly Statement[], moved: ReadonlyMap<string, Place>): Holders {
  const holders: Holders = new Map();
  for (const node of body) move(node, moved, holders);
  return holders;
}

/** Whether the statement does nothing but to hand on an array. */
function move(node: Statement, moved: ReadonlyMap<string, Place>, holders: Holders): boolean {
  const made = moveOf(node);
  const key = made === null ? null : pathKey(made.to);
  if (made === null || key === null || !moved.has(key)) return false;
  holders.set(key, holders.get(pathKey(made.from)!) ?? made.from);
  return true;
}

/** After how many iterations each variable has its own array again; null for never, or too many. */
function orderOf(carried: readonly Place[], holders: Holders): number | null {
  const keys = carried.map((place) => pathKey(place));
  const from = keys.map((key, at) => keys.indexOf(pathKey(holders.get(key!) ?? carried[at]!)));
  if (new Set(from).size < from.length || from.includes(-1)) return null;
  let now = from;
  for (let order = 1; order <= mostIterations; order++) {
    if (now.every((at, index) => at === index)) return order > 1 ? order : null;
    now = now.map((at) => from[at]!);
  }
  return null;
}

/** How the loop goes on. */
interface Head {
  /** What it counts by, if it counts. */
  readonly variable: LocalId | null;
  readonly by: bigint;
  /** The condition between two of its iterations in one; null if the head has looked at it for all of them. */
  readonly between: Expression | null;
  /** The head for so many iterations in one. */
  readonly together: (iterations: number) => Partial<Loop>;
}

/** Of a loop that counts by a constant. */
function countedHead({ condition, testFirst, step, span }: Loop): Head | null {
  const [only, ...others] = flatten(step);
  const [moves] = only === undefined || others.length > 0 ? [] : (readStep(only) ?? []);
  const read = condition === null ? null : readIntComparison(condition);
  if (moves === undefined || !testFirst || read === null || condition === null) return null;
  const [variable, by] = moves;
  const isVariable = (node: Expression): boolean => node.kind === 'get-local' && node.local === variable;
  const { comparison, left, right } = isVariable(read.left)
    ? read
    : { comparison: flipped[read.comparison], left: read.right, right: read.left };
  if (by.kind !== 'int' || !isVariable(left)) return null;
  const ahead = (iterations: number): Expression => int(by.value * BigInt(iterations), span);
  return {
    variable,
    by: by.value,
    between: null,
    // The nest makes sure that nothing goes around.
    together: (iterations) => ({
      condition: {
        kind: 'operate',
        operator: `${comparison}(int,int)`,
        operands: [left, arithmetic('-', right, ahead(iterations - 1))],
        type: condition.type,
        span: condition.span,
      },
      step: [moveVariable(variable, ahead(iterations))],
    }),
  };
}

/** With its step at the end of its body, where nothing goes on with the step. */
function withStepInside(loop: Loop): Loop {
  let goesOn = false;
  visitStatements(loop.body, (node) => void (goesOn ||= node.kind === 'continue' && node.loop === loop.id));
  return goesOn ? loop : { ...loop, body: [...loop.body, ...loop.step], step: [] };
}

/** Of another one, which looks at its condition between iterations too. */
function uncountedHead(loop: Loop): Head | null {
  const between = isEndless(loop) ? null : loop.condition;
  return flatten(loop.step).length > 0 ? null : { variable: null, by: 0n, between, together: () => ({}) };
}

function moveVariable(variable: LocalId, by: Expression): Statement {
  const { span } = by;
  return { kind: 'set-local', local: variable, value: arithmetic('+', getLocal(variable, intType, span), by), span };
}

interface Copying {
  readonly written: Loop;
  readonly head: Head;
  readonly moved: ReadonlyMap<string, Place>;
  readonly holders: Holders;
  /** The statements so far that hand on arrays. */
  readonly done: Statement[];
}

/** An iteration of several; where it leaves the loop the variables get what was handed on. */
function copyIteration(
  body: readonly Statement[],
  copying: Copying,
  names: ReadonlyMap<LocalId, LocalId>,
  copy: number,
): readonly Statement[] {
  const { written, head, moved, holders, done } = copying;
  const { variable, by, between } = head;
  const ahead = by * BigInt(copy);
  const change = (node: Expression): Expression => (variable === null ? node : moveOn(node, variable, ahead));
  const rename = (nodes: readonly Statement[]): readonly Statement[] =>
    copyStatements(nodes, (local) => names.get(local) ?? local);
  const leave = (condition: Expression, block: readonly Statement[]): Statement => {
    const counted = variable === null || copy === 0 ? [] : [moveVariable(variable, int(ahead, condition.span))];
    return leaveWith(condition, written, [...counted, ...copyStatements(done, (local) => local), ...rename(block)]);
  };
  const goOn = between === null ? [] : [leave(not(between), [])];
  const statements = body.flatMap((node): readonly Statement[] => {
    if (move(node, moved, holders)) {
      done.push(node);
      return [];
    }
    const exit = exitOf(node, written);
    if (exit === null) return withHolders(rename([node]), holders, change);
    const [left] = withHolders(rename([leaveWith(exit.condition, written, [])]), holders, change) as readonly [If];
    return [leave(left.arms[0]!.condition, exit.then)];
  });
  return copy === 0 ? statements : [...goOn, ...statements];
}

function chargeOf({ span }: Loop): Statement {
  return { kind: 'charge', units: int(1n, span), span };
}

/** The statements by the variables that hold their arrays. */
function withHolders(
  nodes: readonly Statement[],
  holders: Holders,
  change: (node: Expression) => Expression,
): readonly Statement[] {
  return rewriteExpressions(nodes, (part) => {
    const holder = isPlace(part) ? holders.get(pathKey(part)!) : undefined;
    return holder === undefined ? change(part) : { ...asNullable(holder), span: part.span };
  });
}

/** The variable of the loop as it is so much later. */
function moveOn(node: Expression, variable: LocalId, by: bigint): Expression {
  return node.kind === 'get-local' && node.local === variable ? arithmetic('+', node, int(by, node.span)) : node;
}

/** How often a function reads each local with `made` in the place of `loop`. */
export function readsWith(reads: ReadonlyMap<LocalId, number>, loop: Loop, made: Loop): ReadonlyMap<LocalId, number> {
  const found = new Map(reads);
  const add = (of: Loop, sign: number): void => {
    for (const [local, times] of count([of], localsRead)) found.set(local, (found.get(local) ?? 0) + sign * times);
  };
  add(loop, -1);
  add(made, 1);
  return found;
}
