// Dead-store elimination: removes an assignment to a temporary that is not live behind it, if the assigned value has no
// effect.
//
//   $array = a                                                $index = i
//   $index = i                                                $elements[$index] unchecked = 0
//   $elements[$index] unchecked = 0
//
// Most of these temporaries are operands of checks that bounds-check elimination has removed. Does not apply to
// variables of the script, to values that may fail or have an effect, and to locals that a catch clause may read.
// Source: Aho, Lam, Sethi, Ullman, "Compilers", section 9.1.6 (dead code), by live variables, section 9.2.5.

import type { Expression, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { blocksOf, hasLoop, withBlocks } from '../../mir/children.ts';
import { arePure } from '../../mir/effects.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { findDeadStores } from '../analysis/liveness.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

type Sequence = Expression & { readonly kind: 'sequence' };
type SetLocal = Statement & { readonly kind: 'set-local' };

export const deadStoreElimination: Pass = {
  name: 'dead-store-elimination',
  summary: 'settings of temporaries that nothing reads are dropped',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'fixed-matrices'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) => (hasLoop(fn.body) ? withoutDeadStores(fn, program.registry) : fn)),
};

export function withoutDeadStores(fn: MirFunction, registry: LibraryRegistry): MirFunction {
  const known = new Map<Statement, boolean>();
  const mayDrop = (node: SetLocal): boolean => {
    const may = known.get(node) ?? (isTemporary(node, fn) && arePure([node.value], registry));
    known.set(node, may);
    return may;
  };
  const dropped = findDeadStores(fn, mayDrop);
  if (dropped.size === 0) return fn;
  const keep = (nodes: readonly Statement[], originals: readonly Statement[]): readonly Statement[] =>
    nodes.filter((_, index) => !dropped.has(originals[index]!));
  const rewritten = rewriteExpressions(
    fn.body,
    (node, original) =>
      node.kind === 'sequence' && original.kind === 'sequence'
        ? withStatements(node, keep(node.statements, original.statements))
        : node,
    (node, original) => {
      const originals = blocksOf(original);
      if (originals.length === 0) return node;
      return withBlocks(
        node,
        blocksOf(node).map((block, index) => keep(block, originals[index]!)),
      );
    },
  );
  return { ...fn, body: keep(rewritten, fn.body) };
}

function withStatements(node: Sequence, statements: readonly Statement[]): Expression {
  return statements.length === 0 ? node.value : { ...node, statements };
}

function isTemporary({ local }: SetLocal, { locals }: MirFunction): boolean {
  return locals[local]!.origin !== 'source';
}
