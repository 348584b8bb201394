#include <cstdio>
#include <cstdlib>

#include "ring.hpp"

int main(int argc, char **argv)
{
    Ring<int, 4> numbers;
    int most = 0;
    for (int i = 1; i < argc; i++) {
        numbers.add(std::atoi(argv[i]));
        most = larger(most, std::atoi(argv[i]));
    }
    for (std::size_t place = 0; place < numbers.size(); place++)
        std::printf("%d ", numbers.at(place));
    std::printf("of at most %d\n", most);
    return 0;
}
