;; Running weighted sums over n doubles, again and again: each one waits for the one before it. The array begins at 0,
;; places in it are counted in bytes.
(module
  (memory (export "memory") 1)

  (func (export "run") (param $n i32) (result f64)
    (local $size i32)
    (local $at i32)
    (local $i i32)
    (local $turn i32)
    (local $last f64)
    (local.set $size (i32.shl (local.get $n) (i32.const 3)))
    (if (i32.gt_u (local.get $size) (i32.shl (memory.size) (i32.const 16)))
      (then (drop (memory.grow (i32.shr_u (local.get $size) (i32.const 16))))))
    (loop $fill
      (f64.store (local.get $at) (f64.convert_i32_s (i32.rem_s (local.get $i) (i32.const 7))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $fill (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $size))))
    (loop $turns
      (local.set $last (f64.load (i32.const 0)))
      (local.set $at (i32.const 8))
      (loop $sum
        (f64.store (local.get $at)
          (local.tee $last
            (f64.add
              (f64.mul (f64.load (local.get $at)) (f64.const 0.5))
              (f64.mul (local.get $last) (f64.const 0.25)))))
        (br_if $sum (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $size))))
      (br_if $turns (i32.lt_u (local.tee $turn (i32.add (local.get $turn) (i32.const 1))) (i32.const 100))))
    (f64.load (i32.sub (local.get $size) (i32.const 8)))))
