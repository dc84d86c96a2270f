// Branch simplification: a branch that only chooses a number becomes a value, and minima and maxima of ints are seen
// whatever they are written as, so that functions made of such branches can be inlined and engines need not guess.
//
//   if (b < m) m = b;                m = int.min(b, m)
//   a > b ? a : b                    int.max(a, b)
//   if (x == y) cost = 0;            cost = ((x == y) ? 0 : cost)
//
// What is compared may fail or be long: it is worked out once where it was worked out first. Does not apply to minima of
// doubles, where NaN and -0 make a difference, to values that could fail or take long, and to more than one variable.
// Source: the phi optimisation of compilers; Muchnick, "Advanced Compiler Design", section 18.11 (conditional moves).

import { intType } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { getLocal } from '../../mir/builders.ts';
import { blocksOf, visitAll } from '../../mir/children.ts';
import { effectsOf, every } from '../../mir/effects.ts';
import { expressionKey } from '../../mir/expression-keys.ts';
import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import { isCheapChoice } from './if-conversion.ts';

/** What is compared is no larger than this. */
const largestOperand = 40;

export const branchSimplification: Pass = {
  name: 'branch-simplification',
  summary: 'branches that only choose a number become values, minima and maxima',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) => {
      let applies = false;
      visitAll(fn.body, ({ kind }) => (applies ||= kind === 'if' || kind === 'conditional'));
      return applies ? { ...fn, body: simplified(fn, program.registry) } : fn;
    }),
};

function simplified(fn: MirFunction, registry: LibraryRegistry): readonly Statement[] {
  const isSetBefore = findSetBefore(fn);
  return rewriteExpressions(
    fn.body,
    (node) =>
      node.kind === 'conditional' ? (extremeOf(node.condition, node.then, node.otherwise, registry) ?? node) : node,
    (node, original) => (node.kind === 'if' ? assigned(node, registry, isSetBefore.has(original)) : node),
  );
}

/** The branches that set a local which has a value in front of them on every way; others declare it. */
function findSetBefore({ parameters, body }: MirFunction): ReadonlySet<Statement> {
  const found = new Set<Statement>();
  const set = new Set<LocalId>(parameters.map(({ local }) => local));
  const walk = (block: readonly Statement[]): void => {
    const here: LocalId[] = [];
    for (const node of block) {
      if (node.kind === 'if') {
        const local = onlySet(node.arms[0]!.then)?.local;
        if (local !== undefined && set.has(local)) found.add(node);
      }
      for (const inside of blocksOf(node)) walk(inside);
      if (node.kind !== 'set-local' || set.has(node.local)) continue;
      set.add(node.local);
      here.push(node.local);
    }
    for (const local of here) set.delete(local);
  };
  walk(body);
  return found;
}

/** `if (condition) x = value;`, maybe with `else x = other;`, as one assignment; the statement itself where that is not so. */
function assigned(
  node: Statement & { readonly kind: 'if' },
  registry: LibraryRegistry,
  isSetBefore: boolean,
): Statement {
  const [arm, ...arms] = node.arms;
  const set = arms.length === 0 ? onlySet(arm!.then) : null;
  if (set === null || arm === undefined || node.versions !== undefined) return node;
  const { local, value: then, span } = set;
  const { type } = then;
  const other = node.otherwise.length === 0 ? null : onlySet(node.otherwise);
  if (node.otherwise.length > 0 ? other?.local !== local : !isSetBefore) return node;
  if (type.kind !== 'int' && type.kind !== 'double' && type.kind !== 'boolean') return node;
  const otherwise = other === null ? getLocal(local, type, span) : other.value;
  const { condition } = arm;
  const value =
    extremeOf(condition, then, otherwise, registry) ??
    (isCheapChoice(then, otherwise, registry)
      ? ({ kind: 'conditional', condition, then, otherwise, type, span: node.span } as const)
      : null);
  return value === null ? node : { ...set, value };
}

type SetLocal = Statement & { readonly kind: 'set-local' };

function onlySet(nodes: readonly Statement[]): SetLocal | null {
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0) return null;
  if (node.kind === 'block') return node.lastEntry === undefined ? onlySet(node.statements) : null;
  return node.kind === 'set-local' ? node : null;
}

/** `left < right ? left : right` and its like; null for another choice. */
function extremeOf(
  condition: Expression,
  then: Expression,
  otherwise: Expression,
  registry: LibraryRegistry,
): Expression | null {
  const comparison = condition.kind === 'operate' ? /^([<>])=?\(int,int\)$/.exec(condition.operator)?.[1] : undefined;
  if (comparison === undefined || condition.kind !== 'operate') return null;
  const [left, right] = condition.operands as readonly [Expression, Expression];
  const keys = [left, right, then, otherwise].map((node) => expressionKey(node, largestOperand));
  if (keys.includes(null)) return null;
  const [l, r, t, o] = keys;
  const isLeft = t === l && o === r;
  if (!isLeft && !(t === r && o === l)) return null;
  if (![left, right].every((node) => isRepeatable(node, registry))) return null;
  return {
    kind: 'library-call',
    function: (comparison === '<') === isLeft ? 'int.min' : 'int.max',
    typeArgument: null,
    arguments: [left, right],
    type: intType,
    span: condition.span,
  };
}

/** Whether it gives the same a second time, and does nothing else but fail the first time. */
function isRepeatable(node: Expression, registry: LibraryRegistry): boolean {
  return every([node], (part) => {
    const { writes, calls, waits, allocates, charges, polls, isExternal, leaves } = effectsOf(part, registry);
    const isQuiet = calls === null && !waits && !allocates && !charges && !polls && !isExternal;
    return isQuiet && writes.length === 0 && leaves === null && part.kind !== 'sequence';
  });
}
