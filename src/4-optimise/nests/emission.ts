// Writes a loop nest down as Mir: loops that count to their ends, accesses without checks, and the rows of matrices
// looked up in front of the outermost loop that leaves them as they are.

import type { Expression, GetHoisted, If, Load, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import { bytesOf } from '../../mir/scratch.ts';
import { booleanType, intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { coefficientOf, constantForm, isZero, keyOf, substitute, toExpression } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { elementTypes } from './references.ts';
import { addTo, assertionsOf, ifInRange, keyOfVector } from './places.ts';
import type { Packing } from './packing.ts';
import { isFlat, visitParts } from './tree.ts';
import type { Access, Accesses, NestArray, NestLoop, Part } from './tree.ts';

export interface EmissionContext {
  readonly accesses: Accesses;
  readonly newLocal: (name: string, type: Type) => LocalId;
  readonly newLoop: () => LoopId;
  /** The pass loop-fuel charges the loops inside; otherwise they are charged here, so that the nest stops in time. */
  readonly countsFuel: boolean;
  /** Each row has its length in a local of its own. */
  readonly assertsBounds: boolean;
  /** Where its arrays are in the scratch memory; null where they are where they were. */
  readonly packing: Packing | null;
}

/** The body of a loop, or what is in front of the nest, where rows can be looked up. */
interface Scope {
  /** Whose body it is. */
  readonly loop: NestLoop | null;
  /** The variables of loops that stay as they are in it. */
  readonly variables: ReadonlySet<LocalId>;
  /** What is done at its beginning. */
  readonly before: Statement[];
  readonly rows: Map<string, Row>;
  /** Locals with addresses. */
  readonly pointers: Map<string, LocalId>;
  /** Where rows begin that lie one behind another. */
  readonly offsets: Map<string, LocalId>;
}

/** A branch that has loops in it, and what it is a part of. */
interface Branch {
  readonly node: If;
  readonly around: Statement[];
  readonly then: Statement[];
  readonly otherwise: Statement[];
}

/** A row, and its elements once something is to be set in it, or read further inside. */
interface Row {
  readonly row: Expression;
  readonly elements: LocalId;
  /** The local with its own length, if it may be null; null if that of the first row will do. */
  readonly length: LocalId | null;
}

/** The nest, whose outermost loop begins with the value that its variable has. */
export function emitNest(root: NestLoop, context: EmissionContext): readonly Statement[] {
  return new Emission(root, context).statements();
}

class Emission {
  readonly #root: NestLoop;
  readonly #context: EmissionContext;
  readonly #variables = new Set<LocalId>();
  readonly #scopes: Scope[] = [];
  #rootId: LoopId = 0;
  #rowLength: LocalId | null = null;
  /**
   * By the loop right around them, the least constant of the last subscripts that differ by it alone. In another loop
   * the variable may be where the element of the least one is none of the array.
   */
  readonly #least = new Map<NestLoop, Map<string, bigint>>();

  constructor(root: NestLoop, context: EmissionContext) {
    this.#root = root;
    this.#context = context;
    visitParts([root], (part, loops) => {
      const loop = loops.at(-1);
      if (part.kind === 'loop') this.#variables.add(part.variable);
      else if (context.packing !== null && loop !== undefined)
        visitAll(part.statements, (node) => this.#note(context.accesses.get(node), loop));
    });
  }

  statements(): readonly Statement[] {
    return this.#inScope(null, () => this.#loop(this.#root));
  }

  /** Statements with what they have looked up in front of them. */
  #inScope(loop: NestLoop | null, write: () => readonly Statement[]): readonly Statement[] {
    const variables = new Set(this.#scopes.at(-1)?.variables);
    if (loop !== null) variables.add(loop.variable);
    const scope: Scope = { loop, variables, before: [], rows: new Map(), pointers: new Map(), offsets: new Map() };
    this.#scopes.push(scope);
    const statements = write();
    this.#scopes.pop();
    return [...scope.before, ...statements];
  }

  #parts(parts: readonly Part[]): readonly Statement[] {
    const branches: Branch[] = [];
    const whole: Statement[] = [];
    let block = whole;
    for (const part of parts) {
      const written = part.kind === 'loop' ? this.#loop(part) : this.#straight(part.statements);
      const control = part.kind === 'loop' ? undefined : part.control;
      if (control === 'if') {
        const [node] = written as readonly [If];
        branches.push({ node, around: block, then: [], otherwise: [] });
        block = branches.at(-1)!.then;
      } else if (control === 'else') block = branches.at(-1)!.otherwise;
      else if (control === 'end-if') {
        const { node, around, then, otherwise } = branches.pop()!;
        block = around;
        block.push({ ...node, arms: [{ condition: node.arms[0]!.condition, then }], otherwise });
      } else block.push(...written);
    }
    return whole;
  }

  #loop(loop: NestLoop): readonly Statement[] {
    const { variable, goesUp, step, first, end, parts, weight, continues, source } = loop;
    const { span } = source;
    const isRoot = loop === this.#root;
    const isInnermost = parts.every(({ kind }) => kind === 'straight');
    const before: Statement[] = [];
    if (!isRoot && continues !== true)
      before.push({ kind: 'set-local', local: variable, value: toExpression(first, span), span });
    const limit = this.#limitOf(end, before, span);
    const comparison = goesUp ? '<' : '>';
    const by = int(goesUp ? step : -step, span);
    const counted = { variable, comparison, limit, step: by, limitStep: 0n, start: null } as const;
    const id = this.#context.newLoop();
    if (isRoot) this.#rootId = id;
    const node: Loop = {
      kind: 'loop',
      id,
      condition: {
        kind: 'operate',
        operator: `${comparison}(int,int)`,
        operands: [getLocal(variable, intType, span), limit],
        type: booleanType,
        span,
      },
      testFirst: true,
      body: this.#inScope(loop, () => this.#parts(parts)),
      step: [
        { kind: 'set-local', local: variable, value: arithmetic('+', getLocal(variable, intType, span), by), span },
      ],
      span,
      ...(isInnermost ? { counted } : {}),
      ...(isRoot ? {} : { isShort: true }),
      ...(weight === 1 ? {} : { weight }),
    };
    const isCharged = isInnermost && !isRoot && continues !== true && weight > 0 && !this.#context.countsFuel;
    // It goes on until it is left.
    if (loop.ends === 'uncounted') return [...before, { ...node, condition: null, step: [] }];
    return isCharged ? [...before, node, chargeOf(loop)] : [...before, node];
  }

  /** The end as an expression that costs nothing in each iteration. */
  #limitOf(end: AffineForm, before: Statement[], span: Span): Expression {
    const value = toExpression(end, span);
    if (value.kind !== 'operate') return value;
    const local = this.#context.newLocal('end', intType);
    before.push({ kind: 'set-local', local, value, span });
    return getLocal(local, intType, span);
  }

  #straight(statements: readonly Statement[]): readonly Statement[] {
    const { accesses } = this.#context;
    return rewriteExpressions(
      // The rows in locals are found by their subscripts, but for those that change places (row-swaps.ts).
      rewriteBlocks(statements, (block) =>
        block.filter(
          (node) => node.kind !== 'set-local' || node.value.type.kind !== 'array' || node.value.kind === 'get-hoisted',
        ),
      ),
      (node, original) => {
        const access = accesses.get(original);
        return access === undefined ? node : this.#read(access, node.span);
      },
      (node, original) => {
        if (node.kind === 'break') return { ...node, loop: this.#rootId };
        const access = accesses.get(original);
        return access === undefined || node.kind !== 'set-element' ? node : this.#set(access, node.value, node.span);
      },
    );
  }

  #note(access: Access | undefined, loop: NestLoop): void {
    if (access === undefined) return;
    const least = this.#least.get(loop) ?? new Map<string, bigint>();
    this.#least.set(loop, least);
    const key = keyOfVector(access);
    const { constant } = access.subscripts.at(-1)!;
    const known = least.get(key) ?? constant;
    least.set(key, constant < known ? constant : known);
  }

  /** What is added to a pointer may not be below 0: it points to the first of all elements that differ by a constant. */
  #addressOf(access: Access, span: Span): Pick<Load, 'address' | 'offset' | 'storage' | 'asserted'> {
    const { array, subscripts } = access;
    const { address, strides, storage } = this.#context.packing!.arrays.get(array.key)!;
    const size = BigInt(bytesOf(storage));
    const loop = this.#scopes.at(-1)!.loop!;
    const { variable } = loop;
    const least = this.#least.get(loop)!.get(keyOfVector(access))!;
    const last = subscripts.at(-1)!;
    // What moves with the innermost loop is added in each iteration, all else in front of it.
    const moving: Expression[] = [];
    const forms: AffineForm[] = [];
    const base: Expression[] = [getLocal(address, intType, span)];
    for (const [dimension, form] of [...subscripts.slice(0, -1), { ...last, constant: least }].entries()) {
      const stride = strides[dimension];
      const by = stride === undefined ? int(size, span) : getLocal(stride, intType, span);
      const coefficient = coefficientOf(form, variable);
      if (coefficient !== 0n) {
        const steps = arithmetic('*', getLocal(variable, intType, span), int(coefficient, span));
        moving.push(arithmetic('*', steps, by));
      }
      let rest = substitute(form, variable, constantForm(0n));
      for (const local of access.ranges?.keys() ?? []) {
        const factor = coefficientOf(rest, local);
        if (factor === 0n) continue;
        const steps = arithmetic('*', getLocal(local, intType, span), int(factor, span));
        moving.push(arithmetic('*', steps, by));
        rest = substitute(rest, local, constantForm(0n));
      }
      forms.push(rest);
      const value = toExpression(rest, span);
      if (value.kind !== 'int' || value.value !== 0n) base.push(arithmetic('*', value, by));
    }
    const pointer = this.#pointerTo(array, forms, base, span);
    return {
      address: moving.reduce((sum, term) => arithmetic('+', sum, term), getLocal(pointer, intType, span)),
      offset: Number((last.constant - least) * size),
      ...(storage === undefined ? {} : { storage }),
      ...(this.#context.assertsBounds ? { asserted: assertionsOf(access, span) } : {}),
    };
  }

  #pointerTo({ key }: NestArray, forms: readonly AffineForm[], base: readonly Expression[], span: Span): LocalId {
    const [only, ...others] = base as [Expression & { readonly kind: 'get-local' }, ...Expression[]];
    if (others.length === 0) return only.local;
    const { before, pointers } = this.#scopeOf(forms);
    const name = `${key}[${forms.map((form) => keyOf(form)).join('][')}]`;
    const known = pointers.get(name);
    if (known !== undefined) return known;
    const local = this.#context.newLocal('pointer', intType);
    pointers.set(name, local);
    const value = others.reduce((sum, term) => arithmetic('+', sum, term), only as Expression);
    before.push({ kind: 'set-local', local, value, span });
    return local;
  }

  #read(access: Access, span: Span): Expression {
    const { array, type } = access;
    if (this.#context.packing !== null) return { kind: 'load', ...this.#addressOf(access, span), type, span };
    const { rows, index } = this.#placeOf(access, span);
    // Behind a guard the check stays: what can fail is not moved.
    const checked = access.within !== undefined;
    if (this.#areLookedUpHere(rows)) {
      // Looked up in each iteration, its length is not asked for.
      const { row } = this.#rowAt(array, rows, span, checked);
      return { kind: 'get-element', array: row, index, checked, type, span };
    }
    const hoisted = this.#hoisted(array, rows, span, checked);
    return { kind: 'get-hoisted', hoisted, index, checked, type, span };
  }

  #set(access: Access, value: Expression, span: Span): Statement {
    if (this.#context.packing !== null) return { kind: 'store', ...this.#addressOf(access, span), value, span };
    const { rows, index } = this.#placeOf(access, span);
    const checked = access.within !== undefined;
    if (checked && this.#areLookedUpHere(rows)) {
      const { row } = this.#rowAt(access.array, rows, span, checked);
      return { kind: 'set-element', array: row, index, value, span };
    }
    const hoisted = this.#hoisted(access.array, rows, span, checked);
    return { kind: 'set-hoisted', hoisted, index, value, checked, span };
  }

  #areLookedUpHere(rows: readonly AffineForm[]): boolean {
    return rows.length > 0 && this.#scopeOf(rows) === this.#scopes.at(-1);
  }

  /** The rows in which an element is, and its index in the last of them. */
  #placeOf(
    { array, subscripts }: Access,
    span: Span,
  ): { readonly rows: readonly AffineForm[]; readonly index: Expression } {
    const rows = subscripts.slice(0, -1);
    const last = subscripts.at(-1)!;
    if (!isFlat(array) || rows.every(isZero))
      return { rows: isFlat(array) ? [] : rows, index: toExpression(last, span) };
    const offset = getLocal(this.#offsetOf(array, rows, span), intType, span);
    return { rows: [], index: addTo(offset, last, span) };
  }

  /** Where a row begins in the array in which all rows lie. */
  #offsetOf(array: NestArray, rows: readonly AffineForm[], span: Span): LocalId {
    const sizes = array.lengths.slice(1, rows.length + 1);
    const { before, offsets } = this.#scopeOf(rows);
    const key = `${rows.map((form) => keyOf(form)).join(',')} by ${sizes.join(',')}`;
    const known = offsets.get(key);
    if (known !== undefined) return known;
    const [last, around] = [rows.at(-1)!, rows.slice(0, -1)];
    const isFirst = around.every(isZero);
    const row = isFirst
      ? toExpression(last, span)
      : addTo(getLocal(this.#offsetOf(array, around, span), intType, span), last, span);
    const local = this.#context.newLocal('offset', intType);
    const value = arithmetic('*', row, getLocal(sizes.at(-1)!, intType, span));
    before.push({ kind: 'set-local', local, value, span });
    offsets.set(key, local);
    return local;
  }

  /** Where the elements of an array are, or those of a row, which is not there perhaps in front of a guard. */
  #hoisted(array: NestArray, rows: readonly AffineForm[], span: Span, isGuarded = false) {
    const common = array.lengths[rows.length]!;
    if (rows.length === 0) return { array: array.base, elements: array.elements[0]!, length: common, window: null };
    const { row, elements, length } = this.#rowAt(array, rows, span, isGuarded);
    const { before } = this.#scopeOf(rows);
    const known = before.find((node) => node.kind === 'hoist-array' && node.elements === elements);
    const own = length ?? (known?.kind === 'hoist-array' ? known.length : this.#ownLength());
    if (known === undefined)
      before.push({ kind: 'hoist-array', array: row, elements, length: own, window: null, span });
    const isOwn = length !== null || this.#context.assertsBounds;
    return { array: row, elements, length: isOwn ? own : common, window: null };
  }

  /** Where lengths of rows go that nobody asks for: that of the first, which is the same, may be the end of a loop. */
  #ownLength(): LocalId {
    if (this.#context.assertsBounds) return this.#context.newLocal('length', intType);
    this.#rowLength ??= this.#context.newLocal('length', intType);
    return this.#rowLength;
  }

  #rowAt(array: NestArray, rows: readonly AffineForm[], span: Span, isGuarded = false): Row {
    const { before, rows: known } = this.#scopeOf(rows);
    const key = `${isGuarded ? 'guarded ' : ''}${array.key}[${rows.map((form) => keyOf(form)).join('][')}]`;
    const row = known.get(key);
    if (row !== undefined) return row;
    const hoisted = this.#hoisted(array, rows.slice(0, -1), span, isGuarded);
    const types = elementTypes(array.base.type);
    const type = types[rows.length - 1]!;
    const local = this.#context.newLocal('row', type);
    const index = toExpression(rows.at(-1)!, span);
    const found: GetHoisted = { kind: 'get-hoisted', hoisted, index, checked: false, type, span };
    const value = isGuarded ? ifInRange(found) : found;
    before.push({ kind: 'set-local', local, value, span });
    const elements = this.#context.newLocal('elements', { kind: 'elements', element: types[rows.length]! });
    const length = isGuarded ? this.#context.newLocal('length', intType) : null;
    const made: Row = { row: { kind: 'get-local', local, nonNull: !isGuarded, type, span }, elements, length };
    known.set(key, made);
    return made;
  }

  /** The outermost scope in which forms mean the same all the time. */
  #scopeOf(forms: readonly AffineForm[]): Scope {
    const needed = forms.flatMap(({ terms }) => [...terms.keys()]).filter((local) => this.#variables.has(local));
    return this.#scopes.find(({ variables }) => needed.every((local) => variables.has(local)))!;
  }
}

/** `charge |variable - first| * weight`, behind a loop: about as many units as it has made iterations. */
function chargeOf({ variable, goesUp, step, first, weight, source: { span } }: NestLoop): Statement {
  const [now, begin] = [getLocal(variable, intType, span), toExpression(first, span)];
  const distance = goesUp && isZero(first) ? now : goesUp ? arithmetic('-', now, begin) : arithmetic('-', begin, now);
  const factor = BigInt(Math.ceil(weight / Number(step)));
  const units = factor === 1n ? distance : arithmetic('*', distance, int(factor, span));
  return { kind: 'charge', units, span };
}
