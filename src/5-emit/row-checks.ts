// What a loop nest asks of matrices that the program has not been seen to make: whether their rows are equally long, and
// whether no two of them are the same array. Nobody else sees the matrices meanwhile.

import type { DistinctRows, Expression, RowLength } from '../mir/mir.ts';
import { bytesOf, storageIn } from '../mir/scratch.ts';
import { arrayOf, isOnStack, typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { elementsOfRow, lengthOfRow } from './arrays.ts';
import { i32, i64, none, tupleType } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import { rawMemory, readElement, readRaw, storedElement, writeRaw } from './element-storage.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { memoryName, useMemory } from './memory.ts';
import { emitLow32 } from './wrap32.ts';

/**
 * What is done with each row of numbers: each gets a number of its own as its first element, which is looked at, and
 * restored from the copy of the matrix.
 */
type Purpose = 'mark' | 'marked' | 'restore';

/** What a walk gives where it found something else. */
const failed = -1;

export function emitRowLength(fb: FunctionBuilder, { elements, counts, most }: RowLength): ExpressionRef {
  const m = fb.module;
  const length = declareRowLength(fb.emitter, rowOf(elements), counts.length, most === null);
  const operands = [elements, ...counts, ...(most === null ? [] : [most])];
  return m.call(
    length,
    operands.map((one) => fb.expression(one)),
    i64,
  );
}

export function emitDistinctRows(fb: FunctionBuilder, node: DistinctRows): ExpressionRef {
  useMemory(fb.emitter, 'scratch');
  const matrices = matricesOf(node);
  const distinct = declareDistinctRows(
    fb.emitter,
    matrices.map(({ elements }) => rowOf(elements)),
  );
  const operands = matrices.flatMap(({ elements, address, counts }) => [
    fb.expression(elements),
    ...[address, ...counts].map((one) => emitLow32(fb, one)),
  ]);
  return fb.module.call(distinct, operands, i32);
}

interface Matrix {
  readonly elements: Expression;
  readonly address: Expression;
  readonly counts: readonly Expression[];
}

function matricesOf({ operands, dimensions }: DistinctRows): readonly Matrix[] {
  let at = 0;
  return dimensions.map((many): Matrix => {
    const [elements, address, ...counts] = operands.slice(at, (at += many + 2));
    return { elements: elements!, address: address!, counts };
  });
}

/** The type of the elements of a row. */
function rowOf({ type }: Expression): Type {
  if (type.kind !== 'elements' || type.element.kind !== 'array') throw new Error('there are no rows to look at');
  return type.element.element;
}

/**
 * The function that says whether no two rows are the same, of matrices by the types of what their rows hold; of each it
 * takes the elements, the address of the copy, and the counts. All rows are marked by numbers, then all marks are looked
 * at: where two rows are the same, the second mark has replaced the first.
 *
 * ```
 * at = mark(a, 0); at = mark(b, at)
 * at = marked(a, 0); if (at != -1) at = marked(b, at)
 * restore(a, its copy); restore(b, its copy);  return at != -1
 * ```
 */
function declareDistinctRows(emitter: Emitter, elements: readonly Type[]): string {
  const name = `$distinctRows<${elements.map((element) => typeKey(arrayOf(element))).join(',')}>`;
  const walks = elements.map((element) => ({
    element,
    mark: declareWalk(emitter, 'mark', element),
    marked: declareWalk(emitter, 'marked', element),
    restore: declareWalk(emitter, 'restore', element),
  }));
  emitter.declare(name, () => {
    const m = emitter.module;
    const parameters: WasmType[] = [];
    const matrices = walks.map(({ element, ...purposes }) => {
      const first = parameters.length;
      const rows = emitter.types.wasmType({ kind: 'elements', element: arrayOf(element) });
      const lengths = Array.from({ length: countDimensions(element) + 1 }, () => i32);
      parameters.push(rows, i32, i32, ...lengths);
      const operands = (begin: ExpressionRef): ExpressionRef[] => [
        m.local.get(first, rows),
        m.local.get(first + 2, i32),
        begin,
        ...lengths.map((type, index) => m.local.get(first + 3 + index, type)),
      ];
      return { ...purposes, operands, address: () => m.local.get(first + 1, i32) };
    });
    const at = parameters.length;
    const state = (): ExpressionRef => m.local.get(at, i32);
    const setAll = (walk: 'mark' | 'marked'): readonly ExpressionRef[] => [
      m.local.set(at, m.i32.const(0)),
      ...matrices.map((matrix) => {
        const set = m.local.set(at, m.call(matrix[walk], matrix.operands(state()), i32));
        return walk === 'mark' ? set : m.if(m.i32.ne(state(), m.i32.const(failed)), set);
      }),
    ];
    const body = [
      ...setAll('mark'),
      ...setAll('marked'),
      ...matrices.map(({ restore, operands, address }) => m.drop(m.call(restore, operands(address()), i32))),
      m.i32.ne(state(), m.i32.const(failed)),
    ];
    m.addFunction(name, tupleType(parameters), i32, [i32], m.block(null, body, i32));
  });
  return name;
}

/**
 * The function that goes through `count` rows, whose lengths, and those of the rows in them, are its last parameters;
 * from row to row it passes a mark or an address on, and gives what that is in the end.
 *
 * ```
 * while (at < count) { row = rows[at]; …; at += 1 }
 * ```
 */
function declareWalk(emitter: Emitter, purpose: Purpose, element: Type): string {
  const row = arrayOf(element);
  const name = `$${purpose}Rows<${typeKey(row)}>`;
  const inner = element.kind === 'array' ? declareWalk(emitter, purpose, element.element) : null;
  emitter.declare(name, () => {
    const m = emitter.module;
    const { types } = emitter;
    const rows = types.wasmType({ kind: 'elements', element: row });
    const rowType = types.wasmType(row);
    const [count, state, length] = [1, 2, 3];
    const lengths = Array.from({ length: countDimensions(element) + 1 }, (_, index) => length + index);
    const at = length + lengths.length;
    const here = at + 1;
    const read = (local: number): ExpressionRef => m.local.get(local, i32);
    const rowHere = (): ExpressionRef => m.local.get(here, rowType);
    const elements = (): ExpressionRef => elementsOfRow(emitter, rowHere(), element);
    const failIf = (condition: ExpressionRef): ExpressionRef => m.if(condition, m.return(m.i32.const(failed)));
    const passOn = (): readonly ExpressionRef[] => {
      if (inner !== null)
        return [
          m.local.set(
            state,
            m.call(inner, [elements(), read(length), read(state), ...lengths.slice(1).map(read)], i32),
          ),
          ...(purpose === 'marked' ? [failIf(m.i32.eq(read(state), m.i32.const(failed)))] : []),
        ];
      const memory = element.kind === 'int' ? m.i64 : m.f64;
      const mark = element.kind === 'int' ? m.i64.extend_u(read(state)) : m.f64.convert_u.i32(read(state));
      const first = m.i32.const(0);
      const next = m.local.set(state, m.i32.add(read(state), m.i32.const(1)));
      switch (purpose) {
        case 'mark':
          return [writeRaw(emitter, elements(), first, storedElement(m, mark, element), element), next];
        case 'marked': {
          const found = readElement(emitter, elements(), first, element);
          return [failIf(memory.ne(found, mark)), next];
        }
        case 'restore': {
          const elementBytes = bytesOf(storageIn(element));
          const written = rawMemory(m, element).load(0, elementBytes, read(state), memoryName);
          const bytes = m.i32.mul(read(length), m.i32.const(elementBytes));
          return [
            writeRaw(emitter, elements(), first, written, element),
            m.local.set(state, m.i32.add(read(state), bytes)),
          ];
        }
      }
    };
    const body = [
      m.local.set(here, readRaw(emitter, m.local.get(0, rows), read(at), row)),
      ...passOn(),
      m.local.set(at, m.i32.add(read(at), m.i32.const(1))),
      m.br('rows'),
    ];
    m.addFunction(
      name,
      tupleType([rows, i32, i32, ...lengths.map(() => i32)]),
      i32,
      [i32, rowType],
      m.block(
        null,
        [m.loop('rows', m.if(m.i32.lt_u(read(at), read(count)), m.block(null, body, none))), read(state)],
        i32,
      ),
    );
  });
  return name;
}

function countDimensions(element: Type): number {
  return element.kind === 'array' ? 1 + countDimensions(element.element) : 0;
}

/**
 * The function that gives the length of all rows of a matrix, which are so many dimensions inside; 0 where there are
 * none, and -1 where one is null, where they differ, and where there are more than are to be looked at. Its parameters
 * are the elements, the counts of the dimensions around, and how many rows are looked at; of even ones the first one is.
 *
 * ```
 * if (count == 0) return 0;  if (count > most) return -1;  length = that of rows[0]
 * for (at = 1; at < count; at++) if (that of rows[at] != length) return -1
 * ```
 */
function declareRowLength(emitter: Emitter, element: Type, depth: number, isEven: boolean): string {
  const row = arrayOf(element);
  const name = `$${isEven ? 'even' : ''}RowLength${depth}<${typeKey(row)}>`;
  const inner =
    depth > 1 && element.kind === 'array' ? declareRowLength(emitter, element.element, depth - 1, isEven) : null;
  emitter.declare(name, () => {
    const m = emitter.module;
    const { types } = emitter;
    const rows = types.wasmType({ kind: 'elements', element: row });
    const rowType = types.wasmType(row);
    const counts = Array.from({ length: depth }, (_, index) => 1 + index);
    const most = depth + 1;
    const parameters = [rows, ...counts.map(() => i64), ...(isEven ? [] : [i64])];
    const [at, length, here] = [parameters.length, parameters.length + 1, parameters.length + 2];
    const read = (local: number): ExpressionRef => m.local.get(local, i64);
    const fail = (): ExpressionRef => m.return(m.i64.const(BigInt(failed)));
    const lengthHere = (): ExpressionRef => {
      const found = readRaw(emitter, m.local.get(0, rows), m.i32.wrap(read(at)), row);
      if (inner !== null) {
        const operands = [elementsOfRow(emitter, found, element), ...counts.slice(1).map(read)];
        return m.call(inner, isEven ? operands : [...operands, read(most)], i64);
      }
      const kept = m.local.tee(here, found, rowType);
      const missing = m.i64.const(isEven ? 0n : BigInt(failed));
      const present = m.i64.extend_u(lengthOfRow(emitter, m.local.get(here, rowType), element));
      const isMissing = isOnStack(element) ? m.i32.eqz(kept) : m.ref.is_null(kept);
      return m.if(isMissing, missing, present);
    };
    const product = counts.map(read).reduce((one, other) => m.i64.mul(one, other));
    // Where the count of a dimension is 0, rows around it may be null.
    const isEmpty = counts.map((count) => m.i64.eqz(read(count))).reduce((one, other) => m.i32.or(one, other));
    const others = (): readonly ExpressionRef[] => [
      m.local.set(at, m.i64.const(1n)),
      m.loop(
        'rows',
        m.if(
          m.i64.lt_u(read(at), read(counts[0]!)),
          m.block(
            null,
            [
              m.if(m.i64.ne(lengthHere(), read(length)), fail()),
              m.local.set(at, m.i64.add(read(at), m.i64.const(1n))),
              m.br('rows'),
            ],
            none,
          ),
        ),
      ),
    ];
    const isTooMuch = (): ExpressionRef => m.i64.gt_s(product, read(most));
    const body = [
      m.if(isEmpty, m.return(m.i64.const(0n))),
      ...(isEven ? [] : [m.if(isTooMuch(), fail())]),
      m.local.set(length, lengthHere()),
      ...(isEven ? [] : others()),
      read(length),
    ];
    const locals = [i64, i64, rowType];
    m.addFunction(name, tupleType(parameters), i64, locals, m.block(null, body, i64));
  });
  return name;
}
