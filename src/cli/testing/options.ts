// The options of `sluice test`.

import type { Option, OptionGroup } from '../command.ts';
import { determinismOptions } from '../determinism.ts';
import { limitOptions } from '../limits.ts';
import { permissionOptions } from '../permissions/options.ts';
import { pluginOption } from '../plugins.ts';

/** Seconds that a test may take if nothing else is said. */
export const usualSeconds = '10';

const limits: OptionGroup = { title: 'Limits', summary: 'what each test may use; 0 is no limit.' };
const permissions: OptionGroup = {
  title: 'Permissions',
  summary: 'a test reaches nothing unless a flag allows it; nobody is asked.',
};

/** What is for a person who is asked, or for one run. */
const notForTests: ReadonlySet<string> = new Set(['no-prompt', 'audit']);

export const testOptions: readonly Option[] = [
  {
    name: 'only',
    value: 'NAME',
    repeated: true,
    summary: 'Run the tests with this in their names (FILE > NAME), or those that fit /a regular expression/.',
    meantBy: ['filter', 'grep', 'name', 'test'],
  },
  {
    name: 'update',
    short: 'u',
    value: null,
    summary: 'Rewrite the comments // → so that they say what happens. Look at what has changed.',
  },
  { name: 'watch', value: null, summary: 'Run the tests again whenever one of their files changes, until Ctrl-C.' },
  { name: 'bail', value: null, summary: 'End after the first test that fails.', meantBy: ['fail-fast'] },
  {
    name: 'format',
    value: 'FORMAT',
    choices: ['text', 'tap', 'junit', 'json'],
    summary: 'text for people, TAP version 14, the XML of JUnit, or one JSON object.',
    meantBy: ['reporter'],
  },
  {
    name: 'coverage',
    value: 'DIR',
    isValueOptional: true,
    summary: 'Say which lines and branches the tests reach, in DIR/lcov.info and DIR/html too; `coverage` if left out.',
  },
  {
    name: 'coverage-min',
    value: 'PERCENT',
    summary: 'Fail if the tests reach fewer of the lines than this.',
    meantBy: ['coverage-threshold'],
  },
  {
    name: 'jobs',
    value: 'N',
    summary: 'How many files are tested at the same time; by the number of files and processors if left out.',
    meantBy: ['parallel'],
  },
  ...determinismOptions.map((option) =>
    option.name === 'seed'
      ? { ...option, summary: 'The numbers that Math.random draws: a whole number chooses which, 0 if left out.' }
      : option,
  ),
  pluginOption,
  ...limitOptions.map((option) => ({
    ...option,
    group: limits,
    ...(option.name === 'max-time'
      ? { summary: `How long each test may take; ${usualSeconds} if left out.` }
      : { summary: option.summary.replaceAll('a run', 'a test') }),
  })),
  ...permissionOptions
    .filter(({ name }) => !notForTests.has(name))
    .map((option) => ({ ...option, group: permissions })),
];
