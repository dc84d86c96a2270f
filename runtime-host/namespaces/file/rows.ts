// The File namespace: every call asks the host for permission.

import { host } from '../../../src/language/implementation.ts';
import { fn, library } from '../../../src/library/declare.ts';

const denied = 'SecurityError if the host denies it, FileError if the file system cannot.';

export const rows = library(
  'File',
  "Files, each call with the host's permission. Text is UTF-8; " +
    'relative paths begin at a directory that the host chooses.',
  [
    fn(
      'string read(string path)',
      `The whole file. ${denied}`,
      host('File.Read'),
      'File.write("a.txt", "one"); File.read("a.txt") → one',
    ),
    fn(
      'void write(string path, string content)',
      `Creates or replaces a file. ${denied}`,
      host('File.Write'),
      'File.write("a.txt", "one"); File.write("a.txt", "two"); File.read("a.txt") → two',
    ),
    fn(
      'void append(string path, string content)',
      `Writes at the end of a file that exists. ${denied}`,
      host('File.Append'),
      'File.write("a.txt", "one"); File.append("a.txt", ", two"); File.read("a.txt") → one, two',
    ),
    fn(
      'void delete(string path)',
      `Deletes a file, a link or an empty directory. ${denied}`,
      host('File.Delete'),
      'File.write("a.txt", ""); File.delete("a.txt"); File.exists("a.txt") → false',
    ),
    fn(
      'boolean exists(string path)',
      'Whether there is something at the path. SecurityError if the host denies it.',
      host('File.Exists'),
      'File.exists("no such file") → false',
    ),
    fn(
      'string[] list(string dir)',
      `The names in a directory, sorted. ${denied}`,
      host('File.List'),
      'File.createDir("d"); File.write("d/b.txt", ""); File.write("d/a.txt", ""); File.list("d") → ["a.txt","b.txt"]',
    ),
    fn(
      'json metadata(string path)',
      '`size` in bytes, `modified` and `created` in Unix milliseconds, and `type`: ' +
        `"file", "directory" or "other". ${denied}`,
      host('File.Metadata'),
      'File.write("a.txt", "four"); File.metadata("a.txt").getInt("size", 0) → 4',
    ),
    fn(
      'void createDir(string path)',
      `Creates a directory and its parents; one that exists is fine. ${denied}`,
      host('File.CreateDir'),
      'File.createDir("a/b"); File.exists("a/b") → true',
    ),
  ],
);
