// `sluice new`: makes a small folder to begin with, which checks and runs as it is. It overwrites nothing.

import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { escapeControls } from '../diagnostics/display.ts';
import { shellWord } from '../language/quoted-text.ts';
import type { CommandInput } from './command.ts';
import { exitCodes, UsageError } from './exit.ts';
import { reasonOf } from './files.ts';
import { stdout } from './output.ts';

/** Names that every system and shell accepts. */
const name = /^[A-Za-z0-9_][\w.-]*$/;
/** Everybody who may read the file may run it. */
const executable = 0o755;

export async function newCommand({ operand }: CommandInput): Promise<number> {
  const called = basename(resolve(operand));
  if (operand.startsWith('-') || !name.test(called) || called.endsWith('.slu')) {
    throw new UsageError(
      `a folder for scripts is named with letters, digits, '-', '_' and '.', and does not end in .slu: ` +
        escapeControls(operand),
      'new',
      'sluice new report',
    );
  }
  makeFolder(operand);
  const script = `${called}.slu`;
  const files = { [script]: scriptText(script), 'README.md': readmeText(called, script), '.gitignore': ignoredText };
  for (const [file, text] of Object.entries(files)) makeFile(join(operand, file), text);
  makeExecutable(join(operand, script));
  const shown = shellWord(escapeControls(operand));
  stdout.line(`${escapeControls(operand)}: ${Object.keys(files).join(', ')}`);
  const enter = resolve(operand) === process.cwd() ? '' : `cd ${shown} && `;
  stdout.line(`Next: ${enter}${commandName()} ${script} -a name=you`);
  return exitCodes.fine;
}

/** The command as it was started: if it is installed in a project alone, npx finds it there. */
function commandName(): string {
  return process.env['npm_command'] === 'exec' ? 'npx sluice' : 'sluice';
}

function makeFolder(path: string): void {
  const shown = escapeControls(path);
  try {
    if (!existsSync(path)) mkdirSync(path, { recursive: true });
    else if (readdirSync(path).length > 0)
      throw new UsageError(
        `${shown} is there already, with files in it: nothing has been changed`,
        'new',
        `sluice new ${shellWord(escapeControls(freeName(path)))}`,
      );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as { code?: string };
    const isFile = code === 'ENOTDIR' || code === 'EEXIST';
    throw new UsageError(`cannot make ${shown}: ${isFile ? 'there is a file of that name' : reasonOf(code)}`);
  }
}

/** Another folder to try: beside the one that is there, or in it where it has no name of its own. */
function freeName(path: string): string {
  const isHere = ['.', '..'].includes(basename(path));
  return isHere ? join(path, basename(resolve(path))) : `${join(dirname(path), basename(path))}-2`;
}

function makeFile(path: string, text: string): void {
  try {
    // The flag matters: somebody else may have made the file meanwhile.
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as { code?: string };
    throw new UsageError(
      `cannot write ${escapeControls(path)}: ${code === 'EEXIST' ? 'it is there already' : reasonOf(code)}`,
    );
  }
}

function makeExecutable(path: string): void {
  try {
    chmodSync(path, executable);
  } catch {
    // Some file systems have no such permissions; the script still runs by its name.
  }
}

function scriptText(script: string): string {
  return `#!/usr/bin/env sluice
// Greets somebody, some times: sluice ${script} -a name=Ada -a times=2

string greet(string name, int turn) {
  return \`\${turn}. Hello, \${name}!\`;
}

main(string name = "world", int times = 1) {
  if (times < 1) throw "times is 1 or more";
  for (int turn = 1; turn <= times; turn++) yield greet(name, turn);
}
`;
}

function readmeText(called: string, script: string): string {
  return `# ${called}

\`\`\`
sluice ${script} -a name=Ada -a times=2   # runs it; --watch runs it again after each change
sluice check ${script}                    # says what is wrong with it
sluice build ${script}                    # makes a WebAssembly module of it
sluice help run                           # what a run may use and reach, and how to say so
\`\`\`

Where Sluice is installed in a project, and not with \`npm install -g\`, the command is \`npx sluice\`.
`;
}

const ignoredText = `# What sluice build, sluice types and sluice test --coverage write.
*.wasm
*.wasm.map
*.wat
*.d.ts
coverage/
`;
