#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace shop {

struct Item {
    std::string name;
    int price;
    int count;
};

class Basket {
public:
    void add(const std::string &name, int price, int count) { items_.push_back({name, price, count}); }
    int total() const;
    bool free_delivery() const { return total() > limit_; }

private:
    std::vector<Item> items_;
    int limit_ = 100;
};

int Basket::total() const
{
    int sum = 0;
    for (size_t i = 1; i < items_.size(); i++) {
        const Item &item = items_[i];
        sum += item.price * item.count;
    }
    return sum;
}

} // namespace shop

int main(int argc, char **argv)
{
    shop::Basket basket;
    for (int i = 1; i + 1 < argc; i += 2)
        basket.add("item", std::atoi(argv[i]), std::atoi(argv[i + 1]));
    std::cout << basket.total() << (basket.free_delivery() ? " free" : "") << "\n";
}
