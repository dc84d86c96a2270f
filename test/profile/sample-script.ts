// A script with all that a profile tells apart, and what its profile is in every engine.

export const script = `int leaf(int n) { return n * 3; }
int twice(int n) {
  return n < 2 ? n : twice(n - 1) + twice(n - 2);
}
int work(int[] xs) {
  int sum = 0;
  foreach (int x in xs) sum += leaf(x);
  xs.sort();
  return sum;
}
main(int n = 10000) {
  int[] xs = new int[n];
  for (int i = 0; i < n; i++)
    xs[i] = (i * 7919) % 10007;
  yield work(xs);
  try { throw "no"; } catch (e) { yield twice(15); }
}
`;
