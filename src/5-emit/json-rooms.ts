// How many members the objects of a json literal are likely to get, from what the program does with the keys of json
// variables. An object has its room from the start then, where it would need a second row otherwise. A wrong guess costs
// room only.

import { nodesOf, visitAll } from '../mir/children.ts';
import type { Expression, JsonObjectLiteral } from '../mir/mir.ts';
import type { MirFunction } from '../mir/program.ts';

/** What is done with the members of the objects that a variable holds, where the key is a constant. */
interface KeyUsage {
  readonly read: Set<string>;
  readonly stored: Set<string>;
}

export interface JsonRooms {
  readonly usages: readonly KeyUsage[];
  /** The usages of variables to which `{}` is assigned, by the literal. */
  readonly assigned: ReadonlyMap<JsonObjectLiteral, KeyUsage>;
}

/** More than these members beyond its own are not foreseen for a literal. */
const mostForeseen = 4;

export function collectKeyUsages(functions: readonly MirFunction[]): JsonRooms {
  const usages: KeyUsage[] = [];
  const assigned = new Map<JsonObjectLiteral, KeyUsage>();
  const globals = new Map<string, KeyUsage>();
  for (const fn of functions) {
    const locals = new Map<number, KeyUsage>();
    const usageOf = (json: Expression): KeyUsage | null => {
      if (json.kind === 'check-null') return usageOf(json.operand);
      if (json.kind === 'get-local') return find(locals, json.local);
      return json.kind === 'get-global' ? find(globals, json.global) : null;
    };
    const note = (json: Expression, key: Expression | undefined, what: keyof KeyUsage): void => {
      if (key?.kind === 'string') usageOf(json)?.[what].add(key.value);
    };
    visitAll(nodesOf(fn), (node) => {
      if (node.kind === 'get-member') note(node.json, node.key, 'read');
      else if (node.kind === 'set-member') note(node.json, node.key, 'stored');
      else if (node.kind === 'set-local' && isEmptyObject(node.value))
        assigned.set(node.value, find(locals, node.local));
      else if (node.kind === 'set-global' && isEmptyObject(node.value))
        assigned.set(node.value, find(globals, node.global));
      else if (node.kind === 'library-call') {
        const what = usedBy(node.function);
        if (what !== null) note(node.arguments[0]!, node.arguments[1], what);
      }
    });
    usages.push(...locals.values());
  }
  return { usages: [...usages, ...globals.values()], assigned };
}

function usedBy(method: string): keyof KeyUsage | null {
  if (method.startsWith('json.get')) return 'read';
  return method.startsWith('json.set') ? 'stored' : null;
}

function isEmptyObject(value: Expression): value is JsonObjectLiteral {
  return value.kind === 'json-object' && value.members.length === 0;
}

function find<Key>(usages: Map<Key, KeyUsage>, key: Key): KeyUsage {
  const known = usages.get(key);
  if (known !== undefined) return known;
  const usage = { read: new Set<string>(), stored: new Set<string>() };
  usages.set(key, usage);
  return usage;
}

/**
 * The likely number of members of the objects that a literal makes: its own keys, for `{}` those that its variable
 * stores, and those that are stored in objects of which only likely keys are read.
 */
export function likelyMembers(literal: JsonObjectLiteral, { usages, assigned }: JsonRooms): number {
  const likely = new Set([...literal.members.map(({ key }) => key), ...(assigned.get(literal)?.stored ?? [])]);
  if (likely.size === 0) return 0;
  const most = likely.size + mostForeseen;
  for (let before = 0; before < likely.size;) {
    before = likely.size;
    for (const { read, stored } of usages) {
      const needed = [...read].filter((key) => !stored.has(key));
      if (needed.length === 0 || !needed.every((key) => likely.has(key))) continue;
      for (const key of stored) likely.add(key);
    }
  }
  return Math.min(likely.size, most);
}
