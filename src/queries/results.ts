// What the queries answer with: plain data with spans, in no protocol's terms.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../source.ts';

/** A place to go to. */
export interface Location {
  /** The name there. */
  readonly name: Span;
  /** What it belongs to: the whole function, the whole statement. */
  readonly whole: Span;
}

export interface Definition {
  /** The name that was asked about. */
  readonly origin: Span;
  readonly target: Location;
}

export interface Reference {
  readonly span: Span;
  readonly kind: 'declaration' | 'read' | 'write' | 'call' | 'type';
}

/** One piece of text instead of another; the edits of one list do not overlap. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/** Why something cannot be done, in a sentence. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly reason: string;
}

export type RenameResult =
  | {
      readonly kind: 'edits';
      readonly edits: readonly TextEdit[];
      /** What else knows the old name, in a sentence: nothing there is changed. Null if nothing does. */
      readonly warning: string | null;
    }
  | Refusal;
export type RenamePreparation = { readonly kind: 'name'; readonly span: Span; readonly name: string } | Refusal;

export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

export type CompletionKind =
  | 'function'
  | 'method'
  | 'variable'
  | 'parameter'
  | 'constant'
  | 'field'
  | 'type'
  | 'keyword'
  | 'namespace'
  | 'import'
  | 'file'
  | 'error-type'
  | 'snippet'
  | 'header';

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Its type or signature, in one line. */
  readonly detail: string | null;
  /** Markdown. */
  readonly documentation: string | null;
  /** What is put in place of `replace`. */
  readonly text: string;
  /** The text has places to fill in, as in `f(${1:x})$0`. */
  readonly isSnippet: boolean;
  readonly replace: Span;
  /** Further edits, such as an import at the top of the file. */
  readonly edits: readonly TextEdit[];
  /** The lower it is, the more likely it is meant: 0 to 9. */
  readonly rank: number;
}

export interface SignatureHelp {
  readonly label: string;
  readonly documentation: string | null;
  readonly parameters: readonly {
    /** Where it stands in the label: offsets from its start. */
    readonly start: number;
    readonly end: number;
  }[];
  /** The parameter of the argument at the cursor; null behind the last one. */
  readonly active: number | null;
}

export interface Highlight {
  readonly span: Span;
  readonly kind: 'read' | 'write';
}

export type SymbolKind = 'function' | 'main' | 'type' | 'field' | 'variable' | 'constant' | 'import';

/** Something declared, with what is declared in it. */
export interface DocumentSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly detail: string | null;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly DocumentSymbol[];
}

export interface WorkspaceSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The type of a field. */
  readonly container: string | null;
  readonly span: Span;
}

export type SemanticTokenType =
  | 'namespace'
  | 'type'
  | 'function'
  | 'method'
  | 'variable'
  | 'parameter'
  | 'property'
  | 'keyword';

export type SemanticTokenModifier = 'declaration' | 'readonly' | 'defaultLibrary' | 'modification';

export interface SemanticToken {
  readonly span: Span;
  readonly type: SemanticTokenType;
  readonly modifiers: readonly SemanticTokenModifier[];
}

/** Text that an editor shows between others. */
export interface Hint {
  /** Where it is shown: a span of no length. */
  readonly at: Span;
  readonly text: string;
  readonly kind: 'parameter' | 'conversion';
  /** Markdown. */
  readonly tooltip: string | null;
}

export interface FoldingRange {
  readonly span: Span;
  readonly kind: 'code' | 'comment' | 'imports';
}

/** A text that leads to a file. */
export interface Link {
  readonly span: Span;
  /** The name of the file. */
  readonly file: string;
}

export interface CallHierarchyItem {
  readonly name: string;
  readonly kind: 'function' | 'main' | 'script';
  readonly detail: string | null;
  readonly span: Span;
  readonly nameSpan: Span;
}

/** Calls between one function and another. */
export interface CallHierarchyCall {
  /** The other function: the caller of incoming calls, the callee of outgoing ones. */
  readonly item: CallHierarchyItem;
  /** The names that are called. */
  readonly calls: readonly Span[];
}

export type CodeActionKind = 'quick-fix' | 'fix-all' | 'extract-variable' | 'extract-function' | 'inline';

export interface CodeAction {
  readonly title: string;
  readonly kind: CodeActionKind;
  readonly edits: readonly TextEdit[];
  /** The fix that is made without asking; at most one of those at a place. */
  readonly isPreferred: boolean;
  /** The diagnostic that it fixes. */
  readonly diagnostic: Diagnostic | null;
  /** The name that it has made up, which the user may want to change: its offset in the text after the edits. */
  readonly rename: { readonly file: string; readonly offset: number } | null;
  /** Why it cannot be made, in a sentence; null for one that can. */
  readonly disabled: string | null;
}

/** An action that an editor shows above a declaration. */
export interface Lens {
  readonly span: Span;
  readonly action: 'run' | 'bench' | 'test';
  readonly title: string;
  /** The function of a test or a benchmark; null for the whole file. */
  readonly name: string | null;
}

/** Something that a function can ask the host for. */
export interface PermissionRequest {
  /** `File.Read`; of a plugin `category:action`. */
  readonly permission: string;
  /** The library function that asks, `File.readText`. */
  readonly function: string;
  /** What it asks for, where the script says so as a text; null where that is known only when it runs. */
  readonly subject: string | null;
  /** What allows it: `--allow-file-read=data`, or `--allow-file-read=DIR` where the script does not say the folder. */
  readonly flag: string;
  /** The call. */
  readonly span: Span;
}

export interface FunctionPermissions {
  /** The name of the function; `main`, or `<top level>` for the statements there. */
  readonly name: string;
  readonly nameSpan: Span;
  /** All that it can reach, in its own body or that of what it calls. */
  readonly requests: readonly PermissionRequest[];
}
