// Linux: recognises file systems whose files are windows into the system, such as proc, wherever and whenever they are
// mounted.

import { readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The kinds of file systems that show processes, devices and settings, by their numbers (statfs, in linux/magic.h). */
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
 * Whether the object at a path is in such a file system; `device` is the number of its device if known. An error of the
 * system means no: the later opening of the path fails in the same way.
 */
export function isWindow(path: string, device: number | null = null): boolean {
  if (process.platform !== 'linux' || (device !== null && isOnDisk(device))) return false;
  try {
    return kinds.has(statfsSync(path).type);
  } catch {
    return false;
  }
}

/** For a missing object, the directory that would contain it counts, or the nearest existing one above. */
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

/** Devices of virtual file systems have no major number. */
function isOnDisk(device: number): boolean {
  return Math.floor(device / 2 ** 8) % 2 ** 12 !== 0;
}

/**
 * The places where the system shows its processes and devices besides /proc and /sys, as often in containers;
 * `mountinfo` is the text of /proc/self/mountinfo.
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

/** The current windows of this machine. */
export function listWindows(): string[] {
  try {
    return findWindows(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return [];
  }
}

const windowTypes: ReadonlySet<string> = new Set(['proc', 'sysfs']);
