// A program that imports a script, which each bundler builds with the plugin of the package `unplugin-sluice`.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { placePackages } from '../packages/files.ts';

export const area = `export double area(double width, double height) {
  return width * height;
}
`;

export const integral = `import "lib/area.slu" as shapes;

int calls = 0;

export double integrate(double from, double to, int steps) {
  calls++;
  double step = (to - from) / steps;
  double sum = 0;
  for (int i = 0; i < steps; i++) {
    double x = from + (i + 0.5) * step;
    sum += shapes.area(step, x * x);
  }
  return sum;
}

export int count() {
  return calls;
}

export int fail(int[] values) {
  calls = 100;
  return values[3];
}

export string contents(string path) {
  return File.read(path);
}

main(int n) {
  yield n;
  return n * n;
}
`;

/** What the program below answers. */
export const answer = 'integrate 0.3333 count 2 TypeError 2 IndexOutOfBoundsError 0 SecurityError main 144';

const program = `import loadIntegral, { contents, count, fail, integrate } from './integral.slu';

const thrown = (work) => { try { return work(); } catch (error) { return error.name; } };

export async function answer() {
  const whole = integrate(0, 1, 1000);
  integrate(0, 1, 1);
  const counted = count();
  const wrong = thrown(() => integrate('no number'));
  const kept = count();
  const failed = thrown(() => fail([1]));
  const after = count();
  const denied = await contents('secret.txt').catch((error) => error.name);
  const script = await loadIntegral({ limits: { timeMs: 20_000 } });
  return ['integrate', whole.toFixed(4), 'count', counted, wrong, kept, failed, after, denied, 'main', await script.run({ n: 12 }).result].join(' ');
}
`;

/** Makes the project: the packages, the scripts, and an entry for pages and for Node. */
export function writeProject(folder: string): void {
  placePackages(folder);
  // As npm installs it, with what it needs.
  for (const name of ['unplugin'])
    symlinkSync(join(import.meta.dirname, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  mkdirSync(join(folder, 'lib'));
  writeFileSync(
    join(folder, 'package.json'),
    '{ "type": "module", "private": true, "dependencies": { "sluice": "*", "sluice-host": "*" } }',
  );
  writeFileSync(join(folder, 'integral.slu'), integral);
  writeFileSync(join(folder, 'lib/area.slu'), area);
  writeFileSync(join(folder, 'answer.js'), program);
  writeFileSync(
    join(folder, 'page.js'),
    "import { answer } from './answer.js';\n\nglobalThis.runBundled = () => answer().catch(String);\n",
  );
  writeFileSync(join(folder, 'program.js'), "import { answer } from './answer.js';\n\nconsole.log(await answer());\n");
}

/** The plugin as the project has it, for a bundler. */
export async function pluginOf(folder: string, bundler: string, options: object): Promise<unknown> {
  const { sluice } = (await import(pathToFileURL(join(folder, 'node_modules/unplugin-sluice/dist/index.js')).href)) as {
    readonly sluice: Readonly<Record<string, (options: object) => unknown>>;
  };
  return sluice[bundler.toLowerCase()]!(options);
}
