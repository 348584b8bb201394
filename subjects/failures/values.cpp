// Values of all kinds, in scope where an assertion fails.
#include <cassert>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct Named {
    static int made;
    int id = 7;
    virtual ~Named() {}
};
int Named::made = 0;

struct Weighed : Named {
    double weight = 1.5;
    std::string label = "brick";
};

int main()
{
    std::string text = "longer than what a string has room for itself", empty;
    std::string_view part = std::string_view(text).substr(7, 4);
    std::vector<int> numbers{1, 2, 3}, none;
    std::vector<std::string> words{"a", "bc"};
    std::unique_ptr<Weighed> owner = std::make_unique<Weighed>();
    Weighed own;
    auto second = numbers.begin() + 1;
    assert(text.size() == numbers.size());
    return *second + (int)words.size() + (owner != nullptr) + own.id + (int)none.size() + (int)empty.size() + (int)part.size();
}
