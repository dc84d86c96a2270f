// The scratch memory and vectors: what their nodes take and give.

import type { CopyElements, Expression, LaneWise, Load, Store } from '../mir.ts';
import { booleanType, intType, isNumeric } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { FunctionVerifier } from './function-verifier.ts';

type ScratchExpression = Expression & {
  readonly kind: 'load' | 'reserve-scratch' | 'splat' | 'extract-lane' | 'lane-wise';
};

export function verifyScratch(v: FunctionVerifier, node: ScratchExpression): void {
  switch (node.kind) {
    case 'load':
      verifyPlace(v, node, node.type);
      return;
    case 'reserve-scratch':
      v.takes(node, 'the number of bytes', node.bytes, intType);
      return v.is(node, booleanType);
    case 'splat':
      if (!isNumeric(node.operand.type)) v.fault(node, 'there is no number to repeat');
      return v.is(node, { kind: 'vector', element: node.operand.type });
    case 'extract-lane':
      if (node.operand.type.kind !== 'vector') return v.fault(node, 'there is no vector to take a lane of');
      return v.is(node, node.operand.type.element);
    case 'lane-wise':
      return verifyLaneWise(v, node);
  }
}

export function verifyScratchWrite(v: FunctionVerifier, node: Store | CopyElements): void {
  if (node.kind === 'store') return verifyPlace(v, node, node.value.type);
  const { type } = node.elements;
  let inner: Type | null = type.kind === 'elements' ? type.element : null;
  for (const count of node.counts.slice(1)) {
    v.takes(node, 'a count', count, intType);
    inner = inner?.kind === 'array' ? inner.element : null;
  }
  if (inner === null || !isNumeric(inner)) v.fault(node, 'there are no raw elements that are numbers');
  v.takes(node, 'the address', node.address, intType);
  v.takes(node, 'the first count', node.counts[0]!, intType);
}

function verifyPlace(v: FunctionVerifier, node: Load | Store, type: Type): void {
  v.takes(node, 'the address', node.address, intType);
  if (!Number.isInteger(node.offset) || node.offset < 0) v.fault(node, 'the offset is no count of bytes');
  if (!isNumeric(type.kind === 'vector' ? type.element : type)) v.fault(node, 'the scratch memory holds numbers alone');
}

function verifyLaneWise(v: FunctionVerifier, { type, operands, ...node }: LaneWise): void {
  const whole = { type, operands, ...node };
  if (type.kind !== 'vector') return v.fault(whole, 'the result is no vector');
  const kind = node.operator === 'pair' ? type.element.kind : 'vector';
  if (operands.some((operand) => operand.type.kind !== kind)) v.fault(whole, `an operand is no ${kind}`);
}
