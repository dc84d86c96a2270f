// Completions, asked of the shells themselves. A shell that is not there is tested where CI installs all of them.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
for (const name of ['report.slu', 'repeat.slu', 'report.wasm', 'report.txt', 'notes.md']) folder.write(name, '');
mkdirSync(join(folder.path, 'resources'));
for (const shell of ['bash', 'zsh', 'fish']) folder.write(`sluice.${shell}`, folder.run('completions', shell).stdout);

/** What zsh offers, written down as it is added. */
const zshDriver = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'autoload -Uz compinit; compinit -D -u; source ./sluice.zsh; PROMPT=; stty -echo'
zpty -w z 'compadd() { local -a hits; [[ " $* " == *" -"[OAD]" "* ]] && { builtin compadd "$@"; return }; builtin compadd -A hits "$@"; (( $#hits )) && print -rl -- $hits >>offered; builtin compadd "$@" }'
zpty -w z 'finish() { : >finished }; comppostfuncs=(finish); zstyle ":completion:*" insert-tab false; : >ready'
for i in {1..200}; do [[ -e ready ]] && break; sleep 0.05; done
zpty -n -w z "$1"$'\\t'
for i in {1..200}; do [[ -e finished ]] && break; sleep 0.05; done
[[ -e offered ]] && cat offered
zpty -d z
rm -f ready finished offered
`;

/** The words that each shell offers behind a line. */
const shells: Readonly<Record<string, (line: string) => readonly [program: string, words: readonly string[]]>> = {
  bash: (line) => {
    // As readline cuts them: an equals sign is a word.
    const words = line.split(/ +|(=)/).filter((word) => word !== undefined && (word !== '' || line.endsWith(' ')));
    const given = words.map((word) => `'${word}'`).join(' ');
    return [
      'bash',
      [
        '--norc',
        '-c',
        `source ./sluice.bash; COMP_WORDS=(${given}); COMP_CWORD=${words.length - 1}; _sluice 2>/dev/null; ` +
          `printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
    ];
  },
  zsh: (line) => ['zsh', ['-f', '-c', zshDriver, 'zsh', line]],
  fish: (line) => ['fish', ['-N', '-c', `source ./sluice.fish; complete -C '${line}'`]],
};

function offered(shell: string, line: string): string[] {
  const [program, words] = shells[shell]!(line);
  const { stdout } = spawnSync(program, words, {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, TERM: 'dumb', HOME: folder.path },
  });
  return [
    ...new Set(
      stdout
        .split('\n')
        .map((entry) => entry.split('\t')[0]!.replace(/\/$/, ''))
        .filter((entry) => entry !== ''),
    ),
  ].toSorted();
}

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;

describe.each(Object.keys(shells))('in %s', (shell) => {
  const test = it.runIf(process.env['CI'] === 'true' || isThere(shell));

  test('commands, and scripts that can be run', () => {
    expect(offered(shell, 'sluice ')).toEqual(
      expect.arrayContaining([...commands.map(({ name }) => name), 'help', 'report.slu', 'report.wasm', 'resources']),
    );
    expect(offered(shell, 'sluice ')).not.toContain('notes.md');
    expect(offered(shell, 'sluice ch')).toEqual(['check']);
  });

  test('files that a command takes', () => {
    expect(offered(shell, 'sluice run rep')).toEqual(['repeat.slu', 'report.slu', 'report.wasm']);
    expect(offered(shell, 'sluice check rep')).toEqual(['repeat.slu', 'report.slu']);
  });

  test('options of the command', () => {
    expect(offered(shell, 'sluice run --max-t')).toEqual(['--max-time']);
    expect(offered(shell, 'sluice run report.slu --allow-file-w')).toEqual(['--allow-file-write']);
    expect(offered(shell, 'sluice report.slu --max-t')).toEqual(['--max-time']);
    expect(offered(shell, 'sluice check --max-t')).toEqual([]);
    expect(offered(shell, 'sluice --vers')).toEqual(['--version']);
  });

  test('values of options', () => {
    expect(offered(shell, 'sluice run --format ')).toEqual(['ndjson', 'text']);
    expect(offered(shell, 'sluice check report.slu --format sa')).toEqual(['sarif']);
    expect(offered(shell, 'sluice check --format=sa').map((word) => word.replace('--format=', ''))).toEqual(['sarif']);
    expect(offered(shell, 'sluice run --allow-file re')).toEqual(['resources']);
    expect(offered(shell, 'sluice run --record rep')).toContain('report.txt');
  });

  test('words', () => {
    expect(offered(shell, 'sluice completions ')).toEqual(['bash', 'fish', 'zsh']);
    expect(offered(shell, 'sluice help bu')).toEqual(['build']);
    expect(offered(shell, 'sluice explain NullA')).toEqual(['NullAccessError']);
  });
});

it('of another shell are a wrong use', () => {
  const { code, stderr } = folder.run('completions', 'fisch');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'sluice: SHELL is bash, zsh or fish, not fisch\nType: sluice completions fish\n' +
      'sluice completions --help says more\n',
  });
});
