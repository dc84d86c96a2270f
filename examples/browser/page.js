// A page that compiles a script, runs it, shows what it yields as it comes, and asks before the script touches
// anything.

import { compile, renderDiagnostic } from './sluice.js';
import {
  AbortError,
  createBrowserPlatform,
  createMemoryPlatform,
  Denied,
  FileGrant,
  HttpGrant,
  loadScript,
} from './sluice-host.js';

const find = (id) => document.getElementById(id);
const [source, runButton, stopButton, state, output, fileList, question] = [
  'script',
  'run',
  'stop',
  'state',
  'output',
  'files',
  'question',
].map(find);

// The network of the page, and files that exist in its memory alone.
const memory = createMemoryPlatform({
  baseDir: '/home',
  files: { '/home/notes.txt': 'Nobody has touched this file.' },
});
const platform = { ...createBrowserPlatform(), files: memory.files };

const wishes = {
  'File.Read': 'read the file',
  'File.Write': 'write the file',
  'File.Append': 'add to the file',
  'File.Delete': 'delete',
  'File.Exists': 'know whether there is',
  'File.List': 'list the directory',
  'File.Metadata': 'look at',
  'File.CreateDir': 'create the directory',
  'Http.Get': 'get',
  'Http.Post': 'send data to',
  'Http.Put': 'replace',
  'Http.Delete': 'delete',
};

/** Asks the person at the page; what was allowed for this run is not asked again. */
function makeHandler() {
  const allowed = new Set();
  return async (request) => {
    if (!(request.kind in wishes)) return Denied();
    const object = request.resolvedPath ?? request.url;
    const key = `${request.kind} ${object}`;
    const answer = allowed.has(key) ? 'run' : await ask(wishes[request.kind], object);
    if (answer !== 'once' && answer !== 'run') return Denied();
    if (answer === 'run') allowed.add(key);
    if (request.url !== undefined)
      return HttpGrant({
        allowedDomains: [new URL(request.url).hostname],
        maxResponseSize: 1_000_000,
        timeoutMs: 10_000,
      });
    return FileGrant({ allowedDirectories: ['/home'], maxBytes: 1_000_000 });
  };
}

async function ask(wish, object) {
  find('wish').textContent = `This script wants to ${wish}`;
  find('object').textContent = object;
  question.returnValue = 'deny';
  question.showModal();
  await new Promise((resolve) => question.addEventListener('close', resolve, { once: true }));
  return question.returnValue;
}

function show(text, kind = '') {
  const line = document.createElement('li');
  line.textContent = text;
  line.className = kind;
  output.append(line);
  line.scrollIntoView({ block: 'nearest' });
}

function showFiles() {
  fileList.replaceChildren(
    ...Object.entries(memory.files.snapshot()).map(([path, text]) => {
      const line = document.createElement('li');
      line.textContent = `${path}\n${text}`;
      return line;
    }),
  );
}

async function run() {
  output.replaceChildren();
  runButton.disabled = true;
  try {
    state.textContent = 'compiling …';
    const { artifact, diagnostics } = await compile('page.slu', source.value);
    for (const diagnostic of diagnostics) show(renderDiagnostic(diagnostic), diagnostic.severity);
    if (artifact === null) return;

    const script = await loadScript(artifact.wasm, { platform, permissions: makeHandler() });
    const takesUrl = script.manifest.parameters.some(({ name }) => name === 'url');
    const execution = script.run(takesUrl ? { url: new URL('readings.txt', location.href).href } : {});
    stopButton.disabled = false;
    stopButton.onclick = () => execution.abort();
    state.textContent = 'running …';
    for await (const value of execution) show(String(value));
    const result = await execution.resultText;
    if (result !== undefined) show(`→ ${result}`, 'result');
  } catch (error) {
    show(
      error instanceof AbortError
        ? 'stopped'
        : error.stack.startsWith(error.name)
          ? error.stack
          : `${error.name}: ${error.message}`,
      'error',
    );
  } finally {
    if (question.open) question.close('deny');
    stopButton.disabled = true;
    runButton.disabled = false;
    state.textContent = '';
    showFiles();
  }
}

runButton.addEventListener('click', () => void run());
showFiles();
source.value = await (await fetch('readings.slu')).text();
document.documentElement.dataset.ready = 'true';
