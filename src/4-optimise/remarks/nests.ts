// What became of loops with others in them: what unroll and jam says.

import { flatten, hasLoop, partsOf, visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf } from '../../mir/effects.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import type { Expression, If, LibraryCall, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { isScalar } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { pathKey } from '../analysis/access-paths.ts';
import { elementsOf } from '../analysis/alias-classes.ts';
import type { FixedMatrices } from '../analysis/fixed-matrices.ts';
import { fieldKey } from '../analysis/assignments.ts';
import { localsIn } from '../analysis/loop-nests.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import type { NestLog } from '../nests/log.ts';
import type { Refusal } from '../nests/reading.ts';
import { elementTypes } from '../nests/references.ts';
import type { Packing } from '../nests/packing.ts';
import { innermostLoops } from '../nests/tree.ts';
import type { Nest, NestLoop } from '../nests/tree.ts';
import { rowCauses } from './bounds.ts';
import { findChange, findClobber, nameOf } from './clobbers.ts';
import { sourceOf } from './index-sources.ts';
import type { Remarks } from './remarks.ts';
import { headOf, placeOf, sourceText } from './source-text.ts';

/** An empty log of a nest. */
export function newNestLog(): NestLog {
  return { jams: [], vectors: [], transposed: [], unrolled: [], obstacles: [], promotions: [] };
}

/** Says what was done with the loops of a nest. */
export function remarkNest(
  remarks: Remarks,
  { root, accesses, arrays }: Nest,
  { jams, vectors, transposed, unrolled, promotions }: NestLog,
  packing: Packing | null,
  fn: MirFunction,
): void {
  for (const { array, isResident } of packing?.arrays.values() ?? [])
    remarks.add(isResident ? 'resident' : 'packed', root.source.span, { what: array.base.span });
  for (const { base, hasKnownRows } of arrays.values())
    if (!hasKnownRows) remarks.add('rowsLookedAt', root.source.span, { what: base.span });
  for (const { loop, copies } of jams) remarks.add('jammed', loop.source.span, { iterations: String(copies) });
  for (const { loop, lanes } of vectors) remarks.add('vectorised', loop.source.span, { iterations: String(lanes) });
  for (const { loop, elements } of transposed)
    remarks.add('transposed', loop.source.span, { elements: String(elements) });
  for (const { loop, copies } of unrolled) remarks.add('unrolled', loop.source.span, { iterations: String(copies) });
  for (const { loop, nodes } of promotions)
    for (const node of nodes) remarks.add('nestPromoted', loop.source.span, { what: placeOf(node) });
  for (const { loop } of innermostLoops(root)) {
    if (loop.source.counted === undefined && loop !== root) remarkNestCount(remarks, loop, fn);
    for (const part of loop.parts)
      visitAll(part.kind === 'straight' ? part.statements : [], (node) => {
        if (accesses.has(node))
          remarks.add('nestUnchecked', loop.source.span, { what: placeOf(node), at: root.source.span });
      });
  }
}

/** How a loop counts of which that is known in a nest alone. */
function remarkNestCount(
  remarks: Remarks,
  { variable, goesUp, step, source: { span, condition } }: NestLoop,
  { locals }: MirFunction,
): void {
  // A function that became part of the nest has other names here.
  const name = locals[variable]?.name;
  if (condition === null || name === undefined) return;
  const said = { direction: goesUp ? 'up' : 'down', step: step === 1n ? '' : `, by ${step}` };
  remarks.add('countedWhile', span, { ...said, variable: name, condition: sourceText(condition.span) });
}

/** Says which functions became part of a nest. */
export function remarkCalls(remarks: Remarks, loop: Loop): void {
  visitAll(loop.body, (node) => {
    if (node.kind === 'call') remarks.add('calleesInNest', loop.span, { what: node.span });
  });
}

/** Says that a call keeps a loop from being a nest where it is. */
export function remarkCallInside(remarks: Remarks, { span }: Loop, call: Expression): void {
  remarks.add('nestCallInside', span, { call: sourceText(call.span), at: call.span });
}

/** Whether an innermost loop of a loop sets elements of arrays, or sums them up. */
export function isWorthNesting(loop: Loop): boolean {
  let is = false;
  visitStatements([loop], (inner) => {
    if (inner.kind !== 'loop' || hasLoop(inner.body)) return;
    let [reads, sums] = [false, false];
    visitAll(inner.body, (node) => {
      is ||= node.kind === 'set-element' && node.value.type.kind !== 'array';
      reads ||= node.kind === 'get-element';
      sums ||= node.kind === 'set-local' && isOfItself(node.value, node.local);
      sums ||= node.kind === 'if' && node.arms.some(keepsExtreme);
      sums ||= node.kind === 'set-field' && isScalar(node.value.type);
    });
    is ||= reads && sums;
  });
  return is;
}

/** Whether all that it has loops for is to set elements, under a condition and by no others, as a sieve does. */
function setsUnderConditions(loop: Loop): boolean {
  const conditional = flatten(loop.body).filter((node) => node.kind === 'if' && hasLoop([node]));
  let reads = false;
  visitStatements(conditional, (inner) => {
    if (inner.kind === 'loop') visitAll(inner.body, ({ kind }) => void (reads ||= kind === 'get-element'));
  });
  return conditional.length > 0 && !reads && flatten(loop.body).every((node) => node.kind !== 'loop');
}

/** `if (x > most) most = x` */
function keepsExtreme({ condition, then }: If['arms'][number]): boolean {
  return then.some((node) => node.kind === 'set-local' && isOfItself(condition, node.local));
}

function isOfItself(value: Expression, local: number): boolean {
  let is = false;
  visitAll([value], (node) => void (is ||= localsRead(node).includes(local)));
  return is;
}

export interface RefusedLoop {
  readonly fn: MirFunction;
  readonly loop: Loop;
  readonly modRef: ProgramChanges;
  readonly matrices: () => FixedMatrices;
  readonly registry: LibraryRegistry;
}

/** Says why a loop with others in it is no nest. */
export function remarkRefused(remarks: Remarks, refused: RefusedLoop, { kind, node }: Refusal): void {
  const { fn, loop, modRef } = refused;
  const { span } = loop;
  const at = node.span;
  const text = sourceText(at);
  if (setsUnderConditions(loop)) return remarks.add('nestNoGain', span, {});
  switch (kind) {
    case 'everything':
      return remarkWaiting(remarks, refused);
    case 'head':
      return remarks.add('nestUncounted', span, { loop: headOf(at), at });
    case 'limit':
      if (isLength(node) && remarkMeasured(remarks, refused, node.arguments[0]!)) return;
      // What the loop sets cannot be worked out in front of it.
      return remarks.add(readsSet(node, refused) ? 'nestLimitVaries' : 'nestLimit', span, { limit: text, at });
    case 'variable': {
      const [variable] = (node as Loop).step.flatMap(localsSet);
      return remarks.add('nestVariable', span, { variable: nameOf(fn, variable!), at });
    }
    case 'index':
      return remarkIndex(remarks, refused, node as Expression);
    case 'array': {
      const array = node as Expression;
      const change = pathKey(array) === null ? null : findChange(array, modRef.of([loop], fn));
      if (change === null)
        return remarks.add(readsSet(array, refused) ? 'nestArrayVaries' : 'nestArrayWorkedOut', span, {
          array: text,
          at,
        });
      return remarks.add('nestArrayChanges', span, { array: text, ...findClobber(change, loop, fn, modRef) });
    }
    case 'elements':
      return remarkElements(remarks, loop, node as Expression);
    case 'own':
      return remarks.add('nestReadsOwn', span, { element: text, at });
    case 'rows':
      return void remarkRows(remarks, refused, node as Expression);
    case 'statement':
    case 'value':
      return remarkPart(remarks, refused, node);
  }
}

function remarkWaiting(remarks: Remarks, { fn, loop, modRef }: RefusedLoop): void {
  let node: Node = loop;
  for (;;) {
    const inner: Node | undefined = partsOf(node).find((part) => modRef.of([part], fn).everything);
    if (inner === undefined) break;
    node = inner;
  }
  const call = node.kind === 'yield' ? 'yield' : sourceText(node.span);
  remarks.add('nestWaits', loop.span, { call, at: node.span });
}

function remarkIndex(remarks: Remarks, { fn, loop, modRef }: RefusedLoop, index: Expression): void {
  const { span: at } = index;
  const inner = new Set<LocalId>();
  visitStatements([loop], (node) => {
    if (node.kind === 'loop') visitAll(node.step, (part) => localsSetBy(part).forEach((local) => inner.add(local)));
  });
  const source = sourceOf(index, { fn, loop, changes: modRef.of([loop], fn), variable: null, inner });
  const given = { index: sourceText(at), at };
  if (source?.kind === 'read') return remarks.add('nestIndexRead', loop.span, { ...given, source: source.source });
  const locals = localsIn(index).filter((local) => !inner.has(local));
  const chosen = locals.find((local) => choicesOf(local, loop).some((value) => isOneOf(value, inner)));
  const often = locals.find((local) => timesSet(local, loop) > 1);
  if (chosen !== undefined) remarks.add('nestIndexChosen', loop.span, { variable: nameOf(fn, chosen), at });
  else if (often !== undefined) remarks.add('nestIndexSetOften', loop.span, { variable: nameOf(fn, often), at });
  else remarks.add('nestIndex', loop.span, given);
}

/** What a local may be set to under conditions. */
function choicesOf(local: LocalId, loop: Loop): readonly Expression[] {
  const values: Expression[] = [];
  visitStatements([loop], (node) => {
    if (node.kind === 'set-local' && node.local === local && node.value.kind === 'conditional') values.push(node.value);
    if (node.kind !== 'if') return;
    for (const part of node.arms.flatMap(({ then }) => then))
      if (part.kind === 'set-local' && part.local === local) values.push(part.value);
  });
  return values;
}

/** Whether a value may be that of one of these locals. */
function isOneOf(value: Expression, locals: ReadonlySet<LocalId>): boolean {
  if (value.kind === 'conditional') return [value.then, value.otherwise].some((part) => isOneOf(part, locals));
  return value.kind === 'get-local' && locals.has(value.local);
}

/** Whether a node reads what the loop sets. */
function readsSet(node: Node, { fn, loop, modRef }: RefusedLoop): boolean {
  const { locals, globals, fields, mayStore, everything } = modRef.of([loop], fn);
  let does = everything;
  visitAll([node], (part) => {
    does ||= localsRead(part).some((local) => locals.has(local));
    if (part.kind === 'get-global') does ||= globals.has(part.global);
    else if (part.kind === 'get-field') does ||= fields.has(fieldKey(part.struct, part.field));
    else if (part.kind === 'get-element') does ||= mayStore(part.array);
  });
  return does;
}

/** Says which rows may differ, and whether there are such. */
function remarkRows(remarks: Remarks, { fn, loop, matrices }: RefusedLoop, matrix: Expression): boolean {
  const known = matrices();
  let rows = known.classOfArray(fn, matrix);
  for (let { type } = matrix; type.kind === 'array' && type.element.kind === 'array'; type = type.element) {
    const cause = known.isRectangularClass(rows) ? null : known.whyNotFixedClass(rows);
    if (cause !== null) {
      remarks.add('nestRowsDiffer', loop.span, {
        matrix: sourceText(matrix.span),
        at: cause.at,
        ...rowCauses[cause.kind](sourceText(cause.what)),
      });
      return true;
    }
    rows = elementsOf(rows);
  }
  return false;
}

function isLength(node: Node): node is LibraryCall & { readonly function: 'T[].length' } {
  return node.kind === 'library-call' && node.function === 'T[].length';
}

/** Says what is wrong with an array whose length is asked for, and whether something is. */
function remarkMeasured(remarks: Remarks, refused: RefusedLoop, array: Expression): boolean {
  if (isScalar(elementOf(array))) return remarkRows(remarks, refused, array);
  remarkElements(remarks, refused.loop, array);
  return true;
}

/** What an array of arrays has in the innermost of them. */
function elementOf({ type }: Expression): Type {
  return elementTypes(type).at(-1) ?? type;
}

/** What else than numbers arrays may hold. */
const otherElements: Readonly<Partial<Record<Type['kind'], string>>> = { string: 'texts', struct: 'structs' };

function remarkElements(remarks: Remarks, { span }: Loop, array: Expression): void {
  const elements = otherElements[elementOf(array).kind] ?? 'what is no number';
  remarks.add('nestElements', span, { array: sourceText(array.span), at: array.span, elements });
}

const textReads: ReadonlySet<string> = new Set(['string.codeAt', 'string.length']);

function hasText(node: Node): boolean {
  if ('type' in node && node.type.kind === 'string') return true;
  if (node.kind === 'library-call') return textReads.has(node.function);
  return node.kind === 'operate' && node.operands.some(({ type }) => type.kind === 'string');
}

/** Statements that leave a loop or an iteration. */
const leaving: Readonly<Record<string, string>> = {
  break: 'break',
  continue: 'continue',
  return: 'return',
  finish: 'return',
  throw: 'throw',
};

/** What a statement or a value does that nothing in a nest may do. */
function remarkPart(remarks: Remarks, refused: RefusedLoop, part: Node): void {
  const { fn, loop, registry } = refused;
  const node = part.kind === 'evaluate' ? part.expression : part;
  const { span: at, kind } = node;
  const statement = leaving[kind];
  if (statement !== undefined) return remarks.add('nestLeaves', loop.span, { statement, at });
  if (kind === 'set-element')
    return node.value.type.kind === 'array'
      ? remarks.add('nestRowStored', loop.span, { matrix: sourceText(node.array.span), at })
      : remarkElements(remarks, loop, node.array);
  // What is left of a call that sets a global, or is not always made.
  const global = kind === 'sequence' ? globalSetIn(node) : null;
  if (global !== null) return remarkPart(remarks, refused, global);
  if (kind === 'set-global')
    return remarks.add('nestGlobalSet', loop.span, { variable: sourceText(placeOf(node)), at });
  if (kind === 'sequence' || kind === 'charge')
    return remarks.add('nestCallUnderCondition', loop.span, { call: sourceText(at), at });
  if (kind === 'set-local' && node.value.type.kind === 'array' && timesSet(node.local, loop) > 1)
    return remarks.add('nestArraySetOften', loop.span, { variable: nameOf(fn, node.local), at });
  const { calls, throws } = effectsOf(node, registry);
  const isValue = 'type' in node && (node.type.kind === 'int' || node.type.kind === 'double');
  const isCall = kind === 'call' || calls !== null || (kind === 'library-call' && !(isValue && throws));
  if (hasText(node)) return remarks.add('nestText', loop.span, { value: sourceText(at), at });
  if (isLength(node)) {
    if (!remarkMeasured(remarks, refused, node.arguments[0]!))
      remarks.add('nestLength', loop.span, { length: sourceText(at), at });
    return;
  }
  if (isCall)
    return remarks.add(kind === 'call' ? 'nestCalls' : 'nestLibraryCalls', loop.span, { call: sourceText(at), at });
  const isToInt = kind === 'library-call' && node.function === 'double.toInt';
  if (isValue && throws)
    return remarks.add(isToInt ? 'nestToInt' : 'nestMayFail', loop.span, { value: sourceText(at), at });
  const field = fieldSetAt(node, loop);
  if (field !== null)
    return remarks.add('nestFieldSet', loop.span, { field: sourceText(placeOf(field)), at: field.span });
  remarks.add('nestDoes', loop.span, { other: kind === 'try' ? 'try' : `'${sourceText(placeOf(node))}'`, at });
}

function globalSetIn(node: Node): Statement | null {
  let found: Statement | null = null;
  visitAll([node], (part) => {
    if (part.kind === 'set-global') found ??= part;
  });
  return found;
}

/** What sets a field where a node stands: its struct may be put into a local first. */
function fieldSetAt(node: Node, loop: Loop): Statement | null {
  let found: Statement | null = null;
  visitAll([loop], (part) => {
    if (part.kind === 'set-field' && (part === node || isSameStart(part, node))) found ??= part;
  });
  return found;
}

function isSameStart({ span: one }: Node, { span: other }: Node): boolean {
  return one.file === other.file && one.start === other.start;
}

function localsSetBy(node: Node): readonly LocalId[] {
  return 'type' in node ? [] : localsSet(node);
}

function timesSet(local: LocalId, loop: Loop): number {
  let sets = 0;
  visitAll([loop], (node) => void (sets += localsSet(node).includes(local) ? 1 : 0));
  return sets;
}
