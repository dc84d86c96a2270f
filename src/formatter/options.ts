// What may differ from one project to the next, which is little: programs look alike wherever they are read.

/** What may differ in a formatted text. What is left out is as `sluice fmt` has it without an `.editorconfig`. */
export interface FormatOptions {
  /** Columns of one level of indentation; 2. */
  readonly indentSize?: number;
  /** What a level of indentation is made of: spaces, or one tab. */
  readonly indentStyle?: 'space' | 'tab';
  /** Columns that a line should not pass; 100. `Infinity` breaks no line because of its length. */
  readonly maxLineLength?: number;
  /** What ends a line: `\n` or `\r\n`. */
  readonly endOfLine?: 'lf' | 'crlf';
}

export const defaultOptions: Required<FormatOptions> = {
  indentSize: 2,
  indentStyle: 'space',
  maxLineLength: 100,
  endOfLine: 'lf',
};
