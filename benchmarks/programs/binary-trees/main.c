// Builds and counts complete binary trees.
#include "bench.h"

typedef struct Tree {
  struct Tree *left, *right;
} Tree;

static Tree *build(int depth) {
  Tree *tree = malloc(sizeof *tree);
  tree->left = depth == 0 ? NULL : build(depth - 1);
  tree->right = depth == 0 ? NULL : build(depth - 1);
  return tree;
}

static int count(const Tree *tree) {
  if (tree->left == NULL) return 1;
  return 1 + count(tree->left) + count(tree->right);
}

static void discard(Tree *tree) {
  if (tree->left != NULL) {
    discard(tree->left);
    discard(tree->right);
  }
  free(tree);
}

double run(int n) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    Tree *tree = build(14);
    total += count(tree);
    discard(tree);
  }
  return total;
}
