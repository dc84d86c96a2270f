// A pass for tests: does again, does in front of a loop, or leaves out what effectsOf calls free of effects. No program
// may answer otherwise for it.

import type { LibraryRegistry } from '../../src/library/registry.ts';
import { mapFunctions } from '../../src/4-optimise/pass.ts';
import type { PassContext } from '../../src/4-optimise/pass.ts';
import { nodesOf, visitAll } from '../../src/mir/children.ts';
import type { Node } from '../../src/mir/children.ts';
import { arePure, effectsOf, isSpeculatable } from '../../src/mir/effects.ts';
import { isConstant } from '../../src/mir/kinds.ts';
import type { Expression, LocalId, Statement } from '../../src/mir/mir.ts';
import type { Local, MirFunction, MirProgram } from '../../src/mir/program.ts';
import { lastEntryOf } from '../../src/mir/re-entry.ts';
import { rewriteExpressions } from '../../src/mir/rewrite.ts';

/** One of so many expressions is disturbed: what has been cannot be around what is. */
const every = 3;
/** The most expressions that are evaluated in front of a loop, and of what size. */
const mostInFront = 8;
const largestInFront = 12;

/** The program with some of its pure expressions, which the seed says, evaluated more often, earlier, or not at all. */
export function disturbPure(program: MirProgram, seed: number): MirProgram {
  let asked = seed;
  const isChosen = (): boolean => (asked += 1) % every === 0;
  return mapFunctions(program, { settings: { poll: () => {} } } as PassContext, (fn) => disturb(fn, program, isChosen));
}

function disturb(fn: MirFunction, { registry }: MirProgram, isChosen: () => boolean): MirFunction {
  const locals: Local[] = [...fn.locals];
  const unread = (value: Expression): Statement => {
    const local = locals.push({ name: 'unread', type: value.type, origin: 'temporary' }) - 1;
    return { kind: 'set-local', local, value, span: value.span };
  };
  const twice = (node: Expression): Expression => {
    const isWorthIt = !isConstant(node) && node.kind !== 'get-local' && node.type.kind !== 'void' && isChosen();
    if (!isWorthIt || !arePure([node], registry)) return node;
    return { kind: 'sequence', statements: [unread(node)], value: node, type: node.type, span: node.span };
  };
  const inFront = (loop: Statement): Statement => {
    if (loop.kind !== 'loop') return loop;
    const found = speculatableIn(loop, (node) => isSpeculatable(node, registry));
    const chosen = found.filter(() => isChosen()).slice(0, mostInFront);
    const lastEntry = lastEntryOf(loop);
    const entries = lastEntry === null ? {} : { lastEntry };
    return { kind: 'block', statements: [...chosen.map(unread), loop], ...entries, span: loop.span };
  };
  const read = localsReadIn(fn, registry);
  const isLeftOut = (node: Statement): boolean =>
    (node.kind === 'set-local' && !read.has(node.local) && arePure([node.value], registry)) ||
    (node.kind === 'evaluate' && arePure([node.expression], registry));
  const leaveOut = (node: Statement): Statement =>
    isLeftOut(node) ? { kind: 'block', statements: [], span: node.span } : inFront(node);
  return { ...fn, body: rewriteExpressions(fn.body, twice, leaveOut), locals };
}

/** Small expressions in a loop that may be evaluated anywhere, but for what a local or a constant is. */
function speculatableIn(loop: Node, isOne: (node: Expression) => boolean): readonly Expression[] {
  const found: Expression[] = [];
  visitAll([loop], (node) => {
    if (!('type' in node) || node.kind === 'get-local' || isConstant(node) || node.type.kind === 'void') return;
    let size = 0;
    visitAll([node], () => (size += 1));
    if (size <= largestInFront && isOne(node)) found.push(node);
  });
  return found;
}

function localsReadIn(fn: MirFunction, registry: LibraryRegistry): ReadonlySet<LocalId> {
  const read = new Set<LocalId>();
  visitAll(nodesOf(fn), (node) => {
    for (const location of effectsOf(node, registry).reads) if (location.kind === 'local') read.add(location.local);
  });
  return read;
}
