// Runs the tests of one file: compiles it once, and gives each test an instance of its own, so that no test sees what
// another has left.

import { loadScript } from '../../../runtime-host/api/host.ts';
import type { Script, ScriptOptions } from '../../../runtime-host/api/host.ts';
import { HostError, InternalError, ScriptError } from '../../../runtime-host/errors/errors.ts';
import { describeThrown } from '../../../runtime-host/errors/failures.ts';
import { captureStack, readFrames, scriptFrames } from '../../../runtime-host/errors/stack-trace.ts';
import { nodeMachine } from '../../../runtime-host/node/machine.ts';
import type { ScriptValue } from '../../../runtime-host/values/script-value.ts';
import { formatValue } from '../../../runtime-host/values/text.ts';
import { parse } from '../../1-parse/parse.ts';
import type { SyntaxFile } from '../../1-parse/syntax-tree.ts';
import type { Manifest } from '../../abi/manifest.ts';
import { compileWith } from '../../compile.ts';
import type { FileCoverage } from '../../coverage/coverage.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { DiagnosticSink } from '../../diagnostics/diagnostic.ts';
import { createSourceFile } from '../../source.ts';
import type { Span } from '../../source.ts';
import { findFailures, sortSeen } from '../../testing/compare.ts';
import type { Failure, Frame, Seen, Sorted } from '../../testing/compare.ts';
import { readExpectations } from '../../testing/expectations.ts';
import type { Expectation } from '../../testing/expectations.ts';
import type { FileResult, TestResult } from '../../testing/results.ts';
import { findSkipped, findTests, isTestFile } from '../../testing/tests.ts';
import type { Test } from '../../testing/tests.ts';
import { agreedEvents, eventsOfTest, updateComments } from '../../testing/update.ts';
import { UsageError } from '../exit.ts';
import { fileReader } from '../file-reader.ts';
import { decodeScript, readBytes, replaceScript } from '../files.ts';
import { promisingWithStack, stackOf } from '../large-stack.ts';
import { compileLimits } from '../compile-text.ts';
import { CoverageRecorder } from './coverage-recorder.ts';
import { argumentsOf } from './test-arguments.ts';

export interface Running {
  /** Limits, permissions, seed, plugins. */
  readonly options: ScriptOptions;
  /** Whether a test with this name runs. */
  readonly isWanted: (path: string, name: string) => boolean;
  /** Rewrites comments that say something else than what happens. */
  readonly updates: boolean;
  /** Ends after the first test that fails. */
  readonly bails: boolean;
  /** Counts which code runs. */
  readonly counts: boolean;
}

/** What a file gave. */
export interface TestedFile extends FileResult {
  /** Of the file and of those that it imports; left out where nothing was counted. */
  readonly coverage?: readonly FileCoverage[];
}

/**
 * Runs the tests of a file; null if it has none that are wanted, and nothing that looks like one. Never throws for a
 * faulty file.
 */
export async function runFile(path: string, running: Running): Promise<TestedFile | null> {
  const start = performance.now();
  let skipped: readonly Test[] = [];
  const ended = (given: Partial<TestedFile>): TestedFile => ({
    path,
    tests: [],
    skipped,
    diagnostics: [],
    faults: [],
    updated: 0,
    ...given,
    ms: performance.now() - start,
  });
  let text: string;
  try {
    text = decodeScript(path, readBytes(path));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const source = createSourceFile(path, '');
    return ended({
      faults: [{ kind: 'fault', span: { file: source, start: 0, end: 0 }, message: error.message, help: null }],
    });
  }
  const sink = new DiagnosticSink();
  const file = parse(createSourceFile(path, text), sink);
  if (sink.hasErrors) return ended({ diagnostics: (await compileTests(path, text, running)).diagnostics });
  const tests = findTests(file).filter(({ name }) => running.isWanted(path, name));
  skipped = findSkipped(file).filter(({ name }) => running.isWanted(path, name));
  if (tests.length === 0) return skipped.length === 0 ? null : ended({});
  const compiled = await compileTests(path, text, running);
  if (compiled.script === null) return ended({ diagnostics: compiled.diagnostics });
  const { recorder } = compiled;
  const session = new Session(file, compiled.script, compiled.outputs);
  const results: TestResult[] = [];
  const isOver = (): boolean => running.bails && results.at(-1)!.failures.length > 0;
  for (const test of tests) {
    results.push(await session.run(test));
    recorder?.collect();
    if (isOver()) break;
  }
  const coverage = recorder === null ? {} : { coverage: recorder.coverage() };
  if (isOver()) return ended({ tests: results, ...coverage });
  const isWhole = tests.length === findTests(file).length;
  if (!running.updates) return ended({ tests: results, faults: isWhole ? session.unreached(tests) : [], ...coverage });
  const { changed, isSettled } = session.update(path, text);
  const left = results.map((result) => ({
    ...result,
    failures: result.failures.filter((failure) => !isSettled(failure)),
  }));
  return ended({ tests: left, updated: changed, ...coverage });
}

/** Where the values of a running test go: the script is loaded once, and its tests run one after another. */
interface Outputs {
  take: (kind: 'yield' | 'result', text: () => string) => void;
}

interface CompiledTests {
  readonly script: Script | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly outputs: Outputs;
  /** Null where nothing is counted. */
  readonly recorder: CoverageRecorder | null;
}

async function compileTests(path: string, text: string, { options, counts }: Running): Promise<CompiledTests> {
  const { plugins } = options;
  const recorder = counts ? new CoverageRecorder() : null;
  const { artifact, diagnostics } = await compileWith(
    path,
    text,
    {
      reader: fileReader(),
      limits: compileLimits,
      optimise: recorder === null,
      ...(plugins === undefined ? {} : { plugins }),
    },
    recorder === null ? {} : { instrument: (program) => recorder.instrument(program) },
  );
  const outputs: Outputs = { take: () => {} };
  if (artifact === null) return { script: null, diagnostics, outputs, recorder };
  const { depthBytes } = stackOf(options.limits?.depthBytes, 'thread');
  const script = await loadScript(
    artifact.wasm,
    { ...options, limits: { ...options.limits, depthBytes } },
    {
      ...nodeMachine,
      stacks: null,
      thread: {
        promising: promisingWithStack(depthBytes),
        onOutput: (kind, value) => outputs.take(kind, value),
        onInstance: (exports) => recorder?.add(exports),
      },
    },
  );
  return { script, diagnostics, outputs, recorder };
}

/** The tests of a file, one after another. */
class Session {
  readonly #file: SyntaxFile;
  readonly #script: Script;
  readonly #outputs: Outputs;
  readonly #expectations: readonly Expectation[];
  readonly #runs: { readonly test: Test; readonly sorted: Sorted }[] = [];
  /** The places of a stack by its text: a yield in a loop has the same one each time. */
  readonly #frames = new Map<string, readonly Frame[]>();

  constructor(file: SyntaxFile, script: Script, outputs: Outputs) {
    this.#file = file;
    this.#script = script;
    this.#outputs = outputs;
    this.#expectations = readExpectations(file);
  }

  async run(test: Test): Promise<TestResult> {
    const start = performance.now();
    const failures = await this.#failuresOf(test);
    return { test, failures, ms: performance.now() - start };
  }

  async #failuresOf(test: Test): Promise<readonly Failure[]> {
    const seen: Seen[] = [];
    let hasResult = false;
    this.#outputs.take = (kind, text) => {
      hasResult ||= kind === 'result';
      const frames = this.#expectations.length === 0 ? [] : this.#framesHere();
      seen.push({ event: { kind: 'value', text: text() }, frames, isResult: kind === 'result' });
    };
    try {
      const value = await this.#execute(test);
      if (!hasResult && value !== undefined)
        seen.push({ event: { kind: 'value', text: formatValue(value) }, frames: [], isResult: true });
    } catch (error) {
      const told = seenError(error);
      if (told === null) return [faultOf(error, test.place)];
      seen.push(told);
    } finally {
      this.#outputs.take = () => {};
    }
    const sorted = sortSeen(this.#file.source, this.#expectations, test, seen);
    this.#runs.push({ test, sorted });
    return findFailures(this.#expectations, test, sorted);
  }

  /** Runs the test to its end. Rejects with the error that ended it. */
  async #execute({ name, kind }: Test): Promise<ScriptValue | undefined> {
    if (kind === 'function') return (await this.#script.call(name)).value;
    const run = this.#script.run(argumentsOf(this.#file, this.#script.manifest));
    await run.forEach(() => {});
    await run.result;
    return undefined;
  }

  #framesHere(): readonly Frame[] {
    const stack = captureStack();
    const known = this.#frames.get(stack);
    if (known !== undefined) return known;
    const { locations, name }: Manifest = this.#script.manifest;
    const frames = scriptFrames(readFrames(stack), locations, -1, name);
    this.#frames.set(stack, frames);
    return frames;
  }

  /** Writes what the tests did into the comments, and says which failures that has settled. Throws UsageError. */
  update(path: string, text: string): { readonly changed: number; readonly isSettled: (failure: Failure) => boolean } {
    const { source } = this.#file;
    const runs = this.#runs.map(({ test, sorted }) => eventsOfTest(source, this.#expectations, test, sorted));
    const agreed = agreedEvents(runs);
    const { text: after, changed } = updateComments(source, agreed);
    if (changed > 0) replaceScript(path, text, after);
    const written = new Set([...agreed.keys()].map(({ span }) => span.start));
    const told = runs.flatMap((run) => [...run.values()].flat()).filter(({ kind }) => kind === 'error');
    return {
      changed,
      isSettled: (failure) => {
        if (failure.kind === 'values') return written.has(failure.span.start);
        return (
          failure.kind === 'error' &&
          told.some(
            (event) => event.kind === 'error' && event.type === failure.type && event.message === failure.message,
          )
        );
      },
    };
  }

  /** The comments that no test has reached: they say something that nobody looks at. */
  unreached(tests: readonly Test[]): readonly Failure[] {
    if (!isTestFile(this.#file.source.name)) return [];
    const inTest = ({ span }: Expectation): boolean =>
      tests.some((test) => test.span.start <= span.start && span.end <= test.span.end);
    return this.#expectations
      .filter((one) => !inTest(one) && !this.#runs.some(({ sorted }) => sorted.seen.has(one)) && one.events.length > 0)
      .map(({ span }) => ({
        kind: 'fault',
        span,
        message: 'no test reaches this line',
        help: 'A test is an exported function without parameters, or what main does.',
      }));
  }
}

function seenError(error: unknown): Seen | null {
  if (!(error instanceof ScriptError)) return null;
  const { name: type, message, frames } = error;
  return { event: { kind: 'error', type, message }, frames, isResult: false };
}

/** For what is no error of the script: a limit of the host, or a fault of Sluice. */
function faultOf(error: unknown, span: Span): Failure {
  if (error instanceof UsageError || error instanceof HostError || error instanceof InternalError)
    return { kind: 'fault', span, message: error.message, help: null };
  return { kind: 'fault', span, message: describeThrown(error), help: null };
}
