// The page at work: what is typed is checked and compiled while it is typed, runs on demand, and what the run gives
// goes to the results. Everything slow is in the engine's worker.

import { Editor } from './editor/editor.ts';
import { Engine } from './engine/engine.ts';
import type { Compiled, Edit, Frame, Problem, Source } from './engine/messages.ts';
import { examples, loadExample } from './examples.ts';
import { bytes, duration, element, find } from './page/element.ts';
import { save } from './page/saved.ts';
import { packFragment } from './page/share.ts';
import type { Shared } from './page/share.ts';
import { Tabs } from './page/tabs.ts';
import { ArgumentMistake, ArgumentsPane } from './panes/arguments-pane.ts';
import { CodePane } from './panes/code-pane.ts';
import { FilesPane } from './panes/files-pane.ts';
import { LimitsPane } from './panes/limits-pane.ts';
import { PermissionDialog } from './panes/permission-dialog.ts';
import { ProblemsPane } from './panes/problems-pane.ts';
import { Results } from './results/results.ts';
import type { Showing } from './results/results.ts';

const checkMs = 120;
const compileMs = 350;
/** Longer links are cut by some programs through which people send them. */
const longestLink = 60_000;

export class Playground {
  readonly #engine = new Engine();
  readonly #tabs = new Tabs(document.querySelector<HTMLElement>('[role=tablist]')!);
  readonly #dialog = new PermissionDialog();
  readonly #limits = new LimitsPane(find('limit-sliders'));
  readonly #editor: Editor;
  readonly #problems: ProblemsPane;
  readonly #results: Results;
  readonly #arguments: ArgumentsPane;
  readonly #files: FilesPane;
  readonly #code: CodePane;
  /** What was compiled last, and from what. */
  #compiled: { readonly source: Source; readonly compiled: Compiled } | null = null;
  #isWarm = false;
  #isRunning = false;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(shared: Shared) {
    this.#results = new Results({
      stage: find('stage'),
      switch: find('showing'),
      jump: (frame) => this.#jumpTo(frame),
    });
    this.#files = new FilesPane({
      list: find('file-list'),
      viewer: find('file-view'),
      variables: find('variables'),
      upload: find<HTMLInputElement>('upload'),
      say: (text) => this.say(text),
      onChange: () => this.#noteChange(),
    });
    this.#arguments = new ArgumentsPane(
      find('arguments'),
      find<HTMLFormElement>('arguments-form'),
      () => void this.run(),
    );
    this.#code = new CodePane({
      summary: find('code-summary'),
      sizes: find('code-sizes'),
      text: find('code-text'),
      load: find<HTMLButtonElement>('code-load'),
      compileText: () => this.#engine.compile(this.#source, true),
    });
    this.#editor = new Editor({
      parent: find('editor'),
      text: shared.script,
      onChange: () => this.#noteChange(),
      onRun: () => void this.run(),
      onSave: () => void this.#share(),
    });
    this.#problems = new ProblemsPane({
      list: find('problems'),
      badge: find('problem-count'),
      fixAll: find<HTMLButtonElement>('fix-all'),
      lineOf: (offset) => this.#editor.placeOf(offset),
      jump: ({ from, to }) => this.#editor.reveal(from, to),
      fix: (problem, at) => this.#fix(problem.fixes[at]!.edits),
      fixSure: (problems) => this.#fix(sureEdits(problems)),
    });
    this.#connect();
    this.#take(shared);
    this.#noteChange();
  }

  /** Loads the compiler; then compiles what is there. */
  async warm(): Promise<void> {
    const state = find('engine');
    state.textContent = 'loading the compiler …';
    try {
      await this.#engine.warm();
      this.#isWarm = true;
      state.textContent = '';
      await this.#compile();
    } catch (error) {
      state.textContent = (error as Error).message;
    }
  }

  /** Another script in place of this one. */
  open(shared: Shared): void {
    this.#results.choose(null);
    this.#results.begin();
    this.#editor.replace(shared.script);
    this.#take(shared);
  }

  /** Says something below, to readers of screens too. */
  say(text: string): void {
    find('said').textContent = text;
  }

  /** Compiles a script and gives the milliseconds that the compiler took. */
  async measure(script: string): Promise<number> {
    return (await this.#engine.compile({ text: script, files: {} })).milliseconds;
  }

  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#setRunning(true);
    this.#tabs.select('tab-results');
    try {
      this.#showProgress(this.#isWarm ? 'compiling …' : 'loading the compiler …');
      const { program, problems } = await this.#compile();
      if (program === null) {
        this.#results.refuse(problems.filter(({ severity }) => severity === 'error').map(({ frame }) => frame));
        return this.say('The script has errors: see the problems below it.');
      }
      const { parameters } = program.manifest;
      if (parameters === null) return this.say('This is a library: there is no main, and no statement to run.');
      this.#showProgress('running …');
      await this.#runCompiled(this.#arguments.read(this.#files.files));
    } catch (error) {
      if (error instanceof ArgumentMistake) this.#arguments.complain(error);
      this.say((error as Error).message);
    } finally {
      this.#dialog.close();
      this.#setRunning(false);
    }
  }

  async #runCompiled(values: Readonly<Record<string, unknown>>): Promise<void> {
    this.#results.begin();
    const finished = await this.#engine.run(
      { arguments: values, limits: this.#limits.limits, environment: this.#files.environment },
      {
        views: (views) => this.#results.setViews(views),
        values: (added) => this.#results.add(added),
        wish: (what) => this.#dialog.ask(what),
      },
    );
    this.#files.files = finished.files;
    this.say(this.#results.end(finished));
  }

  get #source(): Source {
    return { text: this.#editor.text, files: this.#files.files };
  }

  #connect(): void {
    find('run').addEventListener('click', () => void this.run());
    find('stop').addEventListener('click', () => this.#engine.stop());
    find('share').addEventListener('click', () => void this.#share());
    find('forget').addEventListener('click', () => {
      this.#engine.forgetPermissions();
      this.say('Scripts are asked again for everything.');
    });
    addEventListener('keydown', (event) => {
      const isCommand = event.ctrlKey || event.metaKey;
      if (!isCommand || event.defaultPrevented) return;
      if (event.key === 'Enter') void this.run();
      else if (event.key === 's') void this.#share();
      else return;
      event.preventDefault();
    });
    this.#fillExamples(find<HTMLSelectElement>('examples'));
  }

  #fillExamples(select: HTMLSelectElement): void {
    const groups = Map.groupBy(examples, ({ group }) => group);
    select.append(element('option', { value: '', selected: true, disabled: true }, 'Examples'));
    for (const [label, rows] of groups)
      select.append(
        element('optgroup', { label }, ...rows.map(({ id, title }) => element('option', { value: id }, title))),
      );
    select.addEventListener('change', () => {
      const example = examples.find(({ id }) => id === select.value)!;
      select.value = '';
      loadExample(example).then(
        ({ script, files }) => {
          this.open({ script, files, arguments: example.arguments ?? {} });
          history.replaceState(null, '', `#example=${example.id}`);
          this.say(`${example.title}: press Run.`);
        },
        (error: unknown) => this.say((error as Error).message),
      );
    });
  }

  #take({ arguments: values = {}, files = {}, showing }: Shared): void {
    this.#arguments.typed = values;
    this.#files.files = files;
    if (['text', 'table', 'plot', 'picture'].includes(showing ?? '')) this.#results.choose(showing as Showing);
  }

  #noteChange(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [
      setTimeout(() => void this.#check(), checkMs),
      setTimeout(() => {
        save({ ...this.#shared(), showing: '' });
        if (this.#isWarm && !this.#isRunning) void this.#compile();
      }, compileMs),
    ];
  }

  async #check(): Promise<void> {
    const source = this.#source;
    const problems = await this.#engine.check(source);
    if (source.text === this.#editor.text) this.#showProblems(problems);
  }

  /** Compiles what is there, unless it has been. */
  async #compile(): Promise<Compiled> {
    const source = this.#source;
    const last = this.#compiled;
    if (last !== null && last.source.text === source.text && last.source.files === source.files) return last.compiled;
    const compiled = await this.#engine.compile(source);
    if (source.text !== this.#editor.text) return compiled;
    this.#compiled = { source, compiled };
    this.#showProblems(compiled.problems);
    this.#code.show(compiled);
    const { program, milliseconds } = compiled;
    if (program === null) return compiled;
    this.#arguments.show(program.manifest.parameters ?? [], program.manifest.structs);
    find('engine').textContent = `${bytes(program.bytes)} of WebAssembly in ${duration(milliseconds)}`;
    return compiled;
  }

  #showProblems(problems: readonly Problem[]): void {
    this.#problems.show(problems);
    this.#editor.show(problems, (problem, at) => this.#fix(problem.fixes[at]!.edits));
  }

  #fix(edits: readonly Edit[]): void {
    this.#editor.apply(edits);
    this.#editor.view.focus();
    this.say('The fix is made. Ctrl+Z takes it back.');
    void this.#check();
  }

  #jumpTo({ file, line, column }: Frame): void {
    if (file === 'playground.slu') this.#editor.revealLine(line, column);
    else this.say(`${file}:${line}:${column} is in a file that the script imports: see Files.`);
  }

  #shared(): Shared {
    const { chosen } = this.#results;
    return {
      script: this.#editor.text,
      arguments: this.#arguments.typed,
      files: this.#files.files,
      ...(chosen === null ? {} : { showing: chosen }),
    };
  }

  /** Puts the script into the address, and the address where it can be pasted. */
  async #share(): Promise<void> {
    const shared = this.#shared();
    const whole = await packFragment(shared);
    const isLong = whole.length > longestLink;
    const fragment = isLong ? await packFragment({ ...shared, files: {} }) : whole;
    history.replaceState(null, '', `#${fragment}`);
    const left = isLong ? ' Its files are too large to be in it.' : '';
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(`The link is copied.${left}`);
    } catch {
      this.say(`The link is in the address bar: this browser does not let the page copy it.${left}`);
    }
  }

  #showProgress(text: string): void {
    const progress = find('progress');
    progress.hidden = text === '';
    progress.textContent = text;
  }

  #setRunning(isRunning: boolean): void {
    const [run, stop] = [find<HTMLButtonElement>('run'), find<HTMLButtonElement>('stop')];
    const hadFocus = document.activeElement === run || document.activeElement === stop;
    this.#isRunning = isRunning;
    run.hidden = isRunning;
    stop.hidden = !isRunning;
    // The button that was pressed is gone: the other one takes its place for who goes by keyboard too.
    if (hadFocus) (isRunning ? stop : run).focus();
    document.documentElement.classList.toggle('is-running', isRunning);
    if (!isRunning) this.#showProgress('');
  }
}

/** The sure fixes that do not touch each other. */
function sureEdits(problems: readonly Problem[]): readonly Edit[] {
  const edits = problems.flatMap(({ fixes }) => fixes.find(({ sure }) => sure)?.edits ?? []);
  const sorted = [...edits].sort((a, b) => a.from - b.from);
  return sorted.filter((edit, at) => at === 0 || edit.from >= sorted[at - 1]!.to);
}
