// C++ that calls C and Rust, which calls back.
#include <cstdlib>
#include <iostream>
#include <string>

extern "C" int twice(int n);
extern "C" int add_three(int n);
extern "C" int through(int (*function)(int), int n);

static int next(int n)
{
    return n + 1;
}

int main(int, char **argv)
{
    std::string sum = std::to_string(add_three(twice(std::atoi(argv[1]))));
    std::cout << sum << " " << through(next, 1) << std::endl;
}
