// An exception that may not leave a function: the program ends in its terminate handler.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

struct Guard {
    ~Guard() { puts("guard"); }
};

static void inner(int n)
{
    Guard guard;
    if (n > 2)
        throw std::runtime_error("too many");
}

static int outer(int n) noexcept
{
    inner(n);
    return n;
}

static void last()
{
    try {
        std::rethrow_exception(std::current_exception());
    } catch (const std::exception &error) {
        printf("terminate: %s\n", error.what());
    }
    fflush(stdout);
    _Exit(9);
}

int main()
{
    std::set_terminate(last);
    printf("%d\n", outer(1));
    printf("%d\n", noexcept(outer(1)) + noexcept(inner(1)));
    printf("%d\n", outer(3));
    return 0;
}
