#include <cstring>

#include "geo.hpp"

int main(int argc, char **argv) {
    std::vector<int> weights{1, 2, 3};
    const geo::Point p{2.5, 1.0, 4};
    if (argc > 1 && std::strcmp(argv[1], "diagonal") == 0)
        return geo::along(p, geo::Axis::Diagonal, "m", weights) < 0;
    return geo::along(p, geo::Axis::X, "m", weights) != 19.0;
}
