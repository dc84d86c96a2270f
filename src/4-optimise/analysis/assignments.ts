// Which values a node puts into variables, fields, elements and results, for analyses that follow values through a
// program whatever the order in which things happen.

import { getLocal } from '../../mir/builders.ts';
import type { Node } from '../../mir/children.ts';
import { assigns } from '../../mir/kinds.ts';
import type { Expression, FunctionId, LocalId, OutlinedLoop, StructId } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import type { Span } from '../../source.ts';

/** The key of a local, a global, a field or the result of a function; or an array, for an element of it. */
export type Target = string | Holder;

/** An array, or the local that its elements are in. */
export type Holder = { readonly array: Expression } | { readonly elements: LocalId };

export interface Assignment {
  readonly target: Target;
  readonly value: Expression;
  /** The function in which the value is worked out, and an array that it is put into. */
  readonly fn: MirFunction;
}

export function localKey(fn: FunctionId, local: LocalId): string {
  return `local ${fn} ${local}`;
}

export function fieldKey(struct: StructId, field: number): string {
  return `${struct}.${field}`;
}

/** What a node of a function does by itself; what the row of a library function says is left to who asks. */
export function assignmentsOf({ functions }: MirProgram, fn: MirFunction, node: Node): readonly Assignment[] {
  if (!assigns(node)) return [];
  switch (node.kind) {
    case 'set-local':
      return [{ target: localKey(fn.id, node.local), value: node.value, fn }];
    case 'set-global':
      return [{ target: `global ${node.global}`, value: node.value, fn }];
    case 'set-field':
      return [{ target: fieldKey(node.struct, node.field), value: node.value, fn }];
    case 'struct-literal':
      return node.fields.map(({ field, value }) => ({ target: fieldKey(node.struct, field), value, fn }));
    case 'set-element':
      return [{ target: { array: node.array }, value: node.value, fn }];
    case 'hoist-array':
      return [{ target: localKey(fn.id, node.elements), value: node.array, fn }];
    case 'set-hoisted':
    case 'set-range':
      return [{ target: { elements: node.hoisted.elements }, value: node.value, fn }];
    case 'array-literal':
      return node.elements.map((value) => ({ target: { array: node }, value, fn }));
    case 'return':
      return node.value === null ? [] : [{ target: `return ${fn.id}`, value: node.value, fn }];
    case 'call':
      return (functions.get(node.function)?.parameters ?? []).map(({ local }, index) => ({
        target: localKey(node.function, local),
        value: node.arguments[index]!,
        fn,
      }));
    case 'loop':
      return node.outlined === undefined
        ? []
        : handedOver(functions.get(node.outlined.function), fn, node.outlined, node);
    case 'call-outlined':
      return handedOver(functions.get(node.outlined.function), fn, node.outlined, node);
    case 'library-call':
      return [];
  }
}

/** The locals that go into an outlined loop, and those that it gives back. */
function handedOver(
  callee: MirFunction | undefined,
  fn: MirFunction,
  { inputs, outputs }: OutlinedLoop,
  { span }: { readonly span: Span },
): readonly Assignment[] {
  if (callee === undefined) return [];
  const read = ({ locals }: MirFunction, local: LocalId): Expression => getLocal(local, locals[local]!.type, span);
  const parameters = callee.parameters.map(({ local }) => local);
  return [
    ...inputs.map((local, at): Assignment => ({
      target: localKey(callee.id, parameters[at]!),
      value: read(fn, local),
      fn,
    })),
    ...outputs.map((local): Assignment => ({
      target: localKey(fn.id, local),
      value: read(callee, parameters[inputs.indexOf(local)]!),
      fn: callee,
    })),
  ];
}
