// The page at work: what is typed is looked at by the language server and compiled by the engine, runs on demand, and
// what the run gives goes to the results. Everything slow is in the workers of these two.

import { Editor } from './editor/editor.ts';
import { Engine } from './engine/engine.ts';
import type { Compiled, Files, Frame, Source } from './engine/messages.ts';
import { examples, loadExample } from './examples.ts';
import { scriptName } from './names.ts';
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
import { LanguageServer } from './server/language-server.ts';
import type { Fix, Place, Problems } from './server/problems.ts';

const compileMs = 350;
/** Longer links are cut by some programs through which people send them. */
const longestLink = 60_000;

export class Playground {
  readonly #engine = new Engine();
  readonly #tabs = new Tabs(document.querySelector<HTMLElement>('[role=tablist]')!);
  readonly #dialog = new PermissionDialog();
  readonly #limits = new LimitsPane(find('limit-sliders'));
  readonly #server: LanguageServer;
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
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(shared: Shared) {
    this.#results = new Results({
      stage: find('stage'),
      switch: find('showing'),
      jump: (frame) => this.#jumpToFrame(frame),
    });
    this.#files = new FilesPane({
      list: find('file-list'),
      viewer: find('file-view'),
      variables: find('variables'),
      upload: find<HTMLInputElement>('upload'),
      say: (text) => this.say(text),
      onChange: () => {
        this.#server.setFiles(this.#files.files);
        this.#noteChange();
      },
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
    this.#server = new LanguageServer({
      keeper: { change: (path, text) => this.#files.change(path, text), show: (path) => this.#showFile(path) },
      show: (problems) => this.#showProblems(problems),
      fail: (message) => this.say(message),
    });
    this.#editor = new Editor({
      parent: find('editor'),
      text: shared.script,
      extension: this.#server.extension,
      onChange: () => this.#noteChange(),
      onRun: () => void this.run(),
      onSave: () => void this.#share(),
      onFix: (fix) => this.#fix(fix),
    });
    this.#problems = new ProblemsPane({
      list: find('problems'),
      badge: find('problem-count'),
      fixAll: find<HTMLButtonElement>('fix-all'),
      jump: (place) => this.#jumpTo(place),
      fix: (fix) => this.#fix(fix),
    });
    this.#connect();
    this.#take(shared);
    this.#noteChange();
  }

  /** Loads the language server, which helps with typing, then the compiler; then compiles what is there. */
  async warm(): Promise<void> {
    const state = find('engine');
    state.textContent = 'loading …';
    try {
      // Without a server scripts run as well.
      await this.#server.started().catch(() => {});
      find('format').hidden = !this.#server.canFormat;
      state.textContent = 'loading the compiler …';
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
    this.#arguments.show([], []);
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
      const { program, errors } = await this.#compile();
      if (program === null) {
        this.#results.refuse(errors);
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
    this.#useFiles(finished.files);
    this.say(this.#results.end(finished));
  }

  get #source(): Source {
    return { text: this.#editor.text, files: this.#files.files };
  }

  #connect(): void {
    find('run').addEventListener('click', () => void this.run());
    find('stop').addEventListener('click', () => this.#engine.stop());
    find('share').addEventListener('click', () => void this.#share());
    find('format').addEventListener('click', () => {
      this.#server.format(this.#editor.view);
      this.#editor.view.focus();
    });
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
    this.#useFiles(files);
    if (['text', 'table', 'plot', 'picture'].includes(showing ?? '')) this.#results.choose(showing as Showing);
  }

  #useFiles(files: Files): void {
    this.#files.files = files;
    this.#server.setFiles(files);
  }

  #noteChange(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      save({ ...this.#shared(), showing: '' });
      if (this.#isWarm && !this.#isRunning) void this.#compile();
    }, compileMs);
  }

  /** Compiles what is there, unless it has been. */
  async #compile(): Promise<Compiled> {
    const source = this.#source;
    const last = this.#compiled;
    if (last !== null && last.source.text === source.text && last.source.files === source.files) return last.compiled;
    const compiled = await this.#engine.compile(source);
    if (source.text !== this.#editor.text) return compiled;
    this.#compiled = { source, compiled };
    this.#code.show(compiled);
    const { program, milliseconds } = compiled;
    if (program === null) return compiled;
    this.#arguments.show(program.manifest.parameters ?? [], program.manifest.structs);
    find('engine').textContent = `${bytes(program.bytes)} of WebAssembly in ${duration(milliseconds)}`;
    return compiled;
  }

  #showProblems(problems: Problems): void {
    this.#problems.show(problems);
    this.#editor.show(problems.all);
  }

  #fix(fix: Pick<Fix, 'apply'>): void {
    fix.apply();
    this.#editor.view.focus();
    this.say('The fix is made. Ctrl+Z takes it back.');
  }

  #jumpTo({ file, range }: Place): void {
    if (file !== scriptName) return this.#showFile(file);
    const { from, to } = range();
    this.#editor.reveal(from, to);
  }

  #jumpToFrame({ file, line, column }: Frame): void {
    if (file === scriptName) this.#editor.revealLine(line, column);
    else this.#showFile(file);
  }

  #showFile(path: string): void {
    this.#tabs.select('tab-files');
    this.#files.show(path);
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
