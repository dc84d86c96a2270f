// Loop-invariant code motion: if a loop neither replaces nor resizes an array or a text, the loads of the reference to
// its elements and of its length move in front of the loop, into locals. They move out of as many loops as possible. A
// length that is the limit of a counted loop moves too.
//
//   loop 1 while (i < a.length())      $elements, $length = hoist a
//     total = (total + a[i])           loop 1 while (i < a.length()) #counted i < $length by 1
//   step                                 total = (total + a[i] hoisted)
//     i = (i + 1)                      step …
//
// Nothing fails in front of a loop: a null array is hoisted as an array without elements, so every index into it is out
// of range, and the loop fails where it would have failed before. Does not apply if the loop, or a function that it
// calls, may change the access path or the length of the array (mod-ref), to arrays of json, and to access paths of
// more than three steps.
// Source: Aho, Lam, Sethi, Ullman, "Compilers", section 9.5; Muchnick, "Advanced Compiler Design", section 13.2.

import type { Expression, HoistedArray, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { intType, codeUnitsType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { asNullable, inRange, getLocal, int } from '../../mir/builders.ts';
import { hasLoop } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import { pathKey } from '../analysis/access-paths.ts';
import { hasHoistableElements, isHoistable } from '../analysis/hoistable-arrays.ts';
import { countSets, PathWalk } from '../analysis/local-paths.ts';
import type { Changes, ProgramChanges } from '../analysis/mod-ref.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import { readsJson, remarkHoisted, remarkNotHoisted } from '../remarks/lookups.ts';
import type { Remarks } from '../remarks/remarks.ts';
import { sourceText } from '../remarks/source-text.ts';

export const loopInvariantCodeMotion: Pass = {
  name: 'loop-invariant-code-motion',
  summary: 'arrays and texts are looked up in front of loops',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    return mapFunctions(program, context, (fn) =>
      hasLoop(fn.body) ? hoist(fn, new Plan(fn, modRef, program.registry, context.remarks)) : fn,
    );
  },
};

/** The function with its arrays hoisted as the plan says. */
function hoist(fn: MirFunction, { locals, preheaders, accesses, limits }: Plan): MirFunction {
  if (preheaders.size === 0) return fn;
  const body = rewriteExpressions(
    fn.body,
    (node, original) => readHoisted(node, original, accesses),
    (node, original) => {
      if (node.kind === 'loop') return withLimit(node, limits.get(node.id));
      const hoisted = accesses.get(original);
      if (hoisted === undefined || node.kind !== 'set-element') return node;
      const { index, value, array, span } = node;
      return { kind: 'set-hoisted', hoisted: { ...hoisted, array }, index, value, checked: true, span };
    },
  );
  const inFront = (node: Statement): readonly Statement[] =>
    node.kind === 'loop' ? (preheaders.get(node.id) ?? []) : [];
  return { ...fn, locals, body: rewriteBlocks(body, (block) => block.flatMap((node) => [...inFront(node), node])) };
}

function readHoisted(node: Expression, original: Expression, accesses: Plan['accesses']): Expression {
  const hoisted = accesses.get(original);
  if (hoisted === undefined) return node;
  const { type, span } = node;
  if (node.kind === 'get-element') {
    const { array, index, checked } = node;
    return { kind: 'get-hoisted', hoisted: { ...hoisted, array }, index, checked, type, span };
  }
  if (node.kind !== 'library-call') return node;
  const [array, index] = node.arguments as readonly [Expression, Expression];
  return { kind: 'get-hoisted', hoisted: { ...hoisted, array }, index, checked: true, type, span };
}

/**
 * The loop with the hoisted length as its limit: once the condition has been tested, both are equal. The hoisted length
 * of a text is 0 unless the whole text is hoisted, so it is no limit, and the loop notes it beside the limit.
 */
function withLimit(loop: Loop, hoisted: HoistedArray | undefined): Loop {
  if (hoisted === undefined || loop.counted === undefined) return loop;
  const { length, window } = hoisted;
  const limit = getLocal(length, intType, loop.counted.limit.span);
  return { ...loop, counted: { ...loop.counted, ...(window === null ? { limit } : { textLength: length }) } };
}

/** A loop around the node that the walk visits. */
interface LoopScope {
  readonly loop: Loop;
  /** It has another loop in it; asked for remarks alone. */
  readonly isOuter: boolean;
  /** The arrays of which something was said. */
  readonly explained: Set<string>;
  readonly changes: Changes;
  /** The statements of the preheader. */
  readonly before: Statement[];
  readonly hoisted: Map<string, HoistedArray>;
}

/** The plan: which arrays are hoisted, and to which preheaders. The walk that makes it changes no node. */
class Plan {
  /** The locals of the function, and the new ones. */
  readonly locals: Local[];
  /** The statements in front of loops. */
  readonly preheaders = new Map<LoopId, readonly Statement[]>();
  /** The hoisted arrays that accesses use. */
  readonly accesses = new Map<Node, HoistedArray>();
  /** The hoisted arrays whose lengths are the limits of loops. */
  readonly limits = new Map<LoopId, HoistedArray>();
  readonly #scopes: LoopScope[] = [];
  readonly #fn: MirFunction;
  readonly #modRef: ProgramChanges;
  readonly #registry: LibraryRegistry;
  readonly #remarks: Remarks | null;
  readonly #walk: PathWalk;

  constructor(fn: MirFunction, modRef: ProgramChanges, registry: LibraryRegistry, remarks: Remarks | null) {
    this.locals = [...fn.locals];
    this.#fn = fn;
    this.#modRef = modRef;
    this.#registry = registry;
    this.#remarks = remarks;
    this.#walk = new PathWalk(countSets(fn), { enter: (node) => this.#enter(node) });
    this.#walk.statements(fn.body);
  }

  #enter(node: Node): void {
    if (node.kind === 'loop') return this.#loop(node);
    // In the order of evaluation: an index may change a variable in the path of the array.
    const parts = this.#scopes.length === 0 ? null : accessOf(node);
    const hoisted = parts === null ? null : this.#find(parts.array);
    if (this.#remarks !== null && this.#scopes.length > 0) this.#explain(this.#remarks, node, parts?.array, hoisted);
    if (parts === null || hoisted === null) return this.#walk.inside(node);
    this.accesses.set(node, hoisted);
    this.#walk.nodes(parts.others);
  }

  #loop(node: Loop): void {
    const isOuter = this.#remarks !== null && hasLoop([...node.body, ...node.step]);
    const scope: LoopScope = {
      loop: node,
      isOuter,
      changes: this.#modRef.of([node], this.#fn),
      before: [],
      hoisted: new Map(),
      explained: new Set(),
    };
    this.#scopes.push(scope);
    this.#walk.inside(node);
    const limit = node.counted?.limit;
    const hoisted = limit?.kind === 'library-call' ? this.#find(limit.arguments[0]!) : null;
    if (hoisted !== null) this.limits.set(node.id, hoisted);
    this.#scopes.pop();
    if (scope.before.length > 0) this.preheaders.set(node.id, scope.before);
  }

  /** Says of a loop without another in it where an array is looked up. */
  #explain(remarks: Remarks, node: Node, array: Expression | undefined, hoisted: HoistedArray | null): void {
    const { loop, changes, isOuter, explained } = this.#scopes.at(-1)!;
    if (isOuter) return;
    if (readsJson(node, this.locals)) remarks.add('jsonRead', loop.span, { what: node.span });
    if (array === undefined) return;
    const path = this.#walk.paths.resolve(array, changes);
    const lookup = { fn: this.#fn, loop, array, path, changes, modRef: this.#modRef };
    // All accesses to one array have the same reason, which can take long to find in a large loop.
    const key = `${pathKey(path)} ${sourceText(array.span)}`;
    if (explained.has(key)) return;
    explained.add(key);
    const scope = this.#scopes.find((one) => [...one.hoisted.values()].includes(hoisted!));
    if (scope === undefined) remarkNotHoisted(remarks, lookup);
    else remarkHoisted(remarks, lookup, scope.loop);
  }

  /** The hoisted form of the array; null if it cannot be hoisted. */
  #find(array: Expression): HoistedArray | null {
    if (!hasHoistableElements(array)) return null;
    for (const scope of this.#scopes) {
      const path = this.#walk.paths.resolve(array, scope.changes);
      if (isHoistable(path, scope.changes, this.#registry)) return this.#hoist(scope, path);
    }
    return null;
  }

  #hoist(scope: LoopScope, path: Expression): HoistedArray {
    const key = pathKey(path)!;
    const known = scope.hoisted.get(key);
    if (known !== undefined) return known;
    // It is looked up in front of the tests for null in the loop.
    const array = asNullable(this.#lookUp(scope, path));
    const { span } = path;
    const hoisted: HoistedArray = {
      array,
      elements: this.#newLocal('elements', elementsOf(path.type)),
      length: this.#newLocal('length', intType),
      window:
        path.type.kind === 'string'
          ? { start: this.#newLocal('start', intType), size: this.#newLocal('size', intType) }
          : null,
    };
    scope.before.push({ kind: 'hoist-array', ...hoisted, span });
    scope.hoisted.set(key, hoisted);
    return hoisted;
  }

  /** The value of an access path in front of a loop; null where its evaluation would fail. */
  #lookUp(scope: LoopScope, path: Expression): Expression {
    const nothing: Expression = { kind: 'null', type: path.type, span: path.span };
    if (path.kind === 'get-field') return this.#lookUpField(scope, path, nothing);
    // What is never null in the loop may be so in front of it.
    if (path.kind === 'get-local') return getLocal(path.local, path.type, path.span);
    if (path.kind !== 'get-element') return path;
    return this.#lookUpElement(scope, path.array, this.#lookUpIndex(scope, path.index), nothing);
  }

  /** The value of an index in front of a loop; -1, which is never in range, where its evaluation would fail. */
  #lookUpIndex(scope: LoopScope, index: Expression): Expression {
    const nothing = int(-1n, index.span);
    if (index.kind === 'get-field') return this.#lookUpField(scope, index, nothing);
    if (index.kind !== 'get-element') return index;
    return this.#lookUpElement(scope, index.array, this.#lookUpIndex(scope, index.index), nothing);
  }

  /** `object == null ? otherwise : object.field` */
  #lookUpField(scope: LoopScope, path: Expression & { kind: 'get-field' }, otherwise: Expression): Expression {
    const { type, span } = path;
    const object = this.#keep(scope, this.#lookUp(scope, path.object));
    const condition: Expression = { kind: 'is-null', operand: object, type: { kind: 'boolean' }, span };
    const value = { ...path, object };
    return this.#keep(scope, { kind: 'conditional', condition, then: otherwise, otherwise: value, type, span });
  }

  /** `index in range of array ? array[index] : otherwise` */
  #lookUpElement(scope: LoopScope, array: Expression, index: Expression, otherwise: Expression): Expression {
    const { type, span } = otherwise;
    const hoisted = { ...this.#find(array)!, array };
    const condition = inRange(index, getLocal(hoisted.length, intType, span));
    const value: Expression = { kind: 'get-hoisted', hoisted, index, checked: false, type, span };
    return this.#keep(scope, { kind: 'conditional', condition, then: value, otherwise, type, span });
  }

  #keep(scope: LoopScope, value: Expression): Expression {
    if (value.kind === 'get-local' || value.kind === 'get-global') return value;
    const local = this.#newLocal('path', value.type);
    scope.before.push({ kind: 'set-local', local, value, span: value.span });
    return getLocal(local, value.type, value.span);
  }

  #newLocal(name: string, type: Type): LocalId {
    return this.locals.push({ name, type, origin: 'temporary' }) - 1;
  }
}

/** The array of an access, and its other operands. */
function accessOf(node: Node): { readonly array: Expression; readonly others: readonly Expression[] } | null {
  if (node.kind === 'get-element') return { array: node.array, others: [node.index] };
  if (node.kind === 'set-element') return { array: node.array, others: [node.index, node.value] };
  if (node.kind !== 'library-call' || node.function !== 'string.codeAt') return null;
  const [text, index] = node.arguments as readonly [Expression, Expression];
  return { array: text.kind === 'check-null' ? text.operand : text, others: [index] };
}

function elementsOf(type: Type): Type {
  return type.kind === 'array' ? { kind: 'elements', element: type.element } : codeUnitsType;
}
