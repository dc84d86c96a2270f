// Groups that are one user's alone. Many systems give each user one and let it write by default (umask 002), so that
// what the group can change, nobody else can.

import { readFileSync } from 'node:fs';

/** Whether nobody but the user is in the group, as far as the system's own files tell; false where they do not. */
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

/** Lines of fields. */
function entriesOf(file: string): string[][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => line.split(':'));
}
