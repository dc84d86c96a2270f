// The scratch memory and vectors: what their nodes take and give.

import type { CopyElements, Expression, LaneWise, Load, Store } from '../mir.ts';
import { booleanType, intType, isNumeric } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { laneShifts, laneCount, smallInt } from '../lane-wise.ts';
import type { Node } from '../kinds.ts';
import type { FunctionVerifier } from './function-verifier.ts';

type ScratchExpression = Expression & {
  readonly kind: 'load' | 'reserve-scratch' | 'row-length' | 'distinct-rows' | 'splat' | 'extract-lane' | 'lane-wise';
};

export function verifyScratch(v: FunctionVerifier, node: ScratchExpression): void {
  switch (node.kind) {
    case 'load':
      verifyPlace(v, node, node.type);
      return;
    case 'reserve-scratch':
      v.takes(node, 'the number of bytes', node.bytes, intType);
      return v.is(node, booleanType);
    case 'row-length':
      if (verifyCounts(v, node, node.elements, node.counts)?.kind !== 'array') v.fault(node, 'there are no rows');
      if (node.most !== null) v.takes(node, 'the number of rows', node.most, intType);
      return v.is(node, intType);
    case 'distinct-rows': {
      let at = 0;
      for (const dimensions of node.dimensions) {
        const [elements, address, ...counts] = node.operands.slice(at, (at += dimensions + 2));
        v.takes(node, 'the address', address!, intType);
        verifyNumbers(v, node, elements!, counts);
      }
      return v.is(node, booleanType);
    }
    case 'splat':
      if (!isNumeric(node.operand.type)) v.fault(node, 'there is no number to repeat');
      return v.is(node, { kind: 'vector', element: isSmall(node.type) ? smallInt : node.operand.type });
    case 'extract-lane':
      if (node.operand.type.kind !== 'vector') return v.fault(node, 'there is no vector to take a lane of');
      return v.is(node, node.operand.type.element);
    case 'lane-wise':
      return verifyLaneWise(v, node);
  }
}

export function verifyScratchWrite(v: FunctionVerifier, node: Store | CopyElements): void {
  if (node.kind === 'store') return verifyPlace(v, node, node.value.type);
  v.takes(node, 'the address', node.address, intType);
  verifyNumbers(v, node, node.elements, node.counts);
}

/** Raw elements with as many dimensions as there are counts, and numbers in them. */
function verifyNumbers(v: FunctionVerifier, node: Node, elements: Expression, counts: readonly Expression[]): void {
  const inner = verifyCounts(v, node, elements, counts);
  if (inner === null || !isNumeric(inner)) v.fault(node, 'there are no raw elements that are numbers');
}

/** What is inside of raw elements behind as many dimensions as there are counts; null where there are fewer. */
function verifyCounts(
  v: FunctionVerifier,
  node: Node,
  { type }: Expression,
  counts: readonly Expression[],
): Type | null {
  let inner: Type | null = type.kind === 'elements' ? type.element : null;
  for (const count of counts.slice(1)) {
    v.takes(node, 'a count', count, intType);
    inner = inner?.kind === 'array' ? inner.element : null;
  }
  v.takes(node, 'the first count', counts[0]!, intType);
  return inner;
}

function verifyPlace(v: FunctionVerifier, node: Load | Store, type: Type): void {
  v.takes(node, 'the address', node.address, intType);
  if (!Number.isInteger(node.offset) || node.offset < 0) v.fault(node, 'the offset is no count of bytes');
  const number = type.kind === 'vector' ? type.element : type;
  if (!isNumeric(number)) v.fault(node, 'the scratch memory holds numbers alone');
  if (node.storage !== undefined && number.kind !== 'int') v.fault(node, 'ints alone lie in fewer bytes');
}

function verifyLaneWise(v: FunctionVerifier, { type, operands, ...node }: LaneWise): void {
  const whole = { type, operands, ...node };
  if (type.kind !== 'vector') return v.fault(whole, 'the result is no vector');
  const isShift = laneShifts.has(node.operator);
  const kind = node.operator === 'pair' ? type.element.kind : 'vector';
  const inLanes = isShift ? operands.slice(0, 1) : operands;
  if (inLanes.some((operand) => operand.type.kind !== kind)) v.fault(whole, `an operand is no ${kind}`);
  if (isShift) v.takes(whole, 'the count', operands[1]!, intType);
  const ofInts = [type, ...operands.map((operand) => operand.type)].filter(isOfInts);
  if (ofInts.some((one) => isSmall(one) !== isSmall(ofInts[0]!))) v.fault(whole, 'the vectors have other lanes');
}

function isOfInts(type: Type): boolean {
  return type.kind === 'vector' && type.element.kind === 'int';
}

/** Whether it is a vector of four. */
function isSmall(type: Type): boolean {
  return type.kind === 'vector' && laneCount(type.element) === 4;
}
