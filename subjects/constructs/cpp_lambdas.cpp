//: free ends
// Lambdas: captures by value, reference and move, kept in std::function, recursive, mutable, generic, as a C callback.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

static std::function<int()> counter(int start)
{
    return [n = start]() mutable { return n++; };
}

struct Button {
    int presses = 0;
    std::function<void(int)> handler() { return [this](int n) { presses += n; }; }
};

template <class F> static auto twice(F f)
{
    return [f](auto x) { return f(f(x)); };
}

int main()
{
    auto first = counter(5), second = first;
    for (auto *next : {&first, &first, &second, &first})
        printf("%d ", (*next)());

    int total = 0;
    std::vector<int> numbers(8);
    std::iota(numbers.begin(), numbers.end(), 1);
    std::for_each(numbers.begin(), numbers.end(), [&total](int n) { total += n * n; });
    printf("%d\n", total);

    Button button;
    auto press = button.handler();
    press(2);
    press(3);
    printf("%d\n", button.presses);

    std::function<int(int)> fibonacci = [&](int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); };
    printf("%d\n", fibonacci(15));

    auto owned = std::make_unique<std::string>("moved");
    auto holder = [text = std::move(owned)] { return text->size(); };
    printf("%zu %d\n", holder(), owned == nullptr);

    auto add = twice([](auto x) { return x + x; });
    printf("%d %s\n", add(3), add(std::string("ab")).c_str());

    int values[] = {4, 8, 1, 6};
    qsort(values, 4, sizeof *values, [](const void *a, const void *b) {
        return *static_cast<const int *>(b) - *static_cast<const int *>(a);
    });
    for (int value : values)
        printf("%d ", value);
    printf("\n");

    std::map<std::string, std::function<double(double, double)>> operations = {
        {"+", std::plus<double>()},
        {"-", [](double a, double b) { return a - b; }},
        {"max", [](double a, double b) { return std::max(a, b); }},
    };
    for (const auto &[name, operation] : operations)
        printf("%s %g  ", name.c_str(), operation(2, 5));
    printf("\n");
    return 0;
}
