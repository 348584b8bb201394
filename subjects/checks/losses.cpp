// Objects that nothing points to when the program exits, and objects that something still points to.
#include "checks.h"
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

struct shape {
    virtual ~shape() = default;
    virtual int area() const = 0;
};

struct square : shape {
    explicit square(int side) : side(side) {}
    int area() const override { return side * side; }
    int side;
};

struct node {
    std::shared_ptr<node> other;
    int value = 1;
};

} // namespace

PROGRAM(object_that_is_not_deleted)
{
    shape *one = new square(given(3)); // fault: leak
    look(one->area());
    return 0;
}

PROGRAM(pointers_of_a_vector)
{
    std::vector<shape *> shapes;
    for (int i = 0; i < 4; i++)
        shapes.push_back(new square(i)); // fault: leak
    look(shapes[2]->area());
    return 0;
}

PROGRAM(objects_that_share_each_other)
{
    auto one = std::make_shared<node>(); // fault: leak
    auto two = std::make_shared<node>();
    one->other = two;
    two->other = one;
    look(one->other->value);
    return 0;
}

PROGRAM(object_released_by_its_owner)
{
    auto owner = std::make_unique<square>(given(2)); // fault: leak
    look(owner.release()->area());
    return 0;
}

PROGRAM(array_lost_by_an_exception)
{
    try {
        int *values = new int[given(10)]; // fault: leak
        values[0] = given(1);
        if (values[0] == 1)
            throw values[0];
        delete[] values;
    } catch (int value) {
        look(value);
    }
    return 0;
}

// Without a fault.

namespace {

std::map<int, std::string> names;
std::unique_ptr<shape> only;
std::vector<std::function<int()>> calls;

shape *instance()
{
    static shape *one = new square(given(5));
    return one;
}

} // namespace

PROGRAM(object_made_once)
{
    look(instance()->area());
    return 0;
}

PROGRAM(objects_of_global_containers)
{
    for (int i = 0; i < 10; i++)
        names[i] = std::string(100, static_cast<char>('a' + i));
    only = std::make_unique<square>(given(4));
    std::vector<int> captured(100, given(1));
    calls.push_back([captured] { return captured[7]; });
    look(calls.front()());
    return 0;
}

PROGRAM(objects_of_another_thread)
{
    auto values = std::make_unique<std::vector<int>>(50, given(2));
    std::thread thread([own = std::move(values)] { look((*own)[3]); });
    thread.join();
    return 0;
}

PROGRAM(exception_that_is_caught)
{
    try {
        throw std::string(given(200), 'x');
    } catch (const std::string &text) {
        look(text[7]);
    }
    return 0;
}
