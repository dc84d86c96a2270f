// Expressions of the reference interpreter, and what is assigned to. Operands are evaluated from left to right; what is
// tested for null and when stands beside the nodes in typed-tree.ts.

import type {
  CheckedProgram,
  Expression,
  FunctionId,
  LibraryCall,
  LocalOrigin,
  SetElement,
  SetField,
  SetItem,
  SetMember,
  Statement,
} from '../../../src/2-check/typed-tree.ts';
import { longestArrays } from '../../../src/abi/values.ts';
import { isNullable } from '../../../src/language/types.ts';
import type { Type } from '../../../src/language/types.ts';
import { LibraryRegistry } from '../../../src/library/registry.ts';
import type { Span } from '../../../src/source.ts';
import { cast, itemCount, readItem, readMember, toJson, writeItem, writeMember } from './json.ts';
import { library } from './library.ts';
import { operations, takesNull } from './operators.ts';
import { Exhausted, Failure, largestMatrix, longestArray, nullAccess, position, shown, text } from './values.ts';
import type { ArrayValue, Json, StructValue, Value } from './values.ts';
import type { World } from './world.ts';

/** What the locals of a function hold. */
export type Locals = Value[];

/** What runs statements and calls functions. */
export interface Machine {
  readonly program: CheckedProgram;
  readonly globals: ReadonlyMap<string, Value>;
  readonly world: World;
  /** Notes that something is done, and ends what does too much. */
  step(count: number): void;
  at<Result>(span: Span, work: () => Result): Result;
  callById(id: FunctionId, operands: readonly Value[], span: Span): Value;
  execute(nodes: readonly Statement[], locals: Locals): unknown;
  originOfLocal(local: number): LocalOrigin;
}

/** What may walk through all that a value holds. */
const callsOrCopies: ReadonlySet<string> = new Set(['library-call', 'to-text', 'to-json', 'cast']);
const registry = new LibraryRegistry();

export class Evaluator {
  readonly #machine: Machine;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  evaluate(node: Expression, locals: Locals): Value {
    const machine = this.#machine;
    const evaluate = (other: Expression): Value => this.evaluate(other, locals);
    machine.step(callsOrCopies.has(node.kind) ? 20 : 1);
    switch (node.kind) {
      case 'int':
      case 'double':
      case 'boolean':
      case 'string':
        return node.value;
      case 'null':
        return null;
      case 'get-local':
        return locals[node.local]!;
      case 'get-global':
        return machine.globals.get(node.global)!;
      case 'get-field': {
        const object = evaluate(node.object);
        return machine.at(node.span, () => this.#fieldsOf(object, node)[node.field]!);
      }
      case 'get-element': {
        const [array, index] = [evaluate(node.array), evaluate(node.index)];
        return machine.at(node.span, () => elementsOf(array)[position(index as bigint, elementsOf(array).length)]!);
      }
      case 'operate':
        return this.#operate(node, locals);
      case 'logical':
        return node.operator === '&&'
          ? evaluate(node.left) === true && evaluate(node.right)
          : evaluate(node.left) === true || evaluate(node.right);
      case 'conditional':
        return evaluate(evaluate(node.condition) === true ? node.then : node.otherwise);
      case 'widen':
        return Number(evaluate(node.operand));
      case 'is-null':
        return evaluate(node.operand) === null;
      case 'same-object':
        return evaluate(node.left) === evaluate(node.right);
      case 'call': {
        const operands = node.arguments.map(evaluate);
        return machine.callById(node.function, operands, node.span);
      }
      case 'library-call':
        return this.#callLibrary(node, locals);
      case 'array-literal':
        return { kind: 'array', elements: node.elements.map(evaluate) };
      case 'struct-literal':
        return this.#makeStruct(node, locals);
      case 'new-array': {
        const lengths = node.lengths.map((length) => evaluate(length) as bigint);
        return machine.at(node.span, () => makeArray(node.type, lengths));
      }
      case 'to-text': {
        const value = evaluate(node.operand);
        return machine.at(node.span, () => shown(value, node.operand.type));
      }
      case 'concat':
        return text(node.parts.map(evaluate).join(''));
      case 'to-json': {
        const value = evaluate(node.operand);
        return machine.at(node.span, () => toJson(value));
      }
      case 'json-object':
        return {
          kind: 'object',
          members: new Map(node.members.map(({ key, value }) => [key, evaluate(value) as Json])),
        };
      case 'json-array':
        return { kind: 'list', items: node.elements.map(evaluate) as Json[] };
      case 'get-member': {
        const [json, key] = [evaluate(node.json), this.#key(node.key, locals)];
        return machine.at(node.span, () => readMember(json as Json, key));
      }
      case 'get-item': {
        const [json, index] = [evaluate(node.json), evaluate(node.index)];
        return machine.at(node.span, () => readItem(json as Json, index as bigint));
      }
      case 'item-count': {
        const json = evaluate(node.json);
        return machine.at(node.span, () => itemCount(json as Json));
      }
      case 'cast': {
        const value = evaluate(node.operand);
        return machine.at(node.span, () => cast(value as Json, node.type, machine.program.structs));
      }
      case 'sequence':
        machine.execute(node.statements, locals);
        return evaluate(node.value);
      case 'invalid':
        throw new Error('a faulty program is not run');
    }
  }

  /** What holds the part, the part, the value; then the tests. */
  assign(node: SetField | SetElement | SetMember | SetItem, locals: Locals): void {
    const machine = this.#machine;
    const evaluate = (other: Expression): Value => this.evaluate(other, locals);
    switch (node.kind) {
      case 'set-field': {
        const [object, value] = [evaluate(node.object), evaluate(node.value)];
        machine.at(node.span, () => (this.#fieldsOf(object, node)[node.field] = value));
        return;
      }
      case 'set-element': {
        const [array, index, value] = [evaluate(node.array), evaluate(node.index), evaluate(node.value)];
        machine.at(node.span, () => (elementsOf(array)[position(index as bigint, elementsOf(array).length)] = value));
        return;
      }
      case 'set-member': {
        const [json, key, value] = [evaluate(node.json), this.#key(node.key, locals), evaluate(node.value)];
        machine.at(node.span, () => writeMember(json as Json, key, value as Json));
        return;
      }
      case 'set-item': {
        const [json, index, value] = [evaluate(node.json), evaluate(node.index), evaluate(node.value)];
        machine.at(node.span, () => writeItem(json as Json, index as bigint, value as Json));
      }
    }
  }

  #fieldsOf(object: Value, { struct, field }: { readonly struct: string; readonly field: number }): Value[] {
    if (object === null) throw nullAccess(`field '${this.#machine.program.structs.get(struct)!.fields[field]!.name}'`);
    return (object as StructValue).fields;
  }

  #key(node: Expression, locals: Locals): string {
    const key = this.evaluate(node, locals);
    return this.#nonNull(key, 'a key', node.span) as string;
  }

  #nonNull(value: Value, what: string, span: Span): Value {
    return this.#machine.at(span, () => {
      if (value === null) throw nullAccess(what);
      return value;
    });
  }

  #operate({ operator, operands, span }: Expression & { readonly kind: 'operate' }, locals: Locals): Value {
    const symbol = operator.slice(0, operator.indexOf('('));
    const values = operands.map((operand) => {
      const value = this.evaluate(operand, locals);
      return takesNull(operator) ? value : this.#nonNull(value, `an operand of '${symbol}'`, operand.span);
    });
    const operation = operations.get(operator)!;
    return this.#machine.at(span, () => operation(...(values as unknown as readonly [never, never])));
  }

  /**
   * The receiver, and every text or array that is asked for, must not be null: that is tested as soon as it is known.
   */
  #callLibrary(node: LibraryCall, locals: Locals): Value {
    const row = registry.byId(node.function);
    const run = library.get(node.function);
    if (run === undefined) throw new Error(`the interpreter does not know ${node.function}`);
    const parameters = row.parameters.filter(({ isType }) => !isType);
    const operands = node.arguments.map((argument, at) => {
      const value = this.evaluate(argument, locals);
      const isReceiver = row.receiver !== null && at === 0;
      if (isReceiver)
        return isNullable(row.receiver!)
          ? this.#nonNull(value, this.#receiver(row.name, argument), argument.span)
          : value;
      const { name, type, nullable } = parameters[row.receiver === null ? at : at - 1]!;
      const isTested = !nullable && (type.kind === 'string' || type.kind === 'array');
      return isTested ? this.#nonNull(value, `argument '${name}' of ${row.name}()`, argument.span) : value;
    });
    const {
      program: { structs },
      world,
    } = this.#machine;
    const result = this.#machine.at(node.span, () =>
      run(operands as never[], { typeArgument: node.typeArgument, structs, world }),
    );
    const [receiver] = operands;
    if (typeof receiver === 'object' && receiver?.kind === 'array' && receiver.elements.length > longestArray)
      throw new Exhausted();
    return typeof result === 'string' ? text(result) : result;
  }

  /** The length of what foreach walks through is asked for by no word of the script. */
  #receiver(name: string, receiver: Expression): string {
    const isForeach = receiver.kind === 'get-local' && this.#machine.originOfLocal(receiver.local) === 'foreach';
    return isForeach ? 'the elements' : `${name}()`;
  }

  #makeStruct({ struct: id, fields }: Expression & { readonly kind: 'struct-literal' }, locals: Locals): StructValue {
    const made: StructValue = { kind: 'struct', struct: this.#machine.program.structs.get(id)!, fields: [] };
    for (const { field, value } of fields) made.fields[field] = this.evaluate(value, locals);
    return made;
  }
}

function elementsOf(array: Value): Value[] {
  if (array === null) throw nullAccess('an element');
  return (array as ArrayValue).elements;
}

/** Zeros, false or nulls; arrays in arrays. All lengths are tested first. */
function makeArray(type: Type, lengths: readonly bigint[]): ArrayValue {
  let inner = type;
  for (const length of lengths) {
    inner = elementType(inner);
    if (length < 0n) throw new Failure('IndexOutOfBoundsError', `an array cannot have ${length} elements`);
    if (length > longestOf(inner))
      throw new Failure('MemoryLimitError', `an array of ${length} elements is larger than the engine takes`);
  }
  lengths.reduce((total, length) => {
    if (length > 0n && total > longestOf(inner) / length)
      throw new Failure(
        'MemoryLimitError',
        `arrays of ${total} times ${length} elements are larger than the engine takes`,
      );
    return total * length;
  });
  // Rows are arrays too, even where nothing is in them.
  const made = lengths.map((_, at) => lengths.slice(0, at + 1).reduce((total, length) => total * length));
  const isLarge = lengths.some((length) => length > longestArray) || made.some((count) => count > largestMatrix);
  if (isLarge) throw new Exhausted();
  return makeDimension(type, lengths);
}

function makeDimension(type: Type, [length, ...others]: readonly bigint[]): ArrayValue {
  const element = elementType(type);
  const zero = element.kind === 'int' ? 0n : element.kind === 'double' ? 0 : element.kind === 'boolean' ? false : null;
  return {
    kind: 'array',
    elements: Array.from({ length: Number(length) }, () => (others.length > 0 ? makeDimension(element, others) : zero)),
  };
}

function longestOf({ kind }: Type): bigint {
  return BigInt(kind === 'boolean' ? longestArrays.boolean : longestArrays.other);
}

function elementType(type: Type): Type {
  if (type.kind !== 'array') throw new Error('not an array');
  return type.element;
}
