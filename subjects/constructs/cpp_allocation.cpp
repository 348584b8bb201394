// new and delete: arrays, placement, alignment, nothrow, failure with and without a handler, operators of a class.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

struct Counted {
    static int alive;
    int value;
    Counted(int value = 1) : value(value) { alive++; }
    ~Counted() { alive--; }
};
int Counted::alive;

struct Pooled {
    long words[3];
    static void *operator new(std::size_t size)
    {
        static char pool[1024];
        static std::size_t used;
        void *at = pool + used;
        used += size;
        printf("pool %zu ", size);
        return at;
    }
    static void operator delete(void *, std::size_t size) { printf("back %zu\n", size); }
};

struct alignas(64) Wide {
    char bytes[64];
};

struct Thrower {
    Thrower(int n)
    {
        if (n)
            throw n;
    }
};

static int handled;

static void handler()
{
    if (++handled == 3)
        std::set_new_handler(nullptr);
}

static const volatile std::size_t far_too_much = SIZE_MAX / 4;

int main()
{
    Counted *array = new Counted[10];
    array[3].value = 5;
    printf("%d %d ", Counted::alive, array[3].value + array[4].value);
    delete[] array;
    printf("%d\n", Counted::alive);

    alignas(Counted) char room[sizeof(Counted)];
    Counted *placed = new (room) Counted(8);
    printf("%d ", placed->value);
    placed->~Counted();
    printf("%d\n", Counted::alive);

    Pooled *pooled = new Pooled;
    pooled->words[2] = 4;
    delete pooled;

    auto wide = std::make_unique<Wide[]>(3);
    printf("%d\n", (int)(reinterpret_cast<uintptr_t>(wide.get()) % 64));

    printf("%d\n", operator new(far_too_much, std::nothrow) == nullptr);
    try {
        printf("%p\n", static_cast<void *>(new char[far_too_much]));
    } catch (const std::bad_alloc &) {
        printf("bad alloc\n");
    }
    std::set_new_handler(handler);
    try {
        printf("%p\n", operator new(far_too_much));
    } catch (const std::bad_alloc &) {
        printf("bad alloc after %d calls\n", handled);
    }
    for (int i = 0; i < 3; i++) {
        try {
            delete new Thrower(i);
        } catch (int n) {
            printf("thrown %d ", n);
        }
    }
    printf("\n");
    return 0;
}
