// Words that people know from other languages, and how this language says the same.

import { possibleFix, sureFix, wordFix } from './fixes.ts';
import type { Fix } from './diagnostic.ts';
import type { Span } from '../source.ts';

interface WordHint {
  readonly help: string;
  /** The word that replaces it; '' removes the word and the blanks behind it. */
  readonly word?: string;
  /** Whether the edit is right wherever the word is a mistake. */
  readonly sure?: boolean;
  /** The word may well be a name: the hint is given only if a statement begins with it. */
  readonly first?: boolean;
}

const variable: WordHint = { help: 'A variable is declared by its type: int x = 1;' };
const fn: WordHint = { help: 'A function is declared by its return type: int add(int a, int b) { … }' };
const data: WordHint = {
  help: 'Data is declared with type: type Point { double x; double y; }. Functions stand beside it.',
};
const otherwise: WordHint = { help: 'Write else if.', word: 'else if', sure: true };
const choice: WordHint = { help: 'There is no switch; write if and else if, or a chain of ? and :.' };
const waiting: WordHint = {
  help: 'There is nothing to mark: the host waits for what takes time.',
  word: '',
  sure: true,
};
const visibility: WordHint = {
  help: 'There is nothing to hide or to show: leave the word away.',
  word: '',
  sure: true,
};
const belonging: WordHint = {
  help: 'Functions and variables belong to the file: leave the word away.',
  word: '',
  sure: true,
};
const output: WordHint = { help: 'Output is yielded: yield "text";' };
const imports: WordHint = { help: 'Write import "file.slu" as name;' };
const handler: WordHint = { help: 'Write catch (e) { … }.', word: 'catch' };
const types: WordHint = { help: 'Every type is known when the script is compiled; what a json holds is j.kind().' };
const removal: WordHint = {
  help: 'Nothing is freed by hand. Elements go with xs.removeAt(i), keys of a json with j.remove(key).',
};
const jump: WordHint = { help: 'There are no jumps: write a loop with break and continue, or a function with return.' };
const named = (type: string): WordHint => ({ help: `The type is ${type}.`, word: type, sure: true });

const hints: ReadonlyMap<string, WordHint> = new Map<string, WordHint>(
  Object.entries({
    let: variable,
    var: variable,
    auto: variable,
    val: variable,
    mut: variable,
    final: { help: 'Write const in front of the type: const int x = 1;', word: 'const', sure: true },
    function: fn,
    func: fn,
    fn,
    def: fn,
    fun: { ...fn, first: true },
    sub: { ...fn, first: true },
    procedure: { ...fn, first: true },
    class: data,
    struct: { help: 'Write type: type Point { double x; double y; }', word: 'type' },
    interface: { help: 'Write type: type Point { double x; double y; }', word: 'type' },
    record: { ...data, first: true },
    typedef: data,
    extends: { help: 'Types do not inherit: give the fields to the type itself.' },
    enum: { help: 'There are no enums; use const int or const string variables.' },
    float: named('double'),
    long: { ...named('int'), help: 'The type is int, which has 64 bits.' },
    bool: named('boolean'),
    String: named('string'),
    number: { help: 'The types are int and double.' },
    char: { help: 'A character is a string of length 1.', word: 'string' },
    unsigned: { help: 'int has a sign; >>> shifts without it.', word: '' },
    elif: otherwise,
    elsif: otherwise,
    elseif: otherwise,
    then: {
      help: 'The condition stands in parentheses, and the statement follows directly: if (x > 0) yield x;',
      first: true,
    },
    switch: choice,
    case: choice,
    match: { ...choice, first: true },
    default: { ...choice, first: true },
    and: { help: 'Write &&.', word: '&&', sure: true },
    or: { help: 'Write ||.', word: '||', sure: true },
    not: { help: 'Write !.', word: '!' },
    is: { help: 'Compare with ==.', first: true },
    instanceof: types,
    typeof: types,
    sizeof: { help: 'The length of an array or a string is x.length().' },
    of: { help: 'Write foreach (T x in xs).' },
    unless: { help: 'Write if (!(…)).' },
    until: { help: 'Write while (!(…)), or do { … } while (!(…));' },
    loop: { help: 'Write while (true) { … }.', word: 'while (true)', first: true },
    repeat: { help: 'Write do { … } while (…);', first: true },
    pass: { help: 'A block that does nothing is { }.', first: true },
    goto: jump,
    finally: { help: 'There is no finally; put what must happen behind the try and into its clauses.' },
    raise: { help: 'Write throw "message";', word: 'throw' },
    except: handler,
    rescue: { ...handler, first: true },
    async: waiting,
    await: waiting,
    delete: removal,
    del: { ...removal, first: true },
    assert: { help: 'Test it and throw: if (x != 1) throw "x is not 1";', first: true },
    public: visibility,
    private: visibility,
    protected: visibility,
    static: belonging,
    override: belonging,
    abstract: belonging,
    lambda: { help: 'Functions are no values: declare one by its return type and name.' },
    with: { help: 'There is nothing to open or to close: call what is needed.', first: true },
    print: output,
    println: output,
    echo: { ...output, first: true },
    printf: { help: 'Output is yielded, and a template formats it: yield `${x}`;' },
    include: imports,
    using: imports,
    from: { ...imports, first: true },
    require: { ...imports, first: true },
    use: { ...imports, first: true },
    package: { help: 'A file needs no name: leave the line away.', first: true },
    namespace: { help: 'A file is its own namespace where it is imported: leave the line away.', first: true },
    global: { help: 'A variable at the top of the file is visible in functions: declare it there.', first: true },
    nonlocal: { help: 'A variable at the top of the file is visible in functions: declare it there.' },
    new: { help: 'new makes arrays alone: new int[10].' },
  }),
);

/** The advice for a word; null for any other word. `isFirst` says that a statement begins with it. */
export function wordHint(word: string, isFirst: boolean): WordHint | null {
  const hint = hints.get(word);
  return hint === undefined || (hint.first === true && !isFirst) ? null : hint;
}

/** The edit that goes with a hint. */
export function hintFix({ word, sure = false }: WordHint, span: Span): { readonly fix?: Fix } {
  if (word === undefined) return {};
  if (word !== '') return { fix: wordFix(span, word, sure) };
  const { file, start, end } = span;
  const blanks = /^[ \t]*/.exec(file.text.slice(end, end + 100))![0].length;
  return { fix: (sure ? sureFix : possibleFix)('leave the word away', { file, start, end: end + blanks }, '') };
}
