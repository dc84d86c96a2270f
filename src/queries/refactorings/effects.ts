// What evaluating a part of a script does besides giving a value, as far as the text and the library's rows tell. What
// is not known is taken for the worst. Limits of time and memory are left out.

import type { Expression } from '../../1-parse/syntax-tree.ts';
import type { FunctionSymbol, VariableSymbol } from '../../2-check/symbols.ts';
import type { CallSyntax } from '../../2-check/notes.ts';
import { refusesNull } from '../../library/declare.ts';
import { canRefer } from '../../library/effects.ts';
import type { AnalysedFile, Analysis } from '../analysis.ts';
import { childrenOf } from '../syntax-nodes.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';
import { declaredAt } from '../targets.ts';

export interface Effects {
  /** Locals, by the offset at which they are declared. */
  readonly reads: ReadonlySet<number>;
  readonly writes: ReadonlySet<number>;
  /** It reads what others can change: globals, fields, elements, the world. */
  readonly readsShared: boolean;
  /** It changes that, or hands something to the host. */
  readonly writesShared: boolean;
  /** It may raise an error, jump away, or never end. */
  readonly fails: boolean;
}

interface OpenEffects extends Effects {
  readonly reads: Set<number>;
  readonly writes: Set<number>;
  readsShared: boolean;
  writesShared: boolean;
  fails: boolean;
}

function none(): OpenEffects {
  return { reads: new Set(), writes: new Set(), readsShared: false, writesShared: false, fails: false };
}

/** It may raise an error, and does nothing else. */
export const failing: Effects = { ...none(), fails: true };
/** Turning a value into text or json looks at all that it refers to. */
export const lookingInside: Effects = { ...failing, readsShared: true };

function worsen(effects: OpenEffects): void {
  effects.readsShared = true;
  effects.writesShared = true;
  effects.fails = true;
}

export function allEffects(all: readonly Effects[]): Effects {
  return {
    reads: new Set(all.flatMap(({ reads }) => [...reads])),
    writes: new Set(all.flatMap(({ writes }) => [...writes])),
    readsShared: all.some(({ readsShared }) => readsShared),
    writesShared: all.some(({ writesShared }) => writesShared),
    fails: all.some(({ fails }) => fails),
  };
}

/** Whether nobody can tell which of two was evaluated first. */
export function commute(one: Effects, other: Effects): boolean {
  return !disturbs(one, other) && !disturbs(other, one) && !(one.fails && other.fails);
}

function disturbs(one: Effects, other: Effects): boolean {
  if ((one.writes.size > 0 || one.writesShared) && other.fails) return true;
  if (one.writesShared && (other.readsShared || other.writesShared)) return true;
  return [...one.writes].some((local) => other.reads.has(local) || other.writes.has(local));
}

/** Nobody can tell whether it was evaluated. */
export function isQuiet({ writes, writesShared, fails }: Effects): boolean {
  return writes.size === 0 && !writesShared && !fails;
}

/** It does nothing and always gives the same value, as long as the locals that it reads keep theirs. */
export function isInert(effects: Effects): boolean {
  return isQuiet(effects) && !effects.readsShared;
}

/** Functions that call functions, up to so many, are looked into. */
const deepestCalls = 20;

/** The effects of the nodes of one program. */
export class EffectAnalysis {
  readonly #analysis: Analysis;
  readonly #copied = new Map<AnalysedFile, ReadonlySet<string>>();
  readonly #functions = new Map<FunctionSymbol['id'], Effects>();
  readonly #open: FunctionSymbol['id'][] = [];
  readonly #neverNull = new Map<AnalysedFile, ReadonlySet<number>>();

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  /** Of all that a node has in it, in whatever order. */
  of(file: AnalysedFile, root: SyntaxNode): Effects {
    const effects = none();
    const written = new Map<SyntaxNode, 'set' | 'changed'>();
    const names = new Set<SyntaxNode>();
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.kind === 'assignment') written.set(node.target, node.operator === '=' ? 'set' : 'changed');
      if (node.kind === 'update') written.set(node.operand, 'changed');
      // The name of a function is no value.
      if (node.kind === 'call') names.add(node.callee);
      if (!names.has(node)) this.#add(effects, file, node, written.get(node) ?? 'read');
      open.push(...childrenOf(node));
    }
    return effects;
  }

  /** What becomes json where nothing says so is copied, which fails if it holds itself. */
  isCopied(file: AnalysedFile, { span: { start, end } }: SyntaxNode): boolean {
    let copied = this.#copied.get(file);
    if (copied === undefined) {
      const conversions = (file.notes?.conversions ?? []).filter(({ to }) => to === 'json');
      copied = new Set(conversions.map(({ span }) => `${span.start} ${span.end}`));
      this.#copied.set(file, copied);
    }
    return copied.has(`${start} ${end}`);
  }

  /** Whether turning a value into text or json looks into what it refers to. */
  isReference(node: Expression): boolean {
    const type = this.#analysis.notes.typeOf(node);
    return type === undefined || canRefer(type);
  }

  #add(effects: OpenEffects, file: AnalysedFile, node: SyntaxNode, use: 'read' | 'set' | 'changed'): void {
    if (this.isCopied(file, node)) {
      effects.readsShared = true;
      effects.fails = true;
    }
    switch (node.kind) {
      case 'name':
        return addVariable(effects, file, node.span.start, use);
      case 'member':
        return this.#addMember(effects, file, node, use);
      case 'index':
        // The index may be beyond the end.
        if (use !== 'set') effects.readsShared = true;
        if (use !== 'read') effects.writesShared = true;
        effects.fails = true;
        return;
      case 'call':
        return this.#addCall(effects, file, node);
      case 'template':
        if (!node.expressions.some((part) => this.isReference(part))) return;
        effects.readsShared = true;
        effects.fails = true;
        return;
      case 'binary':
        return this.#addOperator(effects, file, node);
      case 'cast':
        if (!this.isReference(node.operand)) return;
        effects.readsShared = true;
        effects.fails = true;
        return;
      case 'new-array':
        if (node.lengths.some(({ kind }) => kind !== 'int-literal')) effects.fails = true;
        return;
      case 'declarator':
        return addVariable(effects, file, node.part.name.span.start, 'set');
      case 'catch-clause':
        effects.writes.add(node.part.name.span.start);
        return;
      case 'foreach':
        effects.writes.add(node.name.span.start);
        effects.readsShared = true;
        effects.fails = true;
        return;
      case 'yield':
        effects.readsShared = true;
        effects.writesShared = true;
        effects.fails = true;
        return;
      case 'while':
      case 'do-while':
      case 'for':
      case 'break':
      case 'continue':
      case 'return':
      case 'throw':
        effects.fails = true;
        return;
      case 'broken':
      case 'invalid-expression':
        return worsen(effects);
      case 'variable-declaration':
      case 'assignment':
      case 'if':
      case 'try':
      case 'block':
      case 'empty':
      case 'expression-statement':
      case 'update':
      case 'unary':
      case 'conditional':
      case 'array-literal':
      case 'object-literal':
      case 'object-entry':
      case 'int-literal':
      case 'double-literal':
      case 'boolean-literal':
      case 'null-literal':
      case 'string-literal':
      case 'header':
      case 'import':
      case 'type-declaration':
      case 'function-declaration':
      case 'main-declaration':
      case 'parameter':
      case 'field':
      case 'primitive-type':
      case 'named-type':
      case 'array-type':
      case 'nullable-type':
      case 'invalid-type':
    }
  }

  #addMember(
    effects: OpenEffects,
    file: AnalysedFile,
    node: Expression & { readonly kind: 'member' },
    use: 'read' | 'set' | 'changed',
  ): void {
    const meaning = file.notes?.meanings.get(node.member.span.start);
    // `Math.PI`
    if (meaning?.kind === 'library') return;
    if (use !== 'set') effects.readsShared = true;
    if (use !== 'read') effects.writesShared = true;
    // A variable of another file is not reached through a reference.
    if (meaning?.kind === 'variable' || (meaning?.kind === 'field' && !this.#mayBeNull(file, node.object))) return;
    effects.fails = true;
  }

  #addCall(effects: OpenEffects, file: AnalysedFile, node: CallSyntax): void {
    const call = this.#analysis.notes.callOf(node);
    if (call === undefined) return worsen(effects);
    const { callee } = call;
    if (callee.kind === 'function') {
      const { readsShared, writesShared, fails } = this.#ofFunction(callee);
      effects.readsShared ||= readsShared;
      effects.writesShared ||= writesShared;
      effects.fails ||= fails;
      return;
    }
    const { reads, stores, resizes, throws, isExternal, waits } = callee.row.effects;
    effects.readsShared ||= reads.length > 0 || isExternal || waits;
    effects.writesShared ||= stores.length > 0 || resizes.length > 0 || isExternal || waits;
    effects.fails ||= throws || waits || this.refusedNulls(file, node).length > 0;
  }

  /** Of receiver and arguments those that may be null where that is an error; each is tested as soon as it is known. */
  refusedNulls(file: AnalysedFile, node: CallSyntax): readonly Expression[] {
    const call = this.#analysis.notes.callOf(node);
    if (call === undefined || call.callee.kind === 'function') return [];
    const { row } = call.callee;
    const receiver = call.hasReceiver && node.callee.kind === 'member' ? [node.callee.object] : [];
    const values = [...receiver, ...node.arguments.filter((_, at) => row.parameters[at]?.isType !== true)];
    return values.filter((value, at) => refusesNull(row, at) && this.#mayBeNull(file, value));
  }

  /** A text that may be null. */
  isRiskyText(file: AnalysedFile, node: Expression): boolean {
    return this.#analysis.notes.typeOf(node)?.kind === 'string' && this.#mayBeNull(file, node);
  }

  #addOperator(effects: OpenEffects, file: AnalysedFile, node: Expression & { readonly kind: 'binary' }): void {
    const { operator, left, right } = node;
    if (operator === '==' || operator === '!=') {
      // Json is compared by content, and what stands beside it is copied first.
      if (![left, right].some((side) => this.#isJson(side)) || right.kind === 'null-literal') return;
      effects.readsShared = true;
      effects.fails = true;
      return;
    }
    const kinds = [left, right].map((side) => this.#analysis.notes.typeOf(side)?.kind);
    const isOnTexts = [left, right].some((side) => this.isRiskyText(file, side));
    const mayDivideByZero =
      (operator === '/' || operator === '%') &&
      !kinds.includes('double') &&
      !(right.kind === 'int-literal' && right.value !== 0n);
    if (isOnTexts || mayDivideByZero) effects.fails = true;
  }

  #isJson(node: Expression): boolean {
    const kind = this.#analysis.notes.typeOf(node)?.kind;
    return kind === undefined || kind === 'json' || kind === 'invalid';
  }

  /** All but new values, and locals that hold one and are never set again. */
  #mayBeNull(file: AnalysedFile, node: Expression): boolean {
    if (node.kind !== 'name') return !isMade(node);
    const variable = variableAt(file, node.span.start);
    if (variable === null || variable === 'unknown' || variable.storage.kind !== 'local') return true;
    let known = this.#neverNull.get(file);
    if (known === undefined) {
      known = localsNeverNull(file);
      this.#neverNull.set(file, known);
    }
    return !known.has(variable.span.start);
  }

  /** Of its body and of its defaults. */
  #ofFunction({ id, span }: FunctionSymbol): Effects {
    const known = this.#functions.get(id);
    if (known !== undefined) return known;
    const effects = none();
    const declared = declaredAt(this.#analysis, span);
    const node = declared?.declaration.node;
    if (declared === null || node?.kind !== 'function-declaration') worsen(effects);
    else if (this.#open.includes(id) || this.#open.length === deepestCalls) {
      // A recursion may never end.
      worsen(effects);
      return effects;
    } else {
      this.#open.push(id);
      const { isBroken, body, parameters } = node;
      const parts: readonly SyntaxNode[] = [body, ...parameters.flatMap(({ initialiser }) => initialiser ?? [])];
      const inside = allEffects(parts.map((part) => this.of(declared.file, part)));
      effects.readsShared = inside.readsShared;
      effects.writesShared = inside.writesShared;
      // Its returns are no jumps for who calls it.
      effects.fails = inside.fails && !(isBroken !== true && this.#onlyReturns(declared.file, body));
      if (isBroken === true) worsen(effects);
      this.#open.pop();
    }
    this.#functions.set(id, effects);
    return effects;
  }

  /** Whether nothing in a body fails but a return at its end. */
  #onlyReturns(file: AnalysedFile, body: { readonly statements: readonly SyntaxNode[] }): boolean {
    const last = body.statements.at(-1);
    const rest = last?.kind === 'return' ? body.statements.slice(0, -1) : body.statements;
    const value = last?.kind === 'return' && last.value !== null ? [last.value] : [];
    return [...rest, ...value].every((node) => !this.of(file, node).fails);
  }
}

/** Values that are new objects or texts. */
function isMade({ kind }: Expression): boolean {
  return ['string-literal', 'template', 'array-literal', 'object-literal', 'new-array'].includes(kind);
}

function localsNeverNull({ index, notes }: AnalysedFile): ReadonlySet<number> {
  const made = index.declarations.flatMap(({ kind, name, node }) =>
    kind === 'local' && node.kind === 'declarator' && node.part.initialiser !== null && isMade(node.part.initialiser)
      ? [name.span.start]
      : [],
  );
  const found = new Set(made);
  for (const { use, noted } of index.names) {
    const meaning = use === 'write' ? notes?.meanings.get(noted) : undefined;
    if (meaning?.kind === 'variable') found.delete(meaning.span.start);
  }
  return found;
}

function variableAt(file: AnalysedFile, start: number): VariableSymbol | 'unknown' | null {
  const meaning = file.notes?.meanings.get(start);
  if (meaning === undefined) return 'unknown';
  return meaning.kind === 'variable' ? meaning : null;
}

function addVariable(effects: OpenEffects, file: AnalysedFile, start: number, use: 'read' | 'set' | 'changed'): void {
  const variable = variableAt(file, start);
  if (variable === null) return;
  if (variable === 'unknown') return worsen(effects);
  const isShared = variable.storage.kind === 'global';
  if (use !== 'set' && isShared && variable.value === null) effects.readsShared = true;
  if (use !== 'set' && !isShared) effects.reads.add(variable.span.start);
  if (use === 'read') return;
  if (isShared) effects.writesShared = true;
  else effects.writes.add(variable.span.start);
}
