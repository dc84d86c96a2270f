// Why a loop is counted, and why not: what loop canonicalisation says.

import { operatorById } from '../../language/operators.ts';
import { visitAll } from '../../mir/children.ts';
import { isSpeculatable } from '../../mir/effects.ts';
import { localsSet } from '../../mir/locals.ts';
import { countsUp } from '../../mir/mir.ts';
import type { CountedLoop, Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import type { Span } from '../../source.ts';
import { isUnchanged } from '../analysis/access-paths.ts';
import { readStep } from '../analysis/counted-loops.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import { findChange, findClobber, nameOf } from './clobbers.ts';
import type { Remarks } from './remarks.ts';
import { sourceText } from './source-text.ts';

/** A loop in its canonical form. */
export interface CanonicalLoop {
  readonly loop: Loop;
  /** As it was before. */
  readonly written: Loop;
  readonly fn: MirFunction;
  readonly modRef: ProgramChanges;
  readonly registry: LibraryRegistry;
}

/** How the loop counts. */
export function remarkCount(remarks: Remarks, { span, condition }: Loop, counted: CountedLoop, fn: MirFunction): void {
  const { limit, comparison, step } = counted;
  const variable = nameOf(fn, counted.variable);
  if (counted.limitStep !== 0n && limit.kind === 'get-local')
    return remarks.add('countedBoth', span, { variable, other: nameOf(fn, limit.local) });
  // Its index is hidden.
  if (span.file.text.startsWith('foreach', span.start))
    return remarks.add('countedElements', span, { array: sourceText(limit.span) });
  const by = step.kind === 'int' ? String(step.value < 0n ? -step.value : step.value) : sourceText(step.span);
  const said = {
    variable,
    direction: countsUp(comparison) ? 'up' : 'down',
    step: by === '1' ? '' : `, by ${step.kind === 'int' ? by : `'${by}'`}`,
  };
  const isVariable = (side: Expression): boolean => side.kind === 'get-local' && side.local === counted.variable;
  if (condition?.kind === 'operate' && !condition.operands.some(isVariable))
    return remarks.add('countedWhile', span, { ...said, condition: sourceText(condition.span) });
  const end = sourceText(limit.span);
  remarks.add('counted', span, { ...said, limit: /^-?\d+$/.test(end) ? end : `'${end}'` });
}

/** Why it does not count. */
export function remarkNoCount(remarks: Remarks, canonical: CanonicalLoop): void {
  const { loop, written, registry } = canonical;
  const { condition, span } = loop;
  if (condition === null || condition.kind === 'boolean') return remarks.add('endless', span, {});
  if (!loop.testFirst) return remarks.add('testedBehind', span, {});
  if (!isComparison(condition)) {
    const others = written.condition?.kind === 'logical' ? written.condition.operands.slice(1) : [];
    const later = others.find(isComparison);
    return later !== undefined && written.condition?.kind === 'logical' && written.condition.operator === '&&'
      ? remarks.add('comparisonNotFirst', span, { condition: sourceText(later.span), at: later.span })
      : remarks.add('noComparison', span, { condition: sourceText(condition.span), at: condition.span });
  }
  const sides = condition.operands as readonly [Expression, Expression];
  const settings = settingsIn(loop);
  const isSet = (side: Expression): boolean => side.kind === 'get-local' && settings.has(side.local);
  // Of two variables that change, the one that has a step.
  const variable = sides.find((side) => isSet(side) && loop.step.some((node) => sets(node, side))) ?? sides.find(isSet);
  if (variable?.kind !== 'get-local') {
    const global = sides.find((side) => side.kind === 'get-global' && setsGlobal(loop, side.global) !== null);
    if (global?.kind === 'get-global') {
      const at = setsGlobal(loop, global.global)!;
      return remarks.add('globalVariable', span, { variable: sourceText(global.span), at });
    }
    const sum = sides.find((side) => isSumOfSet(side, settings));
    return sum === undefined
      ? remarks.add('noVariable', span, { condition: sourceText(condition.span), at: condition.span })
      : remarks.add('sumMayWrap', span, { sum: sourceText(sum.span), at: sum.span });
  }
  const limit = sides[0] === variable ? sides[1] : sides[0];
  if (!remarkStep(remarks, canonical, variable.local, settings.get(variable.local)!)) return;
  if (!remarkLimit(remarks, canonical, limit, registry)) {
    const at = settings.get(variable.local)![0]!.span;
    remarks.add('stepAway', span, { variable: sourceText(variable.span), at });
  }
}

/** Whether a side adds something to a variable that the loop sets, or takes it away. */
function isSumOfSet(side: Expression, settings: ReadonlyMap<LocalId, unknown>): boolean {
  if (side.kind === 'get-local') return settings.has(side.local);
  const isSum = side.kind === 'operate' && /^[+-]\(int,int\)$/.test(side.operator);
  return isSum && side.operands.some((part) => isSumOfSet(part, settings));
}

function isComparison(node: Expression): node is Expression & { readonly kind: 'operate' } {
  if (node.kind !== 'operate') return false;
  const { symbol, operands } = operatorById(node.operator);
  return operands[0]!.kind === 'int' && ['<', '<=', '>', '>='].includes(symbol);
}

/** What sets each local in a loop, in the order of the text. */
function settingsIn(loop: Loop): ReadonlyMap<LocalId, readonly Statement[]> {
  const found = new Map<LocalId, Statement[]>();
  visitAll([loop], (node) => {
    if ('type' in node) return;
    for (const local of localsSet(node)) {
      const known = found.get(local);
      if (known === undefined) found.set(local, [node]);
      else known.push(node);
    }
  });
  for (const nodes of found.values()) nodes.sort((a, b) => a.span.start - b.span.start);
  return found;
}

function sets(node: Statement, side: Expression): boolean {
  let does = false;
  visitAll([node], (part) => (does ||= side.kind === 'get-local' && localsSet(part).includes(side.local)));
  return does;
}

function setsGlobal(loop: Loop, global: string): Span | null {
  let at: Span | null = null;
  visitAll([loop], (node) => {
    if (node.kind === 'set-global' && node.global === global) at ??= node.span;
  });
  return at;
}

/** Says what is wrong with the step; true where nothing is. */
function remarkStep(
  remarks: Remarks,
  { loop, written, fn, modRef }: CanonicalLoop,
  local: LocalId,
  settings: readonly Statement[],
): boolean {
  const { span } = loop;
  const variable = nameOf(fn, local);
  const steps = loop.step.flatMap((node) => (node.kind === 'block' ? node.statements : [node]));
  const [only] = settings as readonly [Statement];
  if (settings.length > 1) {
    const isStep = (node: Statement): boolean =>
      steps.includes(node) || (node === written.body.at(-1) && readStep(node) !== null);
    const besides = settings.find((node) => !isStep(node)) ?? only;
    remarks.add('variableSetBesides', span, { variable, at: besides.span });
    return false;
  }
  const step = readStep(only)?.[0]?.[1];
  if (step === undefined) remarks.add('stepVaries', span, { variable, at: only.span });
  else if (!steps.includes(only)) {
    const jump = written.body.at(-1) === only ? continueOf(loop) : null;
    if (jump === null) remarks.add('stepNotLast', span, { variable, at: only.span });
    else remarks.add('stepSkipped', span, { variable, at: jump });
  } else if (step.kind === 'int') return true;
  else if (step.kind !== 'get-local' || modRef.of([loop], fn).locals.has(step.local))
    remarks.add('stepVaries', span, { variable, at: only.span });
  else return true;
  return false;
}

function continueOf(loop: Loop): Span | null {
  let at: Span | null = null;
  visitAll(loop.body, (node) => {
    if (node.kind === 'continue' && node.loop === loop.id) at = node.span;
  });
  return at;
}

/** Says what is wrong with the limit, and whether there was something to say. */
function remarkLimit(
  remarks: Remarks,
  { loop, fn, modRef }: CanonicalLoop,
  limit: Expression,
  registry: LibraryRegistry,
): boolean {
  const { span } = loop;
  if (limit.kind === 'item-count') {
    remarks.add('jsonElements', span, { json: sourceText(limit.span) });
    return true;
  }
  const array = limit.kind === 'library-call' && limit.function.endsWith('.length') ? limit.arguments[0]! : null;
  const isPlainArray = array?.kind === 'get-local' || array?.kind === 'get-global';
  const changes = modRef.of([loop], fn);
  const change = findChange(array ?? limit, changes);
  const isForeach = array?.kind === 'get-local' && fn.locals[array.local]!.origin === 'foreach';
  if (change !== null && isForeach)
    remarks.add('elementsChange', span, { array: sourceText(array.span), ...findClobber(change, loop, fn, modRef) });
  else if (change !== null && (isPlainArray || isSpeculatable(limit, registry)))
    remarks.add('limitChanges', span, { limit: sourceText(limit.span), ...findClobber(change, loop, fn, modRef) });
  else if (!isPlainArray && (array !== null || !isSpeculatable(limit, registry) || !isUnchanged(limit, changes)))
    remarks.add('limitWorkedOut', span, { limit: sourceText(limit.span), at: limit.span });
  else return false;
  return true;
}
