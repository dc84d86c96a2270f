// The nodes of Mir, the mid-level form of a program: what lowering makes of a checked program, what the passes read and
// rewrite, and what emit writes down. A structured form (if, loop, try), since wasm is structured and loops are what is
// transformed: no control-flow graph. Plain data: functions, structs, globals and locals are named by id, so that the
// Mir of the prelude can be stored as text. Chains are n-ary, or cut into temporaries: nothing nests as deep as a
// program is long.

import type { IntStorage, Type } from '../language/types.ts';
import type { Span } from '../source.ts';

/** `module#name`; the entry file's module is empty, the prelude's is `prelude`. */
export type FunctionId = string;
export type StructId = string;
export type GlobalId = string;
/** Index into the locals of the function. */
export type LocalId = number;
/** Unique within a function. */
export type LoopId = number;

// Statements

export type Statement =
  | { readonly kind: 'set-local'; readonly local: LocalId; readonly value: Expression; readonly span: Span }
  | { readonly kind: 'set-global'; readonly global: GlobalId; readonly value: Expression; readonly span: Span }
  /** Object, then value, then the null test. */
  | SetField
  /** Array, index, value, then the null and bounds tests. */
  | SetElement
  /** json, key, value; then the test that it is an object. */
  | SetMember
  /** json, index, value; then the tests that it is an array and the index within. */
  | SetItem
  /** From the optimiser: puts a number, or the two of a vector, into the scratch memory. */
  | Store
  /** From the optimiser: copies raw elements, from the first on, into the scratch memory or back. */
  | CopyElements
  /** Uses units of fuel: for a call, for an iteration, or for many of them at once. */
  | { readonly kind: 'charge'; readonly units: Expression; readonly span: Span }
  /** Asks the host whether the program may go on, where more fuel was used than it granted. */
  | { readonly kind: 'poll'; readonly span: Span }
  /** From an instrumentation: adds 1 to a counter, which the host reads behind the run. */
  | { readonly kind: 'count'; readonly counter: number; readonly span: Span }
  /** From an instrumentation: what the library uses from here on is added to this counter, until the next of these. */
  | { readonly kind: 'attribute'; readonly counter: number; readonly span: Span }
  /** Leaves the function, which is called anew and goes on at this entry. */
  | { readonly kind: 'osr-exit'; readonly entry: OsrEntry; readonly span: Span }
  /** Evaluated, its value dropped. */
  | { readonly kind: 'evaluate'; readonly expression: Expression; readonly span: Span }
  | If
  | Loop
  | { readonly kind: 'break'; readonly loop: LoopId; readonly span: Span }
  /** Goes on with the loop's step. */
  | { readonly kind: 'continue'; readonly loop: LoopId; readonly span: Span }
  | { readonly kind: 'return'; readonly value: Expression | null; readonly span: Span }
  /** `return` of the entry: hands the value to the host, then returns. A null value ends without a result. */
  | { readonly kind: 'finish'; readonly value: Expression | null; readonly span: Span }
  | { readonly kind: 'yield'; readonly value: Expression; readonly span: Span }
  /** `throw text;`: an error of type Error. A null text is a NullAccessError. */
  | { readonly kind: 'throw'; readonly message: Expression; readonly span: Span }
  | Try
  | HoistArray
  | SetHoisted
  | SetRange
  | AppendText
  /** From the optimiser: calls the function of a loop that was outlined. */
  | { readonly kind: 'call-outlined'; readonly outlined: OutlinedLoop; readonly span: Span }
  | ReturnLiveOuts
  | {
      readonly kind: 'block';
      readonly statements: readonly Statement[];
      /** The last OSR entry inside, where there is one. */
      readonly lastEntry?: number;
      readonly span: Span;
    };

/** The end of a call of an outlined loop: gives these locals back, in the order of its outputs. */
export interface ReturnLiveOuts {
  readonly kind: 'return-live-outs';
  readonly locals: readonly LocalId[];
  /** The loop is not over: whoever called calls again. */
  readonly hasMore: boolean;
  readonly span: Span;
}

export interface SetField {
  readonly kind: 'set-field';
  readonly object: Expression;
  readonly struct: StructId;
  readonly field: number;
  readonly value: Expression;
  readonly span: Span;
}

export interface SetElement {
  readonly kind: 'set-element';
  readonly array: Expression;
  readonly index: Expression;
  readonly value: Expression;
  /** As that of get-element. */
  readonly isRedundant?: true;
  readonly span: Span;
}

/** From the optimiser: puts the elements and the length of an array into locals; null and 0 if the array is null. */
export interface HoistArray extends HoistedArray {
  readonly kind: 'hoist-array';
  readonly span: Span;
}

/** An array or a text whose elements and length are in locals. */
export interface HoistedArray {
  /** The array expression of the script: the error of an index that is not in range says what it is. */
  readonly array: Expression;
  /** Of type `elements`, for a text `codeUnits`; null if the array is null. */
  readonly elements: LocalId;
  /** An int: the number of elements; 0 if the array is null, and if only a part of the text is hoisted. */
  readonly length: LocalId;
  /** For a text, null for an array. */
  readonly window: HoistedWindow | null;
}

/** The range of a text whose code units are hoisted. A checked access outside it may move it. */
export interface HoistedWindow {
  /** An int: the position of the first code unit. */
  readonly start: LocalId;
  /** An int: the number of code units. */
  readonly size: LocalId;
}

/** The locals in which an array or a text is hoisted. */
export function localsOfHoisted({ elements, length, window }: HoistedArray): readonly LocalId[] {
  return window === null ? [elements, length] : [elements, length, window.start, window.size];
}

/** From the optimiser: as set-element. */
export interface SetHoisted {
  readonly kind: 'set-hoisted';
  readonly hoisted: HoistedArray;
  readonly index: Expression;
  readonly value: Expression;
  /** False if the index is known to be in range and the array is known not to be null. */
  readonly checked: boolean;
  /** As that of get-element. */
  readonly asserted?: true;
  /** As that of get-element. */
  readonly isRedundant?: true;
  readonly span: Span;
}

/**
 * From the optimiser: sets elements in a row, at least one, the first of which has the index. If the value is an element
 * of an array, those behind it go to those behind; any other value goes to all. All indices are known to be in range,
 * and the arrays not to be null. What is copied is as it was before: the elements may overlap.
 */
export interface SetRange {
  readonly kind: 'set-range';
  readonly hoisted: HoistedArray;
  readonly index: Expression;
  readonly value: Expression;
  readonly count: Expression;
  /** As that of get-element. */
  readonly asserted?: true;
  readonly span: Span;
}

/**
 * A text that loops append to. While the local is null, the builder holds its value; if both are null, the value is
 * null.
 */
export interface GrowingText {
  readonly local: LocalId;
  readonly builder: LocalId;
}

/** From the optimiser: `s = s + …`. A piece that throws leaves the text as it was. */
export interface AppendText extends GrowingText {
  readonly kind: 'append-text';
  readonly pieces: readonly TextPiece[];
  /** The place of the text as an operand: the error of a null text points to it. */
  readonly nullSpan: Span;
  readonly span: Span;
}

/**
 * What is appended to a builder: a text that is not null, the digits of a number, one code unit as an int, a character by
 * its code point, or one of some constants that are short (`shortTexts`), without making a string of it.
 */
export interface TextPiece {
  readonly append: 'text' | 'short-text' | 'code-unit' | 'character' | 'int' | 'double';
  readonly value: Expression;
}

export interface SetMember {
  readonly kind: 'set-member';
  readonly json: Expression;
  readonly key: Expression;
  readonly value: Expression;
  readonly span: Span;
}

export interface SetItem {
  readonly kind: 'set-item';
  readonly json: Expression;
  readonly index: Expression;
  readonly value: Expression;
  readonly span: Span;
}

/** The first arm whose condition holds is taken, `otherwise` if there is none. */
export interface If {
  readonly kind: 'if';
  /** At least one; each `else if` adds one. */
  readonly arms: readonly Arm[];
  readonly otherwise: readonly Statement[];
  readonly span: Span;
  /** From the optimiser: both branches are the same loop; that in the only arm has fewer checks. */
  readonly versions?: LoopVersions;
  /** The last OSR entry inside, where there is one. */
  readonly lastEntry?: number;
}

/** What the condition in front of the unchecked version of a counted loop guarantees. */
export interface LoopVersions {
  readonly inRange: readonly IndexRange[];
}

/**
 * In each iteration, the loop variable plus any number from `low` to `high` is a valid index of the elements in a
 * local.
 */
export interface IndexRange {
  readonly elements: LocalId;
  readonly low: bigint;
  readonly high: bigint;
}

export interface Arm {
  readonly condition: Expression;
  readonly then: readonly Statement[];
}

/**
 * Every loop. `condition` is tested before each iteration, or after it (after the step) where `testFirst` is
 * false; null is true. `step` runs after the body and at `continue`.
 */
export interface Loop {
  readonly kind: 'loop';
  readonly id: LoopId;
  readonly condition: Expression | null;
  readonly testFirst: boolean;
  readonly body: readonly Statement[];
  readonly step: readonly Statement[];
  readonly span: Span;
  /** What is known of the iterations, for a loop that has no other in it. */
  readonly counted?: CountedLoop;
  /** Makes so few iterations that nothing need stop it in between. */
  readonly isShort?: boolean;
  /** Another form of the loop does nearly all of its iterations: it is not worth more code. */
  readonly isCold?: true;
  /** How many units an iteration is charged; 1 where nothing is said. */
  readonly weight?: number;
  /** What may go on with the loop when there have been many iterations. */
  readonly outlined?: OutlinedLoop;
  /** Where the function can be left and entered at the loop. */
  readonly osr?: OsrEntry;
  /** The last OSR entry inside, its own if there is no other, where there is one. */
  readonly lastEntry?: number;
  /** The loop without iterations peeled off in it, which does the same: it is shorter, where little is done by it. */
  readonly unpeeled?: Loop;
}

/**
 * A loop as a function of its own. Its parameters are the inputs; its result says whether it stopped before the loop
 * was over.
 */
export interface OutlinedLoop {
  readonly function: FunctionId;
  /** Locals of the function that had the loop. */
  readonly inputs: readonly LocalId[];
  /** The inputs that the loop sets. */
  readonly outputs: readonly LocalId[];
}

/**
 * A loop whose condition compares a variable with a limit, both of which change by the same amount each iteration and
 * by nothing else. The loop keeps its condition as written.
 */
export interface CountedLoop {
  readonly variable: LocalId;
  /** The comparison of the variable with the limit that keeps the loop going. */
  readonly comparison: '<' | '<=' | '>' | '>=';
  /**
   * An int that the loop does not change, or a variable that it counts too. Without effect; it throws at the first iteration
   * or never.
   */
  readonly limit: Expression;
  /**
   * If the limit is the length of a text: the local that holds it, which is 0 if only a part of the text is hoisted.
   */
  readonly textLength?: LocalId;
  /** Added to the variable each iteration: a constant, or a local that the loop does not change. */
  readonly step: Expression;
  /** Added to the limit each iteration. */
  readonly limitStep: bigint;
  /** The constant at which the variable begins; null if that is unknown. */
  readonly start: bigint | null;
}

/** Whether the variable grows: it is compared with an upper limit. */
export function countsUp(comparison: CountedLoop['comparison']): boolean {
  return comparison === '<' || comparison === '<=';
}

/** The beginning of an iteration, where a function can stop, and where another call of it can continue. */
export interface OsrEntry {
  /** From 1, in the order in which the loops of the function are written. */
  readonly entry: number;
  /** The locals that are live there. */
  readonly live: readonly LocalId[];
}

export interface Try {
  readonly kind: 'try';
  readonly body: readonly Statement[];
  readonly clauses: readonly CatchClause[];
  /** The last OSR entry in the body, where there is one. */
  readonly lastEntry?: number;
  readonly span: Span;
}

export interface CatchClause {
  /** Ids of the error types that it takes; null takes every error that is not a guard error. */
  readonly errorType: number | null;
  /** Holds the message. */
  readonly local: LocalId;
  readonly body: readonly Statement[];
  readonly span: Span;
}

// Expressions: each knows its type and where it was written

export type Constant =
  | { readonly kind: 'int'; readonly value: bigint; readonly type: Type; readonly span: Span }
  | { readonly kind: 'double'; readonly value: number; readonly type: Type; readonly span: Span }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly type: Type; readonly span: Span }
  | { readonly kind: 'string'; readonly value: string; readonly type: Type; readonly span: Span }
  /** `type` is the nullable type that was expected. */
  | { readonly kind: 'null'; readonly type: Type; readonly span: Span };

export type Expression =
  | Constant
  /** `nonNull` comes from the optimiser: it cannot be null here. */
  | {
      readonly kind: 'get-local';
      readonly local: LocalId;
      readonly nonNull?: boolean;
      readonly type: Type;
      readonly span: Span;
    }
  | { readonly kind: 'get-global'; readonly global: GlobalId; readonly type: Type; readonly span: Span }
  /** Null test included. */
  | GetField
  /** Null and bounds tests included, unless `checked` is false. */
  | GetElement
  /** From the optimiser: as get-element. */
  | GetHoisted
  /** From the optimiser: whether `0 <= index < length`, both ints. */
  | {
      readonly kind: 'in-range';
      readonly index: Expression;
      readonly length: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  /** From the optimiser: whether raw elements have this index, which lies from -2^31 up to below 2^32. */
  | {
      readonly kind: 'in-bounds';
      readonly index: Expression;
      readonly elements: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  /** Whether the fuel of the function is used up: none is left, or less than none. */
  | { readonly kind: 'out-of-fuel'; readonly type: Type; readonly span: Span }
  /** From the optimiser: the low 32 bits of an int, unsigned, computed in 32 bits. */
  | { readonly kind: 'wrap32'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** An operator of the table, with operands of exactly its types. */
  | {
      readonly kind: 'operate';
      readonly operator: string;
      readonly operands: readonly Expression[];
      /**
       * A shift that can be computed in 32 bits: its low 32 bits depend on the low 32 bits of its operands only, and
       * its count is below 32.
       */
      readonly isShift32?: true;
      readonly type: Type;
      readonly span: Span;
    }
  /** Evaluated from left to right, until one decides. */
  | {
      readonly kind: 'logical';
      readonly operator: '&&' | '||';
      /** At least two; none of them is a node of the same operator. */
      readonly operands: readonly Expression[];
      readonly type: Type;
      readonly span: Span;
    }
  | {
      readonly kind: 'conditional';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
      /** From the optimiser: its branch is nearly always foreseen, and is worth more than a select. */
      readonly isForeseen?: true;
      readonly type: Type;
      readonly span: Span;
    }
  /** From the optimiser: a conditional without a branch: evaluates both values, then the condition. */
  | Select
  /** From the optimiser: a number of the scratch memory, or a vector of those next to each other. */
  | Load
  /** From the optimiser: whether the scratch memory has so many bytes; it grows where it may. */
  | { readonly kind: 'reserve-scratch'; readonly bytes: Expression; readonly type: Type; readonly span: Span }
  /** From the optimiser: the length of all rows of a matrix; 0 if there are none, -1 if one is null or they differ. */
  | RowLength
  /** From the optimiser: whether no two rows of some matrices are the same array. */
  | DistinctRows
  /** From the optimiser: a vector of the same number in all lanes. */
  | { readonly kind: 'splat'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** From the optimiser: one of the two numbers of a vector. */
  | {
      readonly kind: 'extract-lane';
      readonly operand: Expression;
      readonly lane: 0 | 1;
      readonly type: Type;
      readonly span: Span;
    }
  /** From the optimiser: an operator on each lane of vectors. */
  | LaneWise
  /** int to double. */
  | { readonly kind: 'widen'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** The operand, or a NullAccessError if it is null; `use` says in which use. */
  | CheckNull
  | { readonly kind: 'is-null'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** Whether two structs or arrays are the same object; null is the same as null. */
  | {
      readonly kind: 'same-object';
      readonly left: Expression;
      readonly right: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  | Call
  | LibraryCall
  | {
      readonly kind: 'array-literal';
      readonly elements: readonly Expression[];
      readonly type: Type;
      readonly span: Span;
    }
  | StructLiteral
  /** `type` is the whole array type; one length for each dimension that is made. */
  | {
      readonly kind: 'new-array';
      readonly lengths: readonly Expression[];
      /** From the optimiser: an array in front of it has been charged for both. It has one dimension. */
      readonly isCharged?: true;
      readonly type: Type;
      readonly span: Span;
    }
  /** Any value as a template shows it; null is `null`. The result is never null. */
  | { readonly kind: 'to-text'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** From the optimiser: the text of one character, by its code point; -1 is the empty text. Never null. */
  | { readonly kind: 'character'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** Two or more texts, none of them null, joined; none is a concat itself. */
  | { readonly kind: 'concat'; readonly parts: readonly Expression[]; readonly type: Type; readonly span: Span }
  /** From the optimiser: pieces put together in a builder, all evaluated before the first is appended. Never null. */
  | BuildText
  /** From the optimiser: reads a growing text, which becomes a string for that and stays one until the next append. */
  | BuiltText
  | BuiltLength
  /** Any value but null as json: a copy, as deep as it is; CastError for a struct that holds itself. */
  | { readonly kind: 'to-json'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** A new json object; members in the order written, each key once. */
  | JsonObjectLiteral
  | { readonly kind: 'json-array'; readonly elements: readonly Expression[]; readonly type: Type; readonly span: Span }
  /** The value of a key; NullAccessError, TypeError or KeyNotFoundError if there is no such value. */
  | {
      readonly kind: 'get-member';
      readonly json: Expression;
      readonly key: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  /** An element of a json array; NullAccessError, TypeError or IndexOutOfBoundsError if there is no such element. */
  | {
      readonly kind: 'get-item';
      readonly json: Expression;
      readonly index: Expression;
      readonly type: Type;
      readonly span: Span;
    }
  /** How many elements a json array has, for foreach; NullAccessError or TypeError if the value is no array. */
  | { readonly kind: 'item-count'; readonly json: Expression; readonly type: Type; readonly span: Span }
  /** A json as `type`, validated down to its leaves; CastError if it is not of the type. */
  | { readonly kind: 'cast'; readonly operand: Expression; readonly type: Type; readonly span: Span }
  /** Statements, then a value. */
  | {
      readonly kind: 'sequence';
      readonly statements: readonly Statement[];
      readonly value: Expression;
      readonly type: Type;
      readonly span: Span;
    };

export interface Select {
  readonly kind: 'select';
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
  readonly type: Type;
  readonly span: Span;
}

/** Where a number is in the scratch memory, or the first of a vector, in bytes. Nothing is tested there. */
interface ScratchPlace {
  readonly address: Expression;
  /** Added to the address; not below 0. */
  readonly offset: number;
  /** Ints that fit in fewer bits lie there in 32 of them (scratch.ts); the value is one as any other. */
  readonly storage?: IntStorage;
  /** In a build for those who work on the compiler: what the pass has taken to hold. */
  readonly asserted?: readonly Expression[];
  readonly span: Span;
}

export interface Load extends ScratchPlace {
  readonly kind: 'load';
  readonly type: Type;
}

export interface Store extends ScratchPlace {
  readonly kind: 'store';
  readonly value: Expression;
}

export interface RowLength {
  readonly kind: 'row-length';
  readonly elements: Expression;
  /** Of each dimension around the rows. */
  readonly counts: readonly Expression[];
  /** More rows are not looked at: -1 then. Null if the first one alone is: 0 where that is null. */
  readonly most: Expression | null;
  readonly type: Type;
  readonly span: Span;
}

export interface DistinctRows {
  readonly kind: 'distinct-rows';
  /** Of each matrix its elements, the address of its copy in the scratch memory, and the counts of its dimensions. */
  readonly operands: readonly Expression[];
  /** How many dimensions each matrix has; all of them have numbers of one type. */
  readonly dimensions: readonly number[];
  readonly type: Type;
  readonly span: Span;
}

export interface CopyElements {
  readonly kind: 'copy-elements';
  readonly into: 'scratch' | 'array';
  readonly elements: Expression;
  readonly address: Expression;
  /** Of each dimension of a matrix, no more than there are; its rows follow each other in memory. */
  readonly counts: readonly Expression[];
  readonly span: Span;
}

export interface LaneWise {
  readonly kind: 'lane-wise';
  /** As that of `operate` or of a library call; or `select`, of two vectors and what a comparison of vectors gives. */
  readonly operator: string;
  readonly operands: readonly Expression[];
  readonly type: Type;
  readonly span: Span;
}

export interface BuildText {
  readonly kind: 'build-text';
  readonly pieces: readonly TextPiece[];
  readonly type: Type;
  readonly span: Span;
}

export interface BuiltText extends GrowingText {
  readonly kind: 'built-text';
  /** As that of get-local. */
  readonly nonNull?: boolean;
  readonly type: Type;
  readonly span: Span;
}

/** From the optimiser: the length of a growing text, without making it a string. */
export interface BuiltLength extends GrowingText {
  readonly kind: 'built-length';
  /** Asked where the text is not in its builder. */
  readonly ofString: Expression;
  readonly type: Type;
  readonly span: Span;
}

export interface CheckNull {
  readonly kind: 'check-null';
  readonly operand: Expression;
  readonly use: string;
  readonly type: Type;
  readonly span: Span;
}

export interface GetField {
  readonly kind: 'get-field';
  readonly object: Expression;
  readonly struct: StructId;
  readonly field: number;
  /** From the optimiser: what it gives is not null, since an access in front of it would have failed. */
  readonly nonNull?: true;
  readonly type: Type;
  readonly span: Span;
}

export interface GetElement {
  readonly kind: 'get-element';
  readonly array: Expression;
  readonly index: Expression;
  /** False only where the checker wrote the index itself and knows that it is in range and the array not null. */
  readonly checked: boolean;
  /** Not checked, but in this build the program traps where the compiler took an index wrongly to be in range. */
  readonly asserted?: true;
  /** From the optimiser: an access in front of it has tested the same array and index, so it tests neither again. */
  readonly isRedundant?: true;
  /** As that of get-field. */
  readonly nonNull?: true;
  readonly type: Type;
  readonly span: Span;
}

export interface GetHoisted {
  readonly kind: 'get-hoisted';
  readonly hoisted: HoistedArray;
  readonly index: Expression;
  /** False if the index is known to be in range and the array is known not to be null. */
  readonly checked: boolean;
  /** As that of get-element. */
  readonly asserted?: true;
  /** As that of get-element. */
  readonly isRedundant?: true;
  readonly type: Type;
  readonly span: Span;
}

/** Arguments are complete, in parameter order, evaluated in that order. */
export interface Call {
  readonly kind: 'call';
  readonly function: FunctionId;
  readonly arguments: readonly Expression[];
  /** What stands for `T` in a generic prelude function. */
  readonly typeArgument: Type | null;
  readonly type: Type;
  readonly span: Span;
}

/** A function of the library registry. A method's receiver is the first argument; the emitter tests it for null. */
export interface LibraryCall {
  readonly kind: 'library-call';
  /** Its id in the registry, such as `Math.sqrt`, `string.split` or `T[].push`. */
  readonly function: string;
  readonly arguments: readonly Expression[];
  readonly typeArgument: Type | null;
  readonly type: Type;
  readonly span: Span;
}

/** Fields are evaluated in the order written; every field of the struct is there once. */
export interface StructLiteral {
  readonly kind: 'struct-literal';
  readonly struct: StructId;
  readonly fields: readonly { readonly field: number; readonly value: Expression }[];
  readonly type: Type;
  readonly span: Span;
}

export interface JsonObjectLiteral {
  readonly kind: 'json-object';
  readonly members: readonly { readonly key: string; readonly value: Expression }[];
  readonly type: Type;
  readonly span: Span;
}
