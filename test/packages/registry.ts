// The packages as people get them: packed, and served by a registry of this machine to whatever installs them.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { allPackages, packageFolder } from '../../tools/entries.ts';
import type { PackageName } from '../../tools/entries.ts';

export interface Packed {
  readonly name: PackageName;
  readonly manifest: { readonly version: string };
  /** The packed file. */
  readonly path: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Packs all packages into a folder. */
export function packAll(folder: string): readonly Packed[] {
  return allPackages.map((name): Packed => {
    const told = execFileSync('npm', ['pack', '--json', '--ignore-scripts', `--pack-destination=${folder}`], {
      cwd: packageFolder(name),
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    // By name, or as a list, whichever npm it is.
    const [packed] = Object.values(JSON.parse(told) as Record<string, { filename: string; files: Packed['files'] }>);
    return {
      name,
      manifest: JSON.parse(readFileSync(join(packageFolder(name), 'package.json'), 'utf8')) as Packed['manifest'],
      path: join(folder, packed!.filename),
      files: packed!.files,
    };
  });
}

export interface Registry {
  readonly url: string;
  readonly close: () => void;
}

/** A registry that has these packages, and says of everything else that there is none. */
export async function serveRegistry(packages: readonly Packed[]): Promise<Registry> {
  const server = createServer((request, response) => {
    const [, name, isFile] = /^\/([^/?]+)(\/file\.tgz)?/.exec(decodeURIComponent(request.url!)) ?? [];
    const found = packages.find((packed) => packed.name === name);
    if (found === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
      return;
    }
    const bytes = readFileSync(found.path);
    if (isFile !== undefined) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
      return;
    }
    const { version } = found.manifest;
    const long = '2020-01-01T00:00:00.000Z';
    const dist = {
      tarball: `${url()}${found.name}/file.tgz`,
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      shasum: createHash('sha1').update(bytes).digest('hex'),
    };
    const document = {
      name,
      'dist-tags': { latest: version },
      time: { created: long, modified: long, [version]: long },
      versions: { [version]: { ...found.manifest, dist } },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
