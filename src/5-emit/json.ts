// json in scripts: literals store their slots directly, accesses to keys and elements call the prelude, casts and
// conversions are derived from the type.

import type { Expression, JsonObjectLiteral, SetItem, SetMember } from '../mir/mir.ts';
import { arrayOf, hiddenTypes, jsonType } from '../language/types.ts';
import { eqref, i64, referenceTo } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitEmptyElements } from './allocation.ts';
import { emitElementCast, emitElementToJson } from './derived.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { collectKeyUsages, likelyMembers } from './json-rooms.ts';
import { emitCallAtSite } from './json-sites.ts';
import { emitStringConstant } from './strings.ts';

const jsonShape = hiddenTypes.get('JsonShape')!;
const slots = { kind: 'slots' } as const;

/** Equals smallObject in the prelude: an object with more keys has an index. */
const smallObject = 8;

/** Engines limit the operands of one instruction. */
const mostOperands = 1000;

/** One instruction makes a small object; a larger one gets its keys one by one. */
export function emitJsonObject(fb: FunctionBuilder, node: JsonObjectLiteral): ExpressionRef {
  const m = fb.module;
  const { members, span } = node;
  if (members.length === 0) return fb.call(fb.emitter.requestPrelude('emptyObject'), [emitShape(fb, node)], span);
  if (members.length <= smallObject) return emitSmallObject(fb, node);
  const count = m.i64.const(BigInt(members.length));
  const type = fb.wasmType(slots);
  const local = fb.newLocal(type);
  const append = fb.emitter.requestPrelude('appendMember');
  return m.block(
    null,
    [
      m.local.set(local, fb.call(fb.emitter.requestPrelude('newObject'), [count], span)),
      ...members.map(({ key, value }) =>
        fb.call(append, [m.local.get(local, type), emitStringConstant(fb.emitter, key), fb.expression(value)], span),
      ),
      m.local.get(local, type),
    ],
    type,
  );
}

/** How many members more an object may get room for than the compiler foresees. */
const foreseen: readonly number[] = [0, 2, 6];

/**
 * Its shape, nothing beyond this row, and the values. The shape says whether objects like it often get more later; it
 * never says less than the compiler foresees.
 */
function emitSmallObject(fb: FunctionBuilder, node: JsonObjectLiteral): ExpressionRef {
  const m = fb.module;
  const row = fb.emitter.types.heapType(slots);
  const shapeType = fb.wasmType(jsonShape);
  const values = node.members.map(({ value }) => ({ value, local: fb.newLocal(eqref) }));
  const shape = fb.newLocal(shapeType);
  const more = fb.newLocal(i64);
  const emitRow = (count: number): ExpressionRef =>
    m.array.new_fixed(row, [
      m.local.get(shape, shapeType),
      m.ref.null(eqref),
      ...values.map(({ local }) => m.local.get(local, eqref)),
      ...Array.from({ length: count }, () => m.ref.null(eqref)),
    ]);
  const counts = foreseen.map((count) => count + roomOf(fb, node) - values.length);
  const made = counts
    .slice(0, -1)
    .reduceRight(
      (larger, count) => m.if(m.i64.le_s(m.local.get(more, i64), m.i64.const(BigInt(count))), emitRow(count), larger),
      emitRow(counts.at(-1)!),
    );
  return m.block(
    null,
    [
      ...values.map(({ value, local }) => m.local.set(local, fb.expression(value))),
      m.local.set(shape, emitShape(fb, node)),
      m.local.set(
        more,
        fb.call(fb.emitter.requestPrelude('foreseenMembers'), [m.local.get(shape, shapeType)], node.span),
      ),
      made,
    ],
    referenceTo(row, false),
  );
}

/** For how many values the objects of a literal get room at least, 0 where nothing is known. */
function roomOf(fb: FunctionBuilder, node: JsonObjectLiteral): number {
  return likelyMembers(
    node,
    fb.emitter.once('key usages', () => collectKeyUsages(fb.emitter.programFunctions)),
  );
}

/** The shape of a small object; the module computes it once. A literal without members has a shape of its own. */
function emitShape(fb: FunctionBuilder, node: JsonObjectLiteral): ExpressionRef {
  const m = fb.module;
  const { members, span } = node;
  const type = fb.wasmType(jsonShape);
  const own = members.length === 0 ? `:${span.file.name}:${span.start}` : '';
  const name = `$shape:${JSON.stringify(members.map(({ key }) => key))}${own}`;
  fb.emitter.declare(name, () => m.addGlobal(name, type, true, m.ref.null(type)));
  const keys = m.array.new_fixed(
    fb.emitter.types.heapType(slots),
    members.map(({ key }) => emitStringConstant(fb.emitter, key)),
  );
  const lookUp = m.global.set(
    name,
    fb.call(fb.emitter.requestPrelude('shapeOfKeys'), [keys, m.i64.const(BigInt(roomOf(fb, node)))], span),
  );
  return m.block(null, [m.if(m.ref.is_null(m.global.get(name, type)), lookUp), m.global.get(name, type)], type);
}

/** The elements of a json array: one instruction, or one store after the other if there are many. */
export function emitJsonArray(fb: FunctionBuilder, node: Expression & { readonly kind: 'json-array' }): ExpressionRef {
  const m = fb.module;
  const { elements } = node;
  const slotsType = fb.emitter.types.heapType(slots);
  const list = fb.emitter.types.heapType(arrayOf(jsonType));
  const count = m.i32.const(elements.length);
  if (elements.length === 0) return m.struct.new([emitEmptyElements(fb.emitter, jsonType), count], list);
  if (elements.length <= mostOperands) {
    return m.struct.new(
      [
        m.array.new_fixed(
          slotsType,
          elements.map((element) => fb.expression(element)),
        ),
        count,
      ],
      list,
    );
  }
  const type = referenceTo(slotsType, false);
  const local = fb.newLocal(type);
  return m.block(
    null,
    [
      m.local.set(local, m.array.new_default(slotsType, count)),
      ...elements.map((element, index) =>
        m.array.set(m.local.get(local, type), m.i32.const(index), fb.expression(element)),
      ),
      m.struct.new([m.local.get(local, type), m.i32.const(elements.length)], list),
    ],
    referenceTo(list, false),
  );
}

type GetMember = Expression & { readonly kind: 'get-member' };
type GetItem = Expression & { readonly kind: 'get-item' };

export function emitGetMember(fb: FunctionBuilder, node: GetMember): ExpressionRef {
  const operands = [fb.expression(node.json), fb.expression(node.key)];
  return (
    emitCallAtSite(fb, 'readMember', operands, node.key, node.span) ??
    fb.call(fb.emitter.requestPrelude('readMember'), operands, node.span)
  );
}

export function emitGetItem(fb: FunctionBuilder, node: GetItem): ExpressionRef {
  return fb.call(
    fb.emitter.requestPrelude('readItem'),
    [fb.expression(node.json), fb.expression(node.index)],
    node.span,
  );
}

export function emitSetMember(fb: FunctionBuilder, node: SetMember): ExpressionRef {
  const operands = [fb.expression(node.json), fb.expression(node.key), fb.expression(node.value)];
  return (
    emitCallAtSite(fb, 'writeMember', operands, node.key, node.span) ??
    fb.call(fb.emitter.requestPrelude('writeMember'), operands, node.span)
  );
}

export function emitSetItem(fb: FunctionBuilder, node: SetItem): ExpressionRef {
  return fb.call(
    fb.emitter.requestPrelude('writeItem'),
    [fb.expression(node.json), fb.expression(node.index), fb.expression(node.value)],
    node.span,
  );
}

export function emitItemCount(fb: FunctionBuilder, node: Expression & { readonly kind: 'item-count' }): ExpressionRef {
  return fb.call(fb.emitter.requestPrelude('countItems'), [fb.expression(node.json)], node.span);
}

export function emitToJson(fb: FunctionBuilder, node: Expression & { readonly kind: 'to-json' }): ExpressionRef {
  return emitElementToJson(
    fb,
    fb.resolve(node.operand.type),
    fb.expression(node.operand),
    fb.module.i64.const(0n),
    node.span,
  );
}

export function emitCast(fb: FunctionBuilder, node: Expression & { readonly kind: 'cast' }): ExpressionRef {
  return emitElementCast(fb, fb.resolve(node.type), fb.expression(node.operand), fb.module.i64.const(0n), node.span);
}
