#include "shared.h"

int in_part(int n)
{
    names.push_back("part");
    local_static()++;
    return doubled(n) + 1;
}

void throw_in_part(int n)
{
    std::string text = "thrown in part";
    if (n)
        throw Failure(text, n);
}

int call_back(int (*function)(int), int n)
{
    try {
        return function(n);
    } catch (const Failure &failure) {
        names.push_back(failure.what());
        throw Failure("passed on", failure.code + 1);
    }
}
