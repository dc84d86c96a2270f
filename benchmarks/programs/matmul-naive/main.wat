;; The product of two n by n matrices as the definition has it, columns innermost, and the sum of its diagonal. The
;; matrices lie behind each other from 0 on, and places are counted in bytes. Four sums grow side by side, so that none
;; waits for another; n must be a multiple of four.
(module
  (memory (export "memory") 1)

  (func (export "run") (param $n i32) (result f64)
    (local $stride i32)
    (local $size i32)
    (local $i i32)
    (local $j i32)
    (local $at i32)
    (local $a i32)
    (local $b i32)
    (local $row i32)
    (local $end i32)
    (local $x f64)
    (local $s0 f64)
    (local $s1 f64)
    (local $s2 f64)
    (local $s3 f64)
    (local $sum f64)
    (local.set $stride (i32.shl (local.get $n) (i32.const 3)))
    (local.set $size (i32.mul (local.get $stride) (local.get $n)))
    (if (i32.gt_u (i32.mul (local.get $size) (i32.const 3)) (i32.shl (memory.size) (i32.const 16)))
      (then (drop (memory.grow (i32.shr_u (i32.mul (local.get $size) (i32.const 3)) (i32.const 16))))))

    (loop $fill_rows
      (local.set $j (i32.const 0))
      (loop $fill
        (f64.store (local.get $at)
          (f64.convert_i32_s
            (i32.rem_s (i32.add (i32.mul (local.get $i) (i32.const 7)) (i32.mul (local.get $j) (i32.const 3))) (i32.const 11))))
        (f64.store (i32.add (local.get $at) (local.get $size))
          (f64.convert_i32_s
            (i32.rem_s (i32.add (i32.mul (local.get $i) (i32.const 5)) (i32.shl (local.get $j) (i32.const 1))) (i32.const 13))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $fill (i32.lt_s (local.tee $j (i32.add (local.get $j) (i32.const 1))) (local.get $n))))
      (br_if $fill_rows (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))

    (loop $rows
      (local.set $end (i32.add (local.get $row) (local.get $stride)))
      (local.set $j (i32.const 0))
      (loop $columns
        (local.set $s0 (f64.const 0))
        (local.set $s1 (f64.const 0))
        (local.set $s2 (f64.const 0))
        (local.set $s3 (f64.const 0))
        (local.set $a (local.get $row))
        (local.set $b (i32.add (local.get $size) (local.get $j)))
        (loop $steps
          (local.set $x (f64.load (local.get $a)))
          (local.set $s0 (f64.add (local.get $s0) (f64.mul (local.get $x) (f64.load (local.get $b)))))
          (local.set $s1 (f64.add (local.get $s1) (f64.mul (local.get $x) (f64.load offset=8 (local.get $b)))))
          (local.set $s2 (f64.add (local.get $s2) (f64.mul (local.get $x) (f64.load offset=16 (local.get $b)))))
          (local.set $s3 (f64.add (local.get $s3) (f64.mul (local.get $x) (f64.load offset=24 (local.get $b)))))
          (local.set $b (i32.add (local.get $b) (local.get $stride)))
          (br_if $steps (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 8))) (local.get $end))))
        (local.set $at (i32.add (i32.add (local.get $row) (local.get $j)) (i32.shl (local.get $size) (i32.const 1))))
        (f64.store (local.get $at) (local.get $s0))
        (f64.store offset=8 (local.get $at) (local.get $s1))
        (f64.store offset=16 (local.get $at) (local.get $s2))
        (f64.store offset=24 (local.get $at) (local.get $s3))
        (br_if $columns (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 32))) (local.get $stride))))
      (br_if $rows (i32.lt_u (local.tee $row (local.get $end)) (local.get $size))))

    (local.set $at (i32.shl (local.get $size) (i32.const 1)))
    (local.set $i (i32.const 0))
    (loop $diagonal
      (local.set $sum (f64.add (local.get $sum) (f64.load (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.add (local.get $stride) (i32.const 8))))
      (br_if $diagonal (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (local.get $sum)))
