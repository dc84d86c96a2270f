// The settings: the page and the extension say the defaults that the server has, and faulty ones change nothing.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultSettings, readSettings, readWorkspaceSettings } from '../../src/language-server/settings.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** Names with dots in them, such as `hints.conversions`, with their defaults. */
function flatten(settings: object, prefix = ''): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatten(value as object, `${prefix}${name}.`)
      : [[prefix + name, value] as const],
  );
}

const settings = flatten(defaultSettings);

describe('the page about editors', () => {
  it('lists each setting with its default', () => {
    const section = read('docs/editors.md').split('## Settings of the language server')[1]!.split('\n## ')[0]!;
    const rows = [...section.matchAll(/^\| `([\w.]+)` \| `(.*?)` \| \S/gm)].map(([, name, value]) => [name, value]);
    expect(rows).toEqual(settings.map(([name, value]) => [name, JSON.stringify(value)]));
  });
});

describe('the extension for VS Code', () => {
  it('has the same defaults for the settings that it hands on', () => {
    const { contributes } = JSON.parse(read('editors/vscode/package.json')) as {
      contributes: { configuration: { properties: Record<string, { default: unknown }> } };
    };
    const { properties } = contributes.configuration;
    const shared = settings.filter(([name]) => `sluice.${name}` in properties);
    expect(shared.map(([name]) => [name, properties[`sluice.${name}`]!.default])).toEqual(shared);
    // What a user of the editor does not choose: trust is the editor's, links are those of who makes the extension.
    expect(settings.filter((row) => !shared.includes(row)).map(([name]) => name)).toEqual(['trusted', 'explanations']);
  });
});

describe('settings', () => {
  it('that are left out stay, and those of another type are left out', () => {
    const before = readSettings({ trusted: true, lenses: { costs: true } });
    expect(flatten(before).filter(([, value], at) => value !== settings[at]![1])).toEqual([
      ['trusted', true],
      ['lenses.costs', true],
    ]);
    expect(readSettings({ trusted: 'no', plugins: [1], hints: 7, lenses: null }, before)).toEqual(before);
    for (const given of [null, undefined, 'all', []]) expect(readSettings(given, before)).toEqual(before);
  });

  it('of a workspace never say that it is trusted', () => {
    expect(readWorkspaceSettings({ trusted: true, plugins: ['a.mjs'] }, defaultSettings)).toEqual({
      ...defaultSettings,
      plugins: ['a.mjs'],
    });
  });
});
