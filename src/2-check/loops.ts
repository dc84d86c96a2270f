// Loops: while, do, for and foreach all become the one loop node.

import type { ForeachStatement, ForStatement, Statement as StatementSyntax } from '../1-parse/syntax-tree.ts';
import { arrayOf, booleanType, formatType, intType, isNumeric, jsonType } from '../language/types.ts';
import type { Span } from '../source.ts';
import { isInvalid } from './checker.ts';
import type { FunctionChecker, LoopState } from './checker.ts';
import { resolveType, testReserved } from './declarations.ts';
import { checkCondition, checkValue, convert } from './conversions.ts';
import { checkBody, warnOfEmptyBody } from './bodies.ts';
import { castItem, readJson } from './json.ts';
import type { Expression, Statement } from './typed-tree.ts';
import { declareParameter } from './variables.ts';

/** Checks a body inside a loop; its end says whether the loop can be left by its condition or a break. */
function inLoop(
  fc: FunctionChecker,
  body: StatementSyntax,
  head: 'while' | 'for' | 'foreach' | null,
): { readonly loop: LoopState; readonly statements: Statement[] } {
  if (head !== null) warnOfEmptyBody(fc, head, body);
  const loop = fc.newLoop();
  fc.loops.push(loop);
  const statements = checkBody(fc, body);
  fc.loops.pop();
  return { loop, statements };
}

/** `while (true)` without a break never reaches its end. */
function isEndless(condition: Expression | null): boolean {
  return condition === null || (condition.kind === 'boolean' && condition.value);
}

export function checkWhile(fc: FunctionChecker, node: StatementSyntax & { readonly kind: 'while' }): Statement[] {
  const before = fc.reachable;
  const condition = checkCondition(fc, node.condition);
  const { loop, statements } = inLoop(fc, node.body, 'while');
  fc.reachable = before && (!isEndless(condition) || loop.hasBreak);
  return [{ kind: 'loop', id: loop.id, condition, testFirst: true, body: statements, step: [], span: node.span }];
}

/** The condition is tested after the body, which runs once at least. */
export function checkDoWhile(fc: FunctionChecker, node: StatementSyntax & { readonly kind: 'do-while' }): Statement[] {
  const { loop, statements } = inLoop(fc, node.body, null);
  const endReached = fc.reachable || loop.hasContinue;
  const condition = checkCondition(fc, node.condition);
  fc.reachable = (endReached && !isEndless(condition)) || loop.hasBreak;
  return [{ kind: 'loop', id: loop.id, condition, testFirst: false, body: statements, step: [], span: node.span }];
}

export function checkFor(fc: FunctionChecker, node: ForStatement): Statement[] {
  return fc.inScope(() => {
    const before = fc.reachable;
    const initialisers = node.initialisers.flatMap((statement) => fc.checker.dispatch.statement(fc, statement));
    const condition = node.condition === null ? null : checkCondition(fc, node.condition);
    const { loop, statements } = inLoop(fc, node.body, 'for');
    const step = node.steps.flatMap((statement) => fc.checker.dispatch.statement(fc, statement));
    fc.reachable = before && (!isEndless(condition) || loop.hasBreak);
    const made: Statement = {
      kind: 'loop',
      id: loop.id,
      condition,
      testFirst: true,
      body: statements,
      step,
      span: node.span,
    };
    return initialisers.length === 0
      ? [made]
      : [{ kind: 'block', statements: [...initialisers, made], span: node.span }];
  });
}

/**
 * `foreach (T x in xs)` becomes a loop over a hidden index. Each iteration reads the length again, which also tests the
 * array for null; right after that the index is in range. The elements of a json array are cast.
 */
export function checkForeach(fc: FunctionChecker, node: ForeachStatement): Statement[] {
  const { span } = node;
  const before = fc.reachable;
  const declared = resolveType(fc.checker, node.type);
  const iterable = checkValue(fc, node.iterable, declared.kind === 'invalid' ? null : arrayOf(declared));
  const isJson = iterable.type.kind === 'json';
  const element = iterable.type.kind === 'array' ? iterable.type.element : isJson ? jsonType : null;
  if (element === null && !isInvalid(iterable)) {
    const help =
      iterable.type.kind === 'string'
        ? 'Its characters are text.split("").'
        : isNumeric(iterable.type)
          ? 'Count with for (int i = 0; i < n; i++).'
          : null;
    fc.report('notIterable', node.iterable.span, { type: formatType(iterable.type) }, { help });
  }
  const array = fc.temporary('foreach', iterable.type, 'foreach');
  const index = fc.temporary('index', intType);
  const readArray: Expression = { kind: 'get-local', local: array, type: iterable.type, span: node.iterable.span };
  const readIndex: Expression = { kind: 'get-local', local: index, type: intType, span };
  return fc.inScope(() => {
    testReserved(fc.checker, node.name);
    const variable = declareParameter(fc, node.name.text, declared, node.name.span);
    const current =
      element === null
        ? null
        : isJson
          ? castItem(fc, readJson(readArray, readIndex, node.name.span), declared)
          : convert(
              fc,
              {
                kind: 'get-element',
                array: readArray,
                index: readIndex,
                checked: false,
                type: element,
                span: node.name.span,
              },
              declared,
              [{ span: node.iterable.span, text: `the elements are ${formatType(element)}` }],
              false,
            );
    const { loop, statements } = inLoop(fc, node.body, 'foreach');
    fc.reachable = before;
    if (current === null || isInvalid(current) || variable.storage.kind !== 'local') return [];
    const length: Expression = isJson
      ? { kind: 'item-count', json: readArray, type: intType, span: node.iterable.span }
      : {
          kind: 'library-call',
          function: 'T[].length',
          arguments: [readArray],
          typeArgument: element,
          type: intType,
          span: node.iterable.span,
        };
    const one: Expression = { kind: 'int', value: 1n, type: intType, span };
    const zero: Expression = { kind: 'int', value: 0n, type: intType, span };
    const next: Expression = {
      kind: 'operate',
      operator: '+(int,int)',
      operands: [readIndex, one],
      type: intType,
      span,
    };
    const made: Statement = {
      kind: 'loop',
      id: loop.id,
      condition: { kind: 'operate', operator: '<(int,int)', operands: [readIndex, length], type: booleanType, span },
      testFirst: true,
      body: [{ kind: 'set-local', local: variable.storage.local, value: current, span: node.name.span }, ...statements],
      step: [{ kind: 'set-local', local: index, value: next, span }],
      span,
    };
    return [
      {
        kind: 'block',
        statements: [
          { kind: 'set-local', local: array, value: iterable, span: node.iterable.span },
          { kind: 'set-local', local: index, value: zero, span },
          made,
        ],
        span,
      },
    ];
  });
}

export function checkBreak(fc: FunctionChecker, span: Span): Statement[] {
  const loop = fc.loops.at(-1);
  if (loop === undefined) {
    reportOutsideLoop(fc, 'break', span);
    return [];
  }
  if (fc.reachable) loop.hasBreak = true;
  fc.reachable = false;
  return [{ kind: 'break', loop: loop.id, span }];
}

export function checkContinue(fc: FunctionChecker, span: Span): Statement[] {
  const loop = fc.loops.at(-1);
  if (loop === undefined) {
    reportOutsideLoop(fc, 'continue', span);
    return [];
  }
  if (fc.reachable) loop.hasContinue = true;
  fc.reachable = false;
  return [{ kind: 'continue', loop: loop.id, span }];
}

/** The head of the loop may be what could not be read. */
function reportOutsideLoop(fc: FunctionChecker, word: string, span: Span): void {
  if (!fc.hasUnread) fc.report('outsideLoop', span, { word });
}
