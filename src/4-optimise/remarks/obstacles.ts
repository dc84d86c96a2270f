// Why loops of a nest go on one iteration at a time: what unroll and jam says of loops that it could read.

import { hasLoop, visitStatements } from '../../mir/children.ts';
import type { Expression, Loop } from '../../mir/mir.ts';
import type { Local } from '../../mir/program.ts';
import type { NestLog, Obstacle } from '../nests/log.ts';
import type { NestThresholds } from '../nests/thresholds.ts';
import type { Nest, NestLoop } from '../nests/tree.ts';
import type { Remarks } from './remarks.ts';
import { placeOf, sourceText } from './source-text.ts';

/** Says of each loop that would gain by it why it is not jammed, and of the nest if none would. */
export function remarkObstacles(
  remarks: Remarks,
  { root }: Pick<Nest, 'root'>,
  locals: readonly Local[],
  { obstacles }: NestLog,
): void {
  if (obstacles.length === 0) remarks.add('nestNoGain', root.source.span, {});
  const said = new Set<unknown>();
  for (const { loop, obstacle } of obstacles) {
    if (said.has(loop.source)) continue;
    said.add(loop.source);
    remarkObstacle(remarks, loop, locals, obstacle);
  }
}

function remarkObstacle(remarks: Remarks, { source }: NestLoop, locals: readonly Local[], obstacle: Obstacle): void {
  const { span } = source;
  switch (obstacle.kind) {
    case 'direction':
      return remarks.add('nestDirection', span, {});
    case 'size':
      return remarks.add('nestSize', span, {});
    case 'few':
      return remarks.add('nestFew', span, { iterations: String(obstacle.copies) });
    case 'branch':
      return remarkBranch(remarks, source, obstacle.condition);
    case 'bounds':
      return remarks.add('nestBounds', span, { at: obstacle.inner.source.span });
    case 'dependence': {
      const { earlier, later } = obstacle;
      const [at, there] = [placeOf(earlier.node), placeOf(later.node)];
      if (typeof earlier.access !== 'number')
        return remarks.add('nestElementNeeded', span, { one: sourceText(at), at, other: sourceText(there), there });
      const variable = locals[earlier.access]!.name;
      return remarks.add('nestValueNeeded', span, { variable, at: earlier.isWrite ? at : there });
    }
  }
}

function remarkBranch(remarks: Remarks, source: Loop, condition: Expression): void {
  let hasLoops = true;
  visitStatements([source], (node) => {
    if (node.kind === 'if' && node.arms[0]?.condition.span === condition.span) hasLoops &&= hasLoop([node]);
  });
  const at = placeOf(condition);
  remarks.add(hasLoops ? 'nestBranch' : 'nestRowsChange', source.span, { condition: sourceText(at), at });
}

/** Says of a nest that no form of it that works on several iterations would ever run; `isShort`: its outermost loop is. */
export function remarkUnused(
  remarks: Remarks,
  { root }: Nest,
  { fewestIterations }: NestThresholds,
  isShort: boolean,
): void {
  const { span } = root.source;
  if (isShort) remarks.add('nestFew', span, { iterations: String(fewestIterations) });
  else remarks.add('nestUnfit', span, {});
}
