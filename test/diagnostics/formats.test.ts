// Diagnostics for programs: SARIF and annotations of GitHub, held against what their formats ask for.

import { describe, expect, it } from 'vitest';
import { checkSource } from '../../src/compile.ts';
import { catalog } from '../../src/diagnostics/catalog.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { diagnosticRecord, githubAnnotations, sarifLog } from '../../src/diagnostics/formats.ts';
import { createSourceFile } from '../../src/source.ts';

const rules = new Map(Object.values(catalog).map((row) => [row.code, row]));

function diagnosticOf(more: Partial<Diagnostic> = {}, name = 'a.slu', text = 'int x = 1;\nyield x;\n'): Diagnostic {
  const file = createSourceFile(name, text);
  return {
    code: 'E2012',
    type: 'SemanticError',
    severity: 'error',
    message: 'wrong',
    help: null,
    span: { file, start: 4, end: 5 },
    labels: [],
    fix: null,
    ...more,
  };
}

describe('annotations of GitHub', () => {
  it('have place, title and message', () => {
    expect(githubAnnotations([diagnosticOf()])).toBe(
      '::error file=a.slu,line=1,endLine=1,col=5,endColumn=6,title=SemanticError E2012::wrong',
    );
    expect(githubAnnotations([diagnosticOf({ severity: 'warning', type: 'Warning', code: 'W5002' })])).toMatch(
      /^::warning .*title=Warning W5002::/,
    );
    expect(githubAnnotations([])).toBe('');
  });

  it('escape what would end a property or the line', () => {
    const found = diagnosticOf({ message: '100%: a, b\r\nc::d', help: 'do: this' }, 'a,b:c%\n.slu');
    expect(githubAnnotations([found])).toBe(
      '::error file=a%2Cb%3Ac%25%0A.slu,line=1,endLine=1,col=5,endColumn=6,title=SemanticError E2012::100%25: ' +
        'a, b%0D%0Ac::d%0Ahelp: do: this',
    );
  });

  it('say what labels say, and leave columns away over several lines', () => {
    const { span } = diagnosticOf();
    const found = diagnosticOf({ labels: [{ span, text: 'declared here' }], span: { ...span, end: 15 } });
    expect(githubAnnotations([found])).toBe(
      '::error file=a.slu,line=1,endLine=2,title=SemanticError E2012::wrong%0Aa.slu:1:5: declared here',
    );
  });
});

// SARIF

type Shape = 'string' | 'number' | readonly [Shape] | { readonly [name: string]: Shape };

const message = { text: 'string' } as const;
const region = { startLine: 'number', startColumn: 'number', endLine: 'number', endColumn: 'number' } as const;
const artifactLocation = { uri: 'string' } as const;
const physicalLocation = { artifactLocation, region } as const;

/** What section 3 of SARIF 2.1.0 says of the objects that are used; a name with ? may be missing. */
const shape: Shape = {
  $schema: 'string',
  version: 'string',
  runs: [
    {
      tool: {
        driver: {
          name: 'string',
          semanticVersion: 'string',
          rules: [
            {
              id: 'string',
              shortDescription: message,
              fullDescription: message,
              help: { text: 'string', markdown: 'string' },
              defaultConfiguration: { level: 'string' },
              properties: { tags: ['string'] },
            },
          ],
        },
      },
      columnKind: 'string',
      results: [
        {
          ruleId: 'string',
          ruleIndex: 'number',
          level: 'string',
          message,
          locations: [{ physicalLocation }],
          'relatedLocations?': [{ id: 'number', physicalLocation, message }],
          'fixes?': [
            {
              description: message,
              artifactChanges: [
                { artifactLocation, replacements: [{ deletedRegion: region, insertedContent: message }] },
              ],
            },
          ],
        },
      ],
    },
  ],
};

function faults(value: unknown, wanted: Shape, at = '$'): string[] {
  if (typeof wanted === 'string')
    return typeof value === wanted && value !== ''
      ? []
      : wanted === 'string' && at.endsWith('insertedContent.text')
        ? []
        : [`${at}: no ${wanted}`];
  if (Array.isArray(wanted))
    return Array.isArray(value)
      ? value.flatMap((element, index) => faults(element, wanted[0] as Shape, `${at}[${index}]`))
      : [`${at}: no array`];
  if (typeof value !== 'object' || value === null) return [`${at}: no object`];
  const names = Object.keys(wanted).map((name) => name.replace('?', ''));
  const unknown = Object.keys(value)
    .filter((name) => !names.includes(name))
    .map((name) => `${at}.${name}: not in SARIF`);
  return [
    ...unknown,
    ...Object.entries(wanted as { readonly [name: string]: Shape }).flatMap(([name, inner]) => {
      const present = (value as Record<string, unknown>)[name.replace('?', '')];
      return present === undefined && name.endsWith('?') ? [] : faults(present, inner, `${at}.${name}`);
    }),
  ];
}

interface Log {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly rules: readonly { readonly id: string; readonly help: { readonly markdown: string } }[];
      };
    };
    readonly columnKind: string;
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: Record<string, number>;
        };
      }[];
    }[];
  }[];
}

function logOf(diagnostics: readonly Diagnostic[]): Log {
  return JSON.parse(sarifLog(diagnostics, rules, '0.1.0')) as Log;
}

describe('SARIF', () => {
  it('has the structure of version 2.1.0, for every code', () => {
    const all = Object.values(catalog).flatMap(({ wrong }) => checkSource('a.slu', wrong).diagnostics);
    const log = logOf(all);
    expect(faults(log, shape)).toEqual([]);
    expect(log.version).toBe('2.1.0');
    const [run] = log.runs;
    expect(run!.columnKind).toBe('unicodeCodePoints');
    expect(run!.results).toHaveLength(all.length);
    for (const { ruleId, ruleIndex, level, locations } of run!.results) {
      expect(run!.tool.driver.rules[ruleIndex]!.id).toBe(ruleId);
      expect(['error', 'warning']).toContain(level);
      const { startLine, endLine, startColumn, endColumn } = locations[0]!.physicalLocation.region;
      expect(startLine! >= 1 && startColumn! >= 1 && (endLine! > startLine! || endColumn! >= startColumn!)).toBe(true);
    }
  });

  it('has a rule once, with its help', () => {
    const found = checkSource('a.slu', 'yield a;\nyield b;\n').diagnostics;
    const { rules: shown } = logOf(found).runs[0]!.tool.driver;
    expect(shown.map(({ id }) => id)).toEqual(['E2012']);
    expect(shown[0]!.help.markdown).toContain(catalog.unknownName.right);
  });

  it('counts columns in characters', () => {
    const found = checkSource('a.slu', 'yield "😀" + b;\n').diagnostics;
    expect(logOf(found).runs[0]!.results[0]!.locations[0]!.physicalLocation.region).toEqual({
      startLine: 1,
      startColumn: 13,
      endLine: 1,
      endColumn: 14,
    });
  });

  it('writes paths as references', () => {
    const uriOf = (name: string): string =>
      logOf([diagnosticOf({}, name)]).runs[0]!.results[0]!.locations[0]!.physicalLocation.artifactLocation.uri;
    expect(uriOf('dir/my file%.slu')).toBe('dir/my%20file%25.slu');
    expect(uriOf('../a.slu')).toBe('../a.slu');
    expect(uriOf('/tmp/ä.slu')).toBe('file:///tmp/%C3%A4.slu');
    expect(uriOf('C:\\x\\a.slu')).toBe('file:///C:/x/a.slu');
    expect(uriOf('dir\\a.slu')).toBe('dir/a.slu');
  });

  it('of nothing is a run without results', () => {
    expect(logOf([]).runs[0]!.results).toEqual([]);
  });
});

it('a record says of its fix whether it is sure', () => {
  const [found] = checkSource('a.slu', 'yield 1 === 1;').diagnostics;
  expect(diagnosticRecord(found!).fix).toEqual({
    description: "write '=='",
    sure: true,
    replacement: '==',
    file: 'a.slu',
    line: 1,
    column: 9,
    endLine: 1,
    endColumn: 12,
  });
});
