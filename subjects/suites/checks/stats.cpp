#include "stats.h"

int largest(const std::vector<int> &values) {
  int best = values[0];
  for (size_t i = 1; i + 1 < values.size(); i++)
    if (values[i] > best)
      best = values[i];
  return best;
}

std::string joined(const std::vector<int> &values, char between) {
  std::string out;
  for (size_t i = 0; i < values.size(); i++) {
    if (i > 0)
      out += between;
    out += std::to_string(values[i]);
  }
  return out;
}
