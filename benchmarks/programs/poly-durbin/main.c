// The Yule-Walker equations of n unknowns, solved by Durbin's recursion; the sum of the solution.
#include "bench.h"

double run(int n) {
  double *r = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double)), *z = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) r[i] = 1.0 / (i + 2);

  y[0] = -r[0];
  double beta = 1, alpha = -r[0];
  for (int k = 1; k < n; k++) {
    beta *= 1 - alpha * alpha;
    double sum = 0;
    for (int i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++) y[i] = z[i];
    y[k] = alpha;
  }

  double sum = 0;
  for (int i = 0; i < n; i++) sum += y[i];
  free(r);
  free(y);
  free(z);
  return sum;
}
