// When a part of a script is evaluated: what comes before it, and whether it comes once.

import type { AnalysedFile } from '../analysis.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';
import { allEffects, failing, lookingInside } from './effects.ts';
import type { EffectAnalysis, Effects } from './effects.ts';
import { pathTo } from './nodes.ts';

/** When a node is evaluated, counted from the beginning of one that it is in. */
export interface Moment {
  /** Of all that is evaluated before. */
  readonly before: Effects;
  /** It may not be evaluated at all. */
  readonly isConditional: boolean;
  /** It may be evaluated several times. */
  readonly isRepeated: boolean;
  /** Its errors are caught on the way. */
  readonly isGuarded: boolean;
}

/** What a node means for one of its children. */
interface Step {
  readonly before?: readonly Effects[];
  readonly isConditional?: boolean;
  readonly isRepeated?: boolean;
  readonly isGuarded?: boolean;
}

/** Null if `target` is not in `root`. */
export function momentIn(
  effects: EffectAnalysis,
  file: AnalysedFile,
  root: SyntaxNode,
  target: SyntaxNode,
): Moment | null {
  const path = pathTo(root, target);
  if (path === null) return null;
  const steps = path.slice(1).map((child, at) => stepTo(effects, file, path[at]!, child));
  return {
    before: allEffects(steps.flatMap(({ before }) => before ?? [])),
    isConditional: steps.some(({ isConditional }) => isConditional === true),
    isRepeated: steps.some(({ isRepeated }) => isRepeated === true),
    isGuarded: steps.some(({ isGuarded }) => isGuarded === true),
  };
}

function stepTo(analysis: EffectAnalysis, file: AnalysedFile, node: SyntaxNode, child: SyntaxNode): Step {
  const of = (part: SyntaxNode): Effects => analysis.of(file, part);
  const upTo = (parts: readonly SyntaxNode[]): Step => ({
    before: parts.filter(({ span }) => span.end <= child.span.start && span.start < child.span.start).map(of),
  });
  switch (node.kind) {
    case 'variable-declaration':
      return upTo(node.declarators.map((part) => ({ kind: 'declarator', part, span: part.span })));
    case 'assignment': {
      if (child === node.target) return {};
      const { target } = node;
      // A target that is only set is looked up before the value; one that is changed is read, and a text tested.
      if (node.operator !== '=')
        return { before: [of(target), ...(analysis.isRiskyText(file, target) ? [failing] : [])] };
      if (target.kind === 'member') return { before: [of(target.object)] };
      if (target.kind !== 'index') return {};
      const isTested = analysis.isRiskyText(file, target.index);
      return { before: [of(target.object), of(target.index), ...(isTested ? [failing] : [])] };
    }
    case 'if':
      return child === node.condition ? {} : { before: [of(node.condition)], isConditional: true };
    case 'while':
    case 'do-while':
      return { before: [of(node)], isConditional: true, isRepeated: true };
    case 'for':
      return node.initialisers.some((part) => part === child)
        ? upTo(node.initialisers)
        : { before: [of(node)], isConditional: true, isRepeated: true };
    case 'foreach':
      return child === node.iterable ? {} : { before: [of(node)], isConditional: true, isRepeated: true };
    case 'try':
      return child === node.body ? { isGuarded: true } : { before: [of(node.body)], isConditional: true };
    case 'block':
      return upTo(node.statements);
    case 'template': {
      // Each value becomes text before the next one is evaluated.
      const parts = node.expressions.filter(({ span }) => span.end <= child.span.start);
      const looksInside = parts.some((part) => analysis.isReference(part));
      return { before: [...parts.map(of), ...(looksInside ? [lookingInside] : [])] };
    }
    case 'array-literal':
      return upTo(node.elements);
    case 'object-literal':
      return upTo(node.entries.map((part) => ({ kind: 'object-entry', part, span: part.span })));
    case 'index':
      return child === node.index ? { before: [of(node.object)] } : {};
    case 'call': {
      if (child === node.callee) return {};
      const receiver = node.callee.kind === 'member' ? [of(node.callee.object)] : [];
      const isTested = analysis.refusedNulls(file, node).some(({ span }) => span.end <= child.span.start);
      return { before: [...receiver, ...(upTo(node.arguments).before ?? []), ...(isTested ? [failing] : [])] };
    }
    case 'binary': {
      if (child === node.left) return {};
      const isConditional = node.operator === '&&' || node.operator === '||';
      const isEquality = node.operator === '==' || node.operator === '!=';
      const isCopied = isEquality && analysis.isReference(node.left);
      const isTested = !isEquality && analysis.isRiskyText(file, node.left);
      return {
        before: [of(node.left), ...(isCopied ? [lookingInside] : []), ...(isTested ? [failing] : [])],
        isConditional,
      };
    }
    case 'conditional':
      return child === node.condition ? {} : { before: [of(node.condition)], isConditional: true };
    case 'new-array':
      return node.lengths[0] === child ? {} : { before: [...node.lengths.map(of), lookingInside] };
    case 'function-declaration':
    case 'main-declaration':
    case 'type-declaration':
    case 'parameter':
    case 'broken':
    case 'invalid-expression':
      return { isConditional: true, isRepeated: true };
    case 'declarator':
    case 'catch-clause':
    case 'object-entry':
    case 'return':
    case 'yield':
    case 'throw':
    case 'expression-statement':
    case 'member':
    case 'unary':
    case 'update':
    case 'cast':
    case 'header':
    case 'import':
    case 'field':
    case 'primitive-type':
    case 'named-type':
    case 'array-type':
    case 'nullable-type':
    case 'invalid-type':
    case 'break':
    case 'continue':
    case 'empty':
    case 'int-literal':
    case 'double-literal':
    case 'boolean-literal':
    case 'null-literal':
    case 'string-literal':
    case 'name':
      return {};
  }
}

/** Whether a node is the target of an assignment or of `++`, or what a call calls: no value. */
export function isTarget(parent: SyntaxNode | undefined, node: SyntaxNode): boolean {
  return (
    (parent?.kind === 'assignment' && parent.target === node) ||
    (parent?.kind === 'update' && parent.operand === node) ||
    (parent?.kind === 'call' && parent.callee === node)
  );
}
