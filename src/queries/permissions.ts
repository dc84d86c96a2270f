// What the functions of a script can ask the host for, directly or through what they call, and the flag that allows
// it. It is what they can reach, not what they will do: a condition in front of a call is not looked at.

import type { Expression } from '../1-parse/syntax-tree.ts';
import type { CallMeaning, CallSyntax } from '../2-check/notes.ts';
import { readPlugins } from '../library/plugins.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import { callerOf } from './calls.ts';
import type { Caller } from './calls.ts';
import { flagFor } from './permission-flags.ts';
import type { FunctionPermissions, PermissionRequest } from './results.ts';
import { declaredAt } from './targets.ts';

/** What a caller does itself. */
interface Reach {
  readonly caller: Caller;
  readonly requests: PermissionRequest[];
  readonly calls: Set<string>;
}

/**
 * The functions of the file that was asked about, in textual order, then main or the statements at top level; those
 * that ask for nothing too. What runs before main, the values of global variables in all files, counts for it.
 */
export function permissionsOf(analysis: Analysis): readonly FunctionPermissions[] {
  const { entry } = analysis;
  const reaches = collect(analysis);
  const setup = analysis.files.map((file) => keyOf({ file, node: null }));
  const functions = entry.syntax.items.flatMap((item) =>
    item.kind === 'function-declaration' || item.kind === 'main-declaration' ? [item] : [],
  );
  const listed = functions.map((node): FunctionPermissions => {
    const own = keyOf({ file: entry, node });
    const starts = node.kind === 'main-declaration' ? [own, ...setup] : [own];
    return { name: node.name.text, nameSpan: node.name.span, requests: reachable(reaches, starts) };
  });
  const isScript = !functions.some(({ kind }) => kind === 'main-declaration');
  const top = { file: entry.source, start: 0, end: 0 };
  const script = { name: '<top level>', nameSpan: top, requests: reachable(reaches, setup) };
  return isScript && (script.requests.length > 0 || entry.syntax.items.length > functions.length)
    ? [...listed, script]
    : listed;
}

function keyOf({ file, node }: Caller): string {
  return `${file.name}:${node === null ? 'top' : node.name.span.start}`;
}

function collect(analysis: Analysis): ReadonlyMap<string, Reach> {
  const reaches = new Map<string, Reach>();
  const pluginPermissions = permissionsOfPlugins(analysis);
  for (const file of analysis.files) {
    const isEntry = file === analysis.entry;
    for (const { node, container } of file.index.names) {
      // The call is noted under its callee, which is a name or a member.
      const call = file.index.callOf(node);
      const meaning = call === null ? undefined : analysis.notes.callOf(call);
      if (call === null || meaning === undefined) continue;
      // Of the top level of an imported file only variables are set.
      if (container === null && !isEntry && !isInVariable(file, call)) continue;
      const caller = callerOf(file, container);
      const key = keyOf(caller);
      const reach = reaches.get(key) ?? { caller, requests: [], calls: new Set<string>() };
      reaches.set(key, reach);
      addCall(analysis, reach, call, meaning, pluginPermissions);
    }
  }
  return reaches;
}

function isInVariable(file: AnalysedFile, { span }: CallSyntax): boolean {
  return file.syntax.items.some(
    (item) => item.kind === 'variable-declaration' && item.span.start <= span.start && span.end <= item.span.end,
  );
}

function permissionsOfPlugins({ origin }: Analysis): ReadonlyMap<string, string> {
  const guarded = readPlugins(origin.plugins).flatMap(({ functions }) => functions);
  return new Map(
    guarded.flatMap(({ row, permission }) =>
      permission === null ? [] : [[row.id, `${permission.category}:${permission.action}`] as const],
    ),
  );
}

function addCall(
  analysis: Analysis,
  { requests, calls }: Reach,
  call: CallSyntax,
  { callee, hasReceiver }: CallMeaning,
  plugins: ReadonlyMap<string, string>,
): void {
  if (callee.kind === 'function') {
    const target = declaredAt(analysis, callee.span);
    if (target?.declaration.node.kind === 'function-declaration')
      calls.add(keyOf({ file: target.file, node: target.declaration.node }));
    return;
  }
  const { id, implementation } = callee.row;
  const plugin = plugins.get(id);
  const permission = plugin ?? (implementation.kind === 'host' ? implementation.permission : null);
  if (permission === null || permission === undefined) return;
  const [first] = call.arguments;
  const subject = plugin !== undefined || hasReceiver || first === undefined ? null : beginningOf(analysis, first);
  const flag = plugin === undefined ? flagFor(permission, subject) : `--allow-plugin=${plugin}`;
  requests.push({
    permission,
    function: id,
    subject: subject?.isWhole === true ? subject.text : null,
    flag,
    span: call.span,
  });
}

/** The text that an expression is, or begins with, where the script says so. */
export interface Beginning {
  readonly text: string;
  readonly isWhole: boolean;
}

function beginningOf(analysis: Analysis, node: Expression): Beginning | null {
  if (node.kind === 'string-literal') return { text: node.value, isWhole: true };
  if (node.kind === 'template') return { text: node.texts[0]!, isWhole: node.expressions.length === 0 };
  if (node.kind === 'binary' && node.operator === '+') {
    const left = beginningOf(analysis, node.left);
    const right = left?.isWhole === true ? beginningOf(analysis, node.right) : null;
    return left === null ? null : { text: left.text + (right?.text ?? ''), isWhole: right?.isWhole === true };
  }
  if (node.kind !== 'name') return null;
  const meaning = analysis.file(node.span.file.name)?.notes?.meanings.get(node.span.start);
  const value = meaning?.kind === 'variable' ? meaning.value : null;
  return value?.kind === 'string' ? { text: value.value, isWhole: true } : null;
}

/** What the callers ask for, and all that they call, each request once, sorted by permission and flag. */
function reachable(reaches: ReadonlyMap<string, Reach>, starts: readonly string[]): readonly PermissionRequest[] {
  const seen = new Set<string>();
  const open = [...starts];
  const found: PermissionRequest[] = [];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    const reach = reaches.get(key);
    found.push(...(reach?.requests ?? []));
    open.push(...(reach?.calls ?? []));
  }
  return found.sort(
    (a, b) =>
      compare(a.permission, b.permission) ||
      compare(a.flag, b.flag) ||
      compare(a.span.file.name, b.span.file.name) ||
      a.span.start - b.span.start,
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
