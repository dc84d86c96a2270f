// Builds and counts complete binary trees.
function build(depth) {
  if (depth === 0) return { left: null, right: null };
  return { left: build(depth - 1), right: build(depth - 1) };
}

function count(tree) {
  if (tree.left === null) return 1;
  return 1 + count(tree.left) + count(tree.right);
}

export function main(n = 400) {
  let total = 0;
  for (let i = 0; i < n; i++) total += count(build(14));
  return total;
}
