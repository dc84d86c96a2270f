// Modules of somebody's who means no good: they say that they count what they use, and do not.

import { assemble } from '../host/module.ts';
import type { ModuleText } from '../host/module.ts';

const guards = ['use', 'depth', 'memory'] as const;

export function lying(text: ModuleText): Uint8Array<ArrayBuffer> {
  return assemble(text, { guards });
}

/** So many elements of 8 bytes in each array, and one array after the other is kept. It yields once before. */
export function growsBy(elements: number): Uint8Array<ArrayBuffer> {
  return lying({
    runtime: ['yieldInt'],
    functions: `(type $numbers (array (mut i64)))
      (type $row (struct (field (ref $numbers)) (field (ref null $row))))
      (global $rows (mut (ref null $row)) (ref.null $row))`,
    main: `(call $yieldInt (i64.const 1)) (loop $more
      (global.set $rows (struct.new $row (array.new $numbers (i64.const 7) (i32.const ${elements})) (global.get $rows)))
      (br $more))`,
  });
}

/** A memory of its own, which it grows and fills. */
export const growsMemory = lying({
  functions: '(memory $own 1 65536)',
  locals: '(local $at i32)',
  main: `(loop $more
    (local.set $at (memory.grow (i32.const 256)))
    (if (i32.ne (local.get $at) (i32.const -1)) (then
      (memory.fill (i32.shl (local.get $at) (i32.const 16)) (i32.const 7) (i32.const 16777216))))
    (br $more))`,
});

/** Small things without end, each of which holds the one before. */
export const growsBySmall = lying({
  functions: `(type $link (struct (field (ref null $link)) (field i64)))
    (global $last (mut (ref null $link)) (ref.null $link))`,
  main: '(loop $more (global.set $last (struct.new $link (global.get $last) (i64.const 7))) (br $more))',
});

export const growsTables = lying({
  functions:
    '(table $own 1 10000000 funcref) (table $other 1 10000000 funcref) (table $third 1 10000000 funcref) (elem ' +
    'declare func $nothing) (func $nothing)',
  main: `(loop $more
    (drop (table.grow $own (ref.func $nothing) (i32.const 100000)))
    (drop (table.grow $other (ref.func $nothing) (i32.const 100000)))
    (drop (table.grow $third (ref.func $nothing) (i32.const 100000)))
    (br $more))`,
});

export const endless = lying({ main: '(loop $more (br $more))' });

export const floods = lying({ runtime: ['yieldInt'], main: '(loop $more (call $yieldInt (i64.const 1)) (br $more))' });

export const nests = lying({ functions: '(func $deeper (call $deeper) (call $deeper))', main: '(call $deeper)' });

export const traps = lying({ main: '(unreachable)' });

/** Takes what a failing call throws, and calls again. */
export const insists = lying({
  functions: `(func $deeper (call $deeper) (call $deeper))`,
  main: '(loop $more (try (do (call $deeper)) (catch_all)) (br $more))',
});
