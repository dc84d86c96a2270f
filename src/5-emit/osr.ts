// Functions that stop in the midst of a loop and are gone on with. WebAssembly engines run a function in baseline code
// until the next time that it is called, so a loop that works for long has to be called again: after a number of turns
// the function keeps its locals in globals, says in one of them at which loop it was, and is called anew.

import type { If, Loop, ResumePoint, Statement, Try } from '../2-check/typed-tree.ts';
import { chainOf } from '../2-check/typed-tree.ts';
import { nameOfResumption, wholeOf } from '../abi/names.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { i32, none } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import { emitAround, emitAskAfterTurns, emitBeginCount, emitTurnsBack, emitUseOfCall, emitUseOfStack } from './fuel.ts';
import type { FunctionBuilder, Resumption } from './function-builder.ts';
import { emitKeep, emitRestore, KeptLocals } from './spilled-locals.ts';
import type { Variable } from './spilled-locals.ts';
import { emitHandBack, handedBack } from './loop-outlining.ts';

const resumeGlobal = '$resume';

/** The points of a statement: the first and the last. */
interface Points {
  readonly first: number;
  readonly last: number;
}

/** Gets a function ready that has loops to stop at. */
export function declareResuming(fb: FunctionBuilder): void {
  const { body, usesUnits = false } = fb.instance.fn;
  const points = joinPoints(body);
  const counts = fb.emitter.counts && !fb.instance.trusted;
  const holdsUnits = counts && (usesUnits || body.some(hasLoop));
  if (points !== null || handedBack(fb) !== null || holdsUnits) fb.turns = fb.newLocal(i32);
  if (counts && fb.turns !== null) fb.around = (operands, call, type) => emitAround(fb, operands, call, type);
  if (points === null) return;
  fb.emitter.declare(resumeGlobal, () => fb.module.addGlobal(resumeGlobal, i32, true, fb.module.i32.const(0)));
  fb.resumption = {
    point: fb.newLocal(i32),
    isContinued: fb.newLocal(i32),
    leaveLabel: fb.newLabel('leave'),
    kept: new KeptLocals(fb.emitter),
    lastPoint: points.last,
  };
}

function joinPoints(nodes: readonly Statement[]): Points | null {
  const found = nodes.flatMap((node) => pointsIn(node) ?? []);
  return found.length === 0 ? null : { first: found[0]!.first, last: found.at(-1)!.last };
}

function hasLoop(node: Statement): boolean {
  switch (node.kind) {
    case 'loop':
      return true;
    case 'if':
      return chainOf(node).some(({ then }) => then.some(hasLoop)) || chainOf(node).at(-1)!.otherwise.some(hasLoop);
    case 'block':
      return node.statements.some(hasLoop);
    case 'try':
      return node.body.some(hasLoop) || node.clauses.some(({ body }) => body.some(hasLoop));
    default:
      return false;
  }
}

function pointsIn(node: Statement): Points | null {
  switch (node.kind) {
    case 'loop':
      return node.resume === undefined ? null : { first: node.resume.point, last: node.resume.lastPoint };
    case 'if': {
      const chain = chainOf(node);
      const found = [...chain.map(({ then }) => then), chain.at(-1)!.otherwise].flatMap(
        (branch) => joinPoints(branch) ?? [],
      );
      return found.length === 0 ? null : { first: found[0]!.first, last: found.at(-1)!.last };
    }
    case 'block':
      return joinPoints(node.statements);
    case 'try':
      return joinPoints(node.body);
    default:
      return null;
  }
}

/**
 * Statements in a row: what has no point in it runs only where the function is not on its way to one. `before` goes in
 * front of them and is passed by too.
 */
export function emitStatements(
  fb: FunctionBuilder,
  nodes: readonly Statement[],
  emit: (node: Statement) => ExpressionRef,
  before: readonly ExpressionRef[] = [],
): ExpressionRef[] {
  const { resumption, module: m } = fb;
  const points = nodes.map((node) => (resumption === null ? null : pointsIn(node)));
  if (resumption === null || points.every((found) => found === null)) return [...before, ...nodes.map(emit)];
  const written: ExpressionRef[] = [];
  let plain: ExpressionRef[] = before.slice();
  const writePlain = (): void => {
    if (plain.length > 0) written.push(m.if(emitIsRunning(fb, resumption), m.block(null, plain, none)));
    plain = [];
  };
  nodes.forEach((node, index) => {
    const inside = points[index]!;
    if (inside === null) {
      plain.push(emit(node));
      return;
    }
    writePlain();
    const outer = resumption.lastPoint;
    resumption.lastPoint = inside.last;
    const statement = emit(node);
    resumption.lastPoint = outer;
    // On the way to a point further on, it is passed by.
    written.push(
      inside.last === outer
        ? statement
        : m.if(m.i32.le_u(readPoint(fb, resumption), m.i32.const(inside.last)), statement),
    );
  });
  // Whoever was on the way to a point is there by now, unless the last of them was passed by.
  if (joinPoints(nodes)!.last === resumption.lastPoint) return [...written, ...plain];
  writePlain();
  return written;
}

/** The condition of a branch: on the way to a point, whether it lies in that branch. */
export function emitBranchCondition(fb: FunctionBuilder, node: If): ExpressionRef {
  const condition = fb.expression(node.condition);
  const { resumption, module: m } = fb;
  if (resumption === null || pointsIn(node) === null) return condition;
  const inside = joinPoints(node.then);
  const isInside = inside === null ? m.i32.const(0) : m.i32.le_u(readPoint(fb, resumption), m.i32.const(inside.last));
  return m.if(emitIsRunning(fb, resumption), condition, isInside);
}

/** Whether the function can be entered inside the statement. */
export function hasPoints(fb: FunctionBuilder, node: Statement): boolean {
  return fb.resumption !== null && pointsIn(node) !== null;
}

/** What a try does before its body; it is done already on the way to a point inside. */
export function emitBeforeBody(
  fb: FunctionBuilder,
  node: Try,
  setup: readonly ExpressionRef[],
): readonly ExpressionRef[] {
  const { resumption, module: m } = fb;
  return resumption === null || pointsIn(node) === null
    ? setup
    : [m.if(emitIsRunning(fb, resumption), m.block(null, [...setup], none))];
}

/** Before a loop: whoever was on the way to its own point has arrived. */
export function emitArrival(fb: FunctionBuilder, { resume }: Loop): readonly ExpressionRef[] {
  const { resumption, module: m } = fb;
  if (resume === undefined) return [];
  const arrive = m.local.set(resumption!.point, m.i32.const(0));
  return [
    resume.point === resume.lastPoint
      ? arrive
      : m.if(m.i32.eq(readPoint(fb, resumption!), m.i32.const(resume.point)), arrive),
  ];
}

/** Whether the function stops in this loop when there have been many turns of it. */
export function stopsIn(fb: FunctionBuilder, { resume, isShort, part }: Loop): boolean {
  return resume !== undefined || (handedBack(fb) !== null && isShort !== true && part === undefined);
}

/**
 * `turns -= done; (br_if $next (turns > 0))`, and behind it, where there have been enough of them, what stops the
 * function.
 */
export function emitNextTurns(
  fb: FunctionBuilder,
  loop: Loop,
  nextLabel: string,
  done: number,
): readonly ExpressionRef[] {
  return [
    emitGoOn(fb, nextLabel, done),
    ...emitAskAfterTurns(fb, loop.span),
    ...emitTurnsBack(fb),
    ...emitStop(fb, loop),
  ];
}

/** Keeps the locals, and leaves the function; a part gives back what it has come to. */
export function emitStop(fb: FunctionBuilder, { resume }: Loop): readonly ExpressionRef[] {
  const m = fb.module;
  if (resume === undefined) return emitHandBack(fb, handedBack(fb)!, true);
  const { kept, leaveLabel } = fb.resumption!;
  return [
    ...kept.keep(findLive(fb, resume)).map((one) => emitKeep(m, one)),
    m.global.set(resumeGlobal, m.i32.const(resume.point)),
    m.br(leaveLabel),
  ];
}

/**
 * Without stopping: `turns -= 1; (br_if $next (turns > 0))`, and behind it the question whether the program may go on.
 */
export function emitTurnOrAsk(
  fb: FunctionBuilder,
  nextLabel: string,
  done: number,
  span: Span,
): readonly ExpressionRef[] {
  return [emitGoOn(fb, nextLabel, done), ...emitAskAfterTurns(fb, span), fb.module.br(nextLabel)];
}

/** `turns -= done; (br_if $next (turns > 0))` */
export function emitGoOn(fb: FunctionBuilder, nextLabel: string, done: number): ExpressionRef {
  const m = fb.module;
  const turns = fb.turns!;
  const left =
    done === 0
      ? m.local.get(turns, i32)
      : m.local.tee(turns, m.i32.sub(m.local.get(turns, i32), m.i32.const(done)), i32);
  return m.br_if(nextLabel, m.i32.gt_s(left, m.i32.const(0)));
}

/** The wasm locals that are wanted after a point. */
function findLive(fb: FunctionBuilder, { live }: ResumePoint): readonly Variable[] {
  const locals = live.map((local) => ({ local: fb.localNumber(local), type: fb.localType(local) }));
  // A builder that is there goes on to be used, so none may come from elsewhere.
  const builders = fb.growingTexts.values();
  const masks = fb.contexts.flatMap((context) =>
    context.kind === 'try' ? [{ local: context.savedMask, type: i32 }] : [],
  );
  const depth = fb.instance.takesDepth ? [{ local: fb.depthParameter, type: i32 }] : [];
  return [...locals, ...builders, ...masks, ...depth];
}

/**
 * The whole function around its body:
 * ```
 * f(a, b):
 *   if ($resume) { point = $resume; $resume = 0; isContinued = 1; locals = globals }
 *   turns = turnsInARow
 *   block $leave
 *     body, in which what stands before the point is skipped while `point` is not zero
 *   end $leave
 *   return isContinued ? (any value) : $resume:f()
 *
 * $resume:f():
 *   loop  result = f(any values)  until ($resume == 0);  return result
 * ```
 */
export function emitResumable(fb: FunctionBuilder, body: readonly ExpressionRef[], returns: Type): ExpressionRef {
  const { resumption, module: m } = fb;
  const use =
    fb.emitter.counts && !fb.instance.trusted && wholeOf(fb.instance.wasmName) === null
      ? [...emitUseOfStack(fb), ...emitUseOfCall(fb)]
      : emitUseOfStack(fb);
  const begin = fb.turns === null ? [] : [emitBeginCount(fb)];
  if (resumption === null) return m.block(null, [...begin, ...use, ...body]);
  const { point, isContinued, leaveLabel, kept } = resumption;
  const resultType = returns.kind === 'void' ? none : fb.emitter.types.wasmType(returns);
  const again = m.call(declareDriver(fb, resultType), [], resultType);
  const end = returns.kind === 'void' ? [m.return()] : [];
  return m.block(null, [
    ...begin,
    m.if(
      m.global.get(resumeGlobal, i32),
      m.block(
        null,
        [
          m.local.set(point, m.global.get(resumeGlobal, i32)),
          m.global.set(resumeGlobal, m.i32.const(0)),
          m.local.set(isContinued, m.i32.const(1)),
          // What matters at other points alone gets any value.
          ...kept.all().map((one) => emitRestore(m, one)),
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
  const next = m.br_if('again', m.global.get(resumeGlobal, i32));
  const turn = resultType === none ? [call, next] : [m.local.set(0, call), next];
  const body = m.loop('again', m.block(null, turn, none));
  m.addFunction(
    name,
    none,
    resultType,
    resultType === none ? [] : [resultType],
    resultType === none ? body : m.block(null, [body, m.local.get(0, resultType)], resultType),
  );
  fb.emitter.calls.note(wasmName, name);
  fb.emitter.calls.note(name, wasmName);
  return name;
}

function readPoint(fb: FunctionBuilder, { point }: Resumption): ExpressionRef {
  return fb.module.local.get(point, i32);
}

/** Whether the function is not on its way to a point. */
function emitIsRunning(fb: FunctionBuilder, resumption: Resumption): ExpressionRef {
  return fb.module.i32.eqz(readPoint(fb, resumption));
}
