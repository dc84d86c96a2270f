// Arrays and texts that loop-invariant code motion has hoisted: locals hold their elements and length. For a long text,
// the local holds only some of its code units: a window that moves along with the loop.

import type {
  Expression,
  GetHoisted,
  HoistedArray,
  HoistedWindow,
  HoistArray,
  SetHoisted,
  SetRange,
} from '../mir/mir.ts';
import { arePure, isSpeculatable } from '../mir/effects.ts';
import { isNeverNull } from '../mir/never-null.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { elementOf, emitLength, emitElements } from './arrays.ts';
import { emitAssertInRange } from './assertions.ts';
import { i32, i64, isRepeatable, none, wrap } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { copyRaw, emitStored, fillRaw, readElement, writeRaw } from './element-storage.ts';
import { emitFail, emitIsNull, emitNonNull } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitGetGlobal } from './globals.ts';

/**
 * `if (array == null) { elements = null; length = 0 } else { … }`; for an array that is its elements,
 * `elements = array; length = elements == null ? 0 : …`
 */
export function emitHoistArray(fb: FunctionBuilder, node: HoistArray): ExpressionRef {
  const m = fb.module;
  if (node.window !== null) return emitHoistText(fb, node, node.window);
  const type = fb.wasmType(node.array.type);
  const element = elementOf(fb.resolve(node.array.type));
  if (!isNeverNull(node.array) && fb.emitter.types.isItsElements(element)) {
    const elements = (): ExpressionRef => fb.getLocal(node.elements);
    const length = m.i64.extend_u(emitLength(fb, elements(), element));
    return m.block(
      null,
      [
        fb.setLocal(node.elements, fb.expression(node.array)),
        fb.setLocal(node.length, m.if(emitIsNull(fb, elements(), node.array.type), m.i64.const(0n), length)),
      ],
      none,
    );
  }
  return fb.reuse(fb.expression(node.array), type, (read) => {
    const hoist = m.block(
      null,
      [
        fb.setLocal(node.elements, emitElements(fb, read(), element)),
        fb.setLocal(node.length, m.i64.extend_u(emitLength(fb, read(), element))),
      ],
      none,
    );
    if (isNeverNull(node.array)) return hoist;
    const nothing = [
      fb.setLocal(node.elements, m.ref.null(fb.localType(node.elements))),
      fb.setLocal(node.length, m.i64.const(0n)),
    ];
    return m.if(m.ref.is_null(read()), m.block(null, nothing, none), hoist);
  });
}

/**
 * `elements = codeUnitsOfLoop(text)`. That function's other results are in globals: the start of the window, its size,
 * and the length of the text, which is 0 if the window is not the whole text.
 */
function emitHoistText(
  fb: FunctionBuilder,
  { array, elements, length, span }: HoistArray,
  window: HoistedWindow,
): ExpressionRef {
  return fb.module.block(
    null,
    [
      fb.setLocal(elements, fb.call(fb.emitter.requestPrelude('codeUnitsOfLoop'), [fb.expression(array)], span)),
      ...emitReadWindow(fb, window),
      fb.setLocal(length, emitGetGlobal(fb, 'prelude#lengthOfCodeUnits')),
    ],
    none,
  );
}

function emitReadWindow(fb: FunctionBuilder, { start, size }: HoistedWindow): readonly ExpressionRef[] {
  return [
    fb.setLocal(start, emitGetGlobal(fb, 'prelude#startOfCodeUnits')),
    fb.setLocal(size, emitGetGlobal(fb, 'prelude#sizeOfCodeUnits')),
  ];
}

/**
 * Index, bounds check, array.get. For a text the elements are code units; outside the window it calls the function that
 * the access replaces.
 */
export function emitGetHoisted(fb: FunctionBuilder, node: GetHoisted): ExpressionRef {
  const m = fb.module;
  if (node.hoisted.window !== null) return emitGetCode(fb, node, node.hoisted.window);
  const element = elementOf(fb.resolve(node.hoisted.array.type));
  const load = (index: ExpressionRef): ExpressionRef =>
    readElement(fb.emitter, fb.getLocal(node.hoisted.elements), wrap(m, index), element);
  const index = fb.expression(node.index);
  if (node.isRedundant === true || (!node.checked && node.asserted !== true)) return load(index);
  const { first, read } = fb.tee(index, i64);
  if (!node.checked) return m.block(null, [emitAssertion(fb, node, first), load(read())], fb.wasmType(element));
  const path = emitPathTest(fb, node.hoisted, node.index);
  return m.block(
    null,
    [...path, emitRangeTest(fb, node.hoisted, first, read, element, node.span), load(read())],
    fb.wasmType(element),
  );
}

/**
 * `at = index - start; at < size ? elements[at] : codeBeyond(text, index)`; this call may move the window. The receiver
 * is tested for null before the index is evaluated.
 */
function emitGetCode(fb: FunctionBuilder, node: GetHoisted, window: HoistedWindow): ExpressionRef {
  const m = fb.module;
  const { hoisted, index, checked, asserted, span } = node;
  const load = (at: ExpressionRef): ExpressionRef =>
    m.i64.extend_u(m.array.get(fb.getLocal(hoisted.elements), wrap(m, at), i32, false));
  if (asserted === true) {
    const { first, read } = fb.tee(fb.expression(index), i64);
    return m.block(null, [emitAssertion(fb, node, first), load(read())], i64);
  }
  if (!checked) return load(fb.expression(index));
  const receiver = (): ExpressionRef => emitNonNull(fb, hoisted.array, () => 'codeAt()', hoisted.array.span);
  const test = isSpeculatable(index, fb.emitter.registry)
    ? []
    : [m.if(m.ref.is_null(fb.getLocal(hoisted.elements)), m.drop(receiver()))];
  const { first, read } = fb.tee(m.i64.sub(fb.expression(index), fb.getLocal(window.start)), i64);
  const [text, code] = [fb.newLocal(fb.wasmType(hoisted.array.type)), fb.newLocal(i64)];
  const readText = (): ExpressionRef => m.local.get(text, fb.wasmType(hoisted.array.type));
  const move = m.block(
    null,
    [
      m.local.set(text, receiver()),
      m.local.set(
        code,
        fb.call(
          fb.emitter.requestPrelude('codeBeyond'),
          [readText(), m.i64.add(read(), fb.getLocal(window.start))],
          span,
        ),
      ),
      fb.setLocal(hoisted.elements, fb.call(fb.emitter.requestPrelude('codeUnitsOfLoop'), [readText()], span)),
      ...emitReadWindow(fb, window),
      m.local.get(code, i64),
    ],
    i64,
  );
  return m.block(null, [...test, m.if(m.i64.lt_u(first, fb.getLocal(window.size)), load(read()), move)], i64);
}

/** Index, value, bounds check, array.set. */
export function emitSetHoisted(fb: FunctionBuilder, node: SetHoisted): ExpressionRef {
  const m = fb.module;
  const element = elementOf(fb.resolve(node.hoisted.array.type));
  const store = (index: ExpressionRef, value: ExpressionRef): ExpressionRef =>
    writeRaw(
      fb.emitter,
      fb.getLocal(node.hoisted.elements),
      wrap(m, index),
      emitStored(fb, value, element, node.span),
      element,
    );
  const index = fb.expression(node.index);
  const value = fb.expression(node.value);
  // A value that cannot fail may be evaluated after the test.
  const isLate = isRepeatable(value) || arePure([node.value], fb.emitter.registry);
  if (node.isRedundant === true) {
    // The value may be what tests the element; the path to its array fails in front of it all the same.
    return isLate ? store(index, value) : m.block(null, [...emitPathTest(fb, node.hoisted), store(index, value)], none);
  }
  if (!node.checked) {
    if (node.asserted !== true) return store(index, value);
    const { first, read } = fb.tee(index, i64);
    return m.block(null, [emitAssertion(fb, node, first), store(read(), value)], none);
  }
  if (isLate) {
    const { first, read } = fb.tee(index, i64);
    return m.block(
      null,
      [
        ...emitPathTest(fb, node.hoisted, node.index),
        emitRangeTest(fb, node.hoisted, first, read, element, node.span),
        store(read(), value),
      ],
      none,
    );
  }
  const type = fb.wasmType(node.value.type);
  const [at, local] = [fb.newLocal(i64), fb.newLocal(type)];
  const readIndex = (): ExpressionRef => m.local.get(at, i64);
  return m.block(
    null,
    [
      ...emitPathTest(fb, node.hoisted),
      m.local.set(at, index),
      m.local.set(local, value),
      emitRangeTest(fb, node.hoisted, readIndex(), readIndex, element, node.span),
      store(readIndex(), m.local.get(local, type)),
    ],
    none,
  );
}

function emitAssertion(
  fb: FunctionBuilder,
  { hoisted, span }: GetHoisted | SetHoisted | SetRange,
  index: ExpressionRef,
): ExpressionRef {
  return emitAssertInRange(fb, index, fb.getLocal(hoisted.length), span);
}

/** `array.copy` or `array.fill`, or the same of the memory. */
export function emitSetRange(fb: FunctionBuilder, node: SetRange): ExpressionRef {
  const m = fb.module;
  const { hoisted, value, count, asserted } = node;
  const before: ExpressionRef[] = [];
  const inRow = (access: GetHoisted | SetRange): ExpressionRef => {
    const at = fb.expression(access.index);
    if (asserted !== true) return wrap(m, at);
    const { first, read } = fb.tee(at, i64);
    const last = m.i64.add(read(), m.i64.sub(fb.expression(count), m.i64.const(1n)));
    before.push(emitAssertion(fb, access, first), emitAssertion(fb, access, last));
    return wrap(m, read());
  };
  const elements = fb.getLocal(hoisted.elements);
  const element = elementOf(fb.resolve(hoisted.array.type));
  const at = inRow(node);
  const many = (): ExpressionRef => wrap(m, fb.expression(count));
  const set =
    value.kind === 'get-hoisted'
      ? copyRaw(fb.emitter, [elements, at], [fb.getLocal(value.hoisted.elements), inRow(value)], many(), element)
      : fillRaw(fb.emitter, [elements, at], emitStored(fb, fb.expression(value), element, node.span), many(), element);
  return before.length === 0 ? set : m.block(null, [...before, set], none);
}

/**
 * The access path may fail: it does so before the index is evaluated. Where the index may be evaluated without that, the
 * range test is enough: if there are no elements, no index is in range.
 */
function emitPathTest(
  fb: FunctionBuilder,
  { array, elements }: HoistedArray,
  index?: Expression,
): readonly ExpressionRef[] {
  const m = fb.module;
  if (array.kind === 'get-local' || array.kind === 'get-global') return [];
  if (index !== undefined && isSpeculatable(index, fb.emitter.registry)) return [];
  return [m.if(emitIsNull(fb, fb.getLocal(elements), array.type), m.drop(emitPath(fb, array)))];
}

function emitRangeTest(
  fb: FunctionBuilder,
  { array, length }: HoistedArray,
  first: ExpressionRef,
  index: () => ExpressionRef,
  element: Type,
  span: Span,
): ExpressionRef {
  const m = fb.module;
  const fail = emitFail(fb, 'failAccess', [emitPath(fb, array), index()], span, 'an element', element);
  return m.if(m.i64.ge_u(first, fb.getLocal(length)), fail);
}

/** An access path where it seldom runs: a call for each element of it, which is short. */
function emitPath(fb: FunctionBuilder, array: Expression): ExpressionRef {
  if (array.kind !== 'get-element' || !array.checked || array.isRedundant === true) return fb.expression(array);
  const path = [emitPath(fb, array.array), fb.expression(array.index)];
  return fb.call(fb.emitter.requestPrelude('elementOf', fb.resolve(array.type)), path, array.span, 'an element');
}
