// Exceptions through external code: out of qsort, into and out of streams, once-functions, and those that it throws itself.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <vector>

static int comparisons;

static int compare(const void *a, const void *b)
{
    struct Count {
        ~Count() { comparisons++; }
    } count;
    int x = *static_cast<const int *>(a), y = *static_cast<const int *>(b);
    if (x == 13 || y == 13)
        throw std::string("thirteen");
    return x - y;
}

static std::string sorted(std::vector<int> values)
{
    std::string text;
    try {
        qsort(values.data(), values.size(), sizeof(int), compare);
        for (int value : values)
            text += std::to_string(value) + ' ';
    } catch (const std::string &reason) {
        text = "no " + reason;
    }
    return text;
}

// The stream catches what its buffer throws, and goes bad.
struct Narrow : std::streambuf {
    int room = 4;
    std::string got;
    int_type overflow(int_type c) override
    {
        if (room-- == 0)
            throw std::length_error("full");
        got += static_cast<char>(c);
        return c;
    }
};

static void streams()
{
    Narrow narrow;
    std::ostream out(&narrow);
    for (int i = 0; i < 6; i++) {
        out << i;
        printf("%d%s ", i, out.good() ? "" : " bad");
    }
    printf("%s\n", narrow.got.c_str());
    out.clear();
    narrow.room = 1;
    out.exceptions(std::ios::badbit);
    try {
        out << 'a' << 'b' << 'c';
    } catch (const std::length_error &error) {
        printf("%s passed the stream, %s\n", error.what(), narrow.got.c_str());
    }
    std::istringstream in("12 x");
    in.exceptions(std::ios::failbit);
    int number = 0;
    try {
        in >> number >> number;
    } catch (const std::ios_base::failure &) {
        printf("failed after reading, %d\n", number);
    }
}

static void thrown_by_the_library()
{
    std::string text = "abc";
    std::vector<int> numbers(3);
    std::function<int(int)> nothing;
    const std::function<void()> tries[] = {
        [&] { text.at(9); },
        [&] { numbers.at(5) = 1; },
        [&] { nothing(1); },
        [&] { std::stoi("none"); },
        [&] { std::stoul("99999999999999999999999"); },
        [&] { text.substr(7); },
    };
    for (const auto &one : tries) {
        try {
            one();
        } catch (const std::out_of_range &) {
            printf("out of range, ");
        } catch (const std::invalid_argument &error) {
            printf("invalid %s, ", error.what());
        } catch (const std::bad_function_call &) {
            printf("no function, ");
        }
    }
    printf("\n");
}

int main()
{
    printf("%s\n", sorted({5, 3, 9, 1}).c_str());
    printf("%s\n", sorted({5, 13, 9, 1}).c_str());
    streams();
    thrown_by_the_library();
    return comparisons == 0;
}
