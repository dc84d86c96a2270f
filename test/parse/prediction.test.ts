// The grammar is decided by what comes next: the parser never has to ask which rule it is in. Ambiguity is
// what makes an ANTLR parser slow, and it creeps in unseen, so the decisions of a corpus are looked at.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SluiceParser } from '../../src/1-parse/generated/SluiceParser.ts';
import { readTokens } from '../../src/1-parse/tokens.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { createSourceFile } from '../../src/source.ts';
import { faultsOf } from './parsed.ts';

const root = join(import.meta.dirname, '../..');
const folders = ['test/conformance', 'examples', 'benchmarks', 'src/prelude'];

/** Every script of the repository without a fault of syntax. */
const corpus = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
  )
  .filter((file) => file.endsWith('.slu'))
  .map((file) => readFileSync(file, 'utf8'))
  .filter((text) => faultsOf(text).length === 0);

/** Decisions that needed more than the words ahead: `rule: how often`. */
function hardDecisions(texts: readonly string[], exceptKnown = true): readonly string[] {
  const found = new Map<string, number>();
  for (const text of texts) {
    const parser = new SluiceParser(readTokens(createSourceFile('corpus.slu', text), new DiagnosticSink()).stream);
    parser.removeErrorListeners();
    parser.setProfile(true);
    parser.file();
    for (const { decision, llFallback, ambiguities } of parser.getParseInfo()!.getDecisionInfo()) {
      if (llFallback === 0 && ambiguities.length === 0) continue;
      if (exceptKnown && (isDanglingElse(parser, decision) || isQualifiedCast(parser, decision))) continue;
      const rule = parser.ruleNames[parser.atn.decisionToState[decision]!.ruleIndex]!;
      found.set(rule, (found.get(rule) ?? 0) + 1);
    }
  }
  return [...found].map(([rule, count]) => `${rule}: ${count}`);
}

/** Whether an `else` belongs to the inner `if` or the outer: the nearest takes it, which statements.test.ts shows. */
function isDanglingElse(parser: SluiceParser, decision: number): boolean {
  return parser.atn.decisionToState[decision]!.transitions.some(
    ({ target }) => parser.atn.nextTokens(target).toArray().join() === String(SluiceParser.ELSE),
  );
}

/** Whether `x as a.B` casts to a type of the import a, or reads B of what is cast to a: the type takes the point. */
function isQualifiedCast(parser: SluiceParser, decision: number): boolean {
  return parser.ruleNames[parser.atn.decisionToState[decision]!.ruleIndex] === 'baseType';
}

describe('prediction', () => {
  it('has a corpus', () => expect(corpus.length).toBeGreaterThan(500));

  it('never falls back to full context, and is never ambiguous', () => expect(hardDecisions(corpus)).toEqual([]));

  it('is seen where there is an ambiguity', () =>
    expect(hardDecisions(['if (a) if (b) x; else y;'], false)).toEqual(['statement: 1']));

  it('nor for what the corpus may lack', () => {
    expect(
      hardDecisions([
        'T? x = c; c ? a : b; ns.T[]? y = d; ns.f(x)[0].g = 1; T?[] z = [c ? a : b]; c ? f(a) : g(b);',
        'T? f(T? a, U b = c ? d : e, int ...xs[]) { } main(a); main(int a) { }',
        'json j = { a: { }, b: [{ }, { c: 1, }], }; if (a) { } else { } { } while (b) { { } }',
        'for (T x = y; ; ) ; for (x = y; ; x++, --y) ; for (a.b[i] = c; ; ) ;',
        'x = new T[n][m]; x = new T[n].length(); x = (new T[n])[0]; x = y as T[] as U ? a : b;',
        'x = `a${`b${{ c: `d` }}`}e`; -x; !x; ++x; [1][0]; (x); "s"; `t`;',
      ]),
    ).toEqual([]);
  });
});
