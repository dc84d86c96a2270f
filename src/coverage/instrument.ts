// Puts counters into a program: in front of statements, at the beginning of functions, and where the outcome of a
// condition is known. Right behind lowering, and with no optional pass behind it: what is counted is what is written.
// Nothing else changes, fuel and the depth of calls included.

import { booleanType } from '../language/types.ts';
import type { CatchClause, Expression, If, Loop, Statement, Try } from '../mir/mir.ts';
import type { MirFunction, MirProgram } from '../mir/program.ts';
import { rewriteDefaults, rewriteExpressions } from '../mir/rewrite.ts';
import { lineIndexAt } from '../source.ts';
import type { SourceFile, Span } from '../source.ts';
import type { Counter, Outcome } from './counters.ts';

export interface Instrumented {
  readonly program: MirProgram;
  /** What each counter of the program counts. */
  readonly counters: readonly Counter[];
}

/** The program with counters for the code of the files that `covers` takes. */
export function instrument(program: MirProgram, covers: (file: SourceFile) => boolean): Instrumented {
  const instrumentation = new Instrumentation(covers);
  const { functions, entry, initialiser } = program;
  const each = (fn: MirFunction): MirFunction => instrumentation.function(fn);
  const counted: MirProgram = {
    ...program,
    functions: new Map([...functions].map(([id, fn]) => [id, each(fn)])),
    entry: entry === null ? null : each(entry),
    initialiser: initialiser === null ? null : each(initialiser),
  };
  const { counters } = instrumentation;
  return { program: counters.length === 0 ? program : { ...counted, counters: counters.length }, counters };
}

class Instrumentation {
  readonly counters: Counter[] = [];
  readonly #covers: (file: SourceFile) => boolean;
  /** Code that Mir has more than once, as default values and the globals of a script, has its counters once. */
  readonly #numbers = new Map<SourceFile, Map<string, number>>();

  constructor(covers: (file: SourceFile) => boolean) {
    this.#covers = covers;
  }

  function(fn: MirFunction): MirFunction {
    const { name, span } = fn;
    const rewritten = rewriteExpressions(
      fn.body,
      (node) => this.#expression(node),
      (node) => this.#statement(node),
    );
    const counted = rewriteDefaults(fn, (node) => this.#expression(node));
    // A default value is a function of its own, which returns it.
    if (fn.body[0]?.span === span) return { ...counted, body: rewritten };
    // The statements at top level have no name.
    const call = /^\w/.test(name) ? this.#count({ kind: 'function', name, span }) : [];
    return { ...counted, body: [...call, ...this.#statements(rewritten)] };
  }

  /** Adds to the counter; nothing where it would count code that is not covered. */
  #count(counter: Counter): readonly Statement[] {
    const { span } = counter;
    if (!this.#covers(span.file)) return [];
    const numbers = this.#numbers.get(span.file) ?? new Map<string, number>();
    this.#numbers.set(span.file, numbers);
    const key = keyOf(counter);
    const known = numbers.get(key);
    const number = known ?? this.counters.push(counter) - 1;
    numbers.set(key, number);
    return [{ kind: 'count', counter: number, span }];
  }

  #outcome(kind: Outcome['kind'], whole: Span, span: Span, missing: string): readonly Statement[] {
    return this.#count({ kind: 'branch', span, outcome: { kind, whole, missing } });
  }

  /** Counts the first statement of each line, which those behind it on the line follow. */
  #statements(nodes: readonly Statement[]): readonly Statement[] {
    let line = -1;
    return nodes.flatMap((node) => {
      const { kind, span } = node;
      const before = line;
      // A block is its statements.
      line = kind === 'block' ? -1 : lineIndexAt(span.file, span.start);
      return kind === 'block' || line === before ? [node] : [...this.#count({ kind: 'statement', span }), node];
    });
  }

  #statement(node: Statement): Statement {
    if (node.kind === 'if') return this.#if(node);
    if (node.kind === 'loop') return this.#loop(node);
    if (node.kind === 'try') return this.#try(node);
    return node.kind === 'block' ? { ...node, statements: this.#statements(node.statements) } : node;
  }

  /** A chain of `else if` is one branch with an outcome for each of its conditions, and one for none of them. */
  #if(node: If): If {
    const { arms, otherwise, span } = node;
    const last = arms.at(-1)!;
    const counted = arms.map((arm, at) => ({
      ...arm,
      condition:
        at === 0 ? arm.condition : this.#behind([{ kind: 'statement', span: arm.condition.span }], arm.condition),
      then: [...this.#outcome('if', span, arm.condition.span, 'this is never true'), ...this.#statements(arm.then)],
    }));
    return {
      ...node,
      arms: counted,
      otherwise: [
        ...this.#outcome('if', span, last.condition.span, 'this is never false'),
        ...this.#statements(otherwise),
      ],
    };
  }

  #loop(node: Loop): Loop {
    const { condition, body, step, span } = node;
    // Of a foreach the checker has written the head, in which the variable is set.
    if (step[0]?.span === span) {
      const [first, ...rest] = body;
      const goesOn = this.#outcome('loop', span, placeOfIterable(condition!), 'this never has an element');
      return { ...node, body: [...goesOn, first!, ...this.#statements(rest)] };
    }
    const counted = { ...node, body: this.#statements(body) };
    if (condition === null || condition.kind === 'boolean') return counted;
    const place = condition.span;
    const goesOn = this.#outcome('loop', span, place, 'this is never true');
    const ends = this.#outcome('loop', span, place, 'this is never false');
    return {
      ...counted,
      condition: choice(condition, behind(goesOn, truth(true, place)), behind(ends, truth(false, place))),
    };
  }

  #try(node: Try): Try {
    const clauses = node.clauses.map((clause) => ({
      ...clause,
      body: [
        ...this.#outcome('catch', node.span, headOf(clause), 'nothing is ever caught here'),
        ...this.#statements(clause.body),
      ],
    }));
    return { ...node, body: this.#statements(node.body), clauses };
  }

  #expression(node: Expression): Expression {
    if (node.kind === 'logical') return { ...node, operands: this.#operands(node) };
    if (node.kind !== 'conditional') return node;
    const chosen = (value: Expression): Expression =>
      behind(this.#outcome('conditional', node.span, value.span, 'this is never chosen'), value);
    return { ...node, then: chosen(node.then), otherwise: chosen(node.otherwise) };
  }

  /** An outcome for each operand: it decides; of the last one: it is evaluated. */
  #operands({ operator, operands, span }: Expression & { readonly kind: 'logical' }): readonly Expression[] {
    return operands.map((operand, at) => {
      // The value so far of a chain that lowering has cut.
      if (operand.span === span) return operand;
      const outcome = (missing: string): readonly Statement[] => this.#outcome('logical', span, operand.span, missing);
      if (at === operands.length - 1) return behind(outcome('this is never evaluated'), operand);
      const isAnd = operator === '&&';
      const decides = behind(outcome(`this is never ${isAnd ? 'false' : 'true'}`), truth(!isAnd, operand.span));
      const goesOn = truth(isAnd, operand.span);
      return isAnd ? choice(operand, goesOn, decides) : choice(operand, decides, goesOn);
    });
  }

  #behind(counters: readonly Counter[], value: Expression): Expression {
    return behind(
      counters.flatMap((counter) => this.#count(counter)),
      value,
    );
  }
}

function keyOf(counter: Counter): string {
  const { kind, span } = counter;
  const of = kind === 'branch' ? ` ${counter.outcome.kind} ${counter.outcome.missing}` : '';
  return `${kind} ${span.start} ${span.end}${of}`;
}

function behind(statements: readonly Statement[], value: Expression): Expression {
  if (statements.length === 0) return value;
  return { kind: 'sequence', statements, value, type: value.type, span: value.span };
}

function choice(condition: Expression, then: Expression, otherwise: Expression): Expression {
  return { kind: 'conditional', condition, then, otherwise, type: booleanType, span: condition.span };
}

function truth(value: boolean, span: Span): Expression {
  return { kind: 'boolean', value, type: booleanType, span };
}

/** The condition compares the position with the length of what a foreach goes through. */
function placeOfIterable(condition: Expression): Span {
  return condition.kind === 'operate' ? condition.operands[1]!.span : condition.span;
}

/** `catch (CastError e)` */
function headOf({ span }: CatchClause): Span {
  const end = span.file.text.indexOf('{', span.start);
  return {
    file: span.file,
    start: span.start,
    end: end < 0 ? span.end : span.file.text.slice(0, end).trimEnd().length,
  };
}
