// Runs the groups in a page, on the bundles that browsers get. What drives the page calls these by name; the texts of
// the cases come from the server that the page came from.

import { lackingFeatures } from '../../runtime-host/engine/features.ts';
import { fetchGroup } from './http-groups.ts';
import { listGroups, runGroup } from './suites.ts';
import { abortGroup, workerGroup } from './worker-group.ts';
import type { CaseTexts, GroupResult } from './suites.ts';

const groups = [
  ...listGroups((await (await fetch('/cases.json')).json()) as CaseTexts),
  fetchGroup,
  workerGroup,
  abortGroup,
];

/** The features of the engine that this page does without. */
export function lacking(): readonly string[] {
  return lackingFeatures();
}

export async function run(suite: string, name: string): Promise<GroupResult> {
  return runGroup(groups.find((group) => group.suite === suite && group.name === name)!);
}
