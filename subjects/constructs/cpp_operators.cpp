//: free ends
// The program's own operators new and delete, used by its containers and by the library.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

static long made, given;

void *operator new(std::size_t size)
{
    made++;
    long *block = static_cast<long *>(malloc(size + 16));
    if (!block)
        throw std::bad_alloc();
    block[0] = static_cast<long>(size);
    return block + 2;
}

void operator delete(void *block) noexcept
{
    given++;
    if (block)
        free(static_cast<long *>(block) - 2);
}

int main()
{
    int *one = new int(4), *many = new int[10]();
    printf("%ld %d\n", reinterpret_cast<long *>(many)[-2], *one + many[9]);
    delete one;
    delete[] many;
    {
        std::vector<std::string> texts;
        for (int i = 0; i < 20; i++)
            texts.push_back(std::string(10 * i, 'a' + i));
        printf("%s\n", texts[3].c_str());
    }
    printf("%d\n", made == given && made > 20);
    return 0;
}
