// Commands from standard input: add NAME CENTS COUNT, percent NAME N, third NAME, print, total.
#include "basket.h"

#include <iostream>
#include <sstream>

static bool execute(Basket &basket, const std::string &line)
{
    std::istringstream in(line);
    std::string word, name;
    int price = 0, count = 0;

    if (!(in >> word) || word[0] == '#')
        return true;
    if (word == "print") {
        basket.print();
        return true;
    }
    if (word == "total") {
        std::cout << cents(basket.total()) << "\n";
        return true;
    }
    if (!(in >> name))
        return false;
    if (word == "add") {
        if (!(in >> price >> count) || price < 0 || count < 1)
            return false;
        basket.add(name, price, count);
        return true;
    }
    if (word == "percent") {
        if (!(in >> count) || count < 1 || count > 100)
            return false;
        return basket.discount(name, std::make_unique<Percent>(count));
    }
    if (word == "third")
        return basket.discount(name, std::make_unique<Third>());
    return false;
}

int main()
{
    Basket basket;
    std::string line;
    int number = 0, errors = 0;

    while (std::getline(std::cin, line)) {
        number++;
        if (!execute(basket, line)) {
            std::cout << "line " << number << ": not understood\n";
            errors++;
        }
    }
    return errors > 0;
}
