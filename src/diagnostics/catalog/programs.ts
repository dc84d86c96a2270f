// Faults of functions and programs: what they return and take, and where a program begins.

import { fault } from '../fault.ts';

type Named = { readonly name: string };

export const programFaults = {
  outsideLoop: fault<{ readonly word: string }>({
    code: 'E2044',
    message: ({ word }) => `${word} stands outside a loop`,
    help: 'return leaves a function.',
    explanation:
      '`break` leaves the innermost loop around it, `continue` goes on with its next turn. ' +
      'Outside a loop there is nothing to leave: a function is left with `return`, the program in `main` or at ' +
      'top level too. A loop around the call of the function does not count.',
    wrong: 'main() { break; }',
    right: 'main() { while (true) { break; } return 1; }',
  }),
  missingReturn: fault<{ readonly name: string; readonly type: string }>({
    code: 'E2045',
    message: ({ name, type }) => `${name} can reach its end without returning ${type}`,
    help: 'Add a return at the end, or a throw where it cannot come to.',
    explanation:
      'Every way through a function that returns a value must end with `return`, `throw` or a loop that never ' +
      'ends, since there is no value that a forgotten one could stand for. ' +
      'An `if` without `else` has a way around it; conditions are not worked out, except `true`.',
    wrong: 'int sign(int x) { if (x > 0) return 1; }\nmain() { return sign(1); }',
    right: 'int sign(int x) { if (x > 0) return 1; return -1; }\nmain() { return sign(1); }',
  }),
  returnsNothing: fault<object>({
    code: 'E2046',
    message: () => 'this function returns void, so it returns no value',
    help: 'Leave the value away, or change the return type.',
    explanation:
      'In a function that returns void, `return;` stands alone and only leaves it. If the value is wanted, ' +
      'write its type in the place of void; if not, call or compute in front of the `return;`.',
    wrong: 'void f() { return 1; }\nmain() { f(); return 1; }',
    right: 'void f() { return; }\nmain() { f(); return 1; }',
  }),
  returnWithoutValue: fault<{ readonly type: string }>({
    code: 'E2047',
    message: ({ type }) => `this function returns ${type}, so return needs a value`,
    help: null,
    explanation:
      'A function that declares a return type gives a value of that type wherever it returns, ' +
      'so that its callers always get one. A function with nothing to give is declared `void`.',
    wrong: 'int f() { return; }\nmain() { return f(); }',
    right: 'int f() { return 1; }\nmain() { return f(); }',
  }),
  requiredAfterDefault: fault<Named>({
    code: 'E2048',
    message: ({ name }) => `'${name}' has no default but follows a parameter that has one`,
    help: 'Give it a default too, or move it to the front.',
    explanation:
      'Arguments are given from the left and have no names in a call, so a parameter without a default behind ' +
      'one with a default could never be reached alone. Those with defaults come last.',
    wrong: 'int f(int a = 1, int b) { return a + b; }\nmain() { return f(1, 2); }',
    right: 'int f(int b, int a = 1) { return a + b; }\nmain() { return f(1, 2); }',
  }),
  variadicNotLast: fault<Named>({
    code: 'E2049',
    message: ({ name }) => `'${name}' takes all arguments that are left, so it must be the last parameter`,
    help: 'Move it to the end.',
    explanation:
      'A variadic parameter (`int ...xs[]`) takes every argument that is left over, so nothing would be left for ' +
      'one behind it. Inside the function it is an array; a single array may be passed for it as it is.',
    wrong: 'int f(int ...xs[], int y) { return y; }\nmain() { return f(1); }',
    right: 'int f(int y, int ...xs[]) { return y + xs.length(); }\nmain() { return f(1); }',
  }),
  variadicMain: fault<Named>({
    code: 'E2050',
    message: ({ name }) => `main takes its arguments by name, so '${name}' cannot be variadic`,
    help: 'Take an array: int[] xs.',
    explanation:
      'The parameters of main are the input of the program. The host passes them by name and checks them before ' +
      'the script starts; a list without an end has no name for each. An array takes any number of values.',
    wrong: 'main(int ...xs[]) { return xs.length(); }',
    right: 'main(int[] xs) { return xs.length(); }',
  }),
  mainAndStatements: fault<object>({
    code: 'E2051',
    message: () => 'statements at top level and a main do not go together',
    help: 'Move the statement into main.',
    explanation:
      'A program either has a `main`, or its statements stand at top level: with both it would be unclear where ' +
      'it begins. Beside a main, only variables are declared at top level; they are set before main runs.',
    wrong: 'yield 1;\nmain() { return 1; }',
    right: 'main() { yield 1; return 1; }',
  }),
  secondMain: fault<object>({
    code: 'E2052',
    message: () => 'there is a second main',
    help: 'A program begins at one place; give the other another name.',
    explanation:
      'A program has one main, with which it begins. Functions are not overloaded: ' +
      'different inputs are parameters with defaults, different tasks functions of their own, ' +
      'which main calls or which are exported.',
    wrong: 'main() { return 1; }\nmain() { return 2; }',
    right: 'main() { return 1; }',
  }),
  mainWithType: fault<object>({
    code: 'E2054',
    message: () => 'main is declared without a return type',
    help: 'Write main(…) { … }: what it returns is handed to the host, whatever its type.',
    explanation:
      'A program begins at `main(…) { … }`. It may return values of different types on different paths, ' +
      'each handed to the host as what it is, so main declares none. `sluice check --fix` takes the type away.',
    wrong: 'int main() { return 1; }',
    right: 'main() { return 1; }',
  }),
};
