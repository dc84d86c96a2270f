// Arrays and texts whose elements are in locals: which locals those are, and who set them.

import type { GetHoisted, HoistArray, HoistedArray, SetHoisted, SetRange } from '../mir.ts';
import { localsOfHoisted } from '../mir.ts';
import type { Node } from '../children.ts';
import { intType, codeUnitsType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { FunctionVerifier } from './function-verifier.ts';

/** The locals of the elements, and of how many they are. */
function verifyLocals(v: FunctionVerifier, node: Node, hoisted: HoistedArray): void {
  const { array, elements, length, window } = hoisted;
  const isText = array.type.kind === 'string';
  const raw: Type = array.type.kind === 'array' ? { kind: 'elements', element: array.type.element } : codeUnitsType;
  if (!isText && array.type.kind !== 'array') v.fault(node, 'what is hoisted is neither an array nor a text');
  // Its elements are seen from values of json too.
  if (array.type.kind === 'array' && array.type.element.kind === 'json') v.fault(node, 'an array of json is hoisted');
  if (isText !== (window !== null)) v.fault(node, 'a text has a window, and an array none');
  v.holds(node, 'the local of the elements', elements, raw);
  v.holds(node, 'the local of the length', length, intType);
  if (window === null) return;
  v.holds(node, 'the local of the start', window.start, intType);
  v.holds(node, 'the local of the size', window.size, intType);
  // A read that is known to be in the window has its size for a length.
  const isInside = node.kind === 'get-hoisted' && !node.checked && length === window.size;
  const count = new Set(localsOfHoisted(hoisted)).size;
  if (count < (isInside ? 3 : 4)) v.fault(node, 'two of the locals are the same');
}

export function verifyHoistArray(v: FunctionVerifier, node: HoistArray): void {
  verifyLocals(v, node, node);
}

export function verifyGetHoisted(v: FunctionVerifier, node: GetHoisted): void {
  verifyAccess(v, node);
  v.is(node, elementOf(node.hoisted) ?? intType);
}

export function verifySetHoisted(v: FunctionVerifier, node: SetHoisted): void {
  verifyAccess(v, node);
  const element = elementOf(node.hoisted);
  if (element === null) v.fault(node, 'no unit of a text can be set');
  else v.takes(node, 'the value', node.value, element);
}

export function verifySetRange(v: FunctionVerifier, node: SetRange): void {
  const { hoisted, value, count } = node;
  verifyAccess(v, { ...node, kind: 'set-hoisted', checked: false });
  v.takes(node, 'the count', count, intType);
  const element = elementOf(hoisted);
  if (element === null) v.fault(node, 'no unit of a text can be set');
  else v.takes(node, 'the value', value, element);
  if (value.kind === 'get-hoisted' && value.checked) v.fault(node, 'what is copied is checked');
}

/** Null for a text, whose code units are ints. */
function elementOf({ array }: HoistedArray): Type | null {
  return array.type.kind === 'array' ? array.type.element : null;
}

function verifyAccess(v: FunctionVerifier, node: GetHoisted | SetHoisted): void {
  const { hoisted, index, checked, asserted } = node;
  verifyLocals(v, node, hoisted);
  v.takes(node, 'the index', index, intType);
  const { elements, length } = hoisted;
  // What is asserted the program compares itself.
  if (checked || asserted === true) return;
  if (!v.isBehind(({ locals, isLength }) => isLength || locals.has(elements) || locals.has(length)))
    v.fault(node, 'nothing has compared an index with the length, and none is checked');
}
