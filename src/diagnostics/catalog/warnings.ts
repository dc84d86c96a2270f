// Warnings: the program means something, but perhaps not what was intended.

import { fault } from '../fault.ts';
import { geometryFile } from './imports.ts';

export const warnings = {
  unreachableCode: fault<object>({
    code: 'W5001',
    message: () => 'unreachable code: this can never run',
    help: 'Everything before it returns, throws or leaves the loop.',
    explanation:
      'Control never comes to this statement, because what stands before it always leaves: it returns, throws, ' +
      'goes on with the loop or out of it, or never ends. It is noted once for a whole region. ' +
      'Either it is left over and can go, or the statement before it leaves too early.',
    wrong: 'main() { return 1; yield 2; }',
    right: 'main() { yield 2; return 1; }',
  }),
  unusedVariable: fault<{ readonly name: string }>({
    code: 'W5002',
    message: ({ name }) => `'${name}' is never used`,
    help: 'Leave it away, or use it.',
    explanation:
      'A variable that nothing reads or sets after its declaration is often a slip: ' +
      'another name was used in its place. Parameters, variables of foreach and messages of catch are not noted, ' +
      'since they may be asked for by others; nor is anything while the script has errors.',
    wrong: 'main() { int x = 1; return 2; }',
    right: 'main() { int x = 1; return x; }',
  }),
  unknownErrorType: fault<{ readonly name: string }>({
    code: 'W5003',
    message: ({ name }) => `no error is called '${name}', so this clause never runs`,
    help: null,
    explanation:
      'The language has a fixed set of error types; `throw` in a script raises `Error`. ' +
      'A clause for an unknown one is left out, so that scripts written for another host still run. ' +
      '`catch (e)` takes every error, `sluice explain NullAccessError` and its like say when each is raised.',
    wrong: 'main() { try { return 1; } catch (DivisionError e) { return 2; } }',
    right: 'main() { try { return 1; } catch (DivisionByZeroError e) { return 2; } }',
  }),
  noEffect: fault<object>({
    code: 'W5004',
    message: () => 'this does nothing',
    help: 'Its value is thrown away: yield it, store it, or leave it away.',
    explanation:
      'An expression that calls nothing and changes nothing has no effect as a statement: ' +
      'its value is thrown away. A comparison `==` in the place of an assignment `=` is the usual cause, ' +
      'or a forgotten `yield` or `return`.',
    wrong: 'main() { int x = 1; x == 2; return x; }',
    right: 'main() { int x = 1; x = 2; return x; }',
  }),
  emptyBody: fault<{ readonly head: string }>({
    code: 'W5006',
    message: ({ head }) => `this ';' is all that the ${head} runs`,
    help: 'Take it away if the next statement belongs to it; write { } if nothing is meant to.',
    explanation:
      'A semicolon is a statement that does nothing. Right behind a head it is the whole body: ' +
      'what follows runs once, whatever the condition says, and a `while` whose body changes nothing may never ' +
      'end. A body that is meant to be empty is written `{ }`, which nobody takes for a slip.',
    wrong: 'main(int n = 3) {\n  if (n > 5);\n    yield "large";\n  return n;\n}',
    right: 'main(int n = 3) {\n  if (n > 5)\n    yield "large";\n  return n;\n}',
  }),
  templateInString: fault<{ readonly name: string }>({
    code: 'W5007',
    message: ({ name }) => `this string holds the characters \${${name}…, not the value of '${name}'`,
    help: 'Values stand in templates, which are written in backticks.',
    explanation:
      'Only a template, in backticks, replaces `${…}` by a value. In double quotes the same characters are text ' +
      'like any other. This is noted where the name behind `${` is one that the place can see, ' +
      'so that the text was most likely meant as a template. Written `"$" + "{name}"` it stays text in silence.',
    wrong: 'main(int count = 3) { return "there are ${count} of them"; }',
    right: 'main(int count = 3) { return `there are ${count} of them`; }',
  }),
  negativeIndex: fault<{ readonly index: string }>({
    code: 'W5008',
    message: ({ index }) => `there is no element ${index}: positions begin at 0`,
    help: 'From the end it is counted by the length: xs[xs.length() - 1] is the last.',
    explanation:
      'A position in an array is 0 or more and less than its length; any other throws IndexOutOfBoundsError. ' +
      'A negative number does not count from the end, as it does in Python: `xs[xs.length() - 1]` is the last element.',
    wrong: 'main() { int[] xs = [1, 2]; return xs[-1]; }',
    right: 'main() { int[] xs = [1, 2]; return xs[xs.length() - 1]; }',
  }),
  freshComparison: fault<{ readonly result: string }>({
    code: 'W5009',
    message: ({ result }) => `this is always ${result}: a new array is no other one`,
    help: 'Compare the elements one by one, or both as json: (xs as json) == [1, 2].',
    explanation:
      'Arrays and structs are compared by identity: two are equal if they are the same one, so that what is done to ' +
      'one is seen in the other. An array that is made where it is compared is equal to none. ' +
      'Values of type json are compared by what they hold.',
    wrong: 'main() { int[] xs = [1, 2]; return xs == [1, 2]; }',
    right: 'main() { int[] xs = [1, 2]; return (xs as json) == [1, 2]; }',
  }),
  divisionWidened: fault<object>({
    code: 'W5005',
    message: () => 'this division of ints drops its remainder before it becomes a double',
    help: 'Divide doubles: a.toDouble() / b.',
    explanation:
      'The quotient of two ints is an int: `7 / 2` is 3. Widening it afterwards, because a double is expected, ' +
      'does not bring back what the division dropped. Make one of the two a double before the division; ' +
      'if whole numbers are meant, put the quotient into an int first.',
    wrong: 'main() { int a = 1; int b = 2; double d = a / b; return d; }',
    right: 'main() { int a = 1; int b = 2; double d = a.toDouble() / b; return d; }',
  }),
  unusedImport: fault<{ readonly name: string }>({
    code: 'W5010',
    message: ({ name }) => `nothing uses the import '${name}'`,
    help: 'Remove it.',
    explanation:
      'An import that nothing uses is often what is left of an earlier version. ' +
      'It can go, unless the variables of the imported file shall be set up all the same, which is done for ' +
      'every file that is imported.',
    wrong: 'import "geometry.slu" as geometry;\nmain() { return 1; }',
    right: 'import "geometry.slu" as geometry;\nmain() { return geometry.square(2.0); }',
    files: geometryFile,
  }),
};
