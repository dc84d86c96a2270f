// Statements: what they set and to what, where control goes, and the loops.

import { countsUp } from '../mir.ts';
import { liveOutsOf } from '../re-entry.ts';
import type { CountedLoop, If, LocalId, Loop, LoopVersions, Statement, Try } from '../mir.ts';
import { hasLoop, operandsOf, visitAll } from '../children.ts';
import { localsSet } from '../locals.ts';
import { errorTypeOf } from '../../language/errors.ts';
import { booleanType, intType, jsonType, stringType } from '../../language/types.ts';
import { fieldType, verifyObject } from './expressions.ts';
import type { FunctionVerifier } from './function-verifier.ts';
import { guardOf } from './guards.ts';
import { verifyAppendText } from './texts.ts';
import { verifyHoistArray, verifySetHoisted, verifySetRange } from './hoisted.ts';
import { verifyScratchWrite } from './scratch.ts';
import { verifyOutlined, verifyReturnLiveOuts } from './outlined.ts';

export function verifyStatements(v: FunctionVerifier, nodes: readonly Statement[]): void {
  for (const node of nodes) v.inside(node, () => verifyStatement(v, node));
}

function verifyStatement(v: FunctionVerifier, node: Statement): void {
  switch (node.kind) {
    case 'set-local': {
      v.expression(node.value);
      const type = v.localType(node, node.local);
      if (type?.kind === 'elements') v.fault(node, 'raw elements are set by the hoisting of an array alone');
      return type === null ? undefined : v.takes(node, 'the value', node.value, type);
    }
    case 'set-global': {
      v.expression(node.value);
      const global = v.program.globals.get(node.global);
      return global === undefined
        ? v.fault(node, `there is no global ${node.global}`)
        : v.takes(node, 'the value', node.value, global.type);
    }
    case 'set-field': {
      v.expression(node.object);
      v.expression(node.value);
      verifyObject(v, node, node.object, node.struct);
      const type = fieldType(v, node, node.struct, node.field);
      return type === null ? undefined : v.takes(node, 'the value', node.value, type);
    }
    case 'set-element':
      v.expression(node.array);
      v.expression(node.index);
      v.expression(node.value);
      v.takes(node, 'the index', node.index, intType);
      if (node.array.type.kind !== 'array') return v.fault(node, 'what is indexed is no array');
      return v.takes(node, 'the value', node.value, node.array.type.element);
    case 'store':
    case 'copy-elements':
      for (const operand of operandsOf(node)) v.expression(operand);
      return verifyScratchWrite(v, node);
    case 'set-hoisted':
      if (node.checked) v.expression(node.hoisted.array);
      v.expression(node.index);
      v.expression(node.value);
      return verifySetHoisted(v, node);
    case 'set-range':
      for (const operand of [node.index, node.value, node.count]) v.expression(operand);
      return verifySetRange(v, node);
    case 'append-text':
      for (const { value } of node.pieces) v.expression(value);
      return verifyAppendText(v, node);
    case 'hoist-array':
      v.expression(node.array);
      return verifyHoistArray(v, node);
    case 'set-member':
      v.expression(node.json);
      v.expression(node.key);
      v.expression(node.value);
      v.takes(node, 'what has members', node.json, jsonType);
      v.takes(node, 'the key', node.key, stringType);
      return v.takes(node, 'the value', node.value, jsonType);
    case 'set-item':
      v.expression(node.json);
      v.expression(node.index);
      v.expression(node.value);
      v.takes(node, 'what has items', node.json, jsonType);
      v.takes(node, 'the index', node.index, intType);
      return v.takes(node, 'the value', node.value, jsonType);
    case 'charge':
      v.expression(node.units);
      v.takes(node, 'the units', node.units, intType);
      // Where fuel is not counted, iterations may be, so that a loop stops in time.
      if (!v.countsFuel && !hasLoop(v.fn.body)) v.fault(node, 'no fuel is counted here');
      return node.units.kind === 'int' && node.units.value <= 0n ? v.fault(node, 'these are no units') : undefined;
    case 'poll':
      return v.countsFuel ? undefined : v.fault(node, 'no fuel is counted here');
    case 'count':
    case 'attribute':
      return v.counts(node.counter) ? undefined : v.fault(node, 'the program has no such counter');
    case 'osr-exit':
      return;
    case 'evaluate':
      return v.expression(node.expression);
    case 'if':
      return verifyIf(v, node);
    case 'loop':
      return verifyLoop(v, node);
    case 'break':
    case 'continue':
      return v.isInLoop(node) ? undefined : v.fault(node, `it is not in the body of loop ${node.loop}`);
    case 'return':
      return verifyReturn(v, node);
    case 'finish':
      if (!v.isEntry) v.fault(node, 'a function that is not the entry finishes the run');
      if (node.value === null) return;
      v.expression(node.value);
      return v.takesAny(node, 'the value', node.value);
    case 'yield':
      v.expression(node.value);
      return v.takesAny(node, 'the value', node.value);
    case 'throw':
      v.expression(node.message);
      return v.takes(node, 'the message', node.message, stringType);
    case 'try':
      return verifyTry(v, node);
    case 'call-outlined':
      return verifyOutlined(v, node, node.outlined);
    case 'return-live-outs':
      return verifyReturnLiveOuts(v, node);
    case 'block':
      return v.statements(node.statements);
  }
}

function verifyIf(v: FunctionVerifier, node: If): void {
  if (node.arms.length === 0) v.fault(node, 'there is no arm');
  for (const { condition, then } of node.arms) {
    v.expression(condition);
    v.takes(node, 'the condition', condition, booleanType);
    v.behind(guardOf(condition), () => v.statements(then));
  }
  v.statements(node.otherwise);
  if (node.versions !== undefined) verifyVersions(v, node, node.versions);
}

/** What the condition tells is told of elements, and of one version of a loop. */
function verifyVersions(v: FunctionVerifier, node: If, { inRange }: LoopVersions): void {
  if (node.arms.length !== 1) v.fault(node, 'there are more than two versions of a loop');
  for (const { elements, low, high } of inRange) {
    const kind = v.localType(node, elements)?.kind;
    if (kind !== undefined && kind !== 'elements' && kind !== 'codeUnits')
      v.fault(node, 'what is in range is no elements');
    if (low > high) v.fault(node, 'a range of indices is empty');
  }
}

function verifyReturn(v: FunctionVerifier, node: Statement & { readonly kind: 'return' }): void {
  const { returns } = v.fn;
  if (v.isEntry) v.fault(node, 'the entry returns, and does not finish the run');
  if (liveOutsOf(v.fn) !== null) v.fault(node, 'an outlined loop returns by itself');
  if (node.value === null) return returns.kind === 'void' ? undefined : v.fault(node, 'there is no value');
  v.expression(node.value);
  if (returns.kind === 'void') v.fault(node, 'a function without a value returns one');
  else v.takes(node, 'the value', node.value, returns);
}

function verifyTry(v: FunctionVerifier, node: Try): void {
  if (node.clauses.length === 0) v.fault(node, 'there is no clause');
  v.statements(node.body);
  for (const { errorType, local, body } of node.clauses) {
    if (errorType !== null && errorTypeOf(errorType) === undefined) v.fault(node, `there is no error ${errorType}`);
    v.holds(node, 'the local of the message', local, stringType);
    v.statements(body);
  }
}

// Loops

function verifyLoop(v: FunctionVerifier, node: Loop): void {
  const { id, condition, testFirst, body, step, counted, outlined } = node;
  if (v.loopIds.has(id)) v.fault(node, `there are two loops ${id}`);
  v.loopIds.add(id);
  if (condition !== null) {
    v.expression(condition);
    v.takes(node, 'the condition', condition, booleanType);
  }
  v.behind(guardOf(testFirst ? condition : null), () => {
    v.inLoop(id, 'body', () => v.statements(body));
    v.inLoop(id, 'step', () => v.statements(step));
  });
  if (counted !== undefined) verifyCounted(v, node, counted);
  if (outlined !== undefined) verifyOutlined(v, node, outlined);
}

/** Nothing but the step changes what is counted, and the condition that is written tests it. */
function verifyCounted(v: FunctionVerifier, node: Loop, counted: CountedLoop): void {
  const { variable, limit, textLength, step, limitStep } = counted;
  // A strip makes one iteration at least.
  const canComeLast = node.isShort === true;
  if (node.condition === null || (!node.testFirst && !canComeLast))
    v.fault(node, 'a counted loop does not begin with its condition');
  v.holds(node, 'what is counted', variable, intType);
  v.expression(limit);
  v.takes(node, 'the limit', limit, intType);
  v.takes(node, 'the step', step, intType);
  if (textLength !== undefined) v.holds(node, 'the length of the text', textLength, intType);
  if (limitStep !== 0n && limit.kind !== 'get-local') v.fault(node, 'a limit that moves is no variable');
  if (step.kind === 'get-local') v.expression(step);
  else if (step.kind !== 'int') v.fault(node, 'the step is neither a constant nor a local');
  else if (isBackwards(counted, step.value)) v.fault(node, 'it counts away from its limit');
  const sets = countSets(node);
  const setsOf = (local: LocalId): number => sets.get(local) ?? 0;
  if (setsOf(variable) !== 1) v.fault(node, 'what is counted is not set once, in the step');
  if (step.kind === 'get-local' && setsOf(step.local) > 0) v.fault(node, 'the loop sets its step');
  visitAll([limit], (part) => {
    if (part.kind === 'get-local' && setsOf(part.local) !== (limitStep === 0n ? 0 : 1))
      v.fault(node, 'the loop sets its limit');
  });
}

function isBackwards({ comparison }: CountedLoop, step: bigint): boolean {
  return countsUp(comparison) ? step <= 0n : step >= 0n;
}

/** How often the body sets each local, and the step; there is no loop in a counted one. */
function countSets({ condition, body, step }: Loop): ReadonlyMap<LocalId, number> {
  const sets = new Map<LocalId, number>();
  visitAll([...(condition === null ? [] : [condition]), ...body, ...step], (node) => {
    for (const local of localsSet(node)) sets.set(local, (sets.get(local) ?? 0) + 1);
  });
  return sets;
}
