#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <unistd.h>

int main(int argc, char **argv)
{
    std::string mood = argc > 1 ? argv[1] : "count";
    int number = argc > 2 ? std::atoi(argv[2]) : 0;
    if (mood == "crash")
        std::abort();
    if (mood == "hang")
        for (volatile int on = 1; on;)
            ;
    if (mood == "bytes")
        std::cout << "\xff\n";
    if (mood == "much")
        std::cout << std::string(70000, 'x') << "\n";
    if (mood == "pid")
        std::cout << getpid() << "\n";
    if (mood == "uninitialised") {
        volatile int value;
        if (number > 1000000000)
            value = 0;
        std::cout << value << "\n";
    }
    if (mood == "overflow")
        std::cout << number + (2147483647 - number) + argc << "\n";
    if (mood == "exit")
        return number & 127;
    int words = 0;
    for (std::string word; std::cin >> word;)
        words++;
    std::cout << words + number % 7 << "\n";
}
