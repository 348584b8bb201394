#pragma once
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

// One of each in the whole program, although every unit defines it.
inline int counter = 0;
inline std::vector<std::string> names{"initial"};
inline int &local_static()
{
    static int value = (counter++, 100);
    return value;
}
template <class T> T doubled(T value)
{
    counter++;
    return value + value;
}
struct Named {
    virtual ~Named() = default;
    virtual std::string name() const { return "named"; }
};
struct Failure : std::runtime_error {
    int code;
    Failure(const std::string &text, int code) : std::runtime_error(text), code(code) {}
};

int in_other(int n);
Named *made_in_other();
int in_part(int n);
void throw_in_part(int n);
int call_back(int (*function)(int), int n);
