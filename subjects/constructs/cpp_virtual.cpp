//: output seen
//: free ends
// Virtual calls: multiple and virtual bases, thunks, covariant results, calls in constructors, members by pointer, run-time types.
#include <cstdio>
#include <cstring>
#include <memory>
#include <typeinfo>

struct Base {
    int base = 1;
    Base() { printf("%s ", name()); }
    virtual ~Base() { printf("~%s ", name()); }
    virtual const char *name() const { return "Base"; }
    virtual Base *clone() const { return new Base(*this); }
};

struct Side {
    int side = 2;
    virtual ~Side() = default;
    virtual int weight() const = 0;
};

struct Both : Base, Side {
    int both = 3;
    Both() { printf("%s ", name()); }
    ~Both() override { printf("~%s ", name()); }
    const char *name() const override { return "Both"; }
    int weight() const override { return base + side + both; }
    Both *clone() const override { return new Both(*this); }
};

struct Root {
    int value;
    explicit Root(int value = 5) : value(value) {}
    virtual ~Root() = default;
    virtual int get() const { return value; }
};
struct Left : virtual Root {
    Left() : Root(10) {}
    int get() const override { return value + 1; }
};
struct Right : virtual Root {
    Right() : Root(20) {}
    virtual int twice() const { return 2 * get(); }
};
struct Diamond final : Left, Right {
    Diamond() : Root(30) {}
};

struct Calculator {
    int state = 0;
    int add(int n) { return state += n; }
    virtual int multiply(int n) { return state *= n; }
    int negate(int) { return state = -state; }
};
struct Loud : Calculator {
    int multiply(int n) override
    {
        printf("loud ");
        return Calculator::multiply(n);
    }
};

int main()
{
    {
        std::unique_ptr<Base> owned(new Both);
        Side *side = dynamic_cast<Side *>(owned.get());
        printf("\n%d %s\n", side->weight(), typeid(*owned) == typeid(Both) ? "a Both" : "something else");
        std::unique_ptr<Base> copy(owned->clone());
        printf("%s %d\n", copy->name(), dynamic_cast<Both *>(copy.get())->both);
        Base plain;
        printf("%d\n", dynamic_cast<Both *>(&plain) == nullptr);
        try {
            dynamic_cast<Both &>(plain).both = 1;
        } catch (const std::bad_cast &) {
            printf("bad cast\n");
        }
    }
    Diamond diamond;
    Root *root = &diamond;
    Right *right = &diamond;
    printf("\n%d %d %d\n", root->get(), right->twice(), dynamic_cast<Left *>(right)->value);

    Loud loud;
    using Step = int (Calculator::*)(int);
    const Step steps[] = {&Calculator::add, &Calculator::multiply, &Calculator::negate, &Calculator::multiply};
    for (Step step : steps)
        printf("%d ", (loud.*step)(6));
    int Calculator::*member = &Calculator::state;
    printf("%d %d\n", loud.*member, strcmp(typeid(loud).name(), typeid(Loud).name()));
    return 0;
}
