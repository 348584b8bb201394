//: free ends
// The stack after an exception: large frames, variable-length arrays, recursion, arguments by value, variadic functions.
#include <alloca.h>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <stdexcept>

struct Block {
    long words[6];
};

static long sum(Block block, int n)
{
    long total = 0;
    for (int i = 0; i < 6; i++)
        total += block.words[i];
    if (total > 100)
        throw total;
    return total + n;
}

static int variadic(int n, ...)
{
    va_list list;
    va_start(list, n);
    int total = 0;
    for (int i = 0; i < n; i++)
        total += va_arg(list, int);
    va_end(list);
    if (total == 6)
        throw total;
    return total;
}

static int array(int n)
{
    char text[n];
    memset(text, 'a' + n % 26, n);
    char *more = static_cast<char *>(alloca(n + 1));
    memcpy(more, text, n);
    more[n] = 0;
    try {
        if (n > 3)
            return array(n - 3) + more[0];
        throw std::runtime_error(more);
    } catch (const std::exception &error) {
        int before = text[0] + (int)strlen(more);
        char again[n + 5];
        snprintf(again, sizeof again, "%s!", error.what());
        if (n < 12)
            throw std::runtime_error(again);
        printf("%s %d ", again, before);
        return before;
    }
}

static int frames(int depth)
{
    int local[100];
    for (int i = 0; i < 100; i++)
        local[i] = depth * i;
    if (depth == 0)
        throw 1;
    try {
        return frames(depth - 1);
    } catch (int n) {
        int total = 0;
        for (int i = 0; i < 100; i++)
            total += local[i];
        if (total != depth * 4950)
            printf("damaged ");
        if (depth % 3 == 0)
            return n + frames(depth / 3);
        throw n + 1;
    }
}

int main()
{
    Block block = {{1, 2, 3, 4, 5, 6}};
    for (int i = 0; i < 4; i++) {
        try {
            printf("%ld ", sum(block, i));
        } catch (long total) {
            printf("caught %ld ", total);
        }
        block.words[i] += 40;
    }
    try {
        printf("\n%d ", variadic(2, 4, 5));
        printf("%d ", variadic(3, 1, 2, 3));
    } catch (int n) {
        printf("variadic threw %d\n", n);
    }
    printf("array: %d\n", array(20));
    for (int depth = 1; depth < 10; depth++) {
        try {
            printf("%d ", frames(depth));
        } catch (int n) {
            printf("(%d) ", n);
        }
    }
    printf("\n");
    return 0;
}
