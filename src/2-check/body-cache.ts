// What one check of a program keeps for the next: the functions in which there was nothing to report. While somebody
// types, nearly all of them stay what they are. Such a function is not checked again if no name in it can mean anything
// else than it did; what its names and calls mean is found out when somebody asks.

import type {
  Expression,
  FunctionDeclaration,
  Item,
  SourceModule,
  VariableDeclaration,
} from '../1-parse/syntax-tree.ts';
import type { LibraryRegistry } from '../library/registry.ts';
import type { Span } from '../source.ts';

/** A function without a fault, and what its check did to what functions share. */
export interface KeptBody {
  /** Imports that it uses, by their names in the file. */
  readonly imports: readonly string[];
  /** How many default values its calls take. */
  readonly filled: number;
}

/** What the functions of a file may depend on besides their own text. */
interface Environment {
  readonly registry: LibraryRegistry;
  /** What must be the same as a whole: the other files, and the form of this one. */
  readonly fixed: readonly string[];
  /** What is written of each name that the file declares or imports. */
  readonly declared: ReadonlyMap<string, string>;
}

/** More names than are looked for in each function. */
const mostChanges = 100;

/** For one check: made with that of the check before, and full afterwards. */
export class BodyCache {
  #earlier: BodyCache | null;
  readonly #originOf: (node: FunctionDeclaration) => FunctionDeclaration;
  readonly #kept = new Map<FunctionDeclaration, KeptBody>();
  #environment: Environment | null = null;
  /** Finds a name that may mean something else now; null where none may. */
  #changed: RegExp | null = null;
  #entry: SourceModule | null = null;

  /** `originOf` gives the function of the text before that a function was taken over from, or the function itself. */
  constructor(earlier: BodyCache | null, originOf: (node: FunctionDeclaration) => FunctionDeclaration) {
    this.#earlier = earlier;
    this.#originOf = originOf;
  }

  /** `items` are those of the last module, which is the one that is compiled. */
  begin(modules: readonly SourceModule[], items: readonly Item[], registry: LibraryRegistry): void {
    this.#entry = modules.at(-1)!;
    this.#environment = environmentOf(modules, items, registry);
    const before = this.#earlier === null ? null : this.#earlier.#environment;
    const changes = before === null ? null : changedNames(before, this.#environment);
    if (changes === null || changes.size > mostChanges) this.#earlier = null;
    else this.#changed = changes.size === 0 ? null : patternOf(changes);
  }

  /** What is known of a function that need not be checked; null for one that has to be. */
  find(node: FunctionDeclaration): KeptBody | null {
    if (this.#earlier === null) return null;
    const kept = this.#earlier.#kept;
    const known = kept.get(node) ?? kept.get(this.#originOf(node));
    if (known === undefined) return null;
    const isOfEntry = node.span.file === this.#entry!.file.source;
    return isOfEntry && this.#changed?.test(textOf(node.span)) === true ? null : known;
  }

  keep(node: FunctionDeclaration, body: KeptBody): void {
    this.#kept.set(node, body);
  }

  /** Otherwise each check would keep those before it. */
  end(): void {
    this.#earlier = null;
    this.#entry = null;
  }
}

function environmentOf(
  modules: readonly SourceModule[],
  items: readonly Item[],
  registry: LibraryRegistry,
): Environment {
  const { file, imports } = modules.at(-1)!;
  const declared = new Map<string, string>();
  const declare = (name: string, text: string): void => {
    const known = declared.get(name);
    declared.set(name, known === undefined ? text : `${known}\n${text}`);
  };
  for (const [{ alias, span }, module] of imports)
    declare(alias.text, `${textOf(span)} ${module === null ? '' : `${module.id} ${module.isBroken}`}`);
  for (const [name, text] of variablesOf(items)) declare(name, text);
  for (const item of items) {
    if (item.kind === 'type-declaration') declare(item.name.text, textOf(item.span));
    if (item.kind === 'function-declaration') declare(item.name.text, headOf(item));
  }
  const others = modules.slice(0, -1).flatMap((module) => [module.id, `${module.isBroken}`, module.file.source.text]);
  return { registry, fixed: [file.source.name, ...others], declared };
}

/**
 * Variables, with all that decides what they are: for one of a script that it is one; and a constant has its value from
 * the start only if no variable in front of it has to be worked out.
 */
function variablesOf(items: readonly Item[]): readonly (readonly [name: string, text: string])[] {
  const form = formOf(items);
  const found: [string, string][] = [];
  let before = '';
  for (const item of items) {
    if (item.kind !== 'variable-declaration') continue;
    const own = textOf(item.span);
    for (const { name } of item.declarators)
      found.push([name.text, item.constant ? `${form} ${own} ${before}` : `${form} ${own}`]);
    if (!isPlain(item)) before += own;
  }
  return found;
}

function formOf(items: readonly Item[]): string {
  const isScript =
    items.every(({ kind }) => kind !== 'main-declaration') && items.some(({ kind }) => !declarations.has(kind));
  const hasExports = items.some((item) => item.kind === 'function-declaration' && item.exported);
  return isScript ? `script ${hasExports}` : '';
}

const declarations: ReadonlySet<Item['kind']> = new Set([
  'function-declaration',
  'type-declaration',
  'variable-declaration',
  'empty',
]);

/** Whether its values are written out, so that nothing has to be worked out. */
function isPlain({ type, declarators }: VariableDeclaration): boolean {
  const literal = literals.get(textOf(type.span));
  return declarators.every(({ initialiser }) => initialiser !== null && initialiser.kind === literal);
}

const literals: ReadonlyMap<string, Expression['kind']> = new Map([
  ['int', 'int-literal'],
  ['double', 'double-literal'],
  ['boolean', 'boolean-literal'],
]);

/** Up to the brace of the body, which is not copied for that; of one that is broken everything. */
function headOf({ span, name, parameters, isBroken }: FunctionDeclaration): string {
  if (isBroken === true) return `broken ${textOf(span)}`;
  const brace = span.file.text.indexOf('{', parameters.at(-1)?.span.end ?? name.span.end);
  return textOf({ ...span, end: brace });
}

function textOf({ file, start, end }: Omit<Span, 'inlined'>): string {
  return file.text.slice(start, end);
}

/** The names that may mean something else, since they or what they are declared with do; null for all. */
function changedNames(before: Environment, now: Environment): ReadonlySet<string> | null {
  const isSame =
    before.registry === now.registry &&
    before.fixed.length === now.fixed.length &&
    before.fixed.every((text, at) => text === now.fixed[at]);
  if (!isSame) return null;
  const changed = new Set<string>();
  for (const [name, text] of now.declared) if (before.declared.get(name) !== text) changed.add(name);
  for (const name of before.declared.keys()) if (!now.declared.has(name)) changed.add(name);
  for (let size = 0; size < changed.size && changed.size <= mostChanges;) {
    size = changed.size;
    const pattern = patternOf(changed);
    for (const [name, text] of now.declared) if (!changed.has(name) && pattern.test(text)) changed.add(name);
  }
  return changed;
}

function patternOf(names: ReadonlySet<string>): RegExp {
  return new RegExp(`\\b(?:${[...names].join('|')})\\b`);
}
