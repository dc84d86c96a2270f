// Puts counters into a program beside each unit of fuel that it uses: at the beginning of functions, at the end of the
// iterations of loops, and for the work of the library by the line that it is for. Right behind lowering, and with no
// optional pass behind it, since passes charge many units at once. How much a program uses does not depend on passes.

import { visitAll } from '../mir/children.ts';
import type { Loop, Statement } from '../mir/mir.ts';
import type { MirFunction, MirProgram } from '../mir/program.ts';
import { rewriteExpressions } from '../mir/rewrite.ts';
import { lineIndexAt } from '../source.ts';
import type { Span } from '../source.ts';
import type { Charge } from './charges.ts';

export interface Instrumented {
  readonly program: MirProgram;
  /** What each counter of the program counts. */
  readonly charges: readonly Charge[];
}

export function instrument(program: MirProgram): Instrumented {
  const { functions, entry, initialiser } = program;
  // The default values of main are worked out before anything of the script is.
  const charges: Charge[] = [{ kind: 'before' }];
  const each = (fn: MirFunction, isCalled: boolean): MirFunction => new Instrumentation(fn, charges).function(isCalled);
  const counted: MirProgram = {
    ...program,
    functions: new Map([...functions].map(([id, fn]) => [id, each(fn, true)])),
    entry: entry === null ? null : each(entry, false),
    initialiser: initialiser === null ? null : each(initialiser, false),
  };
  return { program: { ...counted, counters: charges.length, attributes: true }, charges };
}

class Instrumentation {
  readonly #fn: MirFunction;
  readonly #charges: Charge[];
  /** The counter of the library's work for each line. */
  readonly #lines = new Map<number, number>();

  constructor(fn: MirFunction, charges: Charge[]) {
    this.#fn = fn;
    this.#charges = charges;
  }

  function(isCalled: boolean): MirFunction {
    const { name, span, body } = this.#fn;
    const own: readonly Statement[] = [
      this.#count({ kind: 'call', function: { name, span }, span }),
      this.#attribute(span),
      // Functions without calls leave that to their callers: but samples are taken where a program polls.
      ...(isCalled && !hasCalls(body) ? [{ kind: 'poll', span } as const] : []),
    ];
    const rewritten = rewriteExpressions(
      body,
      (node) => node,
      (node) => this.#statement(node),
    );
    return { ...this.#fn, body: [...own, ...this.#statements(rewritten)] };
  }

  #count(charge: Charge & { readonly span: Span }): Statement {
    return { kind: 'count', counter: this.#charges.push(charge) - 1, span: charge.span };
  }

  #attribute(span: Span): Statement {
    const line = lineIndexAt(span.file, span.start);
    const { name, span: whole } = this.#fn;
    const counter =
      this.#lines.get(line) ?? this.#charges.push({ kind: 'library', function: { name, span: whole }, span }) - 1;
    this.#lines.set(line, counter);
    return { kind: 'attribute', counter, span };
  }

  #statements(nodes: readonly Statement[]): readonly Statement[] {
    return nodes.flatMap((node) => (node.kind === 'block' ? [node] : [this.#attribute(node.span), node]));
  }

  #statement(node: Statement): Statement {
    if (node.kind === 'if') {
      const arms = node.arms.map((arm) => ({ ...arm, then: this.#statements(arm.then) }));
      return { ...node, arms, otherwise: this.#statements(node.otherwise) };
    }
    if (node.kind === 'loop') return this.#loop(node);
    if (node.kind === 'try') {
      const clauses = node.clauses.map((clause) => ({ ...clause, body: this.#statements(clause.body) }));
      return { ...node, body: this.#statements(node.body), clauses };
    }
    return node.kind === 'block' ? { ...node, statements: this.#statements(node.statements) } : node;
  }

  /** The condition, which comes behind the step, is the work of the loop too. */
  #loop(node: Loop): Loop {
    const { name, span } = this.#fn;
    const turn = this.#count({ kind: 'loop', function: { name, span }, span: node.span });
    return {
      ...node,
      body: this.#statements(node.body),
      step: [this.#attribute(node.span), ...node.step, turn],
    };
  }
}

function hasCalls(body: readonly Statement[]): boolean {
  let found = false;
  visitAll(body, ({ kind }) => void (found ||= kind === 'call'));
  return found;
}
