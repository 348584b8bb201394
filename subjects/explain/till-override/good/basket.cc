#include "basket.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

int Discount::off(const Item &) const
{
    return 0;
}

int Percent::off(const Item &item) const
{
    return (item.price * item.count * percent + 50) / 100;
}

// Of three the cheapest is free: all cost the same.
int Third::off(const Item &item) const
{
    return item.count / 3 * item.price;
}

void Basket::add(const std::string &name, int price, int count)
{
    auto same = [&](const Item &item) { return item.name == name && item.price == price; };
    auto found = std::find_if(items.begin(), items.end(), same);
    if (found == items.end())
        items.push_back(Item{name, price, count});
    else
        found->count += count;
}

bool Basket::discount(const std::string &name, std::unique_ptr<Discount> discount)
{
    auto same = [&](const Item &item) { return item.name == name; };
    if (std::none_of(items.begin(), items.end(), same))
        return false;
    discounts[name] = std::move(discount);
    return true;
}

int Basket::price(const Item &item) const
{
    int whole = item.price * item.count;
    auto found = discounts.find(item.name);
    if (found == discounts.end())
        return whole;
    return whole - found->second->off(item);
}

int Basket::total() const
{
    int sum = 0;
    for (const Item &item : items)
        sum += price(item);
    return sum;
}

void Basket::print() const
{
    for (const Item &item : items) {
        std::cout << std::left << std::setw(10) << item.name << std::right << std::setw(3) << item.count;
        std::cout << std::setw(9) << cents(price(item));
        auto found = discounts.find(item.name);
        if (found != discounts.end())
            std::cout << " " << found->second->name();
        std::cout << "\n";
    }
    std::cout << "total" << std::setw(17) << cents(total()) << "\n";
}

std::string cents(int amount)
{
    std::ostringstream out;
    out << amount / 100 << "." << std::setw(2) << std::setfill('0') << amount % 100;
    return out.str();
}
