// A program whose arrays lie in memory in another way: the types of their elements say how, and all that may hold one of
// them gets that type.

import type { Type } from '../language/types.ts';
import type { Expression } from '../mir/mir.ts';
import type { MirFunction, MirProgram } from '../mir/program.ts';
import { rewriteDefaults, rewriteExpressions } from '../mir/rewrite.ts';
import type { ArrayClass, ArrayClasses } from './analysis/alias-classes.ts';
import { localKey } from './analysis/assignments.ts';

/** Library functions that take arrays of numbers however these lie in memory. */
export const functionsOfAnyArray: ReadonlySet<string> = new Set([
  ...['length', 'isEmpty', 'fill', 'reverse', 'indexOf', 'contains'].map((name) => `T[].${name}`),
  ...['sum', 'min', 'max', 'sort'].flatMap((name) => [`int[].${name}`, `double[].${name}`]),
]);

/** The program with other types of arrays; `retyped` gives that of a type, of whose arrays `of` gives the class. */
export function withArrayTypes(
  program: MirProgram,
  arrays: ArrayClasses,
  retyped: (type: Type, of: () => ArrayClass) => Type,
): MirProgram {
  const { functions, initialiser, entry, globals } = program;
  const inFunction = (fn: MirFunction): MirFunction => {
    const locals = fn.locals.map((local, at) => {
      const type = retyped(local.type, () => arrays.at(localKey(fn.id, at)));
      return type === local.type ? local : { ...local, type };
    });
    const change = (node: Expression, original: Expression): Expression => {
      const type = retyped(node.type, () => arrays.of(fn, original));
      return type === node.type ? withArgument(node) : { ...node, type };
    };
    const { parameters } = rewriteDefaults(fn, change);
    const returns = retyped(fn.returns, () => arrays.at(`return ${fn.id}`));
    return { ...fn, locals, parameters, returns, body: rewriteExpressions(fn.body, change) };
  };
  return {
    ...program,
    globals: new Map(
      [...globals].map(([id, global]) => {
        const type = retyped(global.type, () => arrays.at(`global ${id}`));
        return [id, type === global.type ? global : { ...global, type }];
      }),
    ),
    functions: new Map([...functions].map(([id, fn]) => [id, inFunction(fn)])),
    initialiser: initialiser === null ? null : inFunction(initialiser),
    entry: entry === null ? null : inFunction(entry),
  };
}

/** A library function that takes any arrays, as the one for those that it is given. */
function withArgument(node: Expression): Expression {
  if (node.kind !== 'library-call' || !functionsOfAnyArray.has(node.function)) return node;
  const [array] = node.arguments;
  return array?.type.kind === 'array' && isOfNumbers(array.type) ? { ...node, typeArgument: array.type.element } : node;
}

/** Whether it is a type of arrays of numbers or booleans, or of such arrays. */
export function isOfNumbers(type: Type): boolean {
  if (type.kind !== 'array') return false;
  const { element } = type;
  return element.kind === 'int' || element.kind === 'double' || element.kind === 'boolean' || isOfNumbers(element);
}
