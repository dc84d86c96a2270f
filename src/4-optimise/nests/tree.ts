// A loop nest as a tree: loops with affine bounds, between them statements that set locals and elements of arrays, and
// of each access to an element the array and the subscripts. Nothing in it can fail, once all subscripts are in range,
// and nothing leaves it but at the ends of its loops.

import type { Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import type { ArrayClass } from '../analysis/alias-classes.ts';
import { add, keyOf } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';

/**
 * An array that the nest does not replace: a local or a global, or a field of one of these. A matrix whose rows lie one
 * behind another in one array has more dimensions than locals with elements.
 */
export interface NestArray {
  /** The same for the same array with the same dimensions. */
  readonly key: string;
  /** The same for the same array. */
  readonly path: string;
  readonly base: Expression;
  /** The class of the arrays with the numbers. */
  readonly class: ArrayClass;
  /** 2 for a matrix. */
  readonly dimensions: number;
  /** Its rows are always there, equally long and different, or it has none; others are looked at (row-checks.ts). */
  readonly hasKnownRows: boolean;
  /** Of each dimension a local for the elements; only that of the array itself, which is the first, is set. */
  readonly elements: readonly LocalId[];
  /** Of each dimension: the local with the length. If rows lie one behind another, the first is that of all of them. */
  readonly lengths: readonly LocalId[];
  /** If it is a part of another array, which is its base then: that one, and the subscript that stays the same. */
  readonly of?: { readonly array: NestArray; readonly subscript: AffineForm };
}

/** The least and the greatest value of a subscript; null where the loops around say it. */
export interface Bounds {
  readonly least: AffineForm | null;
  readonly greatest: AffineForm | null;
}

/** That a form is at least 0, for one bound of a range to be that, or for both. */
export interface Requirement {
  readonly form: AffineForm;
  readonly of: 'least' | 'greatest' | 'both';
}

/** The values that an int can have which is no affine form itself, by affine forms in the variables of loops. */
export interface SymbolicRange {
  readonly least: AffineForm;
  readonly greatest: AffineForm;
  /** What must hold in front of the nest, where use is made of it. */
  readonly requirements: readonly Requirement[];
  /** Locals that must be small for no comparison to have wrapped. */
  readonly guarding: readonly LocalId[];
}

/** Locals in front of the nest with the least and the greatest element of an array of ints. */
export interface Scan {
  readonly array: NestArray;
  readonly least: LocalId;
  readonly greatest: LocalId;
  /** Whether no element is less than the one in front of it. */
  readonly ascends: LocalId;
  /** Where the one element is that the nest reads; null where it reads others. */
  position: AffineForm | null;
}

/** An array, or a row of it, or an element: by the subscripts of as many of its dimensions. */
export interface Reference {
  readonly array: NestArray;
  readonly subscripts: readonly AffineForm[];
  /** In range, in these bounds of each dimension, only where it stands: behind the conditions of an `if`. */
  readonly within?: readonly Bounds[];
  /** The locals in subscripts that are no affine forms, with what is known of them. */
  readonly ranges?: ReadonlyMap<LocalId, SymbolicRange>;
}

/** An access to a number, with a subscript for each dimension. */
export interface Access extends Reference {
  readonly isWrite: boolean;
  /** Of the number, or a vector of those with this last subscript and the next one or three. */
  readonly type: Type;
}

/** The accesses among the nodes of a nest: `get-element` and `set-element`. */
export type Accesses = Map<Node, Access>;

/** How a loop counts. */
export type LoopHead = Pick<NestLoop, 'variable' | 'goesUp' | 'first' | 'end' | 'ranges'>;

export interface NestLoop {
  readonly kind: 'loop';
  readonly variable: LocalId;
  readonly goesUp: boolean;
  /** How far the variable goes in an iteration, in its direction. */
  readonly step: bigint;
  readonly first: AffineForm;
  /** The first value in its direction with which there is no iteration. */
  readonly end: AffineForm;
  /** The locals in these that are set in front of the loop, inside the nest, and have but a range. */
  readonly ranges?: ReadonlyMap<LocalId, SymbolicRange>;
  /** Its bounds are two elements of the array next to each other, and others in each iteration of the loop around. */
  readonly segments?: Scan;
  readonly parts: readonly Part[];
  /** Rows whose lengths the bounds are made of: they must be there. */
  readonly rows: readonly Reference[];
  /** The variable goes on from where it is, between `first` and `end`. */
  readonly continues?: true;
  /** How many iterations of the script one of these stands for. */
  readonly weight: number;
  /** The loop of which it is a copy. */
  readonly source: Loop;
  /**
   * How the outermost loop may end besides (exits.ts): where it is left, or in no other way, so that its variable and its
   * bounds are but a guess of how many iterations it makes.
   */
  readonly ends?: 'early' | 'uncounted';
}

/**
 * `exit` leaves the outermost loop, perhaps. What stands between an `if`, with its condition alone, and the `end-if` that
 * belongs to it has a loop in it; there may be an `else` in between.
 */
export type Control = 'exit' | 'if' | 'else' | 'end-if';

export interface Straight {
  readonly kind: 'straight';
  /** Nothing goes past it: it is where the control flow divides or meets. */
  readonly control?: Control;
  /** `set-local`, of rows too, `set-element`, and `if` with nothing but these. */
  readonly statements: readonly Statement[];
}

export type Part = NestLoop | Straight;

/** What a nest does not change and reads: a local has it in front of the nest. */
export interface Invariant {
  readonly local: LocalId;
  readonly value: Expression;
  /** For a field, its struct, which must not be null; null for what cannot fail. */
  readonly struct: Expression | null;
}

/** The ways out of the outermost loop but at its end: the number that a local gets there, and what is done then. */
export interface Exits {
  readonly left: LocalId;
  /** Set in front of the nest, though only where it is left they get what they are to hold. */
  readonly kept: readonly Statement[];
  /** By the numbers, from 1. */
  readonly blocks: readonly (readonly Statement[])[];
}

export interface Nest {
  readonly root: NestLoop;
  readonly accesses: Accesses;
  /** The statements that put a row into a local: it must be there, though the local is not needed any more. */
  readonly rows: ReadonlyMap<Node, Reference>;
  readonly arrays: ReadonlyMap<string, NestArray>;
  /** Arrays whose lengths are bounds of loops, with the last dimension of these: they must not be null. */
  readonly measured: ReadonlyMap<NestArray, number>;
  /** To be worked out in front of it. */
  readonly invariants: readonly Invariant[];
  /** What guards compare, besides the variables of loops. */
  readonly guarding: ReadonlySet<LocalId>;
  /** What must be at least 0 for statements that set ints to be as they are written, and not to fail. */
  readonly requirements: ReadonlyMap<Node, readonly AffineForm[]>;
  readonly scans: readonly Scan[];
  readonly exits: Exits | null;
  /** Sums up what is charged under conditions inside. */
  readonly spent: LocalId | null;
  /** How many iterations the outermost loop makes in front of it, in which the loops inside make none. */
  readonly skips: bigint;
  /** The first statement that has rows change places, which nothing but scratch memory follows; null where none does. */
  readonly swap: Statement | null;
  readonly span: Span;
}

/** Shared by accesses that are to the same element in the same iteration. */
export function keyOfAccess({ array, subscripts, type }: Access): string {
  return `${type.kind === 'vector' ? 'vector ' : ''}${array.key}[${subscripts.map((form) => keyOf(form)).join('][')}]`;
}

/** Whether the rows of a matrix lie one behind another in one array. */
export function isFlat({ dimensions, elements }: NestArray): boolean {
  return elements.length < dimensions;
}

/** A part of the nest, with the loops around it from the outermost. */
export function visitParts(
  parts: readonly Part[],
  visit: (part: Part, loops: readonly NestLoop[]) => void,
  loops: readonly NestLoop[] = [],
): void {
  for (const part of parts) {
    visit(part, loops);
    if (part.kind === 'loop') visitParts(part.parts, visit, [...loops, part]);
  }
}

/** What is known of all locals in subscripts and bounds that have but a range. */
export function rangesIn({ root, accesses, rows }: Pick<Nest, 'root' | 'accesses' | 'rows'>): readonly SymbolicRange[] {
  const found = [...accesses.values(), ...rows.values()].flatMap(({ ranges }) => [...(ranges?.values() ?? [])]);
  visitParts([root], (part) => void (part.kind === 'loop' && found.push(...(part.ranges?.values() ?? []))));
  return found;
}

/** How many iterations a loop makes, if its steps are of one. */
export function iterationsOf({ goesUp, first, end }: NestLoop): AffineForm {
  return goesUp ? add(end, first, -1n) : add(first, end, -1n);
}

/** The condition of a branch in the loop, or in those in it, that has loops in it itself; null where there is none. */
export function branchIn({ parts }: NestLoop): Expression | null {
  let found: Expression | null = null;
  visitParts(parts, (part) => {
    if (part.kind === 'straight' && part.control === 'if') found ??= conditionOf(part);
  });
  return found;
}

/** The condition of a branch with loops. */
export function conditionOf({ statements }: Straight): Expression {
  return (statements[0] as If).arms[0]!.condition;
}

/** The innermost loops, each with the loops around it from the outermost. */
export function innermostLoops(
  root: NestLoop,
): readonly { readonly loop: NestLoop; readonly around: readonly NestLoop[] }[] {
  const found: { readonly loop: NestLoop; readonly around: readonly NestLoop[] }[] = [];
  visitParts([root], (part, around) => {
    if (part.kind === 'loop' && part.parts.every(({ kind }) => kind === 'straight')) found.push({ loop: part, around });
  });
  return found;
}

/** The first of the loops that have the most loops around them. */
export function deepestLoop(root: NestLoop): ReturnType<typeof innermostLoops>[number] {
  return innermostLoops(root).toSorted((one, other) => other.around.length - one.around.length)[0]!;
}

/** How many nodes are in its body. */
export function sizeOf({ parts }: NestLoop): number {
  let nodes = 0;
  visitParts(parts, (part) => {
    if (part.kind === 'straight') visitAll(part.statements, () => void (nodes += 1));
  });
  return nodes;
}
