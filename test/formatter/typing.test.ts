// What is formatted while somebody types. A `|` in a text is the cursor, in front of which stands what was typed.

import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../src/formatter/format.ts';
import { editsForTyped } from '../../src/formatter/typing.ts';
import { read } from './checks.ts';

/** The text and the cursor after the edits for the character in front of the cursor. */
function type(marked: string, typed?: string): string {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const edits = editsForTyped(read(text).file, typed ?? text[offset - 1]!, offset);
  expect(edits.every(({ end }) => end <= offset)).toBe(true);
  const before = applyEdits(text.slice(0, offset), edits);
  expect(applyEdits(text, edits)).toBe(before + text.slice(offset));
  return `${before}|${text.slice(offset)}`;
}

describe('a semicolon', () => {
  it.each([
    ['formats its statement', 'int  x=1;|', 'int x = 1;|'],
    [
      'leaves what is in front and behind',
      'int  a;\n  int  b=2;|  // why\nint  c;',
      'int  a;\nint b = 2;|  // why\nint  c;',
    ],
    ['formats a statement of several lines', 'f(\n a,\n b\n);|\n', 'f(a, b);|\n'],
    ['keeps the blank line above, and no more', 'a();\n\n\n\n   b( );|', 'a();\n\nb();|'],
    ['does nothing in the head of a loop', 'void f() {\n  for (int  i=0;|)\n}', 'void f() {\n  for (int  i=0;|)\n}'],
    ['does nothing in a text', 'yield  "a;|";', 'yield  "a;|";'],
    ['does nothing in a comment', 'f( ); // a;|\n', 'f( ); // a;|\n'],
    ['does nothing in a template', 'yield  `;|`;', 'yield  `;|`;'],
    ['does nothing where the statement does not parse', 'int  x = = 1;|', 'int  x = = 1;|'],
  ])('%s', (_what, before, after) => expect(type(before)).toBe(after));
});

describe('a brace', () => {
  it.each([
    ['formats what it ends', 'a( );\nif(x){\nb( );\n      }|\nc( );', 'a( );\nif (x) {\n  b();\n}|\nc( );'],
    ['formats no more than that', 'void  f( ){\nif(x){b( );}|\n  }', 'void  f( ){\n  if (x) {\n    b();\n  }|\n  }'],
    ['does nothing behind an expression in a template', 'yield  `${ x }|`;', 'yield  `${ x }|`;'],
  ])('%s', (_what, before, after) => expect(type(before)).toBe(after));
});

describe('a line end', () => {
  it.each([
    ['formats the line that it ends', 'int  x=1;\n|', 'int x = 1;\n|'],
    ['formats a line that opens a block', 'if(x){\n  |\n}', 'if (x) {\n  |\n}'],
    ['formats the indentation of that line', 'main() {\n      a( );\n    |\n}', 'main() {\n  a();\n    |\n}'],
    ['leaves the lines above', 'main() {\n a( );\n b( );\n|}', 'main() {\n a( );\n  b();\n|}'],
    ['knows the lines of Windows', 'int  x=1;\r\n|', 'int x = 1;\r\n|'],
    ['does nothing behind an empty line', 'int  x=1;\n\n|', 'int  x=1;\n\n|'],
    ['does nothing in a template', 'yield  `a\n|`;', 'yield  `a\n|`;'],
    ['does nothing in a comment', 'a( ); /* b\n| */', 'a( ); /* b\n| */'],
    ['does nothing in the first line', '|int  x;', '|int  x;'],
  ])('%s', (_what, before, after) => expect(type(before, '\n')).toBe(after));
});
