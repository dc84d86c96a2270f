// `sluice find` as a user runs it.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
for (const name of ['lib', 'other']) mkdirSync(join(folder.path, name));
folder.write('lib/shapes.slu', 'export double area(double r) {\n  return 3.0 * r * r;\n}\n');
folder.write('lib/cones.slu', 'import "shapes.slu" as s;\nexport double cone(double r) { return s.area(r) / 3.0; }\n');
folder.write('main.slu', 'import "lib/shapes.slu" as shapes;\nyield shapes.area(2.0);\n');
folder.write('other/deep.slu', 'import "../lib/shapes.slu" as s;\nyield s.area(1.0);\n');
folder.write('broken.slu', 'import "lib/shapes.slu" as s;\nyield s.area(;\n');

/** The places, without what stands there. */
function find(words: readonly string[], at = folder.path): readonly string[] {
  const { code, stdout, stderr } = sluice(['find', ...words], { folder: at });
  expect([code, stderr]).toEqual([0, '']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(': ')[0]!)
    .toSorted();
}

describe('find references', () => {
  it('looks through the current folder, above the file too', () => {
    const places = [
      'broken.slu:2:9',
      'lib/cones.slu:2:41',
      'lib/shapes.slu:1:15',
      'main.slu:2:14',
      'other/deep.slu:2:9',
    ];
    expect(find(['references', 'lib/shapes.slu', 'area'])).toEqual(places);
    expect(find(['references', 'lib/shapes.slu:1:16'])).toEqual(places);
    expect(find(['references', 'main.slu:2:14'])).toEqual(places);
    expect(find(['references', join(folder.path, 'lib/shapes.slu'), 'area'])).toEqual(
      places.map((place) => join(folder.path, place)),
    );
  });

  it('of a file that is elsewhere looks through its folder', () => {
    const places = ['cones.slu:2:41', 'shapes.slu:1:15'];
    expect(find(['references', 'shapes.slu', 'area'], join(folder.path, 'lib'))).toEqual(places);
    expect(find(['references', '../lib/shapes.slu', 'area'], join(folder.path, 'other'))).toEqual(
      places.map((place) => `../lib/${place}`),
    );
  });

  it('finds nothing with exit code 1', () => {
    expect(folder.run('find', 'references', 'main.slu', 'nowhere')).toMatchObject({ code: 1, stdout: '' });
  });

  it('says that it has found nothing, and where', () => {
    expect(folder.run('find', 'references', 'main.slu', 'nowhere').stderr).toBe(
      'sluice: main.slu neither declares nor imports nowhere\n',
    );
    expect(folder.run('find', 'definition', 'main.slu:1:1')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'sluice: no name of a script stands at main.slu:1:1\n',
    });
    expect(folder.run('find', 'references', 'main.slu', 'nowhere', '--format', 'json')).toEqual({
      code: 1,
      stdout: '{"found":[]}\n',
      stderr: '',
    });
  });
});

describe('find definition', () => {
  it('follows an import', () => {
    expect(find(['definition', 'main.slu:2:14'])).toEqual(['lib/shapes.slu:1:15']);
  });
});
