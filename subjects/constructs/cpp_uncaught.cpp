// Nobody catches it: std::terminate, no clean-up runs.
#include <cstdio>
#include <vector>

struct Guard {
    ~Guard() { puts("never"); }
};

static int index_of(const std::vector<int> &values, unsigned i)
{
    Guard guard;
    return values.at(i);
}

int main()
{
    std::vector<int> values{1, 2, 3};
    printf("%d\n", values[2]);
    fflush(stdout);
    return index_of(values, 3);
}
