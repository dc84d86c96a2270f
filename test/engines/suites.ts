// What every engine must pass, as groups of checks that run in any of them: in this process, in another runtime, and
// in a page. A further suite is one more row of `suites`.

import { checkCase, readCase } from '../conformance-harness.ts';
import { contractRows, makeMemoryPlace, runContractRow } from '../host/contract.ts';
import { compareGiven } from './compare-given.ts';
import { memoryHttpGroup } from './http-groups.ts';
import { memoryGroup } from './memories.ts';
import { framesOf, stackRows, tellsPlacesOfCallers } from './stacks.ts';

/** What the groups need from outside: the texts of the conformance cases, by name. */
export type CaseTexts = Readonly<Record<string, string>>;

/** Checks that are reported together. */
export interface Group {
  readonly suite: string;
  readonly name: string;
  readonly checks: readonly Check[];
}

export interface Check {
  readonly name: string;
  /** A line for each deviation. */
  readonly run: () => Promise<readonly string[]>;
}

export interface GroupResult {
  readonly suite: string;
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly complaints: readonly string[];
}

const suites: readonly {
  readonly name: string;
  readonly groups: (texts: CaseTexts) => readonly Omit<Group, 'suite'>[];
}[] = [
  { name: 'conformance', groups: conformanceGroups },
  { name: 'host', groups: () => [contractGroup(), memoryHttpGroup, stackGroup, memoryGroup] },
];

/** Every group of every suite. */
export function listGroups(texts: CaseTexts): readonly Group[] {
  return suites.flatMap(({ name, groups }) => groups(texts).map((group) => ({ suite: name, ...group })));
}

function conformanceGroups(texts: CaseTexts): readonly Omit<Group, 'suite'>[] {
  const topics = Map.groupBy(Object.entries(texts), ([name]) => name.slice(0, name.indexOf('/')));
  return [...topics].map(([name, cases]) => ({
    name,
    checks: cases.map(([caseName, text]) => ({ name: caseName, run: () => checkCase(readCase(caseName, text)) })),
  }));
}

/** The contract of a platform, on the one that every engine has: memory. */
function contractGroup(): Omit<Group, 'suite'> {
  const checks = contractRows.map((row) => ({
    name: row.name,
    run: async () => compareGiven(row.name, row.gives, await runContractRow(row, makeMemoryPlace())),
  }));
  return { name: 'the contract in memory', checks };
}

/** Stacks of errors, whole: the conformance cases ask for the innermost place alone. */
const stackGroup: Omit<Group, 'suite'> = {
  name: 'stacks of errors',
  checks: stackRows.map((row) => ({
    name: row.name,
    run: async () =>
      compareGiven(row.name, tellsPlacesOfCallers() ? row.frames : row.frames.slice(0, 1), await framesOf(row)),
  })),
};

/** Runs the checks of a group one after the other. One that throws has failed, and the others go on. */
export async function runGroup({ suite, name, checks }: Group): Promise<GroupResult> {
  const complaints: string[] = [];
  let failed = 0;
  for (const check of checks) {
    const found = await check.run().catch((error: unknown) => [`${check.name}: it threw ${String(error)}`]);
    if (found.length > 0) failed++;
    complaints.push(...found);
  }
  return { suite, name, passed: checks.length - failed, failed, complaints };
}
