// A bill by streams: texts become numbers, what is none is thrown and caught, and the sum is printed. The fault: three of a thing
// are one too few for a discount.
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

static int number(const std::string &text)
{
    int value = 0;
    for (char c : text) {
        if (c < '0' || c > '9')
            throw std::invalid_argument("no number: " + text);
        value = value * 10 + (c - '0');
    }
    return value;
}

struct Bill {
    std::map<std::string, int> counts;

    int price(const std::string &thing) const
    {
        int count = counts.at(thing), each = static_cast<int>(thing.size());
        return count > 3 ? count * each - each : count * each; /* the fault: >= */
    }
};

int main(int argc, char **argv)
{
    Bill bill;
    for (int i = 1; i + 1 < argc; i += 2) {
        try {
            bill.counts[argv[i]] += number(argv[i + 1]);
        } catch (const std::exception &error) {
            std::cout << error.what() << '\n';
        }
    }
    int sum = 0;
    std::ostringstream lines;
    for (const auto &entry : bill.counts) {
        lines << std::left << std::setw(8) << entry.first << std::right << std::setw(4) << bill.price(entry.first) << '\n';
        sum += bill.price(entry.first);
    }
    std::cout << lines.str() << "sum " << sum << std::endl;
    return 0;
}
