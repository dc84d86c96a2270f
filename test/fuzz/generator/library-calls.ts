// Calls of the library for generated programs, drawn from the registry: every function that a script can call, each
// argument from every kind of place. What a call returns is kept somewhere and stored into, what it may have kept of
// its arguments is stored into too, and everything is read afterwards through its other names, in front of loops, in
// them and behind them.

import { builtInLibraries } from '../../../src/library/registry.ts';
import type { LibraryFunction } from '../../../src/library/declare.ts';
import type { LibraryParameter } from '../../../src/library/signature.ts';
import { formatType } from '../../../src/language/types.ts';
import type { Type } from '../../../src/language/types.ts';
import { drawTypeArgument, Places, sources } from './places.ts';
import type { Place, Source, Wanted } from './places.ts';
import { isArray, isPrimitive } from './scope.ts';
import type { Scope } from './scope.ts';
import { assignmentTo, readOf, storeInto } from './stores.ts';

/** Those that the host must permit, for which a script may have to wait. */
const isOutside = ({ implementation }: LibraryFunction): boolean =>
  implementation.kind === 'host' && implementation.permission !== null;

/** The rows whose calls are drawn. */
export const drawnRows: readonly LibraryFunction[] = builtInLibraries
  .filter(({ preludeOnly }) => !preludeOnly)
  .flatMap(({ functions }) => functions);
const outsideRows = drawnRows.filter(isOutside);
const insideRows = drawnRows.filter((row) => !isOutside(row));

/** A part of a call for which an argument is drawn. */
export interface Part {
  readonly name: string;
  readonly parameter: LibraryParameter | null;
  readonly type: Type;
}

/** Receiver first; the name of a type is not drawn as a value is. */
export function partsOf(row: LibraryFunction): readonly Part[] {
  const receiver = row.receiver === null ? [] : [{ name: 'receiver', parameter: null, type: row.receiver }];
  return [
    ...receiver,
    ...row.parameters
      .filter(({ isType }) => !isType)
      .map((parameter) => ({ name: parameter.name, parameter, type: parameter.type })),
  ];
}

/** A result that something can be stored into, whatever the type variable stands for. */
export function isChangeable({ kind }: Type): boolean {
  return kind === 'array' || kind === 'json' || kind === 'struct' || kind === 'variable';
}

const holdsObjects = (row: LibraryFunction): boolean =>
  isChangeable(row.returns) || partsOf(row).some(({ type }) => isChangeable(type));
const aliasing = insideRows.filter(holdsObjects);
const plain = insideRows.filter((row) => !holdsObjects(row));

interface Call {
  readonly text: string;
  readonly returns: string;
  readonly row: LibraryFunction;
  /** Places whose objects the call was handed. */
  readonly held: readonly { readonly name: string | null; readonly type: string }[];
}

export class LibraryCalls {
  readonly scope: Scope;
  readonly #places: Places;
  /** Calls in arguments of calls hold no further ones. */
  #depth = 0;

  constructor(scope: Scope) {
    this.scope = scope;
    this.#places = new Places(scope, (type) => this.#nested(type));
  }

  /**
   * Calls whose arguments and results are mere values: shown, or kept and used in ways in which it shows how large they
   * were taken to be.
   */
  values(): void {
    const { scope } = this;
    const { dice } = scope;
    scope.block('', () => {
      const calls = Array.from({ length: 4 }, () => this.#draw(dice.pick(plain)));
      const shown = calls.filter(({ returns }) => returns === 'void' || dice.chance(50));
      if (shown.length > 0)
        scope.line(`try { yield \`${shown.map(({ text }) => `\${${text}}`).join(' ')}\`; } catch (e) { yield e; }`);
      for (const { row } of shown) this.#note(row, 'result', 'shown');
      const sum = scope.newName('sum');
      scope.line(`int ${sum} = 1;`);
      const kept = calls
        .filter((call) => !shown.includes(call))
        .map((call) => ({ call, keep: this.#keep(call, false) }));
      scope.line('try {');
      scope.inside(() => {
        for (const { call, keep } of kept) {
          scope.line(keep.statement);
          for (let count = 2; count > 0; count--) scope.line(readOf(scope, keep.inside!, call.returns, sum, '1'));
        }
      });
      scope.line('} catch (e) { yield e; }');
      scope.line(`yield ${sum};`);
    });
  }

  /** A call whose arguments or result are mostly objects with several names. */
  aliases(row = this.scope.dice.pick(aliasing)): void {
    const { scope } = this;
    const { dice } = scope;
    scope.block('', () => {
      const sum = scope.newName('sum');
      scope.line(`int ${sum} = ${dice.below(3)};`);
      const call = this.#draw(row);
      const isLoop = dice.chance(45);
      const i = scope.newName('n');
      const kept = this.#keep(call, isLoop);
      scope.line('try {');
      scope.inside(() => {
        const write = (): void => this.#iteration(call, kept, sum, isLoop ? i : '1');
        if (isLoop) {
          scope.loops += 1;
          scope.block(`for (int ${i} = 0; ${i} < ${dice.below(4) + 1}; ${i}++)`, write);
          scope.loops -= 1;
        } else write();
        if (isLoop || dice.chance(30)) this.#readAll(call, kept.outside, sum, '0');
      });
      scope.line(`} catch (e) { yield e; }`);
      const shown = [
        ...new Set([sum, ...(kept.outside === null ? [] : [kept.outside]), ...call.held.map(({ name }) => name!)]),
      ];
      scope.line(`try { yield \`${shown.map((name) => `\${${name}}`).join(' ')}\`; } catch (e) { yield e; }`);
    });
  }

  /** A call that the host must permit. */
  outside(): void {
    this.aliases(this.scope.dice.pick(outsideRows));
  }

  /** What happens once, or at each iteration: reads, the call, stores, reads. */
  #iteration(call: Call, kept: Kept, sum: string, index: string): void {
    const { scope } = this;
    const { dice } = scope;
    if (dice.chance(50)) this.#readAll(call, null, sum, index);
    scope.line(kept.statement);
    const result = kept.inside;
    const places = [
      ...(result === null ? [] : [{ name: result, type: call.returns }]),
      ...call.held.map(({ name, type }) => ({ name: name!, type })),
    ];
    // Nothing is stored where it shall show what the call itself handed on. The result first: whoever takes it for a
    // new object does not expect this to show elsewhere.
    const stored = dice.chance(30)
      ? []
      : result !== null && dice.chance(85)
        ? [places[0]!, ...places.slice(1).filter(() => dice.chance(30))]
        : places.filter(() => dice.chance(60));
    for (const { name, type } of stored) {
      const store = storeInto(scope, name, type, index);
      if (store === null) continue;
      const isFixed = scope.variables.some((one) => one.name === name && one.isFixed);
      const isAssignment = dice.chance(8) && !isFixed;
      if (name === result && !isAssignment) this.#note(call.row, 'result', 'stored into');
      scope.line(isAssignment ? assignmentTo(scope, name, type) : store);
      if (dice.chance(30)) scope.line(storeInto(scope, name, type, index)!);
    }
    this.#readAll(call, result, sum, index);
    if (dice.chance(35)) this.#readAll(call, result, sum, index);
    this.#compare(result, call);
  }

  /** Whether the result is one of the arguments. */
  #compare(result: string | null, { returns, held }: Call): void {
    const same = held.filter(({ type }) => type === returns && type !== 'json');
    if (result !== null && same.length > 0 && !isPrimitive(returns) && this.scope.dice.chance(40))
      this.scope.line(`yield ${result} == ${this.scope.dice.pick(same).name};`);
  }

  #readAll({ held, returns }: Call, result: string | null, sum: string, index: string): void {
    const { scope } = this;
    const places = [
      ...held.map(({ name, type }) => ({ name: name!, type })),
      ...(result === null ? [] : [{ name: result, type: returns }]),
    ];
    for (const { name, type } of places) {
      if (!scope.dice.chance(80)) continue;
      scope.line(readOf(scope, name, type, sum, index));
      if (type === 'int[]' && scope.dice.chance(40))
        scope.line(
          `yield ${scope.dice.pick([`(${name}[0] >>> 7) & 0xffffffff`, `${name}[0] >> 33`, `${name}[0] * 5`])};`,
        );
    }
  }

  /** Where the result goes. */
  #keep(call: Call, isLoop: boolean): Kept {
    const { scope } = this;
    const { dice } = scope;
    const { text, returns, row } = call;
    if (returns === 'void') return { statement: `${text};`, inside: null, outside: null };
    const name = scope.newName('r');
    const fresh = `${returns} ${name} = ${text};`;
    const where =
      isLoop && dice.chance(40)
        ? 'variable'
        : dice.pick(['local', 'local', 'variable', 'global', 'field', 'element'] as const);
    this.#note(row, 'result', where);
    if (where === 'local') return { statement: fresh, inside: name, outside: null };
    const wanted: Wanted = { type: returns, name: '', isExact: false, isNullable: false, isAssigned: true };
    const place = this.#places.of(where, wanted).name!;
    // What stood there before is gone.
    this.#places.takeParts();
    return { statement: `${place} = ${text};`, inside: place, outside: place };
  }

  #draw(row: LibraryFunction, typeArgument: string | null = null): Call {
    const { scope } = this;
    const { dice } = scope;
    const t =
      typeArgument ??
      drawTypeArgument(
        scope,
        row.parameters.some(({ isType }) => isType),
      );
    const nameOf = (type: Type): string => formatType(type).replace(/^T/, t);
    const places = new Map<string, Place>();
    for (const part of partsOf(row)) {
      if ((part.parameter?.initialiser ?? null) !== null && dice.chance(12)) break;
      places.set(part.name, this.#argument(row, part, nameOf(part.type)));
    }
    const given = row.parameters.flatMap((parameter) =>
      parameter.isType ? [t] : places.has(parameter.name) ? [places.get(parameter.name)!.text] : [],
    );
    const held = [
      ...[...places.values()].filter(({ name, type }) => name !== null && !isPrimitive(type)),
      ...this.#places.takeParts(),
    ];
    const called = row.receiver === null ? row.id : `${places.get('receiver')!.text}.${row.name}`;
    const isConstant = row.receiver === null && row.implementation.kind === 'constant';
    return { text: isConstant ? called : `${called}(${given.join(', ')})`, returns: nameOf(row.returns), row, held };
  }

  #argument(row: LibraryFunction, part: Part, type: string): Place {
    const { scope } = this;
    const isDefault = row.returns.kind === 'variable' && part.parameter?.name === 'default';
    const wanted: Wanted = {
      type,
      name: part.name,
      isExact: part.parameter === null || isDefault,
      isNullable: part.parameter?.nullable ?? false,
    };
    const source: Source = scope.dice.pick(sources);
    this.#note(row, part.name, source);
    const place = this.#places.of(source, wanted);
    // A place in front of a dot needs no more, other values do.
    return part.parameter === null && /^-|^\d|^new /.test(place.text) ? { ...place, text: `(${place.text})` } : place;
  }

  #nested(type: string): string | null {
    if (this.#depth > 0) return null;
    const element = isArray(type) ? type.slice(0, -2) : null;
    const found = insideRows.flatMap((row): (readonly [LibraryFunction, string | null])[] => {
      const returns = formatType(row.returns);
      if (returns === type) return [[row, null]];
      const takesStruct = row.parameters.some(({ isType }) => isType);
      if (returns === 'T') return [[row, type]];
      if (returns === 'T[]' && element !== null && (!takesStruct || this.scope.struct(element) !== null))
        return [[row, element]];
      return [];
    });
    if (found.length === 0) return null;
    const [row, typeArgument] = this.scope.dice.pick(found);
    this.#depth += 1;
    const { text } = this.#draw(row, typeArgument);
    this.#depth -= 1;
    return text;
  }

  #note(row: LibraryFunction, part: string, source: string): void {
    this.scope.draws.push({ row: row.id, part, source });
  }
}

interface Kept {
  /** The call, with what keeps its result. */
  readonly statement: string;
  /** The name of the result behind the statement, and behind everything; null where there is none. */
  readonly inside: string | null;
  readonly outside: string | null;
}
