// What became of loops with others in them: what unroll and jam says.

import { hasLoop, partsOf, visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf } from '../../mir/effects.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import type { Expression, Loop } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { pathKey } from '../analysis/access-paths.ts';
import { elementsOf } from '../analysis/alias-classes.ts';
import type { FixedMatrices } from '../analysis/fixed-matrices.ts';
import { fieldKey } from '../analysis/assignments.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import type { NestLog } from '../nests/log.ts';
import type { Refusal } from '../nests/reading.ts';
import type { Packing } from '../nests/packing.ts';
import { innermostLoops } from '../nests/tree.ts';
import type { Nest, NestLoop } from '../nests/tree.ts';
import { lanes } from '../nests/vectors.ts';
import { rowCauses } from './bounds.ts';
import { findChange, findClobber, nameOf } from './clobbers.ts';
import { sourceOf } from './index-sources.ts';
import type { Remarks } from './remarks.ts';
import { headOf, placeOf, sourceText } from './source-text.ts';

/** An empty log of a nest. */
export function newNestLog(): NestLog {
  return { jams: [], vectors: [], obstacles: [], promotions: [] };
}

/** Says what was done with the loops of a nest. */
export function remarkNest(
  remarks: Remarks,
  { root, accesses }: Nest,
  { jams, vectors, promotions }: NestLog,
  packing: Packing | null,
  fn: MirFunction,
): void {
  for (const { array } of packing?.arrays.values() ?? [])
    remarks.add('packed', root.source.span, { what: array.base.span });
  for (const { loop, copies } of jams) remarks.add('jammed', loop.source.span, { iterations: String(copies) });
  for (const { source } of vectors) remarks.add('vectorised', source.span, { iterations: String(lanes) });
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
    });
    is ||= reads && sums;
  });
  return is;
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
  switch (kind) {
    case 'everything':
      return remarkWaiting(remarks, refused);
    case 'head':
      return remarks.add('nestUncounted', span, { loop: headOf(at), at });
    case 'limit':
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
    case 'rows':
      return remarkRows(remarks, refused, node as Expression);
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
  const source = sourceOf(index, { fn, loop, changes: modRef.of([loop], fn), variable: null });
  const given = { index: sourceText(at), at };
  if (source?.kind === 'read') remarks.add('nestIndexRead', loop.span, { ...given, source: source.source });
  else remarks.add('nestIndex', loop.span, given);
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

function remarkRows(remarks: Remarks, { fn, loop, matrices }: RefusedLoop, matrix: Expression): void {
  const known = matrices();
  let rows = known.classOfArray(fn, matrix);
  for (let { type } = matrix; type.kind === 'array' && type.element.kind === 'array'; type = type.element) {
    const cause = known.whyNotFixedClass(rows);
    if (cause !== null)
      return remarks.add('nestRowsDiffer', loop.span, {
        matrix: sourceText(matrix.span),
        at: cause.at,
        ...rowCauses[cause.kind](sourceText(cause.what)),
      });
    rows = elementsOf(rows);
  }
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
function remarkPart(remarks: Remarks, { loop, registry }: RefusedLoop, part: Node): void {
  const node = part.kind === 'evaluate' ? part.expression : part;
  const { span: at, kind } = node;
  const statement = leaving[kind];
  if (statement !== undefined) return remarks.add('nestLeaves', loop.span, { statement, at });
  const { calls, throws } = effectsOf(node, registry);
  const isLength = kind === 'library-call' && node.function === 'T[].length';
  if (!isLength && (kind === 'call' || kind === 'library-call' || calls !== null))
    return remarks.add(kind === 'call' ? 'nestCalls' : 'nestLibraryCalls', loop.span, { call: sourceText(at), at });
  const isNumber = 'type' in node && (node.type.kind === 'int' || node.type.kind === 'double');
  if (isNumber && throws) return remarks.add('nestMayFail', loop.span, { value: sourceText(at), at });
  remarks.add('nestDoes', loop.span, { other: kind === 'try' ? 'try' : `'${sourceText(placeOf(node))}'`, at });
}
