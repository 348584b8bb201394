//: free ends
// Templates: specialisations, packs, statics for each instantiation, expressions at compile time.
#include <array>
#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>

template <class T> struct Counted {
    static int made;
    int number;
    Counted() : number(++made) {}
};
template <class T> int Counted<T>::made = 0;

template <unsigned N> struct Factorial {
    static constexpr unsigned long value = N * Factorial<N - 1>::value;
};
template <> struct Factorial<0> {
    static constexpr unsigned long value = 1;
};

template <class T> const char *kind(const T &) { return "value"; }
template <class T> const char *kind(T *const &) { return "pointer"; }
template <> const char *kind<double>(const double &) { return "double"; }

template <class T> T add(T value) { return value; }
template <class T, class... Rest> T add(T first, Rest... rest) { return first + add<T>(rest...); }

template <class... Types> unsigned sizes()
{
    return (sizeof(Types) + ... + 0);
}

template <class T, std::size_t N> struct Stack {
    std::array<T, N> items{};
    std::size_t used = 0;
    bool push(const T &item)
    {
        if (used == N)
            return false;
        items[used++] = item;
        return true;
    }
    template <class F> auto fold(T start, F f) const
    {
        for (std::size_t i = 0; i < used; i++)
            start = f(start, items[i]);
        return start;
    }
};

template <class T> std::string describe(T value)
{
    if constexpr (std::is_integral_v<T>)
        return "int " + std::to_string(value);
    else if constexpr (std::is_convertible_v<T, std::string>)
        return "text " + std::string(value);
    else
        return "other";
}

template <class Derived> struct Comparable {
    friend bool operator>(const Derived &a, const Derived &b) { return b < a; }
};
struct Version : Comparable<Version> {
    int major, minor;
    Version(int major, int minor) : major(major), minor(minor) {}
    friend bool operator<(const Version &a, const Version &b)
    {
        return std::pair(a.major, a.minor) < std::pair(b.major, b.minor);
    }
};

template <int... I> int chosen(std::integer_sequence<int, I...>, const int *from)
{
    int total = 0;
    ((total = 10 * total + from[I]), ...);
    return total;
}

int main()
{
    Counted<int> a, b;
    Counted<long> c;
    printf("%d %d %d %d\n", a.number, b.number, c.number, Counted<char>::made);
    printf("%lu %lu\n", Factorial<5>::value, Factorial<12>::value);
    double d = 1;
    printf("%s %s %s\n", kind(3), kind(&d), kind(d));
    printf("%d %s %u\n", add(1, 2, 3, 4), add(std::string("a"), "b", "c").c_str(), sizes<char, int, double>());
    Stack<long, 3> stack;
    for (long i = 1; i < 6; i++)
        printf("%d", stack.push(i * i));
    printf(" %ld\n", stack.fold(1, [](long x, long y) { return x * y; }));
    printf("%s, %s, %s\n", describe(5).c_str(), describe("five").c_str(), describe(&d).c_str());
    printf("%d %d\n", Version(1, 2) > Version(1, 1), Version(1, 2) > Version(2, 0));
    const int digits[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    printf("%d\n", chosen(std::integer_sequence<int, 4, 0, 9>(), digits));
    return 0;
}
