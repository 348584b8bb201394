// A vector that grows, and programs that use it: one for each word.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

class IntVector {
public:
    IntVector() : elements(nullptr), size(0), capacity(0) {}
    ~IntVector() { std::free(elements); }

    void add(int element) {
        if (size == capacity) {
            capacity = capacity == 0 ? 4 : 2 * capacity;
            elements = static_cast<int *>(std::realloc(elements, capacity * sizeof(int)));
        }
        elements[size++] = element;
    }

    int remove() {
        if (size == 0) {
            throw std::out_of_range("nothing to remove");
        }
        return elements[--size];
    }

    void clear() { size = 0; }

    bool is_empty() const { return size == 0; }

private:
    int *elements;
    int size;
    int capacity;
};

static void fill(IntVector &vector, int number) {
    for (int i = 0; i < number; i++) {
        vector.add(i);
    }
}

int main(int count, char **words) {
    for (int i = 1; i < count; i++) {
        IntVector vector;
        if (std::strcmp(words[i], "fill") == 0) {
            fill(vector, 9);
            vector.clear();
            vector.add(1);
        } else if (std::strcmp(words[i], "drain") == 0) {
            fill(vector, 3);
            while (!vector.is_empty()) {
                vector.remove();
            }
        } else if (std::strcmp(words[i], "exhaust") == 0) {
            try {
                vector.remove();
            } catch (const std::out_of_range &error) {
                std::puts(error.what());
            }
        }
        std::puts(words[i]);
    }
    return 0;
}
