// Exceptions: clauses in order, clean-ups, rethrow, function try blocks, constructors that throw, retries in loops.
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>

struct Guard {
    const char *name;
    explicit Guard(const char *name) : name(name) { printf("+%s ", name); }
    ~Guard() { printf("-%s ", name); }
};

struct Odd : std::runtime_error {
    int value;
    explicit Odd(int value) : std::runtime_error("odd " + std::to_string(value)), value(value) {}
};

static int half(int n)
{
    Guard guard("half");
    if (n % 2)
        throw Odd(n);
    return n / 2;
}

// Each level catches, adds to what it got and throws on.
static int nested(int depth)
{
    Guard guard("level");
    try {
        return depth == 0 ? half(7) : nested(depth - 1);
    } catch (Odd &odd) {
        odd.value += 100;
        if (depth < 2)
            throw;
        throw odd.value;
    }
}

struct Member {
    Guard first;
    int value;
    Guard second;
    Member(int n) : first("first"), value(half(n)), second("second") {}
};

struct Wrapped {
    Member member;
    Wrapped(int n)
    try : member(n) {
        printf("made ");
    } catch (const Odd &odd) {
        printf("body of Wrapped: %s; ", odd.what());
    }
};

static int clauses(int which)
{
    try {
        switch (which) {
        case 0: throw 1;
        case 1: throw 2.5;
        case 2: throw "text";
        case 3: throw Odd(3);
        case 4: throw std::logic_error("logic");
        case 5: throw std::bad_alloc();
        case 6: throw static_cast<std::exception *>(nullptr);
        case 7: throw 'c';
        }
        return -1;
    } catch (int) {
        return 10;
    } catch (double d) {
        return static_cast<int>(d * 10);
    } catch (const char *text) {
        return text[0];
    } catch (const Odd &odd) {
        return odd.value;
    } catch (const std::logic_error &error) {
        return error.what()[0];
    } catch (const std::exception &) {
        return 50;
    } catch (std::exception *pointer) {
        return pointer == nullptr;
    } catch (...) {
        return 70;
    }
}

static int retry(int limit)
{
    int tries = 0, failures = 0;
    while (tries < limit) {
        try {
            ++tries;
            half(tries);
        } catch (const Odd &) {
            ++failures;
            continue;
        }
    }
    return failures;
}

static void from_the_handler()
{
    try {
        try {
            throw 1;
        } catch (int first) {
            try {
                throw first + 1;
            } catch (int second) {
                printf("%d inside %d, ", second, first);
            }
            throw;
        }
    } catch (int outer) {
        printf("then %d\n", outer);
    }
}

int main()
{
    try {
        nested(3);
    } catch (int value) {
        printf("\nnested gave %d\n", value);
    }
    try {
        Wrapped fine(4);
        printf("%d\n", fine.member.value);
        Wrapped broken(5);
    } catch (const std::exception &error) {
        printf("main: %s\n", error.what());
    }
    for (int which = 0; which < 9; which++)
        printf("%d ", clauses(which));
    printf("\nretries failed %d times\n", retry(7));
    from_the_handler();
    std::exception_ptr kept;
    try {
        half(9);
    } catch (...) {
        kept = std::current_exception();
    }
    try {
        std::rethrow_exception(kept);
    } catch (const Odd &odd) {
        printf("kept %d\n", odd.value);
    }
    return 0;
}
