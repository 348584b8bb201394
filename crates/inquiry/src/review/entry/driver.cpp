/* Calls a function with what the program's arguments say, and prints what it gives. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

struct whydunit_done {};

template <class T, bool Number> struct whydunit_shows {
    static void show(const T &) {}
};
template <class T> struct whydunit_shows<T, true> {
    static void show(const T &value) { std::printf("%.20Lg\n", (long double)value); }
};
template <> struct whydunit_shows<const char *, false> {
    static void show(const char *value) { std::printf("%s\n", value ? value : "(null)"); }
};
template <> struct whydunit_shows<char *, false> {
    static void show(const char *value) { std::printf("%s\n", value ? value : "(null)"); }
};
template <> struct whydunit_shows<std::string, false> {
    static void show(const std::string &value) { std::printf("%s\n", value.c_str()); }
};
template <class T> struct whydunit_shows<std::vector<T>, false> {
    static void show(const std::vector<T> &value) {
        for (std::size_t at = 0; at < value.size(); at++)
            whydunit_shows<T, std::numeric_limits<T>::is_specialized || __is_enum(T)>::show(value[at]);
    }
};
template <class T> int operator,(const T &value, whydunit_done) {
    whydunit_shows<T, std::numeric_limits<T>::is_specialized || __is_enum(T)>::show(value);
    return 0;
}

/* A number that is given where any kind of number is wanted. */
struct whydunit_number {
    long long value;
    explicit whydunit_number(long long given) : value(given) {}
    template <class T> operator T() const { return (T)value; }
};
template <class T> void whydunit_set(T &place, long long value) { place = (T)value; }

static inline char *whydunit_text(const char *text, unsigned long room) {
    unsigned long size = std::strlen(text) + 1;
    char *copy = (char *)std::calloc(size > room ? size : room, 1);
    std::memcpy(copy, text, size);
    return copy;
}
