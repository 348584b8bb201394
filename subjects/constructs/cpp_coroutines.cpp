//: flags -std=gnu++20
//: free ends
// Coroutines: a generator, one that throws, destruction before the end.
#include <coroutine>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <utility>

struct Generator {
    struct promise_type {
        int value = 0;
        std::exception_ptr error;
        Generator get_return_object() { return Generator(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int given)
        {
            value = given;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { error = std::current_exception(); }
    };
    std::coroutine_handle<promise_type> handle;
    explicit Generator(std::coroutine_handle<promise_type> handle) : handle(handle) {}
    Generator(Generator &&other) : handle(std::exchange(other.handle, nullptr)) {}
    ~Generator()
    {
        if (handle)
            handle.destroy();
    }
    bool next()
    {
        handle.resume();
        if (handle.promise().error)
            std::rethrow_exception(handle.promise().error);
        return !handle.done();
    }
    int value() const { return handle.promise().value; }
};

struct Guard {
    const char *name;
    ~Guard() { printf("-%s ", name); }
};

static Generator fibonacci(int limit)
{
    Guard guard{"fibonacci"};
    int a = 0, b = 1;
    while (a < limit) {
        co_yield a;
        a = std::exchange(b, a + b);
    }
}

static Generator failing(int n)
{
    Guard guard{"failing"};
    for (int i = 0;; i++) {
        if (i == n)
            throw std::runtime_error("no more");
        co_yield i * 10;
    }
}

int main()
{
    Generator numbers = fibonacci(50);
    while (numbers.next())
        printf("%d ", numbers.value());
    printf("\n");
    try {
        Generator broken = failing(3);
        while (broken.next())
            printf("%d ", broken.value());
    } catch (const std::exception &error) {
        printf("%s\n", error.what());
    }
    {
        Generator early = fibonacci(1000);
        early.next();
        early.next();
        printf("%d ", early.value());
    }
    printf("\n");
    return 0;
}
