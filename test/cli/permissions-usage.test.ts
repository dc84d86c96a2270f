// What is said of flags for permissions that cannot be, and how help shows those that can.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { UsageError } from '../../src/cli/exit.ts';
import { commandHelp } from '../../src/cli/help.ts';
import { parseOptions } from '../../src/cli/parse-options.ts';
import { readByteSize } from '../../runtime-host/permissions/command-line/byte-size.ts';
import { permissionOptions } from '../../src/cli/permissions/options.ts';
import { readFlags } from '../../src/cli/permissions/read-flags.ts';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
mkdirSync(join(folder.path, 'data'));
folder.write('file.txt', '');

const run = commands.find(({ name }) => name === 'run')!;

describe('a flag that cannot be', () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      '--allow-file-read=dta',
      '--allow-file-read takes a directory that exists, and there is no dta: did you mean data?',
    ],
    ['--allow-file=file.txt', '--allow-file takes a directory, and file.txt is none: allow the one that it is in'],
    ['--allow-file=file.txt/x', 'takes a directory that exists, and there is no file.txt/x'],
    ['--allow-file-write=', '--allow-file-write takes a directory, and is given nothing'],
    ['--file-extensions=txt,', '--file-extensions takes extensions such as txt,csv, and one of them is empty'],
    ['--file-extensions=tar.gz', 'takes extensions such as txt,csv, not tar.gz'],
    [
      '--file-max-bytes=10 apples',
      '--file-max-bytes takes a number of bytes, or a size such as 10MB or 64KiB, not 10 apples',
    ],
    ['--http-max-bytes=-1', '--http-max-bytes takes a number of bytes'],
    ['--allow-http=https://example.com', '--allow-http takes the name of a host without scheme: example.com'],
    [
      '--allow-http-get=example.com:8080',
      '--allow-http-get takes the name of a host without port: example.com, and --http-ports=8080 for the port',
    ],
    [
      '--allow-http=https://example.com:8080/a',
      'without scheme or port or path: example.com, and --http-ports=8080 for the port',
    ],
    ['--allow-http=a.test,b.test', 'takes the name of one host: give it once for each'],
    ['--allow-http=*', 'and * is nearly every one: write out more, as in *.example.com'],
    ['--allow-http=*.com', 'and *.com is nearly every one'],
    ['--allow-http=::1', 'takes an address of IPv6 in brackets: [::1]'],
    ['--allow-http=me@example.com', 'takes the name of a host such as example.com, not me@example.com'],
    ['--allow-http=', 'takes the name of a host, and is given nothing'],
    ['--http-ports=80,http', '--http-ports takes ports from 1 to 65535 such as 80,443, not http'],
    ['--http-ports=0', 'takes ports from 1 to 65535 such as 80,443, not 0'],
    ['--http-timeout-ms=0', '--http-timeout-ms takes milliseconds from 1 to 2147483647, not 0'],
    ['--http-timeout-ms=1e3', 'not 1e3'],
    ['--allow-env=', '--allow-env takes the name of a variable, and is given nothing'],
    ['--allow-env=HOME=x', '--allow-env takes the name of a variable without a value: HOME'],
    ['--allow-env=HOME,LANG', 'takes the name of one variable: --allow-env=HOME --allow-env=LANG'],
    ['--allow-env=*', 'takes the name of one variable: give it once for each'],
    ['--allow-system=os.nam', 'user.timezone, not os.nam: did you mean os.name?'],
    ['--allow-plugin=db', '--allow-plugin takes CATEGORY:ACTION, such as db:query, not db'],
    ['--allow-plugin=:query', 'not :query'],
    ['--allow-read=data', 'sluice run has no option --allow-read: did you mean --allow-file-read?'],
    ['--allow-net=example.com', 'did you mean --allow-http?'],
    ['--allow-all=yes', '--allow-all takes no value'],
  ];
  it.each(cases)('%s', (flag, message) => {
    let thrown: unknown;
    try {
      readFlags(parseOptions(run, ['a.slu', flag]), 'run', folder.path);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UsageError);
    expect((thrown as UsageError).message).toContain(message);
    expect((thrown as UsageError).command).toBe('run');
  });

  it('ends the command before the script begins', () => {
    folder.write('yields.slu', 'yield 1;\n');
    for (const command of ['run', 'bench']) {
      const { code, stdout, stderr } = folder.run(command, 'yields.slu', '--allow-file=none');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        new RegExp(
          '^sluice: --allow-file takes a directory that exists, and there is no none\n' +
            `Usage: sluice ${command} FILE.slu.FILE.wasm .OPTIONS.\nsluice ${command} --help says more\n$`,
        ),
      );
    }
  });
});

describe('sizes', () => {
  it.each([
    ['0', 0],
    ['4096', 4096],
    ['10MB', 1e7],
    ['10 mb', 1e7],
    ['1.5KiB', 1536],
    ['2GiB', 2 ** 31],
    ['1b', 1],
  ] as const)('%s', (text, bytes) => {
    expect(readByteSize(text)).toBe(bytes);
  });

  it.each(['', 'MB', '1.5', '-1', '1e3', '0x10', '10 M', '10toString', '99999999999999999999', '9007199254740992'])(
    '%j is none',
    (text) => {
      expect(readByteSize(text)).toBe(null);
    },
  );
});

describe('help', () => {
  it.each(['run', 'bench'])('of %s has every flag below a title of its own', (name) => {
    const help = commandHelp(commands.find((command) => command.name === name)!);
    const permissions = help.slice(help.indexOf('\nPermissions: '), help.indexOf('\nExamples:'));
    for (const option of permissionOptions)
      expect(permissions).toMatch(
        new RegExp(`^  --${option.name}[ [].*  ${option.summary.slice(0, 10).replace('*', '\\*')}`, 'm'),
      );
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThan(180);
  });
});
