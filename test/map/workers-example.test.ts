// examples/map-workers: what it gives to programs are options that they have, and its Redis lets a run through.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../src/cli/commands.ts';
import { parseOptions } from '../../src/cli/parse-options.ts';
import { root } from '../../tools/entries.ts';
import { QueueFolder } from './queue-harness.ts';
import { startRedis } from './queue-servers.ts';

interface Service {
  readonly command: readonly string[];
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
}

const example = join(root, 'examples/map-workers');
const read = (name: string): string => readFileSync(join(example, name), 'utf8');
const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const folder = new QueueFolder();
afterAll(() => folder.remove());

describe('the example with workers', () => {
  it('gives commands the options that they have, and the secrets that these name', () => {
    for (const name of ['worker', 'coordinator']) {
      const { command, secrets } = compose.services[name]!;
      const [word, ...rest] = command;
      const { values } = parseOptions(
        commands.find((candidate) => candidate.name === word)!,
        rest,
      );
      const named = [...values.values()].flat().flatMap((value) => /\/run\/secrets\/(.*)$/.exec(value)?.[1] ?? []);
      expect([...named].sort()).toEqual([...secrets!].sort());
      for (const secret of named) expect(compose.secrets[secret]!.file).toBe(`./secrets/${secret}`);
    }
    const prepared = read('prepare.sh');
    for (const secret of ['users.acl', 'queue-url', 'job']) expect(prepared).toContain(`secrets/${secret}`);
  });

  it('has a Redis that lets its user run jobs, and nobody else', async () => {
    const settings = read('redis.conf')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('aclfile'))
      .flatMap((line) => {
        const [option, ...words] = line.split(' ');
        return [`--${option!}`, words.join(' ').replaceAll('"', '')];
      });
    const users = folder.write('users.acl', read('users.acl').replace('PASSWORD', 'secret'));
    const redis = await startRedis([...settings, '--aclfile', users], 'sluice:secret');
    try {
      const script = folder.write('s.slu', 'type Out { int n; } export Out map(int n) { return { n: n + 1 }; }');
      const input = folder.write('in.ndjson', '{"n":1}\n');
      await folder.worker(redis.url);
      const plan = { script, input, output: folder.file('out') };
      expect(await folder.queued(plan, redis.url)).toMatchObject({ read: 1, written: 1 });
      await expect(
        folder.queued({ ...plan, output: folder.file('other') }, redis.url.replace('secret', 'guess')),
      ).rejects.toThrow(/^cannot reach the queue at redis:\/\/127\.0\.0\.1:\d+: .*(WRONGPASS|invalid username)/);
    } finally {
      await folder.end();
      await redis.stop();
    }
  });
});
