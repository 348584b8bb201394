#include <cstdio>
#include <utility>

int other();

namespace {

/// Another unit has a class of this name, too.
struct Hidden {
    int value;
    int twice() const { return 2 * value; }
};

}

class Outer {
public:
    class Inner {
    public:
        Inner(int value) : value_(value) {}
        int value() const { return value_; }

    private:
        int value_;
    };

    Inner inner() const { return Inner(total_); }
    Outer &operator+=(int more);
    bool operator==(const Outer &that) const { return total_ == that.total_; }
    bool operator<(const Outer &that) const { return total_ < that.total_; }
    explicit operator bool() const { return total_ != 0; }
    int operator()(int a, int b) { return total_ += a * b; }
    int add(int a) { return total_ += a; }
    double add(double a) { return total_ += a; }
    const int &at() const & { return total_; }
    int at() && { return total_; }
    static Outer zero() { return Outer(); }
    friend int peek(const Outer &outer) { return outer.total_; }

private:
    int total_ = 0;
};

Outer &Outer::operator+=(int more) {
    total_ += more;
    return *this;
}

union Word {
    unsigned whole;
    unsigned char bytes[4];
    unsigned char lowest() const { return bytes[0]; }
};

typedef struct {
    int width;
    int doubled() { return 2 * width; }
} Box;

/// Nothing but data: no methods to show.
struct Plain {
    int a, b;
};

/// No unit makes one: a compiler would rather leave it declared.
class Tools {
public:
    static int half(int value);

private:
    Tools();
};

int Tools::half(int value) { return value / 2; }

int main() {
    Hidden hidden{3};
    Outer outer = Outer::zero();
    outer += hidden.twice();
    outer(2, 3);
    outer.add(1);
    outer.add(1.5);
    Word word;
    word.whole = 258;
    Box box{4};
    Plain plain{1, 2};
    struct Local {
        int value() { return 5; }
    } local;
    Outer copy = outer;
    std::printf("%d %d %d %d %d %d\n", outer.inner().value(), word.lowest(), box.doubled(), local.value(), other(),
                plain.a + plain.b);
    std::printf("%d %d %d %d\n", outer == copy, outer < copy, bool(outer), outer.at() + std::move(copy).at());
    std::printf("%d %d\n", Tools::half(8), peek(outer));
}
