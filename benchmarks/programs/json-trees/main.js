// Builds a tree of objects and arrays n levels deep, sums it up from its leaves, hangs new leaves into it, and writes it.
function makeTree(depth, number) {
  const children = [];
  if (depth > 0) {
    for (let i = 0; i < 3; i++) children.push(makeTree(depth - 1, number * 3 + i + 1));
  }
  return { number, label: `node ${number % 1000}`, size: (number % 17) + 1, children };
}

// Notes with each node how large everything below it is.
function sumUp(node) {
  let total = node.size;
  for (const child of node.children) total += sumUp(child);
  node.total = total;
  return total;
}

// Hangs a new leaf under each node that is large enough, and renames what hangs there.
function graft(node, least, label) {
  if (!('children' in node)) return;
  const children = node.children;
  for (let i = 0; i < children.length; i++) {
    const child = children[i];
    graft(child, least, label);
    if ((child.total ?? 0) >= least) child.label = label;
  }
  if ((node.total ?? 0) >= least) {
    const leaf = {};
    leaf.number = -1;
    leaf.label = label;
    leaf.weight = node.total + 0.25;
    leaf.from = { number: node.number, rank: children.length };
    children.push(leaf);
  }
}

function deepest(node) {
  let depth = 0;
  if ('children' in node) {
    for (const child of node.children) depth = Math.max(depth, deepest(child));
  }
  return depth + 1;
}

export function main(n = 10) {
  const tree = makeTree(n, 0);
  const total = sumUp(tree);
  for (let turn = 1; turn <= 3; turn++) graft(tree, turn * 10, `turn ${turn}`);
  return total + deepest(tree) + JSON.stringify(tree).length;
}
