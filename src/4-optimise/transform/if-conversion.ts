// If-conversion: a conditional between two cheap numbers becomes a select, which has no branch. Such a branch is often
// hard to predict, and the evaluation of both values takes no longer than one misprediction.
//
//   y = (x < 0) ? -x : x            y = select(x < 0, -x, x)
// A select evaluates its condition last. A condition that could change what the values read goes into a local first:
//   y = next() ? x : 0              $outcome = next();  y = select($outcome, x, 0)
//
// Does not apply to values that could fail, have an effect or take long, to references, to searches for the index of the
// least element, whose branch is foreseen (analysis/searches.ts), and to doubles that the next iteration waits for
// (analysis/carried-choices.ts).
//
// Source: the simplest case of Allen, Kennedy, Porterfield, Warren, "Conversion of Control Dependence to Data
// Dependence" (POPL 1983).

import { booleanType, isScalar } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { arePure, isSpeculatable } from '../../mir/effects.ts';
import { getLocal } from '../../mir/builders.ts';
import { isConstant } from '../../mir/kinds.ts';
import { isDoubleComparison } from '../../mir/lane-wise.ts';
import type { Expression, LocalId } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { findCarriedChoices } from '../analysis/carried-choices.ts';
import { findSearches } from '../analysis/searches.ts';
import { rewriteDefaults, rewriteExpressions } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { Remarks } from '../remarks/remarks.ts';

export const ifConversion: Pass = {
  name: 'if-conversion',
  summary: 'choices between two cheap numbers are made without a branch',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) => convertConditionals(fn, program.registry, context.remarks)),
};

type Conditional = Expression & { readonly kind: 'conditional' };

/** The function with selects in place of cheap conditionals. */
export function convertConditionals(
  fn: MirFunction,
  registry: LibraryRegistry,
  remarks: Remarks | null = null,
): MirFunction {
  const locals: Local[] = [...fn.locals];
  const newLocal = (): LocalId => locals.push({ name: 'outcome', type: booleanType, origin: 'temporary' }) - 1;
  const [searches, carried] = [findSearches(fn), findCarriedChoices(fn)];
  const body = rewriteExpressions(fn.body, (node, original) => {
    if (node.kind !== 'conditional') return node;
    const areCheap = isCheap(node, registry);
    const isSearch = areCheap && searches.has(original);
    const isForeseen = isSearch || (areCheap && carried.has(original));
    const branch: Expression = isSearch ? { ...node, isForeseen: true } : node;
    const converted = isForeseen ? branch : convert(node, registry, newLocal);
    const isBranch = !isForeseen && converted === node;
    const key = isBranch ? 'branches' : isForeseen ? 'foreseen' : isBranched(node) ? 'selectedDouble' : 'selected';
    if (isScalar(node.type)) remarks?.addAt(key, node.span, { what: node.span });
    return converted;
  });
  // Default values are evaluated by the caller, whose locals cannot grow here.
  const withDefaults = rewriteDefaults(fn, (node) =>
    node.kind === 'conditional' ? convert(node, registry, null) : node,
  );
  return { ...withDefaults, locals, body };
}

/** Whether engines make a branch of the choice all the same. */
function isBranched({ condition, type }: Conditional): boolean {
  return type.kind === 'double' && !isDoubleComparison(condition);
}

function convert(node: Conditional, registry: LibraryRegistry, newLocal: (() => LocalId) | null): Expression {
  if (!isCheap(node, registry)) return node;
  const { condition, span } = node;
  if (canComeLast(node, registry)) return { ...node, kind: 'select' };
  if (newLocal === null) return node;
  const outcome = newLocal();
  return {
    kind: 'sequence',
    statements: [{ kind: 'set-local', local: outcome, value: condition, span: condition.span }],
    value: { ...node, kind: 'select', condition: getLocal(outcome, booleanType, condition.span) },
    type: node.type,
    span,
  };
}

/** The most instructions that both values may cost together. */
const cheapPair = 8;

/** Whether both values are numbers that are cheap and may be evaluated although only one of them is needed. */
function isCheap({ then, otherwise, type }: Conditional, registry: LibraryRegistry): boolean {
  return isScalar(type) && isCheapChoice(then, otherwise, registry);
}

/** Whether both values are cheap and may be evaluated although only one of them is needed. */
export function isCheapChoice(then: Expression, otherwise: Expression, registry: LibraryRegistry): boolean {
  const values = [then, otherwise];
  const cost = values.reduce((sum, value) => sum + costOf(value), 0);
  return cost <= cheapPair && values.every((value) => isSpeculatable(value, registry));
}

/** Whether the condition may be evaluated after the values. */
function canComeLast({ condition, then, otherwise }: Conditional, registry: LibraryRegistry): boolean {
  return arePure([condition], registry) || (isConstant(then) && isConstant(otherwise));
}

/** Roughly how many instructions the value takes; infinite if that may be many, or is unknown. */
function costOf(node: Expression): number {
  switch (node.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'get-local':
      return 0;
    case 'operate': {
      const own = operatorCosts.get(node.operator) ?? (isHalving(node) ? 3 : Infinity);
      return node.operands.reduce((sum, operand) => sum + costOf(operand), own);
    }
    case 'library-call': {
      const own = callCosts.get(node.function) ?? Infinity;
      return node.arguments.reduce((sum, operand) => sum + costOf(operand), own);
    }
    case 'get-global':
    case 'string':
    case 'null':
    case 'get-field':
    case 'get-element':
    case 'get-hoisted':
    case 'in-range':
    case 'in-bounds':
    case 'out-of-fuel':
    case 'wrap32':
    case 'logical':
    case 'conditional':
    case 'select':
    case 'load':
    case 'reserve-scratch':
    case 'row-length':
    case 'distinct-rows':
    case 'splat':
    case 'extract-lane':
    case 'lane-wise':
    case 'widen':
    case 'check-null':
    case 'is-null':
    case 'same-object':
    case 'call':
    case 'array-literal':
    case 'struct-literal':
    case 'new-array':
    case 'to-text':
    case 'character':
    case 'concat':
    case 'to-json':
    case 'json-object':
    case 'json-array':
    case 'get-member':
    case 'get-item':
    case 'item-count':
    case 'cast':
    case 'build-text':
    case 'built-text':
    case 'built-length':
    case 'sequence':
      return Infinity;
  }
}

const operatorCosts: ReadonlyMap<string, number> = new Map([
  ...['+', '-', '&', '|', '^', '<<', '>>', '>>>', '<', '<=', '>', '>=', '==', '!='].map((symbol): [string, number] => [
    `${symbol}(int,int)`,
    1,
  ]),
  ...['<', '<=', '>', '>=', '==', '!='].map((symbol): [string, number] => [`${symbol}(double,double)`, 1]),
  ...['-(int)', '~(int)', '-(double)', '!(boolean)'].map((operator): [string, number] => [operator, 1]),
  ['*(int,int)', 3],
  ...['+', '-', '*'].map((symbol): [string, number] => [`${symbol}(double,double)`, 3]),
]);

/** A comparison and a choice without a branch. */
const callCosts: ReadonlyMap<string, number> = new Map([
  ['int.min', 2],
  ['int.max', 2],
]);

/** A division by a power of two is a few shifts. */
function isHalving(node: Expression & { readonly kind: 'operate' }): boolean {
  const divisor = node.operands[1];
  return (
    node.operator === '/(int,int)' &&
    divisor?.kind === 'int' &&
    divisor.value > 1n &&
    (divisor.value & (divisor.value - 1n)) === 0n
  );
}
