// Goods, discounts, and baskets of them.
#ifndef BASKET_H
#define BASKET_H

#include <map>
#include <memory>
#include <string>
#include <vector>

struct Item {
    std::string name;
    int price;   // cents
    int count;
};

class Discount {
public:
    virtual ~Discount() = default;
    // Cents that are taken off an item's price.
    virtual int off(const Item &item) const;
    virtual std::string name() const = 0;
};

class Percent : public Discount {
public:
    explicit Percent(int percent) : percent(percent) {}
    int off(const Item &item) const override;
    std::string name() const override { return "percent"; }

private:
    int percent;
};

class Third : public Discount {
public:
    int off(const Item &item) const;
    std::string name() const override { return "third"; }
};

class Basket {
public:
    void add(const std::string &name, int price, int count);
    bool discount(const std::string &name, std::unique_ptr<Discount> discount);
    int total() const;
    void print() const;

private:
    std::vector<Item> items;
    std::map<std::string, std::unique_ptr<Discount>> discounts;

    int price(const Item &item) const;
};

std::string cents(int amount);

#endif
