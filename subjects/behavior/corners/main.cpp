// Objects in all the places where they can be, and classes that say little.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace one {
struct Thing {
    int touched = 0;
    void touch() { touched = 1; }
};
}
namespace two {
struct Thing {
    bool turned = false;
    void turn() { turned = true; }
};
}

class Base {
public:
    virtual ~Base() {}
    void name(int number) { named = number != 0; }
    virtual void act() = 0;

protected:
    bool named = false;
};

class Derived : public Base {
public:
    void act() override { acted = true; }

private:
    bool acted = false;
};

class Unused {
public:
    void nothing() { done = true; }

private:
    bool done = false;
};

// Throws while it is made.
class Fragile {
public:
    explicit Fragile(bool breaks) : whole(true) {
        if (breaks) {
            throw std::runtime_error("broken");
        }
    }
    bool is_whole() const { return whole; }

private:
    bool whole;
};

// Moves by its own constructor: the older one goes on without what it had.
class Buffer {
public:
    Buffer() : data(new char[8]) {}
    Buffer(Buffer &&other) noexcept : data(other.data) { other.data = nullptr; }
    ~Buffer() { delete[] data; }
    void fill(char c) { std::memset(data, c, 8); }

private:
    char *data;
};

// Moves with memory: by realloc and memmove.
struct Plain {
    bool used = false;
    void use() { used = true; }
};

// A part of another object.
class Owner {
public:
    void use_part() { part.use(); }
    Plain part;
};

class Counter {
public:
    void add() { count++; }

private:
    int count = 0;
};

Counter global;

static void inherited() {
    std::unique_ptr<Base> base(new Derived);
    base->name(1);
    base->act();
}

static void fragile() {
    Fragile whole(false);
    std::printf("%d\n", whole.is_whole());
    try {
        Fragile broken(true);
    } catch (const std::runtime_error &error) {
        std::puts(error.what());
    }
}

static void moves() {
    Buffer first;
    first.fill('x');
    Buffer second(std::move(first));
    second.fill('y');
}

static void relocates() {
    Plain *plain = static_cast<Plain *>(std::malloc(4 * sizeof(Plain)));
    for (int i = 0; i < 4; i++) {
        new (plain + i) Plain;
    }
    plain[3].use();
    plain = static_cast<Plain *>(std::realloc(static_cast<void *>(plain), 1000 * sizeof(Plain)));
    std::memmove(static_cast<void *>(plain + 100), plain, 4 * sizeof(Plain));
    plain[103].use();
    plain[100].use();
    std::free(plain);
}

static void threads() {
    Counter own;
    std::thread other([&own] {
        Counter inner;
        inner.add();
        own.add();
    });
    other.join();
    own.add();
}

class Crashing {
public:
    void crash(int *where) {
        begun = true;
        *where = 1;
    }

private:
    bool begun = false;
};

int main(int, char **words) {
    const char *word = words[1];
    if (!std::strcmp(word, "things")) {
        one::Thing().touch();
        two::Thing().turn();
    } else if (!std::strcmp(word, "inherited")) {
        inherited();
    } else if (!std::strcmp(word, "fragile")) {
        fragile();
    } else if (!std::strcmp(word, "moves")) {
        moves();
    } else if (!std::strcmp(word, "relocates")) {
        relocates();
    } else if (!std::strcmp(word, "owner")) {
        Owner owner;
        owner.use_part();
    } else if (!std::strcmp(word, "threads")) {
        threads();
        global.add();
    } else if (!std::strcmp(word, "crash")) {
        Crashing crashing;
        crashing.crash(nullptr);
    } else {
        Unused *unused = nullptr;
        std::printf("%d\n", unused == nullptr);
    }
    return 0;
}
