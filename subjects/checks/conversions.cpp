// Conversions, truth values, null pointers, alignment, ways that end.
#include "checks.h"
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

PROGRAM(double_beyond_int)
{
    double far = given_double(1e10);
    look((int)far); // fault: float-to-integer
    return 0;
}

PROGRAM(negative_to_unsigned)
{
    double below = given_double(-3.5);
    look((unsigned)below); // fault: float-to-integer
    return 0;
}

PROGRAM(no_number_to_int)
{
    double none = std::sqrt(given_double(-1));
    look((int)none); // fault: float-to-integer
    return 0;
}

PROGRAM(infinity_to_long)
{
    double zero = given_double(0);
    look((long)(1 / zero)); // fault: float-to-integer
    return 0;
}

PROGRAM(float_to_byte)
{
    float level = (float)given_double(256);
    unsigned char byte = (unsigned char)level; // fault: float-to-integer
    look(byte);
    return 0;
}

static int percent(double part)
{
    return part * 1e9; // fault: float-to-integer
}

PROGRAM(implied_conversion)
{
    look(percent(given_double(3)));
    return 0;
}

PROGRAM(extended_beyond_long)
{
    long double far = given_double(9.3e18);
    look((long)far); // fault: float-to-integer
    return 0;
}

PROGRAM(bool_from_bytes)
{
    unsigned char byte = (unsigned char)given(2);
    bool truth;
    std::memcpy(&truth, &byte, 1);
    if (truth) // fault: invalid-bool
        look(1);
    return 0;
}

struct settings {
    int level;
    bool quiet;
};

static int verbosity(const settings &settings)
{
    return settings.quiet ? 0 : settings.level; // fault: invalid-bool
}

PROGRAM(bool_of_a_filled_structure)
{
    settings all;
    std::memset(&all, given(0x55), sizeof all);
    look(verbosity(all));
    return 0;
}

static bool is_set(const bool *flags, int index)
{
    return flags[index]; // fault: invalid-bool
}

PROGRAM(bool_in_an_array)
{
    bool flags[4];
    for (int i = 0; i < 4; i++)
        reinterpret_cast<unsigned char *>(flags)[i] = (unsigned char)given(i);
    look(is_set(flags, 0) + is_set(flags, 1) + is_set(flags, 3));
    return 0;
}

PROGRAM(int_at_an_odd_address)
{
    alignas(8) char bytes[16] = {0};
    int *at = reinterpret_cast<int *>(bytes + given(1));
    look(*at); // fault: misaligned
    return 0;
}

PROGRAM(store_at_an_odd_address)
{
    alignas(8) char bytes[16] = {0};
    short *at = reinterpret_cast<short *>(bytes + given(3));
    *at = 7; // fault: misaligned
    look(bytes[3]);
    return 0;
}

struct header {
    std::uint32_t size;
    std::uint64_t where;
};

static long field(const char *packet)
{
    const header *head = reinterpret_cast<const header *>(packet);
    return (long)head->where; // fault: misaligned
}

PROGRAM(header_in_a_packet)
{
    alignas(8) char packet[32] = {0};
    look(field(packet + given(4)));
    return 0;
}

PROGRAM(double_in_a_heap_buffer)
{
    char *buffer = static_cast<char *>(std::malloc(32));
    std::memset(buffer, 0, 32);
    double *at = reinterpret_cast<double *>(buffer + given(1) + 1);
    look((long)*at); // fault: misaligned
    std::free(buffer);
    return 0;
}

struct counter {
    int count = 0;
    int nothing()
    {
        return 7;
    }
    int value()
    {
        return count;
    }
};

PROGRAM(member_of_nothing)
{
    counter *none = static_cast<counter *>(given_pointer(nullptr));
    look(none->nothing()); // fault: null
    return 0;
}

static int seven(int &)
{
    return 7;
}

PROGRAM(reference_to_nothing)
{
    int *none = static_cast<int *>(given_pointer(nullptr));
    look(seven(*none)); // fault: null
    return 0;
}

PROGRAM(bound_to_nothing)
{
    int *none = static_cast<int *>(given_pointer(nullptr));
    int &bound = *none; // fault: null
    look(&bound == nullptr);
    return 0;
}

PROGRAM(read_of_nothing)
{
    int *none = static_cast<int *>(given_pointer(nullptr));
    look(*none); // fault: null-pointer
    return 0;
}

PROGRAM(member_read_of_nothing)
{
    settings *none = static_cast<settings *>(given_pointer(nullptr));
    look(none->level); // fault: null-pointer
    return 0;
}

__attribute__((nonnull)) static long length(const char *text)
{
    return text != nullptr;
}

PROGRAM(argument_that_is_nothing)
{
    look(length(static_cast<const char *>(given_pointer(nullptr)))); // fault: null
    return 0;
}

enum level { low, middle, high };

static bool is_high(const level *level)
{
    return *level == high; // not told: enumeration
}

PROGRAM(level_that_is_none)
{
    int number = given(17);
    level level;
    std::memcpy(&level, &number, sizeof level);
    look(is_high(&level));
    return 0;
}

enum way { north, south };

static int turn(way way)
{
    switch (way) {
    case north:
        return 1;
    case south:
        return 2;
    }
    __builtin_unreachable(); // fault: unreachable
}

PROGRAM(way_that_is_none)
{
    look(turn(static_cast<enum way>(given(1))));
    int other = given(3);
    enum way way;
    std::memcpy(&way, &other, sizeof way);
    look(turn(way));
    return 0;
}

static int sign(int n) // fault: missing-return
{
    if (n > 0)
        return 1;
    if (n < 0)
        return -1;
}

PROGRAM(sign_of_zero)
{
    look(sign(given(5)));
    look(sign(given(0)));
    return 0;
}

static int price(int size) // fault: missing-return
{
    switch (size) {
    case 1:
        return 10;
    case 2:
        return 15;
    }
}

PROGRAM(price_of_nothing)
{
    look(price(given(2)));
    look(price(given(7)));
    return 0;
}

PROGRAM(doubles_that_fit)
{
    look((int)given_double(2147483647.9));
    look((int)given_double(-2147483648.9));
    look((unsigned char)given_double(255.9));
    look((unsigned char)given_double(-0.9));
    look((long)given_double(-9223372036854775808.0));
    look((long)(unsigned long)given_double(1.8e19));
    return 0;
}

PROGRAM(floats_become_bools)
{
    bool some = (bool)given_double(1e300), none = (bool)given_double(0);
    look(some + none);
    return 0;
}

PROGRAM(bools_from_numbers)
{
    bool truth = given(2);
    bool other = given(0x100);
    struct {
        bool first : 1, second : 1;
        unsigned rest : 6;
    } bits = {true, false, 63};
    look(truth + other + bits.first + bits.second);
    return 0;
}

PROGRAM(bytes_are_copied)
{
    char bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8};
    int number;
    std::memcpy(&number, bytes + given(1), sizeof number);
    look(number);
    return 0;
}

#pragma pack(push, 1)
struct packed {
    char kind;
    std::uint32_t size;
    double weight;
};
#pragma pack(pop)

PROGRAM(packed_structures)
{
    packed all[3] = {{'a', 1, 0.5}, {'b', 2, 1.5}, {'c', 3, 2.5}};
    for (int i = 0; i < given(3); i++)
        look(all[i].size + (long)all[i].weight);
    packed copy = all[1];
    look(copy.kind);
    return 0;
}

PROGRAM(aligned_places)
{
    alignas(32) unsigned char room[64];
    double *number = new (room + 8 * given(2)) double(1.5);
    look((long)*number + (reinterpret_cast<std::uintptr_t>(room) % 32 == 0));
    long double wide = given_double(2);
    look((long)wide);
    return 0;
}

PROGRAM(members_of_objects)
{
    counter *some = new counter;
    look(some->nothing() + some->value());
    delete some;
    counter *none = nullptr;
    delete none;
    return 0;
}

PROGRAM(ways_that_end)
{
    look(turn(north) + turn(south) + sign(1) + sign(-1) + price(1));
    return 0;
}

static int tested(const int *maybe)
{
    return maybe ? *maybe : -1;
}

PROGRAM(pointers_are_tested)
{
    int value = given(3);
    look(tested(&value) + tested(static_cast<int *>(given_pointer(nullptr))));
    std::free(given_pointer(nullptr));
    return 0;
}
