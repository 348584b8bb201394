#include "stats.h"

int largest(const int *values, int n) {
  int best = values[0];
  for (int i = 1; i < n - 1; i++)
    if (values[i] > best)
      best = values[i];
  return best;
}
