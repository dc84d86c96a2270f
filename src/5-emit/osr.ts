// On-stack replacement: functions that return in the middle of a loop and are called again to continue there.
// WebAssembly engines run a function in baseline code until its next call. So after a number of iterations, a function
// spills its locals to globals, stores the number of the loop's OSR entry in another global, and returns; its driver
// calls it again.

import { lastEntryAmong, lastEntryOf } from '../mir/re-entry.ts';
import type { If, Loop, OsrEntry, Statement, Try } from '../mir/mir.ts';
import { nameOfResumption } from '../abi/names.ts';
import type { Type } from '../language/types.ts';
import { i32, negate, none } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import { emitAround, emitFuelLoad, emitFuelWriteBack, emitStackCheck } from './fuel.ts';
import type { FunctionBuilder, Osr } from './function-builder.ts';
import { emitSpill, emitReload, SpilledLocals } from './spilled-locals.ts';
import type { Variable } from './spilled-locals.ts';

const osrEntryGlobal = '$osr';

/** Prepares the emission of a function: its local for fuel, and its state for on-stack replacement. */
export function declareOsr(fb: FunctionBuilder): void {
  const { body, holdsFuel } = fb.instance.fn;
  if (holdsFuel === true) {
    fb.fuelLocal ??= fb.newLocal(i32);
    if (fb.emitter.counts) fb.around = (operands, call, type) => emitAround(fb, operands, call, type);
  }
  const lastEntry = lastEntryAmong(body);
  if (lastEntry === null) return;
  fb.emitter.declare(osrEntryGlobal, () => fb.module.addGlobal(osrEntryGlobal, i32, true, fb.module.i32.const(0)));
  fb.osr = {
    entry: fb.newLocal(i32),
    isContinued: fb.newLocal(i32),
    leaveLabel: fb.newLabel('leave'),
    spilled: new SpilledLocals(fb.emitter),
    lastEntry,
  };
}

/**
 * A sequence of statements. While the function is on its way to an OSR entry, it skips the statements without that
 * entry. `before` comes first and is skipped too.
 */
export function emitStatements(
  fb: FunctionBuilder,
  nodes: readonly Statement[],
  emit: (node: Statement) => ExpressionRef,
  before: readonly ExpressionRef[] = [],
): ExpressionRef[] {
  const { osr, module: m } = fb;
  const last = osr === null ? null : lastEntryAmong(nodes);
  if (osr === null || last === null) return [...before, ...nodes.map(emit)];
  const written: ExpressionRef[] = [];
  let plain: ExpressionRef[] = before.slice();
  const writePlain = (): void => {
    if (plain.length > 0) written.push(m.if(emitIsRunning(fb, osr), m.block(null, plain, none)));
    plain = [];
  };
  for (const node of nodes) {
    const inside = lastEntryOf(node);
    if (inside === null) {
      plain.push(emit(node));
      continue;
    }
    writePlain();
    const outer = osr.lastEntry;
    osr.lastEntry = inside;
    const statement = emit(node);
    osr.lastEntry = outer;
    // A function on its way to a later entry skips the statement.
    written.push(inside === outer ? statement : m.if(m.i32.le_u(readEntry(fb, osr), m.i32.const(inside)), statement));
  }
  // The function has arrived at its entry by now, unless it skipped the last entry of these statements.
  if (last === osr.lastEntry) return [...written, ...plain];
  writePlain();
  return written;
}

/** The condition of an arm. While the function is on its way to an entry: whether the entry is in that arm. */
export function emitBranchCondition(fb: FunctionBuilder, node: If, arm: number): ExpressionRef {
  const { condition: written, then } = node.arms[arm]!;
  const condition = fb.expression(written);
  const { osr, module: m } = fb;
  const fromHere = [...node.arms.slice(arm).map((other) => other.then), node.otherwise];
  if (osr === null || fromHere.every((branch) => lastEntryAmong(branch) === null)) return condition;
  const inside = lastEntryAmong(then);
  const isInside = inside === null ? m.i32.const(0) : m.i32.le_u(readEntry(fb, osr), m.i32.const(inside));
  return m.if(emitIsRunning(fb, osr), condition, isInside);
}

/** The code of a try or loop before its body. A function on its way to an entry inside has run it in an earlier call. */
export function emitBeforeBody(
  fb: FunctionBuilder,
  node: Try | Loop,
  setup: readonly ExpressionRef[],
): readonly ExpressionRef[] {
  const { osr, module: m } = fb;
  return osr === null || node.lastEntry === undefined || setup.length === 0
    ? setup
    : [m.if(emitIsRunning(fb, osr), m.block(null, [...setup], none))];
}

/** The code before a loop: a function on its way to the entry of this loop has arrived. */
export function emitArrival(fb: FunctionBuilder, { osr: entry, lastEntry }: Loop): readonly ExpressionRef[] {
  const { osr, module: m } = fb;
  if (entry === undefined) return [];
  const arrive = m.local.set(osr!.entry, m.i32.const(0));
  return [entry.entry === lastEntry ? arrive : m.if(m.i32.eq(readEntry(fb, osr!), m.i32.const(entry.entry)), arrive)];
}

/** Spills the locals, and leaves the function. */
export function emitExit(fb: FunctionBuilder, entry: OsrEntry): ExpressionRef {
  const m = fb.module;
  const { spilled, leaveLabel } = fb.osr!;
  return m.block(null, [
    ...emitFuelWriteBack(fb),
    ...spilled.spill(findLive(fb, entry)).map((one) => emitSpill(m, one)),
    m.global.set(osrEntryGlobal, m.i32.const(entry.entry)),
    m.br(leaveLabel),
  ]);
}

/** The wasm locals that are live at an entry. */
function findLive(fb: FunctionBuilder, { live }: OsrEntry): readonly Variable[] {
  // The elements of an array may be in its own local.
  const numbers = new Map(live.map((local) => [fb.localNumber(local), fb.localType(local)]));
  const locals = [...numbers].map(([local, type]) => ({ local, type }));
  const saved = fb.contexts.flatMap((context) =>
    context.kind === 'guard'
      ? []
      : [
          ...(context.kind === 'try' ? [context.savedMask] : []),
          ...(context.savedStack === null ? [] : [context.savedStack]),
        ],
  );
  const depth = fb.instance.takesDepth ? [{ local: fb.depthParameter, type: i32 }] : [];
  return [...locals, ...saved.map((local) => ({ local, type: i32 })), ...depth];
}

/**
 * The whole function around its body:
 * ```
 * f(a, b):
 *   if ($osr) { entry = $osr; $osr = 0; isContinued = 1; locals = globals }
 *   fuel = iterationsPerCall             or $left, if fuel is counted
 *   block $leave
 *     body, in which the statements before the entry are skipped while `entry` is not zero
 *   end $leave
 *   return isContinued ? (any value) : $resume:f()
 *
 * $resume:f():
 *   loop  result = f(any values)  until ($osr == 0);  return result
 * ```
 */
export function emitWithDriver(fb: FunctionBuilder, body: readonly ExpressionRef[], returns: Type): ExpressionRef {
  const { osr, module: m } = fb;
  const use = emitStackCheck(fb);
  const begin = fb.fuelLocal === null || fb.instance.passesFuel ? [] : [emitFuelLoad(fb)];
  if (osr === null) return m.block(null, [...begin, ...use, ...body]);
  const { entry, isContinued, leaveLabel, spilled } = osr;
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
          // A local that is not live at this entry gets an arbitrary value.
          ...spilled.all().map((one) => emitReload(m, one)),
        ],
        none,
      ),
      ...(use.length === 0 ? [] : [m.block(null, [...use], none)]),
    ),
    m.block(leaveLabel, [...body, ...end], none),
    ...(returns.kind === 'void'
      ? [m.if(negate(m, m.local.get(isContinued, i32)), again)]
      : [m.if(m.local.get(isContinued, i32), m.return(fb.emitter.zeroOf(returns))), m.return(again)]),
  ]);
}

/** Adds the driver, which calls the function until it has ended. */
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
  return negate(fb.module, readEntry(fb, osr));
}
