// depot: the goods of a warehouse, driven by commands from standard input.
//
//   new CODE NAME CENTS [LEAST]   a kind of goods; LEAST is what should be there
//   in CODE COUNT                 goods come
//   out CODE COUNT                goods go
//   move CODE OTHER COUNT         goods are booked on another code
//   price CODE CENTS              a new price
//   find TEXT                     codes whose name has the text
//   log CODE                      what happened to a code
//   list                          a table
//   order                         what is to be ordered
//   gone CODE                     the code is no longer used
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t most_events = 5;
constexpr int default_least = 10;
constexpr int pack = 6;

class DepotError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

std::string money(long cents)
{
    std::ostringstream out;
    out << cents / 100 << '.' << std::setw(2) << std::setfill('0') << cents % 100;
    return out.str();
}

std::string upper(std::string text)
{
    for (char &letter : text) {
        if (letter >= 'a' && letter <= 'z')
            letter = static_cast<char>(letter - 'a' + 'A');
    }
    return text;
}

class Item {
public:
    Item(std::string name, long cents, int least) : name_(std::move(name)), cents_(cents), least_(least)
    {
    }

    const std::string &name() const
    {
        return name_;
    }

    int count() const
    {
        return count_;
    }

    long value() const
    {
        return cents_ * count_;
    }

    bool is_short() const
    {
        return count_ < least_;
    }

    // Whole packs, up to twice of what should be there.
    int to_order() const
    {
        int missing = 2 * least_ - count_;
        return (missing + pack - 1) / pack * pack;
    }

    void set_price(long cents)
    {
        note("price " + money(cents_) + " -> " + money(cents));
        cents_ = cents;
    }

    void add(int number)
    {
        count_ += number;
        note("+" + std::to_string(number));
    }

    void take(int number)
    {
        if (number > count_)
            throw DepotError("only " + std::to_string(count_) + " of " + name_);
        count_ -= number;
        note("-" + std::to_string(number));
    }

    void print_log(std::ostream &out) const
    {
        out << name_ << ':';
        for (const std::string &event : log_)
            out << ' ' << event << ';';
        out << " now " << count_ << '\n';
    }

private:
    void note(std::string event)
    {
        if (log_.size() == most_events)
            log_.erase(log_.begin());
        log_.push_back(std::move(event));
    }

    std::string name_;
    long cents_;
    int least_;
    int count_ = 0;
    std::vector<std::string> log_;
};

class Depot {
public:
    void create(const std::string &code, const Item &item)
    {
        if (!items_.emplace(code, item).second)
            throw DepotError("code " + code + " exists");
    }

    Item &at(const std::string &code)
    {
        auto found = items_.find(code);
        if (found == items_.end())
            throw DepotError("no code " + code);
        return found->second;
    }

    void move(const std::string &from, const std::string &to, int number)
    {
        Item &target = at(to);
        if (from == to)
            throw DepotError("the same code");
        at(from).take(number);
        target.add(number);
    }

    void remove(const std::string &code)
    {
        if (at(code).count() > 0)
            throw DepotError(code + " is not empty");
        items_.erase(code);
    }

    void find(std::ostream &out, const std::string &text) const
    {
        std::string separator;
        for (const auto &[code, item] : items_) {
            if (upper(item.name()).find(upper(text)) == std::string::npos)
                continue;
            out << separator << code;
            separator = ", ";
        }
        out << (separator.empty() ? "nothing" : "") << '\n';
    }

    void list(std::ostream &out) const
    {
        long total = 0;
        std::size_t width = 4;
        for (const auto &[code, item] : items_)
            width = std::max(width, item.name().size());
        for (const auto &[code, item] : items_) {
            out << std::left << std::setw(5) << code << std::setw(static_cast<int>(width) + 1) << item.name();
            out << std::right << std::setw(5) << item.count() << std::setw(12) << money(item.value());
            out << (item.is_short() ? " !" : "") << '\n';
            total += item.value();
        }
        out << items_.size() << (items_.size() == 1 ? " code, " : " codes, ") << money(total) << '\n';
    }

    void order(std::ostream &out) const
    {
        std::vector<std::pair<int, std::string>> lines;
        for (const auto &[code, item] : items_) {
            if (item.is_short())
                lines.emplace_back(-item.to_order(), code);
        }
        std::sort(lines.begin(), lines.end());
        for (const auto &[number, code] : lines)
            out << "order " << -number << " of " << code << '\n';
        if (lines.empty())
            out << "nothing to order\n";
    }

private:
    std::map<std::string, Item> items_;
};

template <typename T> T read(std::istream &in)
{
    T value{};
    if (!(in >> value))
        throw DepotError("something is missing");
    return value;
}

int read_count(std::istream &in)
{
    int number = read<int>(in);
    if (number <= 0)
        throw DepotError("no such number: " + std::to_string(number));
    return number;
}

void execute(Depot &depot, const std::string &line)
{
    std::istringstream in(line);
    std::string command;
    if (!(in >> command) || command[0] == '#')
        return;
    if (command == "list")
        return depot.list(std::cout);
    if (command == "order")
        return depot.order(std::cout);
    std::string word = read<std::string>(in);
    if (command == "new") {
        std::string name = read<std::string>(in);
        long cents = read_count(in);
        int least = default_least;
        if (int given = 0; in >> given)
            least = given;
        depot.create(word, Item(name, cents, least));
    } else if (command == "in") {
        depot.at(word).add(read_count(in));
    } else if (command == "out") {
        depot.at(word).take(read_count(in));
    } else if (command == "move") {
        std::string other = read<std::string>(in);
        depot.move(word, other, read_count(in));
    } else if (command == "price") {
        depot.at(word).set_price(read_count(in));
    } else if (command == "find") {
        depot.find(std::cout, word);
    } else if (command == "log") {
        depot.at(word).print_log(std::cout);
    } else if (command == "gone") {
        depot.remove(word);
        std::cout << word << " is gone\n";
    } else {
        throw DepotError("no command " + command);
    }
}

} // namespace

int main()
{
    Depot depot;
    std::string line;
    int errors = 0;

    while (std::getline(std::cin, line)) {
        try {
            execute(depot, line);
        } catch (const DepotError &error) {
            std::cout << "error: " << error.what() << '\n';
            errors++;
        }
    }
    return errors > 0 ? 1 : 0;
}
