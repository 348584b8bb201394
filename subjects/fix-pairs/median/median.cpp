#include <algorithm>
#include <iostream>
#include <vector>
// The median of numbers, twice, so that it is whole.
int main() {
    std::vector<long> all;
    for (long one; std::cin >> one;)
        all.push_back(one);
    if (all.empty())
        return 1;
    std::sort(all.begin(), all.end());
    std::cout << 2 * all[all.size() / 2] << "\n";
    return 0;
}
