// Mir as text, for people and for tests: one line a statement, locals by their names. Stable: the same Mir gives the
// same text. Values are written as a script would write them, with what passes have found out beside them.

import { shownName } from './locals.ts';
import type {
  CountedLoop,
  Expression,
  GetElement,
  GetHoisted,
  Load,
  LocalId,
  SetHoisted,
  Statement,
  Store,
  TextPiece,
} from './mir.ts';
import type { ArrayRepresentations, MirFunction, MirProgram } from './program.ts';
import { laneCount } from './lane-wise.ts';
import { lookUpOperator } from '../language/operators.ts';
import { formatType, isOnStack, typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';

/** All functions of a program, the entry last; in front of them how its arrays lie in memory, where a pass chose. */
export function printProgram({ functions, initialiser, entry, arrays }: MirProgram): string {
  const written = [...functions.values(), initialiser, entry].flatMap((fn) => (fn === null ? [] : [printFunction(fn)]));
  return [...printArrays(arrays), ...written].join('\n\n');
}

function printArrays({ byElement, others }: ArrayRepresentations): readonly string[] {
  if (byElement.size === 0 && others.kind === 'counted') return [];
  return [[`arrays: ${others.kind}`, ...[...byElement].map(([key, { kind }]) => `${kind} ${key}`)].join(', ')];
}

/** A function with its head and the types of its locals. */
export function printFunction(fn: MirFunction): string {
  const names = namesOf(fn);
  const typed = (local: LocalId): string => `${printType(fn.locals[local]!.type)} ${names[local]}`;
  const parameters = fn.parameters.map(({ local, initialiser }) =>
    initialiser === null ? typed(local) : `${typed(local)} = ${new Printer(names).value(initialiser)}`,
  );
  const own = fn.locals.flatMap((_, local) =>
    fn.parameters.some((parameter) => parameter.local === local) ? [] : [typed(local)],
  );
  return [
    `${printType(fn.returns)} ${fn.name === '' ? fn.id : fn.name}(${parameters.join(', ')})${printSuspends(fn)} {${printGuards(fn)}`,
    ...(own.length === 0 ? [] : [`  locals ${own.join(', ')}`]),
    ...printBody(fn).map((line) => `  ${line}`),
    '}',
  ].join('\n');
}

/** `u8[]` is an array of ints of 8 bits. */
function printType(type: Type): string {
  if (type.kind === 'array') return `${printType(type.element)}[]`;
  return type.kind === 'int' || isOnStack(type) ? typeKey(type) : formatType(type);
}

/** What the function takes along or keeps beside its variables. */
function printGuards({ holdsFuel, passesFuel, frameBytes }: MirFunction): string {
  return `${frameBytes === undefined ? '' : ` #depth ${frameBytes}`}${holdsFuel === true ? ' #fuel' : ''}${passesFuel === true ? ' #passed' : ''}`;
}

function printSuspends({ suspends }: MirFunction): string {
  if (suspends === undefined) return '';
  return `${suspends.body ? ' suspends' : ''}${suspends.defaults ? ' defaults-suspend' : ''}`;
}

/** The lines of a function's body. */
export function printBody(fn: MirFunction): readonly string[] {
  return new Printer(namesOf(fn)).lines(fn.body);
}

/** A node by itself, in the names of its function; of one that holds others its first line. */
export function printNode(fn: MirFunction, node: Expression | Statement): string {
  const printer = new Printer(namesOf(fn));
  return 'type' in node ? printer.value(node) : (printer.lines([node])[0] ?? '{}');
}

/** Two locals of one name are told apart by their numbers. */
function namesOf({ locals }: MirFunction): readonly string[] {
  const seen = new Set<string>();
  return locals.map((described, local) => {
    const shown = shownName(described);
    const unique = seen.has(shown) ? `${shown}.${local}` : shown;
    seen.add(shown);
    return unique;
  });
}

class Printer {
  readonly #names: readonly string[];

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  #name(local: LocalId): string {
    return this.#names[local]!;
  }

  #list(locals: readonly LocalId[]): string {
    return locals.map((local) => this.#name(local)).join(', ');
  }

  #values(nodes: readonly Expression[]): string {
    return nodes.map((node) => this.value(node)).join(', ');
  }

  value(node: Expression): string {
    switch (node.kind) {
      case 'int':
      case 'boolean':
        return String(node.value);
      case 'double':
        return Number.isInteger(node.value) ? node.value.toFixed(1) : String(node.value);
      case 'string':
        return JSON.stringify(node.value);
      case 'null':
        return 'null';
      case 'get-local':
        return `${this.#name(node.local)}${node.nonNull === true ? '!' : ''}`;
      case 'get-global':
        return node.global;
      case 'get-field':
        return `${this.value(node.object)}.${node.field}${node.nonNull === true ? '!' : ''}`;
      case 'get-element':
        return `${this.value(node.array)}[${this.value(node.index)}]${checkOf(node)}${node.nonNull === true ? '!' : ''}`;
      case 'get-hoisted':
        return this.#element(node);
      case 'wrap32':
        return `wrap32(${this.value(node.operand)})`;
      case 'in-range':
        return `(${this.value(node.index)} in 0..${this.value(node.length)})`;
      case 'out-of-fuel':
        return 'out-of-fuel';
      case 'in-bounds':
        return `(${this.value(node.index)} in bounds of ${this.value(node.elements)})`;
      case 'operate':
        return this.#operation(node.operator, node.operands);
      case 'logical':
        return `(${node.operands.map((operand) => this.value(operand)).join(` ${node.operator} `)})`;
      case 'conditional':
        return `(${this.value(node.condition)} ?${node.isForeseen === true ? ' foreseen' : ''} ${this.value(node.then)} : ${this.value(node.otherwise)})`;
      case 'select':
        return `select(${this.#values([node.condition, node.then, node.otherwise])})`;
      case 'load':
        return `${vectorPrefix(node.type)}${this.#place(node)}`;
      case 'reserve-scratch':
        return `(scratch of ${this.value(node.bytes)})`;
      case 'row-length':
        return `row length of${node.most === null ? '' : ` up to ${this.value(node.most)}`} (${this.#values([node.elements, ...node.counts])})`;
      case 'distinct-rows':
        return `(rows of ${this.#values(node.operands)} are distinct)`;
      case 'splat':
        return `splat(${this.value(node.operand)})`;
      case 'extract-lane':
        return `lane ${node.lane} of ${this.value(node.operand)}`;
      case 'lane-wise':
        return `${node.operator} lanes(${this.#values(node.operands)})`;
      case 'widen':
        return `widen(${this.value(node.operand)})`;
      case 'check-null':
        return `nonnull(${this.value(node.operand)})`;
      case 'is-null':
        return `isnull(${this.value(node.operand)})`;
      case 'same-object':
        return `same(${this.value(node.left)}, ${this.value(node.right)})`;
      case 'call':
      case 'library-call':
        return `${node.function}(${this.#values(node.arguments)})`;
      case 'array-literal':
        return `[${this.#values(node.elements)}]`;
      case 'struct-literal':
        return `{${node.fields.map(({ field, value }) => `${field}: ${this.value(value)}`).join(', ')}}`;
      case 'new-array':
        return `new${node.isCharged === true ? '!' : ''}[${this.#values(node.lengths)}]`;
      case 'to-text':
        return `text(${this.value(node.operand)})`;
      case 'character':
        return `character(${this.value(node.operand)})`;
      case 'concat':
        return `concat(${this.#values(node.parts)})`;
      case 'build-text':
        return `build(${this.#pieces(node.pieces)})`;
      case 'built-text':
        return `built(${this.#name(node.local)}${node.nonNull === true ? '!' : ''}, ${this.#name(node.builder)})`;
      case 'built-length':
        return `length of built(${this.#name(node.local)}, ${this.#name(node.builder)})`;
      case 'to-json':
        return `json(${this.value(node.operand)})`;
      case 'json-object':
        return `json{${node.members.map(({ key, value }) => `${JSON.stringify(key)}: ${this.value(value)}`).join(', ')}}`;
      case 'json-array':
        return `json[${this.#values(node.elements)}]`;
      case 'get-member':
        return `${this.value(node.json)}[${this.value(node.key)}]`;
      case 'get-item':
        return `${this.value(node.json)}[${this.value(node.index)}]`;
      case 'item-count':
        return `count(${this.value(node.json)})`;
      case 'cast':
        return `cast<${formatType(node.type)}>(${this.value(node.operand)})`;
      case 'sequence':
        return `(${this.lines(node.statements).join('; ')}; ${this.value(node.value)})`;
    }
  }

  /** `i64.add` and its like are shown by the symbol of the language. */
  #operation(operator: string, operands: readonly Expression[]): string {
    const symbol = lookUpOperator(operator)?.symbol ?? operator;
    return operands.length === 1
      ? `(${symbol}${this.value(operands[0]!)})`
      : `(${operands.map((operand) => this.value(operand)).join(` ${symbol} `)})`;
  }

  #pieces(pieces: readonly TextPiece[]): string {
    return pieces
      .map(({ append, value }) => (append === 'text' ? this.value(value) : `${append} ${this.value(value)}`))
      .join(', ');
  }

  #place({ address, offset, storage }: Load | Store): string {
    return `${storage ?? ''}scratch[${this.value(address)}${offset === 0 ? '' : ` + ${offset}`}]`;
  }

  /** An unchecked access reads the elements only, and where it is asserted the length. */
  #element(node: GetHoisted | SetHoisted): string {
    const { hoisted, index, checked } = node;
    return checked
      ? `${this.value(hoisted.array)}[${this.value(index)}] hoisted${checkOf(node)}`
      : `${this.#name(hoisted.elements)}[${this.value(index)}]${checkOf(node)}`;
  }

  lines(nodes: readonly Statement[]): readonly string[] {
    return nodes.flatMap((node) => this.#statement(node));
  }

  #inside(nodes: readonly Statement[]): readonly string[] {
    return this.lines(nodes).map((line) => `  ${line}`);
  }

  #statement(node: Statement): readonly string[] {
    switch (node.kind) {
      case 'set-local':
        return [`${this.#name(node.local)} = ${this.value(node.value)}`];
      case 'set-global':
        return [`${node.global} = ${this.value(node.value)}`];
      case 'set-field':
        return [`${this.value(node.object)}.${node.field} = ${this.value(node.value)}`];
      case 'set-element':
        return [`${this.value(node.array)}[${this.value(node.index)}]${redundant(node)} = ${this.value(node.value)}`];
      case 'set-hoisted':
        return [`${this.#element(node)} = ${this.value(node.value)}`];
      case 'set-range': {
        const verb = node.value.kind === 'get-hoisted' ? 'copy' : 'fill';
        const place = `${this.#name(node.hoisted.elements)}[${this.value(node.index)}]${node.asserted === true ? ' asserted' : ''}`;
        return [`${verb} ${this.value(node.count)} to ${place} = ${this.value(node.value)}`];
      }
      case 'hoist-array':
        return [`${this.#name(node.elements)}, ${this.#name(node.length)} = hoist ${this.value(node.array)}`];
      case 'call-outlined':
        return [`${this.#list(node.outlined.outputs)} = run ${this.#outlined(node.outlined)}`];
      case 'return-live-outs':
        return [`return live-outs ${this.#list(node.locals)}${node.hasMore ? ' #more' : ''}`];
      case 'store':
        return [`${this.#place(node)} = ${this.value(node.value)}`];
      case 'copy-elements':
        return [`copy ${this.#values([node.elements, node.address, ...node.counts])} into ${node.into}`];
      case 'charge':
        return [`charge ${this.value(node.units)}`];
      case 'poll':
        return ['poll'];
      case 'count':
      case 'attribute':
        return [`${node.kind} ${node.counter}`];
      case 'osr-exit':
        return [`osr-exit ${node.entry.entry}`];
      case 'append-text':
        return [`${this.#name(node.local)}, ${this.#name(node.builder)} append ${this.#pieces(node.pieces)}`];
      case 'set-member':
        return [`${this.value(node.json)}[${this.value(node.key)}] = ${this.value(node.value)}`];
      case 'set-item':
        return [`${this.value(node.json)}[${this.value(node.index)}] = ${this.value(node.value)}`];
      case 'evaluate':
        return [this.value(node.expression)];
      case 'if':
        return [
          ...node.arms.flatMap(({ condition, then }, arm) => [
            `${arm === 0 ? 'if' : 'else if'} ${this.value(condition)}${node.versions === undefined ? '' : ' #versions'}`,
            ...this.#inside(then),
          ]),
          ...(node.otherwise.length === 0 ? [] : ['else', ...this.#inside(node.otherwise)]),
        ];
      case 'loop':
        return this.#loop(node);
      case 'break':
      case 'continue':
        return [`${node.kind} ${node.loop}`];
      case 'return':
      case 'finish':
        return [`${node.kind}${node.value === null ? '' : ` ${this.value(node.value)}`}`];
      case 'yield':
        return [`yield ${this.value(node.value)}`];
      case 'throw':
        return [`throw ${this.value(node.message)}`];
      case 'try':
        return [
          'try',
          ...this.#inside(node.body),
          ...node.clauses.flatMap(({ errorType, local, body }) => [
            `catch ${errorType ?? 'any'} ${this.#name(local)}`,
            ...this.#inside(body),
          ]),
        ];
      case 'block':
        return this.lines(node.statements);
    }
  }

  #loop(node: Statement & { readonly kind: 'loop' }): readonly string[] {
    const { id, condition, testFirst, counted, isShort, isCold, weight, outlined, osr } = node;
    const notes = [
      ...(counted === undefined ? [] : [this.#counted(counted)]),
      ...(isShort === true ? ['short'] : []),
      ...(isCold === true ? ['cold'] : []),
      ...(weight === undefined ? [] : [`weight ${weight}`]),
      ...(outlined === undefined ? [] : [`goes on in ${this.#outlined(outlined)}`]),
      ...(osr === undefined ? [] : [`osr entry ${osr.entry} (${this.#list(osr.live)})`]),
    ];
    return [
      `loop ${id} ${testFirst ? 'while' : 'until not'} ${condition === null ? 'true' : this.value(condition)}${notes.map((note) => ` #${note}`).join('')}`,
      ...this.#inside(node.body),
      ...(node.step.length === 0 ? [] : ['step', ...this.#inside(node.step)]),
    ];
  }

  #counted({ variable, comparison, limit, textLength, step, limitStep }: CountedLoop): string {
    const notes = [
      ...(textLength === undefined ? [] : [`length ${this.#name(textLength)}`]),
      ...(limitStep === 0n ? [] : [`limit by ${limitStep}`]),
    ];
    return [`counted ${this.#name(variable)} ${comparison} ${this.value(limit)} by ${this.value(step)}`, ...notes].join(
      ' ',
    );
  }

  #outlined({ function: id, inputs }: { readonly function: string; readonly inputs: readonly LocalId[] }): string {
    return `${id}(${this.#list(inputs)})`;
  }
}

/** Which numbers are read at once, if it is more than one. */
function vectorPrefix(type: Type): string {
  if (type.kind !== 'vector') return '';
  return laneCount(type.element) === 2 ? 'vector ' : 'vector of 4 ';
}

function checkOf(node: GetElement | GetHoisted | SetHoisted): string {
  if (node.checked) return redundant(node);
  return node.asserted === true ? ' asserted' : ' unchecked';
}

function redundant({ isRedundant }: Pick<GetElement, 'isRedundant'>): string {
  return isRedundant === true ? ' again' : '';
}
