#include <array>
#include <iostream>
#include <string>
// The name of a level.
int main(int argc, char **argv) {
    std::array<std::string, 4> names{"low", "middle", "high", "highest"};
    int level = argc > 1 ? std::atoi(argv[1]) : 0;
    if (level == 0) {
        std::cout << "no level\n";
        return 1;
    }
    std::cout << names.at(level - 1) << "\n";
    return 0;
}
