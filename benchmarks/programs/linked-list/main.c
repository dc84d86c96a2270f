// Makes a list of n nodes, sorts it by merging, turns it around and walks through it, again and again.
#include "bench.h"

typedef struct Node {
  int32_t value;
  struct Node *next;
} Node;

static Node *make(int n) {
  Node *list = NULL;
  uint32_t seed = 42;
  for (int i = 0; i < n; i++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    Node *node = malloc(sizeof *node);
    node->value = seed >> 16;
    node->next = list;
    list = node;
  }
  return list;
}

static Node *merge(Node *a, Node *b) {
  Node head = {0, NULL};
  Node *last = &head;
  while (a != NULL && b != NULL) {
    if (a->value <= b->value) {
      last->next = a;
      a = a->next;
    } else {
      last->next = b;
      b = b->next;
    }
    last = last->next;
  }
  last->next = a == NULL ? b : a;
  return head.next;
}

// Cuts the list in the middle, which the slower of two walkers finds.
static Node *sort(Node *list) {
  if (list == NULL || list->next == NULL) return list;
  Node *slow = list;
  Node *fast = list->next;
  while (fast != NULL && fast->next != NULL) {
    slow = slow->next;
    fast = fast->next->next;
  }
  Node *second = slow->next;
  slow->next = NULL;
  return merge(sort(list), sort(second));
}

static Node *reverse(Node *list) {
  Node *result = NULL;
  while (list != NULL) {
    Node *next = list->next;
    list->next = result;
    result = list;
    list = next;
  }
  return result;
}

static int64_t weigh(const Node *list) {
  int64_t sum = 0;
  int64_t place = 0;
  while (list != NULL) {
    place++;
    sum += place * list->value;
    list = list->next;
  }
  return sum % 1000000007;
}

double run(int n) {
  Node *list = make(n);
  int64_t result = weigh(list);
  list = sort(list);
  for (int turn = 0; turn < 10; turn++) {
    result += weigh(list);
    list = reverse(list);
  }
  while (list != NULL) {
    Node *next = list->next;
    free(list);
    list = next;
  }
  return result;
}
