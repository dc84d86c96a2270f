// String builders: concatenations append code units to a buffer, without intermediate strings.
//
//   while (more()) s = s + n + ","          $builder = null
//   yield s.length()                        while more()  s, $builder append int n, code-unit 44
//   yield s                                 yield length of built(s, $builder)
//                                           yield built(s, $builder)
// A local to which a loop appends has a builder of its own. While the local is null, the builder holds the text; the
// text becomes a string when something else reads it. All pieces are evaluated before the first is appended, so the
// text is unchanged if a piece throws. Other concatenations and templates, `a + b + c`, append their pieces to one
// builder that they all share, except a concatenation of two texts without a number: a call is smaller there, and takes
// no more time.
//
// After this pass, a null in such a local does not mean that the text is null. Does not apply to texts that are
// appended to outside loops only, and to the functions of the runtime.
//
// Source: the concatenation of strings by hidden builders, as Gosling, Joy, Steele, "The Java Language Specification",
// section 15.18.1, allows it; kept over the iterations of a loop.

import { hiddenTypes, booleanType, stringType } from '../../language/types.ts';
import { getLocal, textPiece } from '../../mir/builders.ts';
import { visitWithLoops } from '../../mir/children.ts';
import { namesLocals } from '../../mir/kinds.ts';
import { localsRead } from '../../mir/locals.ts';
import type { BuiltText, Expression, GrowingText, LocalId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteDefaults, rewriteExpressions } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { Remarks } from '../remarks/remarks.ts';
import { remarkTexts } from '../remarks/texts.ts';

export const stringBuilder: Pass = {
  name: 'string-builder',
  summary: 'texts that grow in loops, and those of many parts, are put together in a builder',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) => mapFunctions(program, context, (fn) => buildTexts(fn, context.remarks)),
};

const builderType = hiddenTypes.get('TextBuilder')!;

type SetLocal = Statement & { readonly kind: 'set-local' };

/** The function with its concatenations and templates in the shared builder. */
export function joinTexts(fn: MirFunction): MirFunction {
  return { ...rewriteDefaults(fn, joinText), body: rewriteExpressions(fn.body, joinText) };
}

function joinText(node: Expression): Expression {
  if (node.kind !== 'concat') return node;
  const pieces = node.parts.map(textPiece);
  if (pieces.length === 2 && pieces.every(({ append }) => append !== 'int' && append !== 'double')) return node;
  return { kind: 'build-text', pieces, type: node.type, span: node.span };
}

function buildTexts(fn: MirFunction, remarks: Remarks | null): MirFunction {
  const appends = findAppends(fn);
  if (remarks !== null) remarkTexts(remarks, fn, appends);
  return joinTexts(appends.size === 0 ? fn : new Growing(fn, appends).rewrite());
}

/** Every `s = s + …` in a loop. An assignment is a statement, so the evaluation of an operand cannot set s. */
function findAppends(fn: MirFunction): ReadonlySet<Statement> {
  const found = new Set<Statement>();
  if (!fn.locals.some(({ type }) => type.kind === 'string')) return found;
  visitWithLoops(fn.body, (node, loops) => {
    if (loops > 0 && node.kind === 'set-local' && isAppend(node)) found.add(node);
  });
  return found;
}

/** Whether this is `s = s + …`. Only a concatenation tests its first part for null; a template does not. */
function isAppend({ local, value }: SetLocal): boolean {
  const first = value.kind === 'concat' ? value.parts[0]! : null;
  return first?.kind === 'check-null' && first.operand.kind === 'get-local' && first.operand.local === local;
}

/** Rewrites a function so that the texts to which loops append have builders. */
class Growing {
  readonly #fn: MirFunction;
  readonly #appends: ReadonlySet<Statement>;
  readonly #texts: ReadonlyMap<LocalId, GrowingText>;

  constructor(fn: MirFunction, appends: ReadonlySet<Statement>) {
    this.#fn = fn;
    this.#appends = appends;
    const growing = new Set([...appends].map((append) => (append as SetLocal).local));
    this.#texts = new Map(
      [...growing].map((local, index) => [local, { local, builder: fn.locals.length + index }] as const),
    );
  }

  rewrite(): MirFunction {
    const { body, locals, span } = this.#fn;
    const texts = [...this.#texts.values()];
    const none: Expression = { kind: 'null', type: builderType, span };
    const begin = texts.map(({ builder }): Statement => ({ kind: 'set-local', local: builder, value: none, span }));
    const written = rewriteExpressions(
      body,
      (node) => this.#expression(node),
      (node, before) => this.#statement(node, before),
    );
    return {
      ...this.#fn,
      locals: [...locals, ...texts.map((): Local => ({ name: 'builder', type: builderType, origin: 'temporary' }))],
      body: [...begin, ...written],
    };
  }

  #expression(node: Expression): Expression {
    if (namesLocals(node)) {
      switch (node.kind) {
        case 'get-local': {
          const text = this.#texts.get(node.local);
          return text === undefined ? node : { ...node, ...text, kind: 'built-text' };
        }
        // A hoisted access reads no string, and this pass itself makes the other two.
        case 'get-hoisted':
        case 'built-text':
        case 'built-length':
          return node;
      }
    }
    if (node.kind !== 'library-call' || node.function !== 'string.length') return node;
    const [receiver] = node.arguments;
    if (receiver?.kind !== 'built-text') return node;
    const { local, builder } = receiver;
    const ofString = { ...node, arguments: [plainRead(receiver)] };
    return { kind: 'built-length', local, builder, ofString, type: node.type, span: node.span };
  }

  #statement(node: Statement, before: Statement): Statement {
    const text = node.kind === 'set-local' ? this.#texts.get(node.local) : undefined;
    if (node.kind !== 'set-local' || text === undefined) return this.#withStrings(node, localsRead(node));
    return this.#appends.has(before) ? append(node, text) : setText(node, text);
  }

  /** Makes strings of the texts that a statement reads as a whole, such as an outlined loop that appends to none. */
  #withStrings(node: Statement, read: readonly LocalId[]): Statement {
    const { span } = node;
    const reads = read
      .flatMap((local) => this.#texts.get(local) ?? [])
      .map((text): Statement => ({
        kind: 'evaluate',
        expression: { ...text, kind: 'built-text', type: stringType, span },
        span,
      }));
    return reads.length === 0 ? node : { kind: 'block', statements: [...reads, node], span };
  }
}

function plainRead({ local, nonNull, type, span }: BuiltText): Expression {
  return { kind: 'get-local', local, ...(nonNull === true ? { nonNull } : {}), type, span };
}

function append({ value }: SetLocal, text: GrowingText): Statement {
  const [first, ...rest] = (value as Expression & { readonly kind: 'concat' }).parts;
  return { kind: 'append-text', ...text, pieces: rest.map(textPiece), nullSpan: first!.span, span: value.span };
}

/** An assignment to the text. A null in the local means that the builder holds the text, so a real null drops it. */
function setText(node: SetLocal, { local, builder }: GrowingText): Statement {
  const { span, value } = node;
  if (value.kind === 'string') return node;
  const isNull: Expression = {
    kind: 'is-null',
    operand: getLocal(local, stringType, span),
    type: booleanType,
    span,
  };
  const take: Statement = {
    kind: 'set-local',
    local: builder,
    value: { kind: 'null', type: builderType, span },
    span,
  };
  const test: Statement = { kind: 'if', arms: [{ condition: isNull, then: [take] }], otherwise: [], span };
  return { kind: 'block', statements: [node, test], span };
}
