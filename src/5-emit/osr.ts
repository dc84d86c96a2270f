// Functions that stop in the midst of a loop and are gone on with. WebAssembly engines run a function in baseline code
// until the next time that it is called, so a loop that works for long has to be called again: after a number of
// iterations the function keeps its locals in globals, says in one of them at which loop it was, and is called anew.

import { hasLoop } from '../mir/children.ts';
import { isStructured } from '../mir/kinds.ts';
import type { If, Loop, OsrEntry, Statement, Try } from '../mir/mir.ts';
import { nameOfResumption } from '../abi/names.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { i32, none } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import {
  emitAround,
  emitPollAfterIterations,
  emitBeginCount,
  emitFuelWriteBack,
  emitUseOfCall,
  emitUseOfStack,
} from './fuel.ts';
import type { FunctionBuilder, Osr } from './function-builder.ts';
import { emitSpill, emitReload, SpilledLocals } from './spilled-locals.ts';
import type { Variable } from './spilled-locals.ts';
import { emitReturnLiveOuts, liveOutsOf } from './loop-outlining.ts';

const osrEntryGlobal = '$resume';

/** The entries of a statement: the first and the last. */
interface Entries {
  readonly first: number;
  readonly last: number;
}

/** Gets a function ready that has loops to stop at. */
export function declareResuming(fb: FunctionBuilder): void {
  const { body, chargesFuel = false } = fb.instance.fn;
  const entries = joinEntries(body);
  const counts = fb.emitter.counts && !fb.instance.trusted;
  const holdsUnits = counts && (chargesFuel || hasLoop(body));
  if (entries !== null || liveOutsOf(fb) !== null || holdsUnits) fb.fuelLocal = fb.newLocal(i32);
  if (counts && fb.fuelLocal !== null) fb.around = (operands, call, type) => emitAround(fb, operands, call, type);
  if (entries === null) return;
  fb.emitter.declare(osrEntryGlobal, () => fb.module.addGlobal(osrEntryGlobal, i32, true, fb.module.i32.const(0)));
  fb.osr = {
    entry: fb.newLocal(i32),
    isContinued: fb.newLocal(i32),
    leaveLabel: fb.newLabel('leave'),
    kept: new SpilledLocals(fb.emitter),
    lastEntry: entries.last,
  };
}

function joinEntries(nodes: readonly Statement[]): Entries | null {
  const found = nodes.flatMap((node) => entriesIn(node) ?? []);
  return found.length === 0 ? null : { first: found[0]!.first, last: found.at(-1)!.last };
}

function entriesIn(node: Statement): Entries | null {
  if (!isStructured(node)) return null;
  switch (node.kind) {
    case 'loop':
      return node.osr === undefined ? null : { first: node.osr.entry, last: node.osr.lastEntry };
    case 'if': {
      const branches = [...node.arms.map(({ then }) => then), node.otherwise];
      const found = branches.flatMap((branch) => joinEntries(branch) ?? []);
      return found.length === 0 ? null : { first: found[0]!.first, last: found.at(-1)!.last };
    }
    case 'block':
      return joinEntries(node.statements);
    case 'try':
      return joinEntries(node.body);
  }
}

/**
 * Statements in a row: what has no entry in it runs only where the function is not on its way to one. `before` goes in
 * front of them and is passed by too.
 */
export function emitStatements(
  fb: FunctionBuilder,
  nodes: readonly Statement[],
  emit: (node: Statement) => ExpressionRef,
  before: readonly ExpressionRef[] = [],
): ExpressionRef[] {
  const { osr, module: m } = fb;
  const entries = nodes.map((node) => (osr === null ? null : entriesIn(node)));
  if (osr === null || entries.every((found) => found === null)) return [...before, ...nodes.map(emit)];
  const written: ExpressionRef[] = [];
  let plain: ExpressionRef[] = before.slice();
  const writePlain = (): void => {
    if (plain.length > 0) written.push(m.if(emitIsRunning(fb, osr), m.block(null, plain, none)));
    plain = [];
  };
  nodes.forEach((node, index) => {
    const inside = entries[index]!;
    if (inside === null) {
      plain.push(emit(node));
      return;
    }
    writePlain();
    const outer = osr.lastEntry;
    osr.lastEntry = inside.last;
    const statement = emit(node);
    osr.lastEntry = outer;
    // On the way to an entry further on, it is passed by.
    written.push(
      inside.last === outer ? statement : m.if(m.i32.le_u(readEntry(fb, osr), m.i32.const(inside.last)), statement),
    );
  });
  // Whoever was on the way to an entry is there by now, unless the last of them was passed by.
  if (joinEntries(nodes)!.last === osr.lastEntry) return [...written, ...plain];
  writePlain();
  return written;
}

/** The condition of an arm: on the way to an entry, whether it lies in that arm. */
export function emitBranchCondition(fb: FunctionBuilder, node: If, arm: number): ExpressionRef {
  const { condition: written, then } = node.arms[arm]!;
  const condition = fb.expression(written);
  const { osr, module: m } = fb;
  if (osr === null || entriesIn({ ...node, arms: node.arms.slice(arm) }) === null) return condition;
  const inside = joinEntries(then);
  const isInside = inside === null ? m.i32.const(0) : m.i32.le_u(readEntry(fb, osr), m.i32.const(inside.last));
  return m.if(emitIsRunning(fb, osr), condition, isInside);
}

/** Whether the function can be entered inside the statement. */
export function hasEntries(fb: FunctionBuilder, node: Statement): boolean {
  return fb.osr !== null && entriesIn(node) !== null;
}

/** What a try does before its body; it is done already on the way to an entry inside. */
export function emitBeforeBody(
  fb: FunctionBuilder,
  node: Try,
  setup: readonly ExpressionRef[],
): readonly ExpressionRef[] {
  const { osr, module: m } = fb;
  return osr === null || entriesIn(node) === null
    ? setup
    : [m.if(emitIsRunning(fb, osr), m.block(null, [...setup], none))];
}

/** Before a loop: whoever was on the way to its own entry has arrived. */
export function emitArrival(fb: FunctionBuilder, { osr: entry }: Loop): readonly ExpressionRef[] {
  const { osr, module: m } = fb;
  if (entry === undefined) return [];
  const arrive = m.local.set(osr!.entry, m.i32.const(0));
  return [
    entry.entry === entry.lastEntry ? arrive : m.if(m.i32.eq(readEntry(fb, osr!), m.i32.const(entry.entry)), arrive),
  ];
}

/** Whether the function stops in this loop when there have been many iterations of it. */
export function stopsIn(fb: FunctionBuilder, { osr, isShort, outlined }: Loop): boolean {
  return osr !== undefined || (liveOutsOf(fb) !== null && isShort !== true && outlined === undefined);
}

/**
 * `fuel -= done; (br_if $next (fuel > 0))`, and behind it, where there have been enough iterations, what stops the
 * function.
 */
export function emitNextIterations(
  fb: FunctionBuilder,
  loop: Loop,
  nextLabel: string,
  done: number,
): readonly ExpressionRef[] {
  return [
    emitGoOn(fb, nextLabel, done),
    ...emitPollAfterIterations(fb, loop.span),
    ...emitFuelWriteBack(fb),
    ...emitStop(fb, loop),
  ];
}

/** Keeps the locals, and leaves the function; a part gives back what it has come to. */
export function emitStop(fb: FunctionBuilder, { osr: entry }: Loop): readonly ExpressionRef[] {
  const m = fb.module;
  if (entry === undefined) return emitReturnLiveOuts(fb, liveOutsOf(fb)!, true);
  const { kept, leaveLabel } = fb.osr!;
  return [
    ...kept.keep(findLive(fb, entry)).map((one) => emitSpill(m, one)),
    m.global.set(osrEntryGlobal, m.i32.const(entry.entry)),
    m.br(leaveLabel),
  ];
}

/**
 * Without stopping: `fuel -= 1; (br_if $next (fuel > 0))`, and behind it the poll whether the program may go on.
 */
export function emitIterationOrPoll(
  fb: FunctionBuilder,
  nextLabel: string,
  done: number,
  span: Span,
): readonly ExpressionRef[] {
  return [emitGoOn(fb, nextLabel, done), ...emitPollAfterIterations(fb, span), fb.module.br(nextLabel)];
}

/** `fuel -= done; (br_if $next (fuel > 0))` */
export function emitGoOn(fb: FunctionBuilder, nextLabel: string, done: number): ExpressionRef {
  const m = fb.module;
  const fuel = fb.fuelLocal!;
  const left =
    done === 0 ? m.local.get(fuel, i32) : m.local.tee(fuel, m.i32.sub(m.local.get(fuel, i32), m.i32.const(done)), i32);
  return m.br_if(nextLabel, m.i32.gt_s(left, m.i32.const(0)));
}

/** The wasm locals that are wanted after a entry. */
function findLive(fb: FunctionBuilder, { live }: OsrEntry): readonly Variable[] {
  const locals = live.map((local) => ({ local: fb.localNumber(local), type: fb.localType(local) }));
  const masks = fb.contexts.flatMap((context) =>
    context.kind === 'try' ? [{ local: context.savedMask, type: i32 }] : [],
  );
  const depth = fb.instance.takesDepth ? [{ local: fb.depthParameter, type: i32 }] : [];
  return [...locals, ...masks, ...depth];
}

/**
 * The whole function around its body:
 * ```
 * f(a, b):
 *   if ($resume) { entry = $resume; $resume = 0; isContinued = 1; locals = globals }
 *   fuel = iterationsPerCall
 *   block $leave
 *     body, in which what stands before the entry is skipped while `entry` is not zero
 *   end $leave
 *   return isContinued ? (any value) : $resume:f()
 *
 * $resume:f():
 *   loop  result = f(any values)  until ($resume == 0);  return result
 * ```
 */
export function emitResumable(fb: FunctionBuilder, body: readonly ExpressionRef[], returns: Type): ExpressionRef {
  const { osr, module: m } = fb;
  const use =
    fb.emitter.counts && !fb.instance.trusted && fb.instance.fn.outlinedFrom === undefined
      ? [...emitUseOfStack(fb), ...emitUseOfCall(fb)]
      : emitUseOfStack(fb);
  const begin = fb.fuelLocal === null ? [] : [emitBeginCount(fb)];
  if (osr === null) return m.block(null, [...begin, ...use, ...body]);
  const { entry, isContinued, leaveLabel, kept } = osr;
  const resultType = returns.kind === 'void' ? none : fb.emitter.types.wasmType(returns);
  const again = m.call(declareDriver(fb, resultType), [], resultType);
  const end = returns.kind === 'void' ? [m.return()] : [];
  return m.block(null, [
    ...begin,
    m.if(
      m.global.get(osrEntryGlobal, i32),
      m.block(
        null,
        [
          m.local.set(entry, m.global.get(osrEntryGlobal, i32)),
          m.global.set(osrEntryGlobal, m.i32.const(0)),
          m.local.set(isContinued, m.i32.const(1)),
          // What matters at other entries alone gets any value.
          ...kept.all().map((one) => emitReload(m, one)),
        ],
        none,
      ),
      ...(use.length === 0 ? [] : [m.block(null, [...use], none)]),
    ),
    m.block(leaveLabel, [...body, ...end], none),
    ...(returns.kind === 'void'
      ? [m.if(m.i32.eqz(m.local.get(isContinued, i32)), again)]
      : [m.if(m.local.get(isContinued, i32), m.return(fb.emitter.zeroOf(returns))), m.return(again)]),
  ]);
}

/** Adds what calls the function until it has come to its end. */
function declareDriver(fb: FunctionBuilder, resultType: WasmType): string {
  const m = fb.module;
  const { wasmName } = fb.instance;
  const name = nameOfResumption(wasmName);
  const call = m.call(
    wasmName,
    fb.parameterTypes.map((type) => fb.emitter.zero(type)),
    resultType,
  );
  const next = m.br_if('again', m.global.get(osrEntryGlobal, i32));
  const once = resultType === none ? [call, next] : [m.local.set(0, call), next];
  const body = m.loop('again', m.block(null, once, none));
  m.addFunction(
    name,
    none,
    resultType,
    resultType === none ? [] : [resultType],
    resultType === none ? body : m.block(null, [body, m.local.get(0, resultType)], resultType),
  );
  return name;
}

function readEntry(fb: FunctionBuilder, { entry }: Osr): ExpressionRef {
  return fb.module.local.get(entry, i32);
}

/** Whether the function is not on its way to an entry. */
function emitIsRunning(fb: FunctionBuilder, osr: Osr): ExpressionRef {
  return fb.module.i32.eqz(readEntry(fb, osr));
}
