// Functions that stop in the midst of a loop and are gone on with. WebAssembly engines run a function in baseline code
// until the next time that it is called, so a loop that works for long has to be called again: after a number of
// iterations the function keeps its locals in globals, says in one of them at which loop it was, and is called anew.

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

const osrEntryGlobal = '$resume';

/** Gets a function ready that holds fuel, and that has loops to stop at. */
export function declareResuming(fb: FunctionBuilder): void {
  const { body, holdsFuel } = fb.instance.fn;
  if (holdsFuel === true) {
    fb.fuelLocal = fb.newLocal(i32);
    if (fb.emitter.counts) fb.around = (operands, call, type) => emitAround(fb, operands, call, type);
  }
  const lastEntry = lastEntryAmong(body);
  if (lastEntry === null) return;
  fb.emitter.declare(osrEntryGlobal, () => fb.module.addGlobal(osrEntryGlobal, i32, true, fb.module.i32.const(0)));
  fb.osr = {
    entry: fb.newLocal(i32),
    isContinued: fb.newLocal(i32),
    leaveLabel: fb.newLabel('leave'),
    kept: new SpilledLocals(fb.emitter),
    lastEntry,
  };
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
    // On the way to an entry further on, it is passed by.
    written.push(inside === outer ? statement : m.if(m.i32.le_u(readEntry(fb, osr), m.i32.const(inside)), statement));
  }
  // Whoever was on the way to an entry is there by now, unless the last of them was passed by.
  if (last === osr.lastEntry) return [...written, ...plain];
  writePlain();
  return written;
}

/** The condition of an arm: on the way to an entry, whether it lies in that arm. */
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

/** What a try does before its body; it is done already on the way to an entry inside. */
export function emitBeforeBody(
  fb: FunctionBuilder,
  node: Try,
  setup: readonly ExpressionRef[],
): readonly ExpressionRef[] {
  const { osr, module: m } = fb;
  return osr === null || node.lastEntry === undefined
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

/** Keeps the locals, and leaves the function. */
export function emitExit(fb: FunctionBuilder, entry: OsrEntry): ExpressionRef {
  const m = fb.module;
  const { kept, leaveLabel } = fb.osr!;
  return m.block(null, [
    ...emitFuelWriteBack(fb),
    ...kept.keep(findLive(fb, entry)).map((one) => emitSpill(m, one)),
    m.global.set(osrEntryGlobal, m.i32.const(entry.entry)),
    m.br(leaveLabel),
  ]);
}

/** The wasm locals that are wanted at an entry. */
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
 *   fuel = iterationsPerCall             the host's where it is counted
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
  const use = emitStackCheck(fb);
  const begin = fb.fuelLocal === null ? [] : [emitFuelLoad(fb)];
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
      ? [m.if(negate(m, m.local.get(isContinued, i32)), again)]
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
  return negate(fb.module, readEntry(fb, osr));
}
