// Rewrites the loops of a function: arrays are hoisted in locals in front of them, and where all indices that a loop
// goes through can be seen to be in range before its first turn, it runs without looking at them.

import type {
  MirFunction,
  Expression,
  FunctionId,
  If,
  LocalId,
  Loop,
  LoopId,
  OutlinedLoop,
  Statement,
  Try,
} from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';
import { partSuffix } from '../../abi/names.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import { findInductions } from '../analysis/induction-variables.ts';
import type { Induction } from '../analysis/induction-variables.ts';
import { canOutline, describeOutlined, isShort, outlineLoop } from './loop-outlining.ts';
import { LoopScopes } from './loop-invariant-code-motion.ts';
import { all, getLocal } from '../../mir/builders.ts';
import { hasLoop, operandsOf, visitAll, withOperands } from '../../mir/children.ts';
import { notePure } from '../analysis/pure.ts';
import { findPrecondition, inTwoVersions, isLengthOfText, withoutChecks } from './bounds-check-elimination.ts';
import type { Access, Precondition, Surroundings } from './bounds-check-elimination.ts';

/** What the rewriting of a function goes by. */
interface Circumstances {
  /** What functions are named after that loops become. */
  readonly id: FunctionId;
  readonly changes: ProgramChanges;
  /** Whether every loop but the innermost runs to its end. */
  readonly neverStops: boolean;
  /** After how many turns of its loops a function stops otherwise. */
  readonly turnsInARow: number;
}

/**
 * Of a function with more loops than this each becomes a function of its own: what engines need for one function grows
 * with its loops times its variables, so a long row of loops took them gigabytes.
 */
const mostLoops = 48;

export const loops: Pass = {
  name: 'loops',
  summary: 'arrays are looked up in front of loops, bounds are checked once, long loops become functions',
  isRequired: false,
  keeps: ['recursion'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    const often = context.analyses.get('recursion').calledByRecursion();
    const outlined: MirFunction[] = [];
    const improved = mapFunctions(program, context, (fn, id) => {
      const { turnsInARow } = context.settings;
      const {
        fn: rewritten,
        parts,
        isDivided,
      } = improveLoops(fn, { id, changes: modRef, neverStops: often.has(id), turnsInARow });
      outlined.push(...parts);
      return isDivided ? { ...rewritten, runsThrough: true } : rewritten;
    });
    return { ...improved, functions: new Map([...outlined.map((fn) => [fn.id, fn] as const), ...improved.functions]) };
  },
};

/** A function with faster loops, and the functions that its loops became. */
interface Improved {
  readonly fn: MirFunction;
  readonly parts: readonly MirFunction[];
  /** Its loops are parts as far as they can be, and what is left runs to its end. */
  readonly isDivided: boolean;
}

function improveLoops(fn: MirFunction, circumstances: Circumstances): Improved {
  if (!hasLoop(fn.body)) return { fn, parts: [], isDivided: false };
  const rewriter = new Rewriter(fn, circumstances);
  const body = rewriter.statements(fn.body);
  return { fn: { ...fn, body, locals: rewriter.scopes.locals }, parts: rewriter.parts, isDivided: rewriter.isDivided };
}

class Rewriter {
  readonly scopes: LoopScopes;
  readonly parts: MirFunction[] = [];
  readonly #fn: MirFunction;
  readonly #circumstances: Circumstances;
  /** How often locals are read and set. */
  readonly #reads: ReadonlyMap<LocalId, number>;
  readonly #sets: ReadonlyMap<LocalId, number>;
  /** What the indices of accesses are, by names that the innermost loop does not set. */
  readonly #indices = new Map<Access, Expression>();
  /** Of the innermost loop. */
  #inductions: readonly Induction[] = [];
  #lastLoop: LoopId;
  /** Whether there are so many loops that each becomes a function of its own. */
  readonly #isDivided: boolean;
  #tries = 0;

  constructor(fn: MirFunction, circumstances: Circumstances) {
    this.scopes = new LoopScopes(fn.locals);
    this.#fn = fn;
    this.#circumstances = circumstances;
    this.#reads = countReads(fn.body);
    this.#sets = countSets(fn);
    this.#lastLoop = 0;
    let loops = 0;
    visitAll(fn.body, (node) => {
      if (node.kind !== 'loop') return;
      this.#lastLoop = Math.max(this.#lastLoop, node.id);
      loops += 1;
    });
    this.#isDivided = loops > mostLoops;
  }

  get isDivided(): boolean {
    return this.#isDivided;
  }

  statements(nodes: readonly Statement[]): readonly Statement[] {
    const { rewritten, named } = this.#inOrder(nodes);
    for (const local of named) this.scopes.removeAlias(local);
    return rewritten;
  }

  /** The statements, and the locals that they give names to, which hold as far as those are known to be set. */
  #inOrder(nodes: readonly Statement[]): {
    readonly rewritten: readonly Statement[];
    readonly named: readonly LocalId[];
  } {
    const named: LocalId[] = [];
    const rewritten = nodes.flatMap((node) => {
      const made = this.#statement(node);
      if (node.kind === 'set-local' && this.#sets.get(node.local) === 1) {
        this.scopes.addAlias(node.local, node.value);
        named.push(node.local);
      }
      const induction = this.#inductions.find(({ steps }) => steps.has(node));
      if (induction !== undefined) this.scopes.moveInduction(induction, node);
      return made;
    });
    return { rewritten, named };
  }

  #statement(node: Statement): readonly Statement[] {
    switch (node.kind) {
      case 'set-local':
        return [{ ...node, value: this.#expression(node.value) }];
      case 'set-element':
        return [this.#setElement(node)];
      case 'set-global':
      case 'set-field':
      case 'set-member':
      case 'set-item':
      case 'evaluate':
      case 'yield':
      case 'throw':
        return [
          this.scopes.isInLoop
            ? withOperands(
                node,
                operandsOf(node).map((operand) => this.#expression(operand)),
              )
            : node,
        ];
      case 'if':
        return [this.#if(node)];
      case 'loop':
        return this.#loop(node);
      case 'return':
      case 'finish':
        return [node.value === null ? node : { ...node, value: this.#expression(node.value) }];
      case 'try':
        return [this.#try(node)];
      case 'block':
        return [{ ...node, statements: this.statements(node.statements) }];
      case 'break':
      case 'continue':
      case 'hoist-array':
      case 'set-hoisted':
      case 'charge':
      case 'call-outlined':
      case 'return-live-outs':
        return [node];
    }
  }

  #if(node: If): If {
    const arms = node.arms.map(({ condition, then }) => ({
      condition: this.#expression(condition),
      then: this.statements(then),
    }));
    return { ...node, arms, otherwise: this.statements(node.otherwise) };
  }

  #try(node: Try): Try {
    this.#tries += 1;
    const body = this.statements(node.body);
    const clauses = node.clauses.map((clause) => ({ ...clause, body: this.statements(clause.body) }));
    this.#tries -= 1;
    return { ...node, body, clauses };
  }

  #loop(node: Loop): readonly Statement[] {
    const counted = node.counted ?? null;
    const { neverStops, turnsInARow } = this.#circumstances;
    const changes = this.#circumstances.changes.of([node]);
    const isInner = this.scopes.isInLoop || neverStops;
    return this.scopes.inLoop(changes, () => {
      this.#inductions = counted === null ? [] : findInductions(node, counted);
      if (counted !== null)
        this.scopes.beginInductions(this.#inductions, getLocal(counted.variable, intType, node.span));
      const condition = node.condition === null ? null : this.#expression(node.condition);
      const whole: Loop = { ...node, condition, body: this.statements(node.body), step: this.statements(node.step) };
      this.#inductions = [];
      this.scopes.endInductions();
      if (hasLoop(whole.body)) return this.#outline(node, whole, null, [whole]) ?? [whole];
      const rewritten: Loop = counted === null ? whole : notePure(whole);
      const around: Surroundings = {
        changes,
        scopes: this.scopes,
        indices: this.#indices,
        start: counted?.start ?? null,
        newLoop: () => (this.#lastLoop += 1),
      };
      const precondition = counted === null ? null : findPrecondition(rewritten, counted, around);
      const settled = withLimit(rewritten, precondition?.limit);
      if (rewritten.isShort === true)
        return precondition === null ? [rewritten] : inTwoVersions(rewritten, precondition, true, around);
      const divided = this.#outline(
        node,
        settled,
        precondition,
        precondition === null ? [rewritten] : inTwoVersions(settled, precondition, false, around),
      );
      if (divided !== null) return divided;
      // A clause sees what a loop did until it failed, so loops in a try work on the locals themselves.
      const outlined =
        isInner && this.#tries === 0 && canOutline(rewritten, this.scopes.locals)
          ? this.#describeOutlined(node, settled, precondition?.conditions ?? [])
          : null;
      if (outlined === null)
        return precondition === null ? [rewritten] : inTwoVersions(settled, precondition, neverStops, around);
      if (counted === null || precondition === null)
        return neverStops ? [rewritten] : this.#withOutlined({ ...rewritten, outlined }, outlined, [rewritten]);
      const { conditions, limit } = precondition;
      const fast = withoutChecks({ ...rewritten, isShort: true }, precondition, around);
      const { span } = node;
      // The condition itself, not the limit that stands for it: the length of null is an error.
      const call: Statement = {
        kind: 'if',
        arms: [{ condition: rewritten.condition!, then: [{ kind: 'call-outlined', outlined, span }] }],
        otherwise: [],
        span,
      };
      const choice: Statement = {
        kind: 'if',
        arms: [{ condition: all([isShort(counted, limit, turnsInARow), ...conditions]), then: [fast] }],
        otherwise: [call],
        span,
      };
      return this.#withOutlined(choice, outlined, inTwoVersions(settled, precondition, false, around));
    });
  }

  /** In a divided function, the call of a part in place of a loop that is in no other; null where it stays. */
  #outline(
    written: Loop,
    loop: Loop,
    precondition: Precondition | null,
    statements: readonly Statement[],
  ): readonly Statement[] | null {
    if (
      !this.#isDivided ||
      this.scopes.depth > 1 ||
      this.#tries > 0 ||
      !canOutline(loop, this.scopes.locals) ||
      !innerLoopsRunThrough(loop)
    )
      return null;
    const outlined = this.#describeOutlined(written, loop, precondition?.conditions ?? []);
    return outlined === null
      ? null
      : this.#withOutlined({ kind: 'call-outlined', outlined, span: loop.span }, outlined, statements);
  }

  #describeOutlined(written: Loop, rewritten: Loop, conditions: readonly Expression[]): OutlinedLoop | null {
    const inside = countReads([written]);
    const isReadElsewhere = (local: LocalId): boolean => (this.#reads.get(local) ?? 0) > (inside.get(local) ?? 0);
    return describeOutlined(
      rewritten,
      `${this.#circumstances.id}${partSuffix}${this.parts.length + 1}`,
      { ...this.#fn, locals: this.scopes.locals },
      conditions,
      isReadElsewhere,
    );
  }

  #withOutlined(statement: Statement, part: OutlinedLoop, statements: readonly Statement[]): readonly Statement[] {
    this.parts.push(outlineLoop(statements, part, { ...this.#fn, locals: this.scopes.locals }));
    return [statement];
  }

  #setElement(node: Statement & { readonly kind: 'set-element' }): Statement {
    const hoisted = this.scopes.isInLoop ? this.scopes.hold(node.array) : null;
    // In the order in which they are worked out: the index may move what the array is found by.
    const array = hoisted === null ? this.#expression(node.array) : node.array;
    const index = this.#expression(node.index);
    const resolved = this.scopes.isInLoop ? this.scopes.resolveIndex(node.index) : index;
    const value = this.#expression(node.value);
    if (hoisted === null) return { ...node, array, index, value };
    return this.#noted({ kind: 'set-hoisted', hoisted, index, value, checked: true, span: node.span }, resolved);
  }

  #expression(node: Expression): Expression {
    if (!this.scopes.isInLoop) return node;
    // What a sequence sets is read in it alone, or behind it.
    if (node.kind === 'sequence')
      return { ...node, statements: this.#inOrder(node.statements).rewritten, value: this.#expression(node.value) };
    if (node.kind === 'get-element') {
      const hoisted = this.scopes.hold(node.array);
      if (hoisted !== null)
        return this.#noted(
          {
            kind: 'get-hoisted',
            hoisted,
            index: this.#expression(node.index),
            checked: node.checked,
            type: node.type,
            span: node.span,
          },
          this.scopes.resolveIndex(node.index),
        );
    }
    if (node.kind === 'library-call' && node.function === 'string.codeAt') {
      const [text, index] = node.arguments as readonly [Expression, Expression];
      const hoisted = this.scopes.hold(text);
      if (hoisted !== null)
        return this.#noted(
          {
            kind: 'get-hoisted',
            hoisted,
            index: this.#expression(index),
            checked: true,
            type: node.type,
            span: node.span,
          },
          this.scopes.resolveIndex(index),
        );
    }
    return withOperands(
      node,
      operandsOf(node).map((operand) => this.#expression(operand)),
    );
  }

  #noted<Kind extends Access>(access: Kind, index: Expression): Kind {
    if (access.checked) this.#indices.set(access, index);
    return access;
  }
}

/**
 * The loop counts to this limit, which holds once its condition has been tested; for texts it is not always their
 * length.
 */
function withLimit(loop: Loop, limit: Expression | undefined): Loop {
  if (limit === undefined || loop.counted === undefined) return loop;
  return isLengthOfText(loop.counted.limit) ? loop : { ...loop, counted: { ...loop.counted, limit } };
}

/** Whether nothing stops the loops inside a loop. */
function innerLoopsRunThrough(loop: Loop): boolean {
  let can = true;
  visitAll([...loop.body, ...loop.step], (node) => {
    if (node.kind === 'loop') can &&= node.isShort === true || node.outlined !== undefined;
  });
  return can;
}

function countReads(nodes: readonly Statement[]): ReadonlyMap<LocalId, number> {
  const reads = new Map<LocalId, number>();
  visitAll(nodes, (node) => {
    if (node.kind === 'get-local') reads.set(node.local, (reads.get(node.local) ?? 0) + 1);
  });
  return reads;
}

/** Parameters, and what clauses get, are set by others too. */
function countSets(fn: MirFunction): ReadonlyMap<LocalId, number> {
  const sets = new Map<LocalId, number>(fn.parameters.map(({ local }) => [local, 1]));
  const add = (local: LocalId): void => void sets.set(local, (sets.get(local) ?? 0) + 1);
  visitAll(fn.body, (node) => {
    if (node.kind === 'set-local') add(node.local);
    if (node.kind === 'try') for (const { local } of node.clauses) sets.set(local, 2);
  });
  return sets;
}
