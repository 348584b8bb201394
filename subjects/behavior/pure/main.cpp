// Methods that change something, and methods that do not.
#include <cstdio>

static int calls = 0;

class Shape {
public:
    Shape(int width, int height) : width(width), height(height) {}

    int area() const { return width * height; }

    void grow(int by) {
        width += by;
        height += by;
    }

    int cached_area() const {
        if (!known) {
            cache = area();
            known = true;
        }
        return cache;
    }

    int counted() const {
        calls++;
        return calls;
    }

    void copy_to(int *to) const { *to = width; }

    int sum() const {
        int sums[2] = {width, height};
        sums[0] += sums[1];
        return sums[0];
    }

    int sum_on_the_heap() const {
        int *sums = new int[1];
        sums[0] = width + height;
        int sum = sums[0];
        delete[] sums;
        return sum;
    }

    Shape turned() const { return Shape(height, width); }

    // It changes something only where it is asked to.
    int stretch(int by) {
        if (by != 0) {
            width += by;
        }
        return width;
    }

private:
    int width;
    int height;
    mutable int cache = 0;
    mutable bool known = false;
};

int main(int count, char **) {
    Shape shape(2, 3);
    int width = 0;
    shape.grow(count);
    shape.copy_to(&width);
    std::printf("%d %d\n", shape.area() + shape.sum() + shape.sum_on_the_heap(), shape.turned().area());
    std::printf("%d %d\n", shape.cached_area() + shape.cached_area(), shape.counted() + width);
    std::printf("%d\n", shape.stretch(count - 1));
    return 0;
}
