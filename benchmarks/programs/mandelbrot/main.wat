;; How many points of an n by n grid stay bounded for 50 turns.
(module
  (func (export "run") (param $n i32) (result f64)
    (local $x i32)
    (local $y i32)
    (local $turn i32)
    (local $inside i32)
    (local $size f64)
    (local $cr f64)
    (local $ci f64)
    (local $zr f64)
    (local $zi f64)
    (local $r2 f64)
    (local $i2 f64)
    (local.set $size (f64.convert_i32_s (local.get $n)))
    (loop $rows
      (local.set $ci
        (f64.sub (f64.div (f64.mul (f64.const 2) (f64.convert_i32_s (local.get $y))) (local.get $size)) (f64.const 1)))
      (local.set $x (i32.const 0))
      (loop $points
        (local.set $cr
          (f64.sub (f64.div (f64.mul (f64.const 3) (f64.convert_i32_s (local.get $x))) (local.get $size)) (f64.const 2)))
        (local.set $zr (f64.const 0))
        (local.set $zi (f64.const 0))
        (local.set $turn (i32.const 50))
        (block $unbounded
          (loop $turns
            (local.set $r2 (f64.mul (local.get $zr) (local.get $zr)))
            (local.set $i2 (f64.mul (local.get $zi) (local.get $zi)))
            (br_if $unbounded (f64.gt (f64.add (local.get $r2) (local.get $i2)) (f64.const 4)))
            (local.set $zi (f64.add (f64.mul (f64.add (local.get $zr) (local.get $zr)) (local.get $zi)) (local.get $ci)))
            (local.set $zr (f64.add (f64.sub (local.get $r2) (local.get $i2)) (local.get $cr)))
            (br_if $turns (local.tee $turn (i32.sub (local.get $turn) (i32.const 1)))))
          (local.set $inside (i32.add (local.get $inside) (i32.const 1))))
        (br_if $points (i32.lt_s (local.tee $x (i32.add (local.get $x) (i32.const 1))) (local.get $n))))
      (br_if $rows (i32.lt_s (local.tee $y (i32.add (local.get $y) (i32.const 1))) (local.get $n))))
    (f64.convert_i32_s (local.get $inside))))
