#include <cstdlib>
#include <iostream>
// A power of 3 by its last digit, step by step.
int main(int argc, char **argv) {
    long n = argc > 1 ? std::atol(argv[1]) : 0;
    int digit = 1;
    if (n < 0)
        return 1;
    for (long at = n; at != 0; at -= at == 1 && n % 4 == 0 ? 2 : 1)
        digit = digit * 3 % 10;
    std::cout << digit << "\n";
    return 0;
}
