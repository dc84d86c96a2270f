// Groups with a single user. Many systems give each user such a group and make files writable for it by default (umask
// 002), so the group's permission gives nobody else access.

import { readFileSync } from 'node:fs';

/** Whether only the user is in the group, by the system's own files; false if they do not say. */
export function isPrivateGroup(group: number, user: number): boolean {
  try {
    const users = entriesOf('/etc/passwd');
    const name = users.find(([, , id]) => id === String(user))?.[0];
    const groups = entriesOf('/etc/group').filter(([, , id]) => id === String(group));
    const inIt = users.filter(([, , , first]) => first === String(group));
    const members = groups.flatMap(([, , , list]) => (list ?? '').split(',')).filter((member) => member !== '');
    return (
      groups.length === 1 && inIt.length === 1 && inIt[0]![0] === name && members.every((member) => member === name)
    );
  } catch {
    return false;
  }
}

/** The fields of each line. */
function entriesOf(file: string): string[][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => line.split(':'));
}
