// The commands and their options, as a table. Parsing, help and suggestions read it.

import type { Command, Option, OptionGroup } from './command.ts';
import { determinismOptions } from './determinism.ts';
import { limitOptions } from './limits.ts';
import { mapOptions, mapWorkerOptions } from './map-options.ts';
import { logOptions } from './logs.ts';
import { permissionOptions } from './permissions/options.ts';
import { pluginOption } from './plugins.ts';
import { testOptions } from './testing/options.ts';

const argument: Option = {
  name: 'arg',
  short: 'a',
  value: 'NAME=VALUE',
  repeated: true,
  summary: 'An argument of main: text for a string, otherwise JSON. NAME=@PATH reads the value from a file.',
};

const lines: Option = {
  name: 'format',
  value: 'FORMAT',
  choices: ['text', 'ndjson'],
  summary: 'text for people, ndjson for one JSON object a line.',
};

const raw: Option = {
  name: 'raw',
  value: null,
  summary: 'Write what the script yields and returns as it is, to a terminal too, which may act on it.',
};

const watch: Option = {
  name: 'watch',
  value: null,
  summary: 'Run it again whenever the script or a file that it needs changes, until Ctrl-C.',
};

const noCache: Option = {
  name: 'no-cache',
  value: null,
  summary: 'Compile the script even if this very text has been compiled before.',
};

const report: Option = {
  name: 'format',
  value: 'FORMAT',
  choices: ['text', 'json', 'sarif', 'github'],
  summary: 'Diagnostics as text for people, {"diagnostics":[…]}, SARIF 2.1.0, or annotations of GitHub.',
};

const compilerOptions: OptionGroup = {
  title: 'The compiler',
  summary: 'what its passes make of a script, for who works on them',
};

const answer: Option = {
  name: 'format',
  value: 'FORMAT',
  choices: ['text', 'json'],
  summary: 'The answer as text for people, or as one JSON object.',
};

export const commands: readonly Command[] = [
  {
    name: 'run',
    operand: 'FILE.slu|FILE.wasm',
    summary: 'Compile a script, or take a built module, and run it.',
    options: [
      argument,
      lines,
      raw,
      ...determinismOptions,
      { name: 'time', value: null, summary: 'Also say how long it took to compile, instantiate and run.' },
      watch,
      noCache,
      pluginOption,
      ...logOptions,
      ...limitOptions,
      ...permissionOptions,
    ],
    examples: [
      'sluice run hello.slu',
      'sluice hello.slu',
      'generate | sluice run - -a limit=10',
      'sluice run report.slu -a title="May" -a limit=10 -a csv=@data.csv',
      'sluice run report.slu --watch',
      'sluice run report.wasm --format ndjson --time',
      'sluice run fetch.slu --allow-http-get=api.example.com --allow-file-write=out',
      'sluice run fetch.slu --allow-http-get=api.example.com --record log.json',
    ],
    load: async () => (await import('./run.ts')).runCommand,
  },
  {
    name: 'build',
    operand: 'FILE.slu',
    summary: 'Compile a script to a WebAssembly module.',
    options: [
      {
        name: 'output',
        short: 'o',
        value: 'OUT.wasm',
        summary: 'Where the module goes; beside the script if left out.',
      },
      { name: 'source-map', value: null, summary: 'Also write OUT.wasm.map, for the debuggers of browsers.' },
      report,
      {
        name: 'no-guards',
        value: null,
        summary:
          'Leave out what limits of fuel, time, memory and depth need. Such a module is held only to those that ' +
          'its process or worker is.',
      },
      pluginOption,
      { name: 'wat', value: null, summary: 'Also write OUT.wat, the module as text.' },
      {
        name: 'explain-loops',
        value: 'FORMAT',
        isValueOptional: true,
        choices: ['text', 'json'],
        summary: 'Say of each loop what makes it fast, what keeps it slow, and where: docs/performance.md.',
      },
      {
        name: 'print-mir',
        value: 'PASS',
        isValueOptional: true,
        summary: 'Print the mid-level form behind all passes, or behind PASS; `lower` is before the first.',
        group: compilerOptions,
      },
      {
        name: 'without-pass',
        value: 'PASS',
        repeated: true,
        summary: 'Leave out an optional pass.',
        group: compilerOptions,
      },
      {
        name: 'assert-bounds',
        value: null,
        summary: 'End with an internal error where an index is out of range that passes took to be in range.',
        group: compilerOptions,
      },
    ],
    examples: [
      'sluice build report.slu -o report.wasm',
      'sluice build report.slu -o report.wasm --source-map --wat',
      'sluice build report.slu --explain-loops',
    ],
    load: async () => (await import('./build.ts')).buildCommand,
  },
  {
    name: 'check',
    operand: 'FILE.slu',
    summary: 'Report what is wrong with a script, without building it.',
    options: [
      report,
      pluginOption,
      { name: 'fix', value: null, summary: 'Make the edits that are surely right, and report what is left.' },
    ],
    examples: [
      'sluice check report.slu',
      'sluice check report.slu --fix',
      'sluice check report.slu --format sarif > report.sarif',
    ],
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    name: 'fmt',
    operand: '[FILE.slu …]',
    takesMany: true,
    summary: 'Format scripts: files, those in folders, or without a name all below this folder.',
    options: [
      {
        name: 'check',
        value: null,
        summary: 'Write nothing: list the scripts that are not formatted, and end with 1 if there are any.',
      },
      {
        name: 'stdin',
        value: 'FILE',
        isValueOptional: true,
        summary: 'Format standard input to standard output. FILE is its name, for messages and .editorconfig.',
      },
    ],
    examples: [
      'sluice fmt',
      'sluice fmt report.slu lib/',
      'sluice fmt --check',
      'sluice fmt --stdin=report.slu < report.slu',
    ],
    load: async () => (await import('./fmt.ts')).fmtCommand,
  },
  {
    name: 'test',
    operand: '[FILE.slu …]',
    takesMany: true,
    summary: 'Test that scripts do what their comments // → say, and run the tests in files named *.test.slu.',
    options: testOptions,
    examples: [
      'sluice test',
      'sluice test tests/ geometry.slu --only area',
      'sluice test --update',
      'sluice test --format junit > results.xml',
    ],
    load: async () => (await import('./testing/test.ts')).testCommand,
  },
  {
    name: 'types',
    operand: 'FILE.slu|FILE.wasm',
    summary: 'Write the types of a script for TypeScript: arguments, yields, result, exported functions.',
    options: [
      {
        name: 'output',
        short: 'o',
        value: 'OUT.d.ts',
        summary: 'Where the declarations go; beside the file if left out.',
      },
      {
        name: 'ints',
        value: 'KIND',
        choices: ['bigint', 'number', 'auto'],
        summary: 'What ints come out as: the option `ints` that the script is loaded with.',
      },
      pluginOption,
    ],
    examples: [
      'sluice types report.slu',
      'sluice types report.wasm -o types/report.d.ts',
      'sluice types report.slu --ints=number',
    ],
    load: async () => (await import('./types.ts')).typesCommand,
  },
  {
    name: 'bench',
    operand: 'FILE.slu|FILE.wasm',
    summary: 'Run a script several times and say how long its runs took.',
    options: [
      argument,
      ...determinismOptions,
      { name: 'reps', value: 'N', summary: 'How many runs; 10 if left out.' },
      lines,
      noCache,
      pluginOption,
      ...limitOptions,
      ...permissionOptions,
    ],
    examples: ['sluice bench nbody.slu --reps 20', 'sluice bench nbody.slu --reps 20 -a n=1000 --format ndjson'],
    load: async () => (await import('./bench.ts')).benchCommand,
  },
  {
    name: 'profile',
    operand: 'FILE.slu',
    summary: 'Run a script and say which of its functions and loops use the most fuel, or time.',
    options: [
      argument,
      {
        name: 'output',
        short: 'o',
        value: 'OUT',
        summary:
          'Where the profile goes, for https://www.speedscope.app: OUT.speedscope.json; with --cpu OUT.cpuprofile, ' +
          'which browsers open too.',
      },
      { name: 'cpu', value: null, summary: 'Measure time, in the optimised script, in place of fuel.' },
      lines,
      raw,
      ...determinismOptions,
      pluginOption,
      ...limitOptions,
      ...permissionOptions,
    ],
    examples: [
      'sluice profile report.slu -a limit=10',
      'sluice profile report.slu -o report.speedscope.json',
      'sluice profile report.slu --cpu -o report.cpuprofile',
    ],
    load: async () => (await import('./profile.ts')).profileCommand,
  },
  {
    name: 'map',
    operand: 'FILE.slu',
    summary: 'Run a script over all records of Parquet, CSV or NDJSON files, on all cores.',
    options: [...mapOptions, noCache],
    examples: [
      "sluice map clean.slu --input 'in/*.parquet' -o out -a limit=3",
      'sluice map clean.slu --input orders.csv -o out --plan',
      'sluice map clean.slu --input orders.csv -o out --column unit="Unit Price" --null unit=skip',
    ],
    load: async () => (await import('./map.ts')).mapCommand,
  },
  {
    name: 'map-worker',
    operand: '',
    summary: 'Take partitions of sluice map --queue, on this machine, until Ctrl-C.',
    options: mapWorkerOptions,
    examples: ['sluice map-worker --queue redis://localhost --trust job.pub --allow-input in --allow-output out'],
    load: async () => (await import('./map-worker.ts')).mapWorkerCommand,
  },
  {
    name: 'map-keys',
    operand: 'NAME',
    summary: 'Make NAME.key, which signs jobs of sluice map --queue, and NAME.pub, by which workers know them.',
    options: [],
    examples: ['sluice map-keys job'],
    load: async () => (await import('./map-keys.ts')).mapKeysCommand,
  },
  {
    name: 'lsp',
    operand: '',
    summary: 'Start the language server, which editors talk to over standard input and output.',
    options: [
      { name: 'stdio', value: null, summary: 'Talk over standard input and output, which it does without this too.' },
      {
        name: 'clientProcessId',
        value: 'ID',
        summary: 'The process of the editor: the server ends when that has gone.',
      },
      pluginOption,
    ],
    examples: ['sluice lsp', 'sluice lsp --stdio'],
    load: async () => (await import('./language-server/lsp.ts')).lspCommand,
  },
  {
    name: 'find',
    operand: 'references|definition FILE.slu:LINE:COLUMN',
    takesMany: true,
    summary: 'Find where a name is used or declared, in all scripts of this folder; FILE.slu NAME is a place.',
    options: [answer, pluginOption],
    examples: [
      'sluice find references report.slu:3:14',
      'sluice find references report.slu total',
      'sluice find definition report.slu:12:5 --format json',
    ],
    load: async () => (await import('./find.ts')).findCommand,
  },
  {
    name: 'permissions',
    operand: 'FILE.slu',
    summary: 'Say what each function of a script can ask for, and the flags that allow it.',
    options: [answer, pluginOption],
    examples: ['sluice permissions report.slu', 'sluice permissions report.slu --format json'],
    load: async () => (await import('./list-permissions.ts')).permissionsCommand,
  },
  {
    name: 'explain',
    operand: 'CODE',
    summary: 'Explain a diagnostic or a run-time error, with an example.',
    options: [],
    examples: ['sluice explain E2001', 'sluice explain NullAccessError'],
    load: async () => (await import('./explain.ts')).explainCommand,
  },
  {
    name: 'new',
    operand: 'NAME',
    summary: 'Make a folder with a script to begin with.',
    options: [],
    examples: ['sluice new report'],
    load: async () => (await import('./new.ts')).newCommand,
  },
  {
    name: 'completions',
    operand: 'SHELL',
    operandChoices: ['bash', 'zsh', 'fish'],
    summary: 'Write what makes a shell complete commands, options and files: bash, zsh or fish.',
    options: [],
    examples: [
      'eval "$(sluice completions bash)"',
      'eval "$(sluice completions zsh)"',
      'sluice completions fish | source',
    ],
    load: async () => (await import('./completions/completions.ts')).completionsOf(commands),
  },
];
