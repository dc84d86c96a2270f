// Help, versions, and what a wrong use is told. No line of the usual output is a stack.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { sluice } from './sluice.ts';

describe('help', () => {
  it('shows a value that may be left out behind an equals sign, in the usage and in the table', () => {
    for (const [command, spelling] of [
      ['fmt', '--stdin[=FILE]'],
      ['build', '--explain-loops[=text|json]'],
      ['test', '--coverage[=DIR]'],
    ] as const) {
      const [usage, table] = sluice([command, '--help']).stdout.split('\n\n').slice(1, 3);
      expect(usage).toContain(`[${spelling}]`);
      expect(table).toContain(`  ${spelling.replace('text|json', 'FORMAT')}  `);
    }
  });

  it('lists the commands', () => {
    for (const words of [['--help'], ['-h'], ['help']]) {
      const { code, stdout, stderr } = sluice(words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('       sluice FILE.slu   runs a script');
      for (const { name, summary } of commands)
        expect(stdout).toMatch(new RegExp(`^  ${name} .*${summary.slice(0, 20)}`, 'm'));
    }
  });

  it('lists commands that the page about the command line has too', () => {
    const page = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
    for (const { name } of commands) expect(page).toMatch(new RegExp(`^\\| .*\`sluice ${name}[ \`].* \\|$`, 'm'));
  });

  it.each(commands.map(({ name }) => name))('shows options and examples of %s', (name) => {
    const { code, stdout } = sluice([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: sluice ${name} `);
    expect(stdout).toContain(`Examples:\n  ${commands.find((command) => command.name === name)!.examples[0]!}`);
    expect(sluice(['help', name]).stdout).toBe(stdout);
  });

  it('shows the version', () => {
    expect(sluice(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
    expect(sluice(['run', '-v']).stdout).toBe('0.1.0\n');
  });
});

describe('a wrong use', () => {
  it('of a script by its name alone says what to type', () => {
    expect(sluice(['ledger', '--time'], { folder: `${import.meta.dirname}/../../examples` }).stderr).toBe(
      'sluice: there is no command ledger\nType: sluice run ledger.slu --time\nsluice --help lists the commands\n',
    );
  });

  const cases: [string[], string][] = [
    [['rnu', 'a.slu'], 'there is no command rnu: did you mean run?\nType: sluice run a.slu\n'],
    [['xyzzy'], 'there is no command xyzzy\nsluice --help lists the commands\n'],
    [['init', 'report'], 'there is no command init\nType: sluice new report\n'],
    [['format', 'a.slu'], 'there is no command format\nType: sluice fmt a.slu\n'],
    [['watch', 'a.slu'], 'there is no command watch\nType: sluice run --watch a.slu\n'],
    [['version'], 'there is no command version\nType: sluice --version\n'],
    [['docs'], 'there is no command docs\nType: sluice --help\n'],
    [['compile', 'a.slu'], 'there is no command compile\nType: sluice build a.slu\n'],
    [['lint', 'a.slu'], 'there is no command lint\nType: sluice check a.slu\n'],
    [['repl'], "there is no command repl\nType: echo 'yield 1 + 1;' | sluice -\n"],
    [['eval', '1'], "there is no command eval\nType: echo 'yield 1 + 1;' | sluice -\n"],
    [['-e', '1'], "sluice has no option -e\nType: echo 'yield 1 + 1;' | sluice -\n"],
    [['toString'], 'there is no command toString\n'],
    [['package.json', '--time'], 'there is no command package.json\nType: sluice run package.json --time\n'],
    [['a.slu'], 'cannot read a.slu: there is no such file\n'],
    [['./a'], 'cannot read ./a: there is no such file\n'],
    [['--time'], 'sluice run needs FILE.slu|FILE.wasm\nType: sluice run hello.slu\n'],
    [['--hlep'], 'sluice has no option --hlep: did you mean --help?\nType: sluice --help\n'],
    [['-version'], 'sluice has no option -version: did you mean --version?\n'],
    [['run'], 'sluice run needs FILE.slu|FILE.wasm\nType: sluice run hello.slu\n'],
    [['run', ''], 'sluice run needs FILE'],
    [
      ['run', 'a.slu', 'n=1'],
      'takes one FILE.slu|FILE.wasm, and n=1 is one too many: an argument of main is given as -a n=1\n' +
        'Type: sluice run a.slu -a n=1\n',
    ],
    [
      ['a.slu', 'Ada'],
      'and Ada is one too many: an argument of main is given as -a NAME=Ada\nType: sluice run a.slu -a NAME=Ada\n',
    ],
    [['a.slu', '--', 'Ada'], 'is given as -a NAME=Ada\nType: sluice run a.slu -a NAME=Ada\n'],
    [['a.slu', 'package.json'], 'is given as -a NAME=@package.json\nType: sluice run a.slu -a NAME=@package.json\n'],
    [['a.slu', '-a', 'who', 'Ada'], 'is given as -a who=Ada\nType: sluice run a.slu -a who=Ada\n'],
    [['run', 'a.slu', 'b.slu'], 'and b.slu is one too many\nType: sluice run a.slu\n'],
    [
      ['a.slu', '--name', 'Ada'],
      'has no option --name: an argument of main is given as -a name=Ada\nType: sluice run a.slu -a name=Ada\n',
    ],
    [['a.slu', '--sed', '5'], 'did you mean --seed?\nType: sluice run a.slu --seed 5\n'],
    [['run', '--tmie', 'a.slu'], 'did you mean --time?\nType: sluice run --time a.slu\n'],
    [['src'], 'there is no command src, and src here is a directory\nsluice --help lists the commands\n'],
    [['.'], 'cannot read .: it is a directory\n'],
    [
      ['map', 'a.slu', 'b.csv', '-o', 'out'],
      'takes one FILE.slu, and b.csv is one too many: files to read are given as --input b.csv\n' +
        'Type: sluice map a.slu --input b.csv -o out\n',
    ],
    [['build', 'a.slu', 'b.slu'], 'takes one FILE.slu, and b.slu is one too many\nType: sluice build a.slu\n'],
    [
      ['run', 'a.slu', '--tmie'],
      'sluice run has no option --tmie: did you mean --time?\nType: sluice run a.slu --time\n' +
        'sluice run --help says more\n',
    ],
    [['run', 'a.slu', '-z'], 'sluice run has no option -z\nUsage: sluice run FILE.slu|FILE.wasm [OPTIONS]\n'],
    [
      ['a.slu', '--max-tme=5'],
      'sluice run has no option --max-tme: did you mean --max-time?\nType: sluice run a.slu --max-time=5\n',
    ],
    [
      ['run', 'a.slu', '--xs=[1]'],
      "sluice run has no option --xs: an argument of main is given as -a 'xs=[1]'\n" +
        "Type: sluice run a.slu -a 'xs=[1]'\n",
    ],
    [
      ['run', 'a.slu', '--path=data/a.csv'],
      'sluice run has no option --path: an argument of main is given as -a path=data/a.csv\n' +
        'Type: sluice run a.slu -a path=data/a.csv\n',
    ],
    [['bench', 'a.slu', '-n=1'], 'sluice bench has no option -n: an argument of main is given as -a n=1\n'],
    [
      ['run', 'a.slu', '--fromat=text'],
      'sluice run has no option --fromat: did you mean --format?\nType: sluice run a.slu --format=text\n',
    ],
    [['check', 'a.slu', '--n=1'], 'sluice check has no option --n\n'],
    [['run', 'a.slu', '--time=yes'], '--time takes no value\nType: sluice run a.slu --time\n'],
    [['run', 'a.slu', '-a'], '-a needs a value: -a NAME=VALUE\nType: sluice run a.slu -a NAME=VALUE\n'],
    [['run', 'a.slu', '-a', '--time'], '-a needs a value'],
    [
      ['run', 'a.slu', '--format', 'ndjsn'],
      '--format is text or ndjson, not ndjsn: did you mean ndjson?\nType: sluice run a.slu --format ndjson\n',
    ],
    [
      ['check', 'a.slu', '--format=xml'],
      '--format is text, json, sarif or github, not xml\nType: sluice check a.slu --format=text\n',
    ],
    [['run', 'a.slu', '--format', 'text', '--format', 'text'], '--format is given twice'],
    [['bench', 'a.slu', '--reps', '0'], '--reps is a whole number from 1'],
    [['bench', 'a.slu', '--reps', '1.5'], '--reps is a whole number from 1'],
    [['build', 'a.slu', '-o'], '-o needs a value: -o OUT.wasm'],
    [['explain'], 'sluice explain needs CODE'],
    [['explain', 'E9999'], 'there is no E9999 to explain'],
    [['explain', 'NulAccessError'], 'did you mean NullAccessError?'],
    [['help', 'rum'], 'there is no command rum: did you mean run?'],
  ];
  it.each(cases)('%j', (words, message) => {
    const { code, stdout, stderr } = sluice(words);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(160);
  });

  it('does not echo what a terminal would act on', () => {
    expect(sluice(['\u001b[31mred']).stderr).not.toContain('\u001b');
  });
});

describe('explain', () => {
  it('explains run-time errors, in any case', () => {
    const { code, stdout } = sluice(['explain', 'nullaccesserror']);
    expect(code).toBe(0);
    expect(stdout).toContain('Property, index or method on null.');
    expect(stdout).toContain('catch (NullAccessError e)');
  });

  it('shows what the compiler says of the wrong script', () => {
    const { stdout } = sluice(['explain', 'e2018']);
    expect(stdout).toContain('The compiler says:\n\n    SemanticError E2018: ');
    expect(stdout).toContain('Point is declared here');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(100);
    expect(sluice(['explain', 'E3002']).stdout.length).toBeLessThan(3000);
  });

  it('says that arguments of main raise a TypeError', () => {
    expect(sluice(['explain', 'TypeError']).stdout).toContain(
      '\n\nA missing, unknown or mistyped argument of main raises it too',
    );
    expect(sluice(['explain', 'KeyNotFoundError']).stdout).not.toContain('argument of main');
  });
});

describe('an old Node', () => {
  it('is told what to do, in one sentence', () => {
    const pretend = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
    const { code, stdout, stderr } = sluice(['--help'], {
      nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`],
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^sluice needs Node 24\.20 or newer, and this is Node 20\.20\.2: .*npm start.*\n$/);
  });
});
