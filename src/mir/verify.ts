// Finds what is badly formed in Mir: a fault of the compiler, never of a script. Tests and the fuzzer verify behind
// lowering and behind each pass; the compiler itself does not.

import type { FunctionId } from './mir.ts';
import type { MirFunction, MirProgram } from './program.ts';
import { nodesOf, visitAll } from './children.ts';
import { verifyDefinitions } from './verify/definitions.ts';
import { FunctionVerifier } from './verify/function-verifier.ts';
import type { KnownAtCalls } from './verify/function-verifier.ts';
import { verifyExpression } from './verify/expressions.ts';
import { verifyReentry } from './verify/reentry.ts';
import { verifyStatements } from './verify/statements.ts';
import { arrayOf, formatType, hiddenTypes, jsonType, mentionsVariable } from '../language/types.ts';
import type { Type } from '../language/types.ts';

/** What is known of the program besides. */
export interface VerifyOptions {
  /** False if fuel is not counted: then no node may charge any. */
  readonly countsFuel?: boolean;
}

/** What is wrong, each with the function and the node where it is; nothing for a program that is well formed. */
export function verify(program: MirProgram, options: VerifyOptions = {}): readonly string[] {
  const { entry, initialiser, functions } = program;
  const all = [...functions.values(), entry, initialiser].filter((fn) => fn !== null);
  const known: KnownAtCalls = new Map();
  return [...findMisplaced(program), ...callersFirst(all).flatMap((fn) => verifyFunction(program, fn, known, options))];
}

/** Outlined loops behind the functions that call them: what is known there is known in the loop. */
function callersFirst(functions: readonly MirFunction[]): readonly MirFunction[] {
  const callers = new Map<FunctionId, FunctionId[]>();
  for (const fn of functions)
    visitAll(nodesOf(fn), (node) => {
      const outlined = node.kind === 'loop' || node.kind === 'call-outlined' ? node.outlined : undefined;
      if (outlined !== undefined) callers.set(outlined.function, [...(callers.get(outlined.function) ?? []), fn.id]);
    });
  const depths = new Map<FunctionId, number>();
  const depthOf = (id: FunctionId): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    // A loop that continues itself is behind its other callers.
    depths.set(id, 0);
    const depth = Math.max(0, ...(callers.get(id) ?? []).map((caller) => 1 + depthOf(caller)));
    depths.set(id, depth);
    return depth;
  };
  return functions.toSorted((a, b) => depthOf(a.id) - depthOf(b.id));
}

/** Throws an Error that says what is wrong; `when` says behind what. */
export function requireVerified(program: MirProgram, when: string, options: VerifyOptions = {}): void {
  const faults = verify(program, options);
  if (faults.length > 0) throw new Error(`badly formed Mir ${when}:\n${faults.slice(0, mostShown).join('\n')}`);
}

/** One fault mostly brings others with it. */
const mostShown = 10;

function verifyFunction(
  program: MirProgram,
  fn: MirFunction,
  known: KnownAtCalls,
  { countsFuel }: VerifyOptions,
): readonly string[] {
  const v = new FunctionVerifier(program, fn, countsFuel !== false, known, {
    expression: verifyExpression,
    statements: verifyStatements,
  });
  verifyHead(v);
  v.statements(fn.body);
  verifyReentry(v);
  // If a local does not exist, the other checks would fail on it.
  if (v.faults.length === 0) verifyDefinitions(v);
  return v.faults;
}

/** Parameters come first among the locals, and every type may stand where it stands. */
function verifyHead(v: FunctionVerifier): void {
  const { parameters, locals, returns, generic } = v.fn;
  locals.forEach(({ type }, local) => {
    if (type.kind === 'void' || type.kind === 'invalid')
      v.fault(null, `local ${local} is of the type ${formatType(type)}`);
  });
  for (const type of [returns, ...locals.map((local) => local.type)]) {
    if (type.kind === 'int' && type.storage !== undefined) v.fault(null, 'a value is no whole int');
    if (!generic && mentionsVariable(type)) v.fault(null, 'there is a T in a function that is not generic');
    verifyStruct(v, type);
  }
  parameters.forEach(({ local, initialiser }, index) => {
    if (local !== index) v.fault(null, `parameter ${index} is local ${local}`);
    const type = v.localType(null, local);
    if (initialiser === null || type === null) return;
    v.expression(initialiser);
    v.takes(initialiser, 'a default', initialiser, type);
  });
}

function verifyStruct(v: FunctionVerifier, type: Type): void {
  if (type.kind === 'array' || type.kind === 'elements') verifyStruct(v, type.element);
  else if (type.kind === 'struct' && !v.program.structs.has(type.id) && !isRuntime(type.id))
    v.fault(null, `there is no struct ${type.id}`);
}

/** Structs of the runtime are not among those of the program. */
function isRuntime(id: string): boolean {
  return [...hiddenTypes.values()].some((type) => type.kind === 'struct' && type.id === id);
}

/** Tables whose keys differ from the ids of their values, and exports that cannot be called. */
function findMisplaced({ functions, globals, structs, exports }: MirProgram): readonly string[] {
  const misnamed = [functions, globals, structs].flatMap((table: ReadonlyMap<string, { readonly id: string }>) =>
    [...table].flatMap(([key, { id }]) => (key === id ? [] : [`${id} is filed under ${key}`])),
  );
  const valueless = [...globals.values()].flatMap(({ id, type, value }) =>
    value !== null && value.type.kind !== type.kind ? [`global ${id}: its value is of another type`] : [],
  );
  const uncallable = exports.flatMap(({ function: id, variadic }) => {
    const fn = functions.get(id);
    if (fn === undefined) return [`there is no function ${id}, which is exported`];
    const last = fn.parameters.at(-1);
    const rest = last === undefined ? undefined : fn.locals[last.local]?.type;
    return variadic && rest?.kind !== 'array' ? [`${id}: its last parameter is no ${formatType(anyArray)}`] : [];
  });
  return [...misnamed, ...valueless, ...uncallable];
}

const anyArray = arrayOf(jsonType);
