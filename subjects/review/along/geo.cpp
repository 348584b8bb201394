#include "geo.hpp"

#include <stdexcept>

namespace geo {

static int scale(int n, const char *unit) { return unit[0] == 'k' ? n * 1000 : n; }

double along(const Point &p, Axis axis, const std::string &unit, std::vector<int> &weights) {
    int sum = 0;
    for (int &weight : weights) {
        sum += weight;
        weight = 0;
    }
    sum = scale(sum, unit.c_str());
    if (axis == Axis::Diagonal)
        throw std::invalid_argument("diagonal");
    return (axis == Axis::X ? p.x : p.y) * sum + p.tag;
}

}
