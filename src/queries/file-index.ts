// What is asked of one file again and again, worked out from its syntax once: all names in textual order, all
// declarations with the range in which their names can be seen, and the path of nodes around an offset.

import type {
  FunctionDeclaration,
  MainDeclaration,
  Name,
  SyntaxFile,
  TypeDeclaration,
} from '../1-parse/syntax-tree.ts';
import type { CallSyntax } from '../2-check/notes.ts';
import { childrenOf, namesOf, topLevelOf } from './syntax-nodes.ts';
import type { NameRole, SyntaxNode } from './syntax-nodes.ts';

export type DeclarationKind =
  | 'function'
  | 'main'
  | 'type'
  | 'field'
  | 'global'
  | 'local'
  | 'parameter'
  | 'foreach'
  | 'catch'
  | 'import';

/** The function, the main or the type that something stands in. */
export type Container = FunctionDeclaration | MainDeclaration | TypeDeclaration;

export interface Declaration {
  readonly kind: DeclarationKind;
  readonly name: Name;
  readonly node: SyntaxNode;
  /** What is declared with it: for a variable the statement, which may have several; otherwise the node. */
  readonly whole: SyntaxNode;
  readonly container: Container | null;
  /** Where its name stands for it, unless an inner declaration hides it. */
  readonly visible: { readonly start: number; readonly end: number };
}

/** A name where it stands. */
export interface NameEntry {
  readonly name: Name;
  readonly role: NameRole;
  readonly node: SyntaxNode;
  readonly container: Container | null;
  /** The offset under which the checker has noted its meaning. */
  readonly noted: number;
  /** What is done there with what it stands for. `x += 1` and `x++` are writes. */
  readonly use: 'declaration' | 'read' | 'write' | 'call' | 'type';
}

export class FileIndex {
  readonly syntax: SyntaxFile;
  readonly names: readonly NameEntry[];
  readonly declarations: readonly Declaration[];
  readonly #topLevel: readonly SyntaxNode[];
  readonly #byName = new Map<string, Declaration[]>();
  readonly #called: ReadonlyMap<SyntaxNode, CallSyntax>;
  readonly #byStart = new Map<number, Declaration>();

  constructor(syntax: SyntaxFile) {
    this.syntax = syntax;
    this.#topLevel = topLevelOf(syntax).toSorted((a, b) => a.span.start - b.span.start);
    const { names, declarations, called } = new Walk(syntax, this.#topLevel).run();
    this.#called = called;
    this.names = names.sort((a, b) => a.name.span.start - b.name.span.start);
    this.declarations = declarations.sort((a, b) => a.name.span.start - b.name.span.start);
    for (const declaration of declarations) {
      const { text, span } = declaration.name;
      const known = this.#byName.get(text);
      if (known === undefined) this.#byName.set(text, [declaration]);
      else known.push(declaration);
      this.#byStart.set(span.start, declaration);
    }
  }

  /** The name that an offset is in, at the start of or right behind. */
  nameAt(offset: number): NameEntry | null {
    const at = lastStartingUpTo(this.names, offset, ({ name }) => name.span.start);
    const entry = this.names[at];
    return entry !== undefined && offset <= entry.name.span.end ? entry : null;
  }

  /** The call whose callee a name or a member is. */
  callOf(callee: SyntaxNode): CallSyntax | null {
    return this.#called.get(callee) ?? null;
  }

  /** The declaration whose name begins at an offset. */
  declarationAt(start: number): Declaration | null {
    return this.#byStart.get(start) ?? null;
  }

  /** The nodes around an offset, the outermost first. */
  pathAt(offset: number): readonly SyntaxNode[] {
    const path: SyntaxNode[] = [];
    let inside: readonly SyntaxNode[] = this.#topLevel;
    for (;;) {
      // The topmost level is long; below it a search is not worth it.
      const next =
        path.length === 0
          ? around(
              inside,
              lastStartingUpTo(inside, offset, ({ span }) => span.start),
              offset,
            )
          : inside.findLast(({ span }) => span.start <= offset && offset <= span.end);
      if (next === undefined) return path;
      path.push(next);
      inside = childrenOf(next);
    }
  }

  /** All nodes that a range touches, in textual order of where they begin; outer ones first. */
  nodesIn({ start, end }: { readonly start: number; readonly end: number }): readonly SyntaxNode[] {
    const found: SyntaxNode[] = [];
    const open = this.#topLevel.toReversed();
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.span.end < start || node.span.start > end) continue;
      found.push(node);
      open.push(...childrenOf(node).toReversed());
    }
    return found;
  }

  /** What a name on its own stands for at an offset, by the declarations of this file. */
  resolve(name: string, offset: number): Declaration | null {
    let best: Declaration | null = null;
    for (const declaration of this.#byName.get(name) ?? []) {
      const { kind, visible } = declaration;
      if (kind === 'field' || kind === 'main' || offset < visible.start || offset >= visible.end) continue;
      if (best === null || visible.start > best.visible.start) best = declaration;
    }
    return best;
  }

  /** Everything that can be seen at an offset, inner declarations first; what one of them hides is left out. */
  visibleAt(offset: number): readonly Declaration[] {
    const seen = new Map<string, Declaration>();
    for (const declaration of this.declarations) {
      const { kind, name, visible } = declaration;
      if (kind === 'field' || kind === 'main' || offset < visible.start || offset > visible.end) continue;
      const other = seen.get(name.text);
      if (other === undefined || visible.start > other.visible.start) seen.set(name.text, declaration);
    }
    return [...seen.values()].sort((a, b) => b.visible.start - a.visible.start);
  }
}

/** The last entry that begins at or before an offset, by binary search; -1 for none. */
export function lastStartingUpTo<Entry>(
  entries: readonly Entry[],
  offset: number,
  startOf: (entry: Entry) => number,
): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startOf(entries[middle]!) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Of neighbours that touch at the offset, the second one. */
function around(nodes: readonly SyntaxNode[], at: number, offset: number): SyntaxNode | undefined {
  const node = nodes[at];
  return node !== undefined && offset <= node.span.end ? node : undefined;
}

const declaring: ReadonlySet<SyntaxNode['kind']> = new Set([
  'import',
  'type-declaration',
  'function-declaration',
  'main-declaration',
  'field',
  'parameter',
  'foreach',
  'catch-clause',
  'variable-declaration',
]);

/** Where a node stands. */
interface Frame {
  readonly node: SyntaxNode;
  readonly container: Container | null;
  /** The end of the innermost block around it; null at top level. */
  readonly scopeEnd: number | null;
}

/** One walk through a file, without recursion, since sums and chains of `else if` nest as deep as they are long. */
class Walk {
  readonly names: NameEntry[] = [];
  readonly declarations: Declaration[] = [];
  readonly #end: number;
  readonly #open: Frame[];
  /** Expressions that are set or called by what is around them. */
  readonly #written = new Set<SyntaxNode>();
  readonly called = new Map<SyntaxNode, CallSyntax>();

  constructor(syntax: SyntaxFile, topLevel: readonly SyntaxNode[]) {
    this.#end = syntax.source.text.length + 1;
    this.#open = topLevel.map((node): Frame => ({ node, container: null, scopeEnd: null })).reverse();
  }

  run(): this {
    for (let frame = this.#open.pop(); frame !== undefined; frame = this.#open.pop()) {
      const { node, container } = frame;
      if (node.kind === 'assignment') this.#written.add(node.target);
      if (node.kind === 'update') this.#written.add(node.operand);
      if (node.kind === 'call') this.called.set(node.callee, node);
      for (const { name, role, noted = name.span.start } of namesOf(node))
        this.names.push({ name, role, node, container, noted, use: this.#useOf(node, role) });
      this.#declare(frame);
      this.#enter(frame);
    }
    return this;
  }

  #useOf(node: SyntaxNode, role: NameRole): NameEntry['use'] {
    if (role === 'declares') return 'declaration';
    if (role === 'type' || role === 'error-type') return 'type';
    if (role === 'key' || this.#written.has(node)) return 'write';
    return this.called.has(node) ? 'call' : 'read';
  }

  /** What stands in a node comes next, its first child first. */
  #enter({ node, container, scopeEnd }: Frame): void {
    const isContainer =
      node.kind === 'function-declaration' || node.kind === 'main-declaration' || node.kind === 'type-declaration';
    const isScope = isContainer || node.kind === 'block' || node.kind === 'for';
    const inner = isContainer ? node : container;
    const end = isScope ? node.span.end : scopeEnd;
    const children = childrenOf(node);
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at]!;
      this.#open.push({ node: child, container: inner, scopeEnd: scopeOf(node, child) ?? end });
    }
  }

  #declare({ node, container, scopeEnd }: Frame): void {
    // Most nodes are expressions.
    if (!declaring.has(node.kind)) return;
    const everywhere = { start: 0, end: this.#end };
    const add = (
      kind: DeclarationKind,
      name: Name,
      declared: SyntaxNode,
      whole: SyntaxNode,
      visible: Declaration['visible'],
    ): void => {
      this.declarations.push({ kind, name, node: declared, whole, container, visible });
    };
    if (node.kind === 'import') add('import', node.alias, node, node, everywhere);
    if (node.kind === 'type-declaration') add('type', node.name, node, node, everywhere);
    if (node.kind === 'function-declaration') add('function', node.name, node, node, everywhere);
    if (node.kind === 'main-declaration') add('main', node.name, node, node, everywhere);
    if (node.kind === 'field') add('field', node.part.name, node, node, node.span);
    if (node.kind === 'parameter')
      add('parameter', node.part.name, node, node, { start: node.span.end, end: scopeEnd ?? this.#end });
    if (node.kind === 'foreach') add('foreach', node.name, node, node, node.body.span);
    if (node.kind === 'catch-clause') add('catch', node.part.name, node, node, node.part.body.span);
    if (node.kind === 'variable-declaration') {
      for (const part of node.declarators) {
        const visible = scopeEnd === null ? everywhere : { start: part.span.end, end: scopeEnd };
        const declared: SyntaxNode = { kind: 'declarator', part, span: part.span };
        add(scopeEnd === null ? 'global' : 'local', part.name, declared, node, visible);
      }
    }
  }
}

/** The end of a body that is a single statement, which is a scope of its own. */
function scopeOf(node: SyntaxNode, child: SyntaxNode): number | null {
  const isBody =
    (node.kind === 'if' && child !== node.condition) ||
    ((node.kind === 'while' || node.kind === 'do-while' || node.kind === 'for' || node.kind === 'foreach') &&
      child === node.body);
  return isBody ? child.span.end : null;
}
