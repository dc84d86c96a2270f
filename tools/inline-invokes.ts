// Binaryen's C++ reaches every function that may throw through a trampoline in JavaScript, which catches the exception
// there: a fifth of the time that compiling takes goes into these crossings. Here each of them becomes a function of
// the module itself, with the same meaning, by the instructions for exceptions that every engine of ours has.

import binaryen from 'binaryen';

/** What the JavaScript beside the module says of it: which imports are trampolines, and what they call. */
interface Glue {
  readonly trampolines: ReadonlySet<string>;
  /** Imports that throw an exception of C++, and do nothing else. */
  readonly throwing: ReadonlySet<string>;
  /** Exports, by what they do. */
  readonly saveStack: string;
  readonly restoreStack: string;
  readonly noteThrow: string;
}

const trampoline =
  /function ([\w$]+)\([\w$,]+\)\{var ([\w$]+)=([\w$]+)\(\);try\{(?:return )?[\w$]+\([\w$]+\)\([^)]*\)\}catch\(([\w$]+)\)\{if\(([\w$]+)\(\2\),!\(\4 instanceof ([\w$]+)\)\)throw \4;(?:return )?([\w$]+)\(1,0\)(?:,0n)?\}\}/g;
/** Every function that calls another by its index, whatever it does besides. */
const anyTrampoline = /function [\w$]+\([\w$,]+\)\{var [\w$]+=[\w$]+\(\);try\{/g;
const importedMethod = /([\w$]+):(?:function)?\([^()]*\)(?:=>)?\{/g;
const {
  MutableGlobals,
  NontrappingFPToInt,
  BulkMemory,
  BulkMemoryOpt,
  SignExt,
  ExceptionHandling,
  ReferenceTypes,
  Multivalue,
} = binaryen.Features;
const features =
  MutableGlobals |
  NontrappingFPToInt |
  BulkMemory |
  BulkMemoryOpt |
  SignExt |
  ExceptionHandling |
  ReferenceTypes |
  Multivalue;
const inFlight = 'inFlight';

/** The module without trampolines. `glue` is the JavaScript that it came with. Throws where that reads otherwise. */
export function inlineInvokes(wasm: Uint8Array, glue: string): Uint8Array {
  const facts = readGlue(glue);
  const module = binaryen.readBinary(wasm);
  module.setFeatures(features);
  module.addGlobal(inFlight, binaryen.i32, true, module.i32.const(0));
  let replaced = 0;
  for (const info of importsOf(module)) {
    if (facts.trampolines.has(info.base)) replaceTrampoline(module, info, facts);
    else if (facts.throwing.has(info.base)) noteThrowing(module, info);
    else continue;
    replaced++;
  }
  if (replaced !== facts.trampolines.size + facts.throwing.size)
    throw new Error('it does not import all that its script has for it');
  module.runPasses(['translate-to-exnref']);
  const inlined = module.emitBinary();
  module.dispose();
  // By the engine: Binaryen's own validator takes the kind of a reference to a former import amiss.
  if (!WebAssembly.validate(inlined)) throw new Error('its module is not valid without its trampolines');
  return inlined;
}

function readGlue(glue: string): Glue {
  const found = [...glue.matchAll(trampoline)];
  const [first] = found;
  if (first === undefined || found.length !== glue.match(anyTrampoline)?.length)
    throw new Error('it catches exceptions in another way');
  const exportOf = (name: string): string =>
    new RegExp(`[,;]${quoted(name)}=\\w\\.([\\w$]+)`).exec(glue)?.[1] ?? missing(name);
  const importOf = (name: string): string =>
    new RegExp(`[,{]([\\w$]+):${quoted(name)}(?![\\w$])`).exec(glue)?.[1] ?? missing(name);
  return {
    trampolines: new Set(found.map(([, name]) => importOf(name!))),
    throwing: throwingImports(glue, first[6]!),
    saveStack: exportOf(first[3]!),
    restoreStack: exportOf(first[5]!),
    noteThrow: exportOf(first[7]!),
  };
}

/** The methods of the import object in which an object of the class of exceptions is made. */
function throwingImports(glue: string, baseClass: string): Set<string> {
  const exceptionClass = new RegExp(`class (\\w+) extends ${baseClass}\\{`).exec(glue)?.[1] ?? missing('exceptions');
  const methods = [...glue.matchAll(importedMethod)];
  return new Set(
    [...glue.matchAll(new RegExp(`new ${exceptionClass}\\(`, 'g'))].map(
      ({ index }) => methods.findLast((method) => method.index < index)?.[1] ?? missing('throw'),
    ),
  );
}

/** A name of JavaScript within an expression. */
function quoted(name: string): string {
  return name.replaceAll('$', '\\$');
}

function missing(what: string): never {
  throw new Error(`nothing is found for ${what}`);
}

interface Imported {
  readonly name: string;
  readonly module: string;
  readonly base: string;
  readonly params: binaryen.Type;
  readonly results: binaryen.Type;
}

function importsOf(module: binaryen.Module): Imported[] {
  const infos = Array.from({ length: module.getNumFunctions() }, (_, at) =>
    binaryen.getFunctionInfo(module.getFunctionByIndex(at)),
  );
  return infos.flatMap(({ name, module: from, base, params, results }) =>
    from === null || base === null || base === '' ? [] : [{ name, module: from, base, params, results }],
  );
}

/** `inFlight = 1; throw` */
function noteThrowing(module: binaryen.Module, { name, module: from, base, params, results }: Imported): void {
  const imported = `${name} itself`;
  module.removeFunction(name);
  module.addFunctionImport(imported, from, base, params, results);
  const operands = binaryen.expandType(params).map((type, at) => module.local.get(at, type));
  module.addFunction(
    name,
    params,
    results,
    [],
    module.block(null, [
      module.global.set(inFlight, module.i32.const(1)),
      module.call(imported, operands, results),
      module.unreachable(),
    ]),
  );
}

/**
 * `stack = saveStack(); try { return table[index](…) } catch { restoreStack(stack); if (!inFlight) rethrow; inFlight =
 * 0; noteThrow(1, 0); return 0 }`: what is not an exception of C++, such as a stack that overflows, goes on.
 */
function replaceTrampoline(module: binaryen.Module, { name, params, results }: Imported, facts: Glue): void {
  const [, ...types] = binaryen.expandType(params);
  const { i32, none } = binaryen;
  const stack = types.length + 1;
  const callee = (exported: string): string => binaryen.getExportInfo(module.getExport(exported)).value;
  const table = binaryen.getTableInfo(module.getTableByIndex(0)).name;
  const call = module.call_indirect(
    table,
    module.local.get(0, i32),
    types.map((type, at) => module.local.get(at + 1, type)),
    binaryen.createType(types),
    results,
  );
  const caught = [
    module.call(callee(facts.restoreStack), [module.local.get(stack, i32)], none),
    module.if(module.i32.eqz(module.global.get(inFlight, i32)), module.rethrow('invoke')),
    module.global.set(inFlight, module.i32.const(0)),
    module.call(callee(facts.noteThrow), [module.i32.const(1), module.i32.const(0)], none),
    ...(results === none ? [] : [zero(module, results)]),
  ];
  module.removeFunction(name);
  module.addFunction(
    name,
    params,
    results,
    [i32],
    module.block(
      null,
      [
        module.local.set(stack, module.call(callee(facts.saveStack), [], i32)),
        module.try('invoke', call, [], [module.block(null, caught, results)]),
      ],
      results,
    ),
  );
}

function zero(module: binaryen.Module, type: binaryen.Type): binaryen.ExpressionRef {
  if (type === binaryen.i64) return module.i64.const(0n);
  if (type === binaryen.f64) return module.f64.const(0);
  return type === binaryen.f32 ? module.f32.const(0) : module.i32.const(0);
}
