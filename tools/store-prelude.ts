// Turns the prelude's source into what the compiler keeps of it. Runs when the compiler is built.

import { check } from '../src/2-check/check.ts';
import { lowerFunction } from '../src/3-lower/lower.ts';
import { optimisePrelude } from '../src/4-optimise/passes.ts';
import type { CheckedFunction, CheckedProgram, FunctionId } from '../src/2-check/typed-tree.ts';
import { DiagnosticSink } from '../src/diagnostics/diagnostic.ts';
import type { Implementation } from '../src/language/implementation.ts';
import { operatorById } from '../src/language/operators.ts';
import { LibraryRegistry } from '../src/library/registry.ts';
import { findDifferences } from './compare-effects.ts';
import { EffectInference } from './infer-effects.ts';
import { loadModules } from '../src/1-parse/load-modules.ts';
import { createSourceFile, positionAt } from '../src/source.ts';
import { storeTree } from '../src/5-emit/prelude.ts';
import type { StoredPrelude } from '../src/5-emit/prelude.ts';

/** The stored prelude, or a text that says what is wrong with it. */
export function storePrelude(text: string): StoredPrelude | string {
  const sink = new DiagnosticSink();
  const source = createSourceFile('prelude', text);
  const registry = new LibraryRegistry();
  const program = check(loadModules(source, sink, null), sink, { registry, prelude: true });
  const found = sink.sorted();
  if (found.length > 0) {
    return found
      .map(
        ({ code, message, span }) =>
          `${code} ${message}, line ${positionAt(source, span.start).line}: ${lineAt(text, span.start)}`,
      )
      .join('\n');
  }
  if (program.initialiser !== null) return 'globals of the prelude must have constant values';
  const missing = missingFunctions(program, registry);
  if (missing.length > 0) return `the library names functions that the prelude does not have: ${missing.join(', ')}`;
  const effects = new EffectInference(program, registry);
  const rows = registry.libraries
    .flatMap(({ functions }) => functions)
    .filter(({ implementation }) => implementation.kind === 'prelude');
  const wrong = rows.flatMap((row) => findDifferences(effects, row).map((difference) => `${row.id}: ${difference}`));
  if (wrong.length > 0) return `effects of the library that are not what the prelude does:\n${wrong.join('\n')}`;
  return {
    functions: Object.fromEntries(
      optimisePrelude(
        [...program.functions.values()].map((fn) => lowerFunction(fn, true)),
        program.globals,
        registry,
      ).map((fn) => [fn.id, storeTree(fn)]),
    ),
    globals: storeTree([...program.globals.values()]),
    structs: storeTree([...program.structs.values()]),
    throwing: [...findThrowing(program, registry)],
  };
}

function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return text.slice(start, end < 0 ? text.length : end).trim();
}

function missingFunctions(program: CheckedProgram, registry: LibraryRegistry): string[] {
  return registry.libraries
    .flatMap((library) => library.functions)
    .flatMap(({ implementation }) => (implementation.kind === 'prelude' ? [implementation.name] : []))
    .filter((name) => !program.functions.has(`prelude#${name}`));
}

/** Functions that raise an error themselves or call one that does, to the fixed point. */
function findThrowing(program: CheckedProgram, registry: LibraryRegistry): Set<FunctionId> {
  const callees = new Map<FunctionId, ReadonlySet<string>>();
  const throwing = new Set<FunctionId>();
  for (const [id, fn] of program.functions) {
    const called = new Set<string>();
    if (collectCalls(fn, registry, called)) throwing.add(id);
    callees.set(id, called);
  }
  for (let size = -1; size !== throwing.size;) {
    size = throwing.size;
    for (const [id, called] of callees) if ([...called].some((callee) => throwing.has(callee))) throwing.add(id);
  }
  return throwing;
}

/** Collects the prelude functions that a tree calls; true if it has a raising intrinsic in it. */
function collectCalls(fn: CheckedFunction, registry: LibraryRegistry, called: Set<string>): boolean {
  let raises = false;
  const note = (implementation: Implementation): void => {
    if (implementation.kind === 'prelude') called.add(`prelude#${implementation.name}`);
  };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as { readonly kind?: string; readonly function?: string; readonly operator?: string };
    if (node.kind === 'call') called.add(node.function!);
    if (node.kind === 'operate') note(operatorById(node.operator!).implementation);
    if (node.kind === 'concat') called.add('prelude#concatTexts');
    if (node.kind === 'new-array') called.add('prelude#testNewLength');
    if (node.kind === 'library-call') {
      const row = registry.byId(node.function!);
      note(row.implementation);
      // Other intrinsics that throw test nothing in the prelude.
      if (row.library === 'Native' && row.implementation.kind === 'intrinsic' && row.implementation.throws)
        raises = true;
    }
    for (const [key, part] of Object.entries(value)) if (key !== 'span') visit(part);
  };
  visit(fn.body);
  return raises;
}
