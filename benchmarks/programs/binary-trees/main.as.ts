// Builds and counts complete binary trees.
class Tree {
  constructor(
    public left: Tree | null,
    public right: Tree | null,
  ) {}
}

function build(depth: i32): Tree {
  if (depth == 0) return new Tree(null, null);
  return new Tree(build(depth - 1), build(depth - 1));
}

function count(tree: Tree): i32 {
  const left = tree.left;
  if (left === null) return 1;
  return 1 + count(left) + count(tree.right!);
}

export function run(n: i32): f64 {
  let total = 0;
  for (let i = 0; i < n; i++) {
    total += count(build(14));
    __collect();
  }
  return total;
}
