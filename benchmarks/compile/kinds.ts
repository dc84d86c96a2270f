// Scripts of any size that go on and on in one way each: what a compiler may be slow at. Some are right, others full of
// mistakes, and most are larger than any that a person writes.

/** Makes a script of about so many bytes. */
export interface Kind {
  readonly name: string;
  readonly make: (bytes: number) => string;
}

/** Pieces in a row until there are so many bytes. */
function row(bytes: number, piece: (index: number) => string): string {
  const pieces: string[] = [];
  for (let index = 0, length = 0; length < bytes; index++) {
    const next = piece(index);
    pieces.push(next);
    length += next.length;
  }
  return pieces.join('');
}

/** How many pieces of about so many bytes make up a text. */
function count(bytes: number, each: number): number {
  return Math.max(1, Math.floor(bytes / each));
}

function kind(name: string, make: (bytes: number) => string): Kind {
  return { name, make };
}

/** Inside a main, with a few variables to work on. */
function inMain(content: string): string {
  return (
    'int f(int x) { return x; }\nmain(int n = 1) { int a = n; string s = "a"; int[] xs = [1]; json j = {}; ' +
    `boolean b = n > 0;\n${content}\nreturn a; }`
  );
}

const declarations: readonly Kind[] = [
  kind(
    'functions',
    (bytes) => `${row(bytes, (at) => `int f${at}(int x) { return x + ${at}; }\n`)}main() { return f0(1); }`,
  ),
  kind(
    'functions in a chain',
    (bytes) =>
      `int f0(int x) { return x; }\n${row(bytes, (at) => `int f${at + 1}(int x) { return f${at}(x) + f${at}(x); }\n`)}main() { return f1(1); }`,
  ),
  kind('functions in a ring', (bytes) => {
    const all = count(bytes, 62);
    return `${Array.from({ length: all }, (_, at) => `int f${at}(int x) { if (x < 1) return 0; return f${(at + 1) % all}(x - 1); }`).join('\n')}\nmain() { return f0(9); }`;
  }),
  kind('functions in small rings', (bytes) => {
    const all = count(bytes, 72);
    return `${Array.from(
      { length: all * 2 },
      (_, at) => `int f${at}(int x) { if (x < 1) return 0; return f${at ^ 1}(x - 1) + f${Math.max(0, at - 2)}(0); }`,
    )
      .slice(0, all & ~1 || 2)
      .join('\n')}\nmain() { return f${(all & ~1 || 2) - 1}(9); }`;
  }),
  kind('exports', (bytes) => row(bytes, (at) => `export int f${at}(int x) { return x; }\n`)),
  kind(
    'parameters',
    (bytes) =>
      `int f(${Array.from({ length: Math.min(count(bytes, 14), 900) }, (_, at) => `int p${at} = ${at}`).join(', ')}) { return p0; }\nmain() { ${row(bytes, () => 'yield f(); ')}}`,
  ),
  kind('globals', (bytes) => `${row(bytes, (at) => `int g${at} = ${at};\n`)}main() { return g0; }`),
  kind(
    'globals set by code',
    (bytes) => `int f(int x) { return x; }\n${row(bytes, (at) => `int g${at} = f(${at});\n`)}main() { return g0; }`,
  ),
  kind('locals', (bytes) => inMain(row(Math.min(bytes, 240_000), (at) => `int v${at} = n; `))),
  kind(
    'structs',
    (bytes) =>
      `${row(bytes, (at) => `type T${at} { int a; string b; }\n`)}main() { T0 t = { a: 1, b: "" }; return t; }`,
  ),
  kind('structs in a ring', (bytes) => {
    const all = count(bytes, 26);
    return (
      `${Array.from({ length: all }, (_, at) => `type T${at} { T${(at + 1) % all} t; }`).join('\n')}\n` +
      'main() { T0 t = { t: null }; return t; }'
    );
  }),
  kind('structs in a chain', (bytes) => {
    const all = count(bytes, 30);
    return `${Array.from({ length: all }, (_, at) => `type T${at} { int a; ${at + 1 < all ? `T${at + 1} t; ` : ''}}`).join('\n')}\nmain() { T0 t = { a: 1${all > 1 ? ', t: null' : ''} }; return t; }`;
  }),
  kind(
    'fields',
    (bytes) => `type T { ${row(Math.min(bytes, 110_000), (at) => `int f${at}; `)}}\nmain() { T t = null; return t; }`,
  ),
  kind('headers', (bytes) => `${row(bytes, (at) => `@tool:key${at} "value"\n`)}main() { return 1; }`),
  kind('comments', (bytes) => `${row(bytes, () => '/* a */ // b\n')}main() { return 1; }`),
];

const statements: readonly Kind[] = [
  kind('loops', (bytes) => inMain(row(bytes, () => 'for (int i = 0; i < n; i++) a += i;\n'))),
  kind('loops over an array', (bytes) =>
    inMain(row(bytes, () => 'for (int i = 0; i < xs.length(); i++) xs[i] = xs[i] + a;\n')),
  ),
  kind('loops with locals', (bytes) =>
    inMain(row(bytes, (at) => `for (int i = 0; i < n; i++) { int v${at} = i * a; a += v${at}; }\n`)),
  ),
  kind('loops in loops', (bytes) =>
    inMain(
      row(
        bytes,
        () =>
          `${[...'pqrtuv'].map((name) => `for (int ${name} = 0; ${name} < n; ${name}++) { `).join('')}a++; ` +
          `${'}'.repeat(6)}\n`,
      ),
    ),
  ),
  kind('deep loops', (bytes) => inMain(row(bytes, () => `${'while (a < n) { '.repeat(100)}a++; ${'}'.repeat(100)}\n`))),
  kind('while loops', (bytes) => inMain(row(bytes, () => 'while (a < n) a++;\n'))),
  kind('foreach', (bytes) => inMain(row(bytes, () => 'foreach (int x in xs) a += x;\n'))),
  kind('ifs', (bytes) => inMain(row(bytes, (at) => `if (a > ${at}) a = a + ${at};\n`))),
  kind('else if', (bytes) =>
    inMain(
      Array.from({ length: Math.ceil(bytes / 40_000) }, () =>
        Array.from({ length: Math.min(1900, count(bytes, 21)) }, (_, at) => `if (a == ${at}) a = 1;`).join(' else '),
      ).join('\n'),
    ),
  ),
  kind('tries', (bytes) => inMain(row(bytes, () => 'try { a = f(a); } catch (e) { a = 1; }\n'))),
  kind('catch clauses', (bytes) =>
    inMain(
      `try { a = f(a); } ${row(bytes, (at) => `catch (${['CastError', 'NullReferenceError', 'ArithmeticError'][at % 3]} e) { a = ${at}; } `)}`,
    ),
  ),
  kind('blocks', (bytes) => inMain(row(bytes, (at) => `{ int x = ${at}; { int y = x; a += y; } }\n`))),
  kind('yields', (bytes) => inMain(row(bytes, (at) => `yield ${at};\n`))),
  kind('yields of texts', (bytes) => inMain(row(bytes, (at) => `yield "text ${at}";\n`))),
  kind(
    'yields of structs',
    (bytes) =>
      `${row(bytes, (at) => `type T${at} { int a; }\n`)}main() { ` +
      `${Array.from({ length: count(bytes, 40) }, (_, at) => `{ T${at} t = { a: 1 }; yield t; }`).join('\n')} }`,
  ),
  kind('returns', (bytes) => inMain(row(bytes, (at) => `if (a == ${at}) return a;\n`))),
  kind('assignments', (bytes) => inMain(row(bytes, () => 'a = a + n;\n'))),
  kind('elements', (bytes) => inMain(row(bytes, (at) => `xs[${at}] = xs[a] + ${at};\n`))),
  kind('calls', (bytes) => inMain(row(bytes, () => 'a = f(a);\n'))),
  kind('texts that grow', (bytes) => inMain(row(bytes, () => 's = s + "a";\n'))),
  kind('json set', (bytes) => inMain(row(bytes, (at) => `j.k${at} = a;\n`))),
  kind('script', (bytes) => `int a = 1;\n${row(bytes, (at) => `a = a + ${at};\n`)}\nyield a;`),
];

const expressions: readonly Kind[] = [
  kind('sum', (bytes) => inMain(`a = ${row(bytes, () => 'a + ')}a;`)),
  kind('sum of texts', (bytes) => inMain(`s = ${row(bytes, () => 's + ')}s;`)),
  kind('product to the right', (bytes) => inMain(row(bytes, () => `a = ${'(a + '.repeat(200)}a${')'.repeat(200)};\n`))),
  kind('conditions', (bytes) => inMain(`b = ${row(bytes, () => 'b && ')}b;`)),
  kind('mixed conditions', (bytes) => inMain(`b = ${row(bytes, () => 'a < n && b || ')}b;`)),
  kind('conditionals', (bytes) => inMain(row(bytes, () => `a = ${'b ? a : '.repeat(200)}a;\n`))),
  kind('unary', (bytes) => inMain(row(bytes, () => `a = ${'~-'.repeat(120)}a;\n`))),
  kind('parentheses', (bytes) => inMain(row(bytes, () => `a = ${'('.repeat(240)}a${')'.repeat(240)};\n`))),
  kind('calls in calls', (bytes) => inMain(row(bytes, () => `a = ${'f('.repeat(200)}a${')'.repeat(200)};\n`))),
  kind('chains of calls', (bytes) => inMain(row(bytes, () => `a = a${'.f()'.repeat(200)};\n`))),
  kind(
    'members',
    (bytes) => `type T { T t; }\nmain() { T t = null; ${row(bytes, () => `t = t${'.t'.repeat(200)};\n`)}return t; }`,
  ),
  kind('json members', (bytes) => inMain(row(bytes, () => `j = j${'.a'.repeat(200)};\n`))),
  kind('casts', (bytes) => inMain(row(bytes, () => 'a = (j as int) + a;\n'))),
  kind('array literal', (bytes) => inMain(`xs = [${row(bytes, (at) => `${at}, `)}1];`)),
  kind('array of variables', (bytes) => inMain(`xs = [${row(bytes, () => 'a, ')}1];`)),
  kind('array of arrays', (bytes) => inMain(`int[][] m = [${row(bytes, (at) => `[${at}], `)}[1]];`)),
  kind('json literal', (bytes) => inMain(`j = {${row(bytes, (at) => `"k${at}": ${at}, `)}"a": 1};`)),
  kind('json array', (bytes) => inMain(`j = [${row(bytes, (at) => `${at}, `)}1];`)),
  kind('json of json', (bytes) => inMain(`j = [${row(bytes, (at) => `{"k": ${at}, "l": [true, null]}, `)}1];`)),
  kind('json of variables', (bytes) => inMain(`j = [${row(bytes, () => '{"k": a}, ')}1];`)),
  kind(
    'struct literals',
    (bytes) =>
      `type P { int x; int y; }\nmain() { P[] ps = [${row(bytes, (at) => `{ x: ${at}, y: 1 }, `)}{ ` +
      'x: 1, y: 2 }]; return ps; }',
  ),
  kind('template', (bytes) => inMain(`s = \`${row(bytes, () => 'a ${a} ')}\`;`)),
  kind('templates in templates', (bytes) =>
    inMain(row(bytes, () => `s = ${'`a${'.repeat(100)}a${'}`'.repeat(100)};\n`)),
  ),
  kind(
    'arguments',
    (bytes) => `int g(int... xs) { return xs.length(); }\n${inMain(`a = g(${row(bytes, () => 'a, ')}a);`)}`,
  ),
  kind('types of arrays', (bytes) =>
    inMain(row(bytes, (at) => `{ int${'[]'.repeat(1 + (at % 240))} x = null; if (x == null) a++; }\n`)),
  ),
];

const words: readonly Kind[] = [
  kind('long name', (bytes) => `int ${'a'.repeat(bytes)} = 1; yield ${'a'.repeat(9)};`),
  kind('long text', (bytes) => `yield "${'a'.repeat(bytes)}";`),
  kind('text beyond the BMP', (bytes) => `yield "${'😀'.repeat(bytes / 4)}";`),
  kind('texts', (bytes) => inMain(row(bytes, (at) => `s = "text number ${at}";\n`))),
  kind('escapes', (bytes) => `yield "${'\\u{1F600}'.repeat(bytes / 9)}";`),
  kind('long number', (bytes) => `yield ${'9'.repeat(bytes)};`),
  kind('long double', (bytes) => `yield 1.${'9'.repeat(bytes)};`),
  kind('long hexadecimal number', (bytes) => `yield 0x${'f'.repeat(bytes)};`),
  kind('long exponent', (bytes) => `yield 1e${'9'.repeat(bytes)};`),
  kind('numbers in hexadecimal', (bytes) => inMain(row(bytes, (at) => `a = 0x${at.toString(16)};\n`))),
  kind('lone surrogates', (bytes) => `yield "${'\ud800'.repeat(bytes / 3)}";`),
  kind('lines that end in CRLF', (bytes) => inMain(row(bytes, () => 'a = f(a);\r\n'))),
  kind('one line', (bytes) => inMain(row(bytes, () => 'a = f(a); '))),
  kind('blanks', (bytes) => `${' '.repeat(bytes)}yield 1;`),
];

const mistakes: readonly Kind[] = [
  kind('assignments in a chain', (bytes) => inMain(row(bytes, () => `${'a = '.repeat(200)}n;\n`))),
  kind('imports', (bytes) => `${row(bytes, (at) => `import "./m${at}.slu" as m${at};\n`)}main() { }`),
  kind('words of export', (bytes) => row(bytes, () => 'export ')),
  kind('texts that never end', (bytes) => row(bytes, () => 'yield "a\n')),
  kind('a text that never ends', (bytes) => `yield "${'a '.repeat(bytes / 2)}`),
  kind('a template that never ends', (bytes) => `yield \`${'a ${ '.repeat(bytes / 5)}`),
  kind('a comment that never ends', (bytes) => `/*${' a'.repeat(bytes / 2)}`),
  kind('NUL characters', (bytes) => `yield 1;${'\0'.repeat(bytes)}`),
  kind('mistakes on one line', (bytes) => inMain(row(bytes, (at) => `a = unknown${at}; `))),
  kind('brackets that open', (bytes) => `main() { a = ${'('.repeat(bytes)}`),
  kind('blocks that open', (bytes) => `main() ${'{'.repeat(bytes)}`),
  kind('types that open', (bytes) => `main() { ${'T<'.repeat(bytes / 2)} }`),
  kind('unknown names', (bytes) => inMain(row(bytes, (at) => `a = unknown${at};\n`))),
  kind(
    'unknown names of many',
    (bytes) =>
      row(bytes / 2, (at) => `int function${at}(int x) { return x; }\n`) +
      inMain(row(bytes / 2, (at) => `a = functoin${at}(1);\n`)),
  ),
  kind(
    'unknown names in functions',
    (bytes) => `${row(bytes, (at) => `int function${at}(int x) { return functoin${at}(x); }\n`)}main() { }`,
  ),
  kind(
    'unknown types',
    (bytes) =>
      row(bytes / 2, (at) => `type Thing${at} { int x; }\n`) +
      `${row(bytes / 2, (at) => `Thign${at} f${at}() { return null; }\n`)}main() { }`,
  ),
  kind(
    'unknown fields',
    (bytes) =>
      `type T { ${row(Math.min(bytes / 2, 100_000), (at) => `int field${at}; `)}}\n` +
      `main() { T t = null; ${row(bytes / 2, (at) => `yield t.feild${at};\n`)} }`,
  ),
  kind('unknown methods', (bytes) => inMain(row(bytes, (at) => `a = s.lenght${at}();\n`))),
  kind('wrong types', (bytes) => inMain(row(bytes, () => 'a = "x";\n'))),
  kind('same names', (bytes) => `${row(bytes, () => 'int f() { return 1; }\n')}main() { }`),
  kind('same fields', (bytes) => `type T { ${row(bytes, () => 'int a; ')}}\nmain() { }`),
  kind('unused variables', (bytes) => `main() { ${row(Math.min(bytes, 240_000), (at) => `int v${at} = 1;\n`)} }`),
  kind('unclosed brackets', (bytes) => row(bytes, () => 'main() { a(\n')),
  kind('statements that break off', (bytes) => inMain(row(bytes, () => 'int x = ;\n'))),
  kind('brackets that do not fit', (bytes) => row(bytes, () => '(}')),
  kind('foreign words', (bytes) => row(bytes, (at) => `let v${at} = 1;\n`)),
  kind('stray signs', (bytes) => row(bytes, () => '# ')),
  kind('words', (bytes) => row(bytes, () => 'lorem ipsum dolor ')),
  kind('statements behind return', (bytes) => inMain(`return 1;\n${row(bytes, () => 'a = 1;\n')}`)),
  kind('double declarations', (bytes) => inMain(row(bytes, () => 'int x = 1;\n'))),
];

export const kinds: readonly Kind[] = [...declarations, ...statements, ...expressions, ...words, ...mistakes];
