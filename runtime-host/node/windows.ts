// Linux: file systems whose files are no files but windows into the system, such as proc, wherever they are mounted and
// whenever that was done.

import { readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** What shows processes, devices and settings, by the number of its kind (statfs, in linux/magic.h). */
const kinds: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x62656570, // configfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0xf97cff8c, // selinuxfs
  0x43415d53, // smackfs
  0xcafe4a11, // bpf
  0x42494e4d, // binfmt_misc
  0x1cd1, // devpts
  0x6e736673, // nsfs
  0x6165676c, // pstore
  0xde5e81e4, // efivarfs
  0x65735543, // fusectl
  0x50495045, // pipes
  0x534f434b, // sockets
]);

/**
 * Whether what lies at a path is in one of them; `device` is the number of the device of what lies there, if it is
 * known. An error of the system stands for no: whoever opens the path gets it too.
 */
export function isWindow(path: string, device: number | null = null): boolean {
  if (process.platform !== 'linux' || (device !== null && isOnDisk(device))) return false;
  try {
    return kinds.has(statfsSync(path).type);
  } catch {
    return false;
  }
}

/** Of what is missing, the directory counts that would have it, or the nearest one above. */
export function isBelowWindow(path: string): boolean {
  if (process.platform !== 'linux') return false;
  for (let at = path; ; at = dirname(at)) {
    try {
      return kinds.has(statfsSync(at).type);
    } catch {
      if (dirname(at) === at) return false;
    }
  }
}

/** Devices that file systems make up have no major number. */
function isOnDisk(device: number): boolean {
  return Math.floor(device / 2 ** 8) % 2 ** 12 !== 0;
}

/**
 * Where the system shows its processes and devices beside /proc and /sys, as containers often have it; `mountinfo` is
 * the text of /proc/self/mountinfo.
 */
export function findWindows(mountinfo: string): string[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [, , , , place = ''] = line.split(' ');
    const [type = ''] = (line.split(' - ')[1] ?? '').split(' ');
    return windowTypes.has(type)
      ? [place.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))]
      : [];
  });
}

/** The windows of this machine at the moment. */
export function listWindows(): string[] {
  try {
    return findWindows(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return [];
  }
}

const windowTypes: ReadonlySet<string> = new Set(['proc', 'sysfs']);
