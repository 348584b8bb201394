#include "shape.h"
#include <cstdio>

int main() {
    draw::Square square(2);
    draw::Unit unit;
    const draw::Shape *shapes[] = {&square, &unit};
    for (const draw::Shape *shape : shapes) {
        std::printf("%s %s %g\n", shape->describe().c_str(), shape->name().c_str(), shape->area());
    }
    std::printf("%d %d\n", square.id(), draw::Stored::count());
}
