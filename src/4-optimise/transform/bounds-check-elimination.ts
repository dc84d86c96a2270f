// Bounds-check elimination by loop versioning: if the first and the last index that a counted loop uses are in range,
// so are all indices between them, and a version of the loop without bounds checks runs. Otherwise the original loop
// runs, and fails at the first index that is out of range.
//
//   loop 1 while (i < n) #counted …      if ((n - 1) in 0..$length) #versions
//     total = (total + a[i] hoisted)       loop 2 while (i < n) … a[i] hoisted unchecked …
//                                        else
//                                          loop 1 while (i < n) … a[i] hoisted …
//
// In a loop in steps of several, `i += 2`, that reads ahead, `a[i + 1]`, the last index is worked out from where the
// variable begins.
//
// In a fixed matrix (analysis/fixed-matrices.ts) all rows have the length of the first row, and that length is read
// once. So the checks of an access like `b[k][j]`, in a loop that counts k through the rows, move in front of the loop
// too.
//
// Integer arithmetic wraps, so the versioned loop also tests that its index computation cannot overflow: the variable,
// its limit and the coefficients must be below 2^31, otherwise the loop with checks runs. Does not apply to indices
// that are not affine in the variable, to loops whose limit is unknown before the loop, and to loops where the second
// version costs more than the checks.
// Source: Gupta, "Optimizing array bound checks using flow analysis", 1993; loop versioning as in Allen, Kennedy,
// "Optimizing Compilers for Modern Architectures", section 5.

import { countsUp } from '../../mir/mir.ts';
import type { CountedLoop, Expression, HoistArray, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { all, arithmetic, inRange, getLocal, int } from '../../mir/builders.ts';
import { visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { copyLoop } from '../../mir/clone.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { plainLimit } from '../analysis/counted-loops.ts';
import type { FixedMatrices } from '../analysis/fixed-matrices.ts';
import { findForeach, findGroups, listConditions } from '../analysis/index-groups.ts';
import type { Group } from '../analysis/index-groups.ts';
import { findIndices, findInductions } from '../analysis/induction-variables.ts';
import type { OriginOf, RowElement } from '../analysis/induction-variables.ts';
import { countSets } from '../analysis/local-paths.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import { remarkAllChecked, remarkChecks, remarkUncounted } from '../remarks/bounds.ts';
import type { Remarks } from '../remarks/remarks.ts';

/** For a loop that counts up to a constant below this, the guard costs more than the checks. */
const fewestIterations = 4n;

/** A loop with more nodes than this is not copied: the checks that would be saved are not worth the code. */
const largestLoop = 500;

/** If a loop has more nodes than this for each bounds check, the checks are too small a share of its time. */
const nodesForCheck = 80;

/** A division or a square root takes as long as this number of other nodes. */
const slowNode = 20;

export const boundsCheckElimination: Pass = {
  name: 'bounds-check-elimination',
  summary: 'bounds are checked once in front of loops, which get a second version without checks',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'fixed-matrices'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    const matrices = (): FixedMatrices => context.analyses.get('fixed-matrices');
    const { remarks } = context;
    return mapFunctions(program, context, (fn) => {
      if (remarks !== null) remarkUncounted(remarks, fn);
      return new Versioning(fn, modRef, matrices, program.registry, remarks).rewritten();
    });
  },
};

class Versioning {
  readonly #fn: MirFunction;
  readonly #modRef: ProgramChanges;
  readonly #registry: LibraryRegistry;
  readonly #sets: ReadonlyMap<LocalId, number>;
  readonly #locals: Local[];
  /** Computed only if the function accesses rows of a matrix: the analysis reads the whole program. */
  readonly #matrices: () => FixedMatrices;
  readonly #remarks: Remarks | null;
  /** By the local that holds the rows of a matrix: the local that holds the length of a row. */
  readonly #rowLengths = new Map<LocalId, LocalId>();
  /** The row lengths that a condition reads. */
  readonly #lengths = new Set<LocalId>();
  #lastLoop: LoopId = 0;
  #counts = false;

  constructor(
    fn: MirFunction,
    modRef: ProgramChanges,
    matrices: () => FixedMatrices,
    registry: LibraryRegistry,
    remarks: Remarks | null,
  ) {
    this.#fn = fn;
    this.#remarks = remarks;
    this.#modRef = modRef;
    this.#matrices = matrices;
    this.#registry = registry;
    this.#locals = [...fn.locals];
    visitStatements(fn.body, (node) => {
      if (node.kind !== 'loop') return;
      this.#lastLoop = Math.max(this.#lastLoop, node.id);
      this.#counts ||= node.counted !== undefined;
    });
    this.#sets = this.#counts ? countSets(fn) : new Map();
  }

  rewritten(): MirFunction {
    if (!this.#counts) return this.#fn;
    const body = rewriteBlocks(this.#fn.body, (block) =>
      block.flatMap((node) =>
        node.kind === 'loop' && node.counted !== undefined && node.isCold !== true
          ? this.#inTwoVersions(node, node.counted)
          : [node],
      ),
    );
    const found = this.#rowLengths.size === 0 ? body : rewriteBlocks(body, (block) => this.#withRowLengths(block));
    return { ...this.#fn, locals: this.#locals, body: found };
  }

  /** The local with the length of the rows of a matrix; null if the rows may have different lengths. */
  #rowLengthOf({ type, array: { hoisted } }: RowElement): LocalId | null {
    const rows = hoisted.elements;
    const known = this.#rowLengths.get(rows);
    if (known !== undefined) return known;
    // Arrays of json are never hoisted, and so not the first row either.
    if (type.kind === 'json') return null;
    if (!this.#matrices().isRectangular(this.#fn, rows)) return null;
    const length = this.#locals.push({ name: 'columns', type: intType, origin: 'temporary' }) - 1;
    this.#rowLengths.set(rows, length);
    return length;
  }

  /** Adds the computation of `$columns` after the hoisting of each matrix that needs it. */
  #withRowLengths(block: readonly Statement[]): readonly Statement[] {
    return block.flatMap((node) => {
      const length = node.kind === 'hoist-array' ? this.#rowLengths.get(node.elements) : undefined;
      return length === undefined || !this.#lengths.has(length)
        ? [node]
        : [node, this.#lookUpFirstRow(node as HoistArray, length)];
    });
  }

  /** `$first, $columns = hoist (0 in 0..$length) ? $elements[0] unchecked : null` */
  #lookUpFirstRow(matrix: HoistArray, length: LocalId): HoistArray {
    const { span } = matrix;
    const type = (matrix.array.type as Type & { readonly kind: 'array' }).element;
    const { element } = type as Type & { readonly kind: 'array' };
    const first = int(0n, span);
    const { kind: _, span: __, ...hoisted } = matrix;
    const array: Expression = {
      kind: 'conditional',
      condition: inRange(first, getLocal(matrix.length, intType, span)),
      then: { kind: 'get-hoisted', hoisted, index: first, checked: false, type, span },
      otherwise: { kind: 'null', type, span },
      type,
      span,
    };
    const elements = this.#locals.push({ name: 'first', type: { kind: 'elements', element }, origin: 'temporary' }) - 1;
    return { kind: 'hoist-array', array, elements, length, window: null, span };
  }

  /** The loop in two versions if that removes a check, otherwise the loop alone. */
  #inTwoVersions(loop: Loop, counted: CountedLoop): readonly Statement[] {
    const limit = plainLimit(counted);
    const isTiny = countsUp(counted.comparison) && limit?.kind === 'int' && limit.value < fewestIterations;
    if (limit === null || isTiny) {
      if (this.#remarks !== null) remarkAllChecked(this.#remarks, loop, isTiny ? 'fewIterations' : 'limitUnknown');
      return [loop];
    }
    const changes = this.#modRef.of([loop], this.#fn);
    const inductions = findInductions(loop, counted).map((induction) => ({
      ...induction,
      origin: this.#locals.push({ name: 'origin', type: intType, origin: 'temporary' }) - 1,
    }));
    const indices = findIndices(loop, counted, inductions, changes, this.#sets);
    const rowLength = (access: RowElement): LocalId | null => this.#rowLengthOf(access);
    const found = findGroups(loop, counted, { changes, indices, rowLength, registry: this.#registry });
    const saved = worthIt(found, loop);
    const groups = saved.length === 0 ? [] : [...saved, ...findForeach(loop, counted, saved)];
    const [first, ...others] = listConditions(counted, limit, groups, loop);
    const isDone = groups.length > 0 && first !== undefined;
    if (this.#remarks !== null) {
      const members = new Set<Node>(found.flatMap((group) => group.members));
      const checked = { fn: this.#fn, loop, counted, indices, changes, registry: this.#registry };
      remarkChecks(this.#remarks, { ...checked, matrices: this.#matrices }, isDone ? members : new Set(), members);
    }
    if (!isDone || !isRead([first, ...others], inductions)) this.#dropLast(inductions.map(({ origin }) => origin));
    if (!isDone) return [loop];
    for (const { length } of groups) this.#lengths.add(length);
    const condition = all([first, ...others]);
    this.#lastLoop += 1;
    const unchecked = copyLoop(loop, this.#lastLoop, new Set<Node>(groups.flatMap(({ members }) => members)));
    const inRange = groups.flatMap(({ linear: { coefficient, base }, low, high, elements }) =>
      elements !== null && coefficient === 1n && base?.kind === 'get-local' && base.local === counted.variable
        ? [{ elements, low, high }]
        : [],
    );
    const arms = [{ condition, then: [unchecked] }];
    return [
      ...this.#setOrigins(loop, counted, inductions, condition),
      { kind: 'if', arms, otherwise: [loop], span: loop.span, versions: { inRange } },
    ];
  }

  /** Removes these locals, which nothing reads, if they are the last ones of the function. */
  #dropLast(locals: readonly LocalId[]): void {
    if (locals[0] === this.#locals.length - locals.length) this.#locals.length -= locals.length;
  }

  /** `origin = local - factor * variable` for each origin that the condition reads. */
  #setOrigins(
    { span }: Loop,
    { variable }: CountedLoop,
    inductions: readonly OriginOf[],
    condition: Expression,
  ): readonly Statement[] {
    return inductions.flatMap(({ local, factor, origin }): readonly Statement[] => {
      if (!isRead([condition], [{ origin }])) return [];
      const moved = arithmetic('*', getLocal(variable, intType, span), int(factor, span));
      return [
        { kind: 'set-local', local: origin, value: arithmetic('-', getLocal(local, intType, span), moved), span },
      ];
    });
  }
}

/** Whether the expressions read one of the origins. */
function isRead(nodes: readonly Expression[], origins: readonly Pick<OriginOf, 'origin'>[]): boolean {
  let is = false;
  visitAll(nodes, (node) => {
    if (node.kind === 'get-local') is ||= origins.some(({ origin }) => origin === node.local);
  });
  return is;
}

/** The groups, or none if the saved checks are not worth a second loop. */
function worthIt(groups: readonly Group[], loop: Loop): readonly Group[] {
  let nodes = 0;
  let time = 0;
  visitAll([loop], (node) => {
    nodes += 1;
    time += isSlow(node) ? slowNode : 1;
  });
  const saved = groups.reduce((sum, { members }) => sum + members.length, 0);
  return nodes > largestLoop || time > saved * nodesForCheck ? [] : groups;
}

function isSlow(node: Node): boolean {
  if (node.kind === 'library-call') return node.function === 'Math.sqrt';
  return (
    node.kind === 'operate' &&
    (node.operator === '/(double,double)' ||
      (/^[/%]\(int,int\)$/.test(node.operator) && node.operands[1]!.kind !== 'int'))
  );
}
