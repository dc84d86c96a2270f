// The property of all refactorings: whatever is offered anywhere in a program leaves a program that compiles and does
// the same, by the reference interpreter.

import { checkSource } from '../../src/compile.ts';
import { analyse, applyEdits } from '../../src/queries/index.ts';
import type { AnalysedFile, CodeAction } from '../../src/queries/index.ts';
import { refactoringsOf } from '../../src/queries/refactorings.ts';
import { isExpression, isStatement } from '../../src/queries/refactorings/nodes.ts';
import type { OffsetRange } from '../../src/queries/refactorings/nodes.ts';
import { childrenOf } from '../../src/queries/syntax-nodes.ts';
import type { SyntaxNode } from '../../src/queries/syntax-nodes.ts';
import { memoryReader } from '../../src/memory-reader.ts';
import type { CheckedProgram, Expression } from '../../src/2-check/typed-tree.ts';
import type { Type } from '../../src/language/types.ts';
import { createSourceFile } from '../../src/source.ts';
import type { Span } from '../../src/source.ts';
import fc from 'fast-check';
import type { Dice } from '../fuzz/random-text.ts';
import { RandomText } from '../fuzz/random-text.ts';
import { interpret } from '../fuzz/reference/interpreter.ts';
import { Exhausted } from '../fuzz/reference/values.ts';

/** The program with values for the parameters of main that have none. */
function withArguments(program: CheckedProgram): CheckedProgram {
  const { entry } = program;
  if (entry === null) return program;
  const parameters = entry.parameters.map(({ local, initialiser }) => {
    const { type } = entry.locals[local]!;
    return { local, initialiser: initialiser ?? argumentOf(type, entry.span) };
  });
  return { ...program, entry: { ...entry, parameters } };
}

function argumentOf(type: Type, span: Span): Expression {
  if (type.kind === 'int') return { kind: 'int', value: 3n, type, span };
  if (type.kind === 'double') return { kind: 'double', value: 2.5, type, span };
  if (type.kind === 'boolean') return { kind: 'boolean', value: true, type, span };
  return type.kind === 'string' ? { kind: 'string', value: 'a text', type, span } : { kind: 'null', type, span };
}

/** What is there to be seen of a run; null for one that does too much to be followed. */
function outcomeOf(name: string, texts: Readonly<Record<string, string>>): string | null {
  const { program, diagnostics } = checkSource(name, texts[name]!, { reader: memoryReader(texts) });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (program === null) return `does not compile: ${errors.map(({ message }) => message).join('; ')}`;
  if (program.entry === null) return 'a library';
  try {
    const { yields, result, failure } = interpret(withArguments(program));
    return [...yields, failure === null ? `returns ${result}` : `${failure.type}: ${failure.message}`].join('\n');
  } catch (error) {
    if (error instanceof Exhausted) return null;
    throw error;
  }
}

/** What can be selected: each expression, each row of up to three statements, and each name as a cursor. */
export function placesIn({ index, syntax }: AnalysedFile): readonly OffsetRange[] {
  const nodes = index.nodesIn({ start: 0, end: Infinity });
  const rows = [syntax.items as readonly SyntaxNode[], ...nodes.filter(({ kind }) => kind === 'block').map(childrenOf)];
  return [
    ...nodes.filter(isExpression).map(({ span: { start, end } }) => ({ start, end })),
    ...nodes.filter(isStatement).map(({ span: { start, end } }) => ({ start, end })),
    ...rows.flatMap((row) =>
      row.flatMap((first, at) =>
        [1, 2].flatMap((more) => row[at + more] ?? []).map((last) => ({ start: first.span.start, end: last.span.end })),
      ),
    ),
    ...index.names.map(({ name }) => ({ start: name.span.start, end: name.span.start })),
  ];
}

/** The dice of a seed. */
export function diceOf(seed: number): Dice {
  const drawn: Dice[] = [];
  const keeping = new RandomText(
    (dice) => {
      drawn.push(dice);
      return '';
    },
    () => [],
  );
  fc.sample(keeping, { seed, numRuns: 1 });
  return drawn[0]!;
}

export interface Tried {
  /** How often each kind was made. */
  readonly made: Readonly<Record<string, number>>;
  /** What has gone wrong: the action, the text before and after, both outcomes. */
  readonly faults: readonly string[];
}

/** Tries what is offered at so many places of a program, drawn by dice; at all of them without. */
export function tryRefactorings(
  name: string,
  texts: Readonly<Record<string, string>>,
  dice: Dice | null,
  most = Infinity,
): Tried {
  const made: Record<string, number> = {};
  const faults: string[] = [];
  const before = outcomeOf(name, texts);
  if (before === null || before.startsWith('does not compile')) return { made, faults };
  const analysis = analyse(createSourceFile(name, texts[name]!), memoryReader(texts));
  // Offsets are those of the text without a byte order mark.
  if (analysis.entry.source.text !== texts[name]) return { made, faults };
  const offers = refactoringsOf(analysis, name);
  const tried = new Set<string>();
  const places = [...placesIn(analysis.entry)];
  for (let count = 0; count < most && places.length > 0; count++) {
    const [place] = places.splice(dice === null ? 0 : dice.below(places.length), 1);
    for (const action of offers(place!)) {
      const edited = applyAction(texts, action);
      const key = `${action.kind}\n${edited[name]!}`;
      if (action.disabled !== null || tried.has(key)) continue;
      tried.add(key);
      made[action.kind] = (made[action.kind] ?? 0) + 1;
      const after = outcomeOf(name, edited);
      if (after === null || after === before) continue;
      const text = texts[name]!.slice(place!.start, place!.end);
      faults.push(
        `${action.title} at ${place!.start}: ${text}\n${texts[name]}\n=====\n${edited[name]}\n-----\n${before}\n-----\n${after}`,
      );
    }
  }
  return { made, faults };
}

export function applyAction(texts: Readonly<Record<string, string>>, { edits }: CodeAction): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, applyEdits(file, text, edits)]));
}
