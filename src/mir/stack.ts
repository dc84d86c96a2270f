// Arrays on the stack in linear memory: the type of an array says whether it lies there.

import { isOnStack } from '../language/types.ts';
import type { IntStorage, Type } from '../language/types.ts';
import { nodesOf, visitAll } from './children.ts';
import type { Node } from './children.ts';
import type { OutlinedLoop } from './mir.ts';
import type { Local, MirFunction, MirProgram } from './program.ts';
import { bytesOf, storageIn } from './scratch.ts';

/** In front of the elements of an array, and of its rows. Each of them begins at a multiple of this. */
export const headerBytes = 16;

const bytesOfInts: Readonly<Record<IntStorage, 1 | 2 | 4>> = { u8: 1, u16: 2, u32: 4, i32: 4 };

/** The bytes of a number or boolean on the stack. */
export function bytesOnStack(element: Type): 1 | 2 | 4 | 8 {
  if (element.kind === 'boolean') return 1;
  return element.kind === 'int' && element.storage !== undefined ? bytesOfInts[element.storage] : 8;
}

/** Whether arrays of these elements lie on the stack as nests have them in the scratch memory, but for the headers. */
export function isResident(element: Type): boolean {
  if (element.kind === 'array') return isResident(element.element);
  return isOnStack(element) && bytesOnStack(element) === bytesOf(storageIn(element));
}

const known = new WeakMap<MirProgram, boolean>();

/** Whether arrays of the program lie on the stack. */
export function hasStack(program: MirProgram): boolean {
  const { functions, initialiser, entry } = program;
  const has = (): boolean =>
    [...functions.values(), initialiser, entry].some((fn) => fn !== null && putOnStack(nodesOf(fn), fn, null));
  const found = known.get(program) ?? has();
  known.set(program, found);
  return found;
}

const putters: ReadonlySet<Node['kind']> = new Set(['new-array', 'array-literal', 'call']);

/**
 * Whether nodes of the function put arrays on the stack, themselves or by a call that leaves them there, where T stands for
 * this type.
 */
export function putOnStack(nodes: readonly Node[], { locals }: MirFunction, typeArgument: Type | null): boolean {
  const isLike = typeArgument !== null && isOnStack(typeArgument);
  let put = false;
  visitAll(nodes, (node) => {
    put ||= putters.has(node.kind) && 'type' in node && isOnStack(node.type);
    put ||= isLike && node.kind === 'library-call' && node.function === 'Native.newArray';
    put ||= node.kind === 'call-outlined' && leavesOnStack(node.outlined, locals);
  });
  return put;
}

/** Whether what an outlined loop puts on the stack stays there: it gives back a local with such an array. */
export function leavesOnStack({ outputs }: OutlinedLoop, locals: readonly Local[]): boolean {
  return outputs.some((local) => isOnStack(locals[local]!.type));
}
