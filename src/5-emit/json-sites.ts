// Inline caches for json: each place of a script where a key is a constant has a site (prelude/json-sites.slu), which
// remembers where the key was in objects of the last shapes.

import type { Expression } from '../mir/mir.ts';
import { hiddenTypes, structType } from '../language/types.ts';
import type { Span } from '../source.ts';
import { referenceTo } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { FunctionBuilder } from './function-builder.ts';

const jsonShape = hiddenTypes.get('JsonShape')!;
const siteType = structType('prelude', 'JsonSite');

/** The prelude's functions of a json and a key, and those that take a site as their last argument. */
const atSites: ReadonlyMap<string, string> = new Map(
  [
    'readMember',
    'writeMember',
    'jsonHas',
    'getStringMember',
    'getIntMember',
    'getDoubleMember',
    'getBooleanMember',
    'getJsonMember',
    'setStringMember',
    'setIntMember',
    'setDoubleMember',
    'setBooleanMember',
  ].map((name) => [name, `${name}At`]),
);

/** The call of such a function where the key, its second argument, is a constant; null for any other. */
export function emitCallAtSite(
  fb: FunctionBuilder,
  name: string,
  operands: readonly ExpressionRef[],
  key: Expression | undefined,
  span: Span,
): ExpressionRef | null {
  const atSite = atSites.get(name);
  if (atSite === undefined || key?.kind !== 'string' || fb.instance.trusted) return null;
  return fb.call(fb.emitter.requestPrelude(atSite), [...operands, emitSite(fb, key.value, span)], span);
}

/** Copies of a function share its sites. */
function emitSite(fb: FunctionBuilder, key: string, span: Span): ExpressionRef {
  const m = fb.module;
  const heapType = fb.emitter.types.heapType(siteType);
  const type = referenceTo(heapType, false);
  const shape = fb.wasmType(jsonShape);
  const name = `$site:${span.file.name}:${span.start}:${key}`;
  const nowhere = (): ExpressionRef => m.i64.const(-1n);
  fb.emitter.declare(name, () =>
    m.addGlobal(
      name,
      type,
      false,
      m.struct.new([m.ref.null(shape), nowhere(), m.ref.null(shape), nowhere(), m.i64.const(0n)], heapType),
    ),
  );
  return m.global.get(name, type);
}
