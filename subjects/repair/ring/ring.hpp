// ring: the last so many values, the oldest first.
#pragma once
#include <cstddef>

template <typename Value, std::size_t Most>
class Ring {
public:
    void add(Value value)
    {
        values[(first + count) % Most] = value;
        if (count <= Most)
            count++;
        else
            first = (first + 1) % Most;
    }

    std::size_t size() const { return count; }

    // The value so many places behind the oldest one.
    Value at(std::size_t place) const
    {
        return values[(first + place) % Most];
    }

private:
    Value values[Most] = {};
    std::size_t first = 0, count = 0;
};

// The larger of two values.
template <typename Value>
Value larger(Value a, Value b)
{
    if (a < b)
        return b;
    return a;
}
