// Structs: a wasm struct of the fields in their order.

import { arePure } from '../mir/effects.ts';
import type { GetField, SetField, StructLiteral } from '../mir/mir.ts';
import { isNeverNull } from '../mir/never-null.ts';
import { none, referenceTo } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitNonNull } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';

/** A null check, then struct.get. */
export function emitGetField(fb: FunctionBuilder, node: GetField): ExpressionRef {
  const object = emitNonNull(fb, node.object, () => `field '${fieldName(fb, node)}'`, node.span);
  return fb.module.struct.get(node.field, object, fb.wasmType(node.type), false);
}

/** Object, value, null check, struct.set. */
export function emitSetField(fb: FunctionBuilder, node: SetField): ExpressionRef {
  const m = fb.module;
  const what = (): string => `field '${fieldName(fb, node)}'`;
  // A value that cannot fail may be evaluated after the test.
  if (fb.instance.trusted || isNeverNull(node.object) || arePure([node.value], fb.emitter.registry)) {
    const object = emitNonNull(fb, node.object, what, node.span);
    return m.struct.set(node.field, object, fb.expression(node.value));
  }
  const value = fb.expression(node.value);
  const objectType = fb.wasmType(node.object.type);
  const valueType = fb.wasmType(node.value.type);
  const objectLocal = fb.newLocal(objectType);
  const valueLocal = fb.newLocal(valueType);
  const tested = emitNonNull(fb, node.object, what, node.span, m.local.get(objectLocal, objectType));
  return m.block(
    null,
    [
      m.local.set(objectLocal, fb.expression(node.object)),
      m.local.set(valueLocal, value),
      m.struct.set(node.field, tested, m.local.get(valueLocal, valueType)),
    ],
    none,
  );
}

/**
 * struct.new. If the literal has the fields in another order than the declaration, locals hold their values, so that
 * they are evaluated in the order of the literal.
 */
export function emitStructLiteral(fb: FunctionBuilder, node: StructLiteral): ExpressionRef {
  const m = fb.module;
  const heapType = fb.emitter.types.heapType(fb.resolve(node.type));
  if (node.fields.every(({ field }, index) => field === index)) {
    return m.struct.new(
      node.fields.map(({ value }) => fb.expression(value)),
      heapType,
    );
  }
  const operands: ExpressionRef[] = [];
  const stores = node.fields.map(({ field, value }) => {
    const type = fb.wasmType(value.type);
    const local = fb.newLocal(type);
    operands[field] = m.local.get(local, type);
    return m.local.set(local, fb.expression(value));
  });
  return m.block(null, [...stores, m.struct.new(operands, heapType)], referenceTo(heapType, false));
}

function fieldName(fb: FunctionBuilder, node: GetField | SetField): string {
  return fb.emitter.structs.get(node.struct)!.fields[node.field]!.name;
}
