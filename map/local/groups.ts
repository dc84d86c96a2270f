// The states of groups in an instance of the driver: made by records, or merged from what others made.

import { ScriptError } from '../../runtime-host/api/node.ts';
import type { Script, ScriptInstance } from '../../runtime-host/api/node.ts';
import { separator } from '../driver/slots.ts';
import { unwritableError } from '../driver/values.ts';
import { MapError, ScriptThrew } from '../errors.ts';
import { batchRows, mostGroups } from '../plan/plan.ts';
import type { Fold, GroupColumn } from '../plan/plan.ts';
import { tooManyGroups } from '../read/groups.ts';
import type { GroupKey } from '../read/groups.ts';
import { groupBatch } from '../write/states.ts';
import type { GroupState } from '../write/states.ts';
import type { WrittenColumn } from '../write/writer.ts';
import type { RunStage } from './attempts.ts';
import { columnsOf, placeOf, unwritable } from './batch-call.ts';
import type { DriverRows } from './batch-call.ts';

/** Where there are no columns of groups, all records are of this one. */
export const onlyGroup: GroupKey = [];

/** Finished groups: their columns, and in front of them those of their keys. */
export interface FinishedGroups {
  readonly rows: number;
  readonly columns: readonly WrittenColumn[];
  /** The text of a column with another separator, as long as nothing else is called. */
  readonly rejoin: (column: number, separator: string) => string;
}

export class GroupStates {
  readonly instance: ScriptInstance;
  readonly #work: Fold;
  readonly #keys: GroupKey[] = [];
  readonly #numbers = new Map<string, number>();
  #room = 0;

  /** In an instance that has begun. */
  constructor(instance: ScriptInstance, { work }: RunStage<Fold>) {
    this.instance = instance;
    this.#work = work;
  }

  static async begin(script: Script, stage: RunStage<Fold>): Promise<GroupStates> {
    const instance = script.instance();
    await instance.call('begin', ...(stage.values as never[]));
    return new GroupStates(instance, stage);
  }

  /** Groups without states yet, in the order of their numbers. */
  reserve(keys: readonly GroupKey[]): void {
    for (const key of keys) this.#keys.push(key);
    this.#makeRoom();
  }

  /** Merges states in: those of new groups are taken as they are. */
  async take(groups: readonly GroupState[]): Promise<void> {
    const numbers = groups.map(({ key }) => this.#numberOf(key));
    this.#makeRoom();
    const values = groups.map(({ state }) => state);
    await this.#try('merge', numbers, async () =>
      this.instance.call('take', ...([BigInt64Array.from(numbers, BigInt), values] as never[])),
    );
  }

  /** States of groups that have one, some at a time. */
  *give(): Generator<readonly GroupState[]> {
    for (let from = 0; from < this.#keys.length; from += groupBatch) {
      const to = Math.min(from + groupBatch, this.#keys.length);
      const states = this.instance.callSync('give', ...([from, to] as never[])).value as unknown as unknown[];
      yield states.flatMap((state, at) => (state === null ? [] : [{ key: this.#keys[from + at]!, state }]));
    }
  }

  /** What `finish` makes of all groups, some at a time. */
  async *finish(): AsyncGenerator<FinishedGroups> {
    if (this.#work.by.length === 0 && this.#keys.length === 0) {
      // No record at all is one row too.
      this.reserve([onlyGroup]);
      await this.#try('init', [0], async () => this.instance.call('start', ...([0] as never[])));
    }
    for (let from = 0; from < this.#keys.length; from += batchRows) {
      const to = Math.min(from + batchRows, this.#keys.length);
      const numbers = Array.from({ length: to - from }, (_, at) => from + at);
      const given = await this.#try('finish', numbers, async () =>
        this.instance.call('finish', ...([from, to] as never[])),
      );
      const keys = [...(given['group'] as BigInt64Array).subarray(0, Number(given.rows))].map(
        (group) => this.#keys[Number(group)]!,
      );
      const { by, outputs } = this.#work;
      const ofKeys = by.map((_, at) => keys.map((key) => key[at]!));
      yield {
        rows: keys.length,
        columns: [...ofKeys.map(columnOfTexts), ...columnsOf(outputs, given)],
        rejoin: (column, between) =>
          column < by.length
            ? joined(ofKeys[column]!, between)
            : (this.instance.callSync('text', ...([column - by.length, between] as never[]))
                .value as unknown as string),
      };
    }
  }

  close(): void {
    this.instance.close();
  }

  #numberOf(key: GroupKey): number {
    const text = JSON.stringify(key);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#keys.push(key) - 1;
      if (number >= mostGroups) throw tooManyGroups(this.#work.by);
      this.#numbers.set(text, number);
    }
    return number;
  }

  #makeRoom(): void {
    if (this.#keys.length <= this.#room) return;
    this.#room = Math.max(this.#keys.length, Math.min(2 * this.#room, mostGroups));
    this.instance.callSync('room', ...([this.#room] as never[]));
  }

  /** Throws ScriptThrew, or MapError for a limit, with the group in which the script failed. */
  async #try(
    name: string,
    numbers: readonly number[],
    call: () => Promise<{ readonly value: unknown }>,
  ): Promise<DriverRows> {
    let given: DriverRows;
    try {
      given = (await call()).value as DriverRows;
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      throw new MapError(this.#fault(name, numbers[placeOf(error) ?? -1], error.name, error.message), {
        cause: error,
      });
    }
    if (given.failedAt.length === 0) return given;
    const [failed, text] = [given.failedType[0]!, given.failedText[0]!];
    const { type, message } =
      failed === unwritableError ? unwritable(this.#work.outputs, text) : { type: failed, message: text };
    throw new ScriptThrew(this.#fault(name, numbers[Number(given.failedAt[0])], type, message));
  }

  #fault(name: string, number: number | undefined, type: string, message: string): string {
    const group = number === undefined ? '' : describeGroup(this.#work.by, this.#keys[number]!);
    return `${name} failed${group === '' ? '' : ` for ${group}`}: ${type}: ${message}`;
  }
}

/** Such as `country=DE, day=null`; empty for the only one. */
export function describeGroup(by: readonly Pick<GroupColumn, 'column'>[], key: GroupKey): string {
  return by.map(({ column }, at) => `${column}=${key[at] ?? 'null'}`).join(', ');
}

type Texts = readonly (string | null)[];

function columnOfTexts(texts: Texts): WrittenColumn {
  const nulls = texts.includes(null) ? BigInt64Array.from(texts, (text) => (text === null ? 1n : 0n)) : none;
  return { numbers: none, text: joined(texts, separator), nulls };
}

function joined(texts: Texts, between: string): string {
  return texts.map((text) => text ?? '').join(between);
}

const none = new BigInt64Array(0);
