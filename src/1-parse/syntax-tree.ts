// What a script says, as it was written: one node per construct, nothing resolved. Plain readonly
// objects, discriminated by `kind`. Where a mistake in the syntax stands, there is a `broken` statement or an
// invalid expression with the parts that could be read; what is wrong is reported, and all else is as ever.

import type { AssignmentOperator } from '../language/operators.ts';
import type { SourceFile, Span } from '../source.ts';

export interface SyntaxFile {
  readonly kind: 'file';
  readonly source: SourceFile;
  readonly headers: readonly Header[];
  readonly imports: readonly ImportDeclaration[];
  readonly items: readonly Item[];
  /**
   * The names in what could not be read, which may declare any of them. Null for a file without a mistake in its
   * syntax.
   */
  readonly unreadNames: ReadonlySet<string> | null;
  /** Comments in textual order, for the formatter. */
  readonly comments: readonly Comment[];
  /** All tokens in textual order, comments among them, of a file with mistakes too: between them lies white space. */
  readonly tokens: readonly SyntaxToken[];
}

/** What a token is by its looks: a keyword behind a dot, which is a name there, is a keyword all the same. */
export type SyntaxTokenKind =
  | 'name'
  | 'keyword'
  | 'number'
  | 'string'
  /** A backtick. */
  | 'template-start'
  /** What stands in a template outside of `${…}`, in one or several parts, white space included. */
  | 'template-text'
  | 'template-end'
  /** `${` */
  | 'expression-start'
  /** The `}` of a `${`. */
  | 'expression-end'
  | 'operator'
  /** Brackets, braces, and `; , ... . : ? @`. */
  | 'punctuation'
  /** The first line too, where it names an interpreter: `#!…`. */
  | 'line-comment'
  | 'block-comment'
  /** A character that begins no token, and a block comment without an end. */
  | 'unknown';

/** Its text is that of the file from `start` to `end`, UTF-16 offsets. */
export interface SyntaxToken {
  readonly kind: SyntaxTokenKind;
  readonly start: number;
  readonly end: number;
}

/** One file of a program. */
export interface SourceModule {
  /** Unique; empty for the file that is compiled. */
  readonly id: string;
  readonly file: SyntaxFile;
  /** Has a mistake of syntax, so that it is never compiled. */
  readonly isBroken: boolean;
  /** What each import means; null for one that cannot be followed, which has been reported. */
  readonly imports: ReadonlyMap<ImportDeclaration, SourceModule | null>;
}

/** A line or block comment, delimiters included. */
export interface Comment {
  readonly text: string;
  readonly span: Span;
}

/** `@tool:key "value"`. */
export interface Header {
  readonly kind: 'header';
  readonly tool: string;
  readonly key: string;
  readonly value: string;
  readonly span: Span;
}

export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** `import "path" as alias;` */
export interface ImportDeclaration {
  readonly kind: 'import';
  readonly path: string;
  readonly pathSpan: Span;
  readonly alias: Name;
  readonly span: Span;
  /** A token of it is missing or does not belong there. */
  readonly isBroken?: true;
}

/** Variable declarations among the items are the global variables. */
export type Item = TypeDeclaration | FunctionDeclaration | MainDeclaration | Statement;

export interface TypeDeclaration {
  readonly kind: 'type-declaration';
  readonly name: Name;
  readonly fields: readonly FieldDeclaration[];
  readonly span: Span;
  /** It may have fields that could not be read, or no `}`. */
  readonly isBroken?: true;
}

export interface FieldDeclaration {
  readonly type: TypeSyntax;
  readonly name: Name;
  readonly span: Span;
}

export interface FunctionDeclaration {
  readonly kind: 'function-declaration';
  readonly exported: boolean;
  readonly returnType: TypeSyntax;
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly body: Block;
  readonly span: Span;
  /** Its head could not be read as a whole, or a brace of its body is missing. */
  readonly isBroken?: true;
}

export interface MainDeclaration {
  readonly kind: 'main-declaration';
  /** The word `main`. */
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly body: Block;
  readonly span: Span;
  /** As that of a function. */
  readonly isBroken?: true;
}

/** `type name`, `type name = default`, or `type ...name[]` (variadic: `type` is the element type). */
export interface Parameter {
  readonly type: TypeSyntax;
  readonly name: Name;
  readonly initialiser: Expression | null;
  readonly variadic: boolean;
  readonly span: Span;
}

// Types

export type TypeSyntax =
  | { readonly kind: 'primitive-type'; readonly name: string; readonly span: Span }
  | { readonly kind: 'named-type'; readonly qualifier: Name | null; readonly name: Name; readonly span: Span }
  | { readonly kind: 'array-type'; readonly element: TypeSyntax; readonly span: Span }
  | { readonly kind: 'nullable-type'; readonly inner: TypeSyntax; readonly span: Span }
  /** Could not be read, or is not there; the span may be empty. */
  | { readonly kind: 'invalid-type'; readonly span: Span };

// Statements

export type Statement =
  | VariableDeclaration
  | Assignment
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: Statement;
      readonly otherwise: Statement | null;
      readonly span: Span;
    }
  | { readonly kind: 'while'; readonly condition: Expression; readonly body: Statement; readonly span: Span }
  | { readonly kind: 'do-while'; readonly body: Statement; readonly condition: Expression; readonly span: Span }
  | ForStatement
  | ForeachStatement
  | { readonly kind: 'break'; readonly span: Span }
  | { readonly kind: 'continue'; readonly span: Span }
  | { readonly kind: 'return'; readonly value: Expression | null; readonly span: Span }
  | { readonly kind: 'yield'; readonly value: Expression; readonly span: Span }
  | { readonly kind: 'throw'; readonly value: Expression; readonly span: Span }
  | TryStatement
  /** Any expression as a statement; `x++;` is an update expression here. */
  | { readonly kind: 'expression-statement'; readonly expression: Expression; readonly span: Span }
  | Block
  /** A lone `;`. */
  | { readonly kind: 'empty'; readonly span: Span }
  | Broken;

/**
 * What is no statement or item as it stands, which is reported: its span is all of its tokens. What it has within is
 * what could be read of it: statements where a token is missing or one is too many (`int x = 1` without its `;` is a
 * declaration in a broken statement), otherwise the expressions in it.
 */
export interface Broken {
  readonly kind: 'broken';
  readonly expressions: readonly Expression[];
  readonly statements: readonly Statement[];
  readonly span: Span;
}

export interface Block {
  readonly kind: 'block';
  readonly statements: readonly Statement[];
  /** From `{` to `}`. */
  readonly span: Span;
}

/** `const`? type, then one or more names. */
export interface VariableDeclaration {
  readonly kind: 'variable-declaration';
  readonly constant: boolean;
  readonly type: TypeSyntax;
  readonly declarators: readonly Declarator[];
  readonly span: Span;
}

export interface Declarator {
  readonly name: Name;
  readonly initialiser: Expression | null;
  readonly span: Span;
}

export interface Assignment {
  readonly kind: 'assignment';
  readonly operator: AssignmentOperator;
  readonly operatorSpan: Span;
  readonly target: Expression;
  readonly value: Expression;
  readonly span: Span;
}

export interface ForStatement {
  readonly kind: 'for';
  /** A declaration, or assignments and expression statements. */
  readonly initialisers: readonly Statement[];
  readonly condition: Expression | null;
  readonly steps: readonly Statement[];
  readonly body: Statement;
  readonly span: Span;
}

export interface ForeachStatement {
  readonly kind: 'foreach';
  readonly type: TypeSyntax;
  readonly name: Name;
  readonly iterable: Expression;
  readonly body: Statement;
  readonly span: Span;
}

export interface TryStatement {
  readonly kind: 'try';
  readonly body: Block;
  readonly clauses: readonly CatchClause[];
  readonly span: Span;
}

/** `catch (e)` has no error type; `catch (CastError e)` has one. */
export interface CatchClause {
  readonly errorType: Name | null;
  readonly name: Name;
  readonly body: Block;
  readonly span: Span;
}

// Expressions

export type Expression =
  /** `value` is null when the literal is beyond 9223372036854775808; exactly that value stands only after `-`. */
  | { readonly kind: 'int-literal'; readonly text: string; readonly value: bigint | null; readonly span: Span }
  | { readonly kind: 'double-literal'; readonly text: string; readonly value: number; readonly span: Span }
  | { readonly kind: 'boolean-literal'; readonly value: boolean; readonly span: Span }
  | { readonly kind: 'null-literal'; readonly span: Span }
  /** `value` has its escapes decoded. */
  | { readonly kind: 'string-literal'; readonly value: string; readonly span: Span }
  /** Texts and expressions alternate, beginning and ending with a text (which may be empty). */
  | {
      readonly kind: 'template';
      readonly texts: readonly string[];
      readonly expressions: readonly Expression[];
      readonly span: Span;
    }
  | { readonly kind: 'name'; readonly text: string; readonly span: Span }
  | { readonly kind: 'array-literal'; readonly elements: readonly Expression[]; readonly span: Span }
  | ObjectLiteral
  /** `object.member` */
  | { readonly kind: 'member'; readonly object: Expression; readonly member: Name; readonly span: Span }
  | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression; readonly span: Span }
  /** A method call is a call of a member. */
  | {
      readonly kind: 'call';
      readonly callee: Expression;
      readonly arguments: readonly Expression[];
      readonly span: Span;
    }
  | { readonly kind: 'unary'; readonly operator: '-' | '!' | '~'; readonly operand: Expression; readonly span: Span }
  | {
      readonly kind: 'update';
      readonly operator: '++' | '--';
      readonly prefix: boolean;
      readonly operand: Expression;
      readonly span: Span;
    }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly type: TypeSyntax; readonly span: Span }
  | BinaryExpression
  | {
      readonly kind: 'conditional';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
      readonly span: Span;
    }
  /** `new T[n][m]`: `element` is T, `lengths` are n and m; trailing `[]` belong to the element type. */
  | {
      readonly kind: 'new-array';
      readonly element: TypeSyntax;
      readonly lengths: readonly Expression[];
      readonly span: Span;
    }
  /**
   * An expression with a mistake in it, which is reported. All around it is as it should be. The span may be empty,
   * where an expression is missing; `expressions` are those in it that could be read.
   */
  | { readonly kind: 'invalid-expression'; readonly expressions: readonly Expression[]; readonly span: Span };

export interface BinaryExpression {
  readonly kind: 'binary';
  readonly operator: string;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
  readonly span: Span;
}

/** `{ key: value, … }`: a struct or a json, which only the checker can tell. */
export interface ObjectLiteral {
  readonly kind: 'object-literal';
  readonly entries: readonly ObjectEntry[];
  readonly span: Span;
}

export interface ObjectEntry {
  readonly key: Name;
  /** The key was written as a string. */
  readonly quoted: boolean;
  readonly value: Expression;
  readonly span: Span;
}
