#pragma once

#include <string>
#include <vector>

namespace geo {

enum class Axis { X, Y, Diagonal };

struct Point {
    double x;
    double y;
    int tag;
};

/// The weighted length of a point along an axis; the weights are used up.
double along(const Point &p, Axis axis, const std::string &unit, std::vector<int> &weights);

}
