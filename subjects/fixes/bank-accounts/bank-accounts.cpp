// A small bank. Commands on standard input:
//   open NAME AMOUNT      alias NEWNAME NAME      deposit NAME AMOUNT
//   withdraw NAME AMOUNT  transfer FROM TO AMOUNT
// At the end the balances must add up to what was paid in less what was paid
// out; the program ends with status 1 if they do not.
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Account {
    std::string owner;
    long balance = 0;
};

class Bank {
public:
    bool open(const std::string& name, long amount) {
        if (numbers.count(name) > 0)
            return false;
        numbers[name] = accounts.size();
        accounts.push_back({name, amount});
        paid_in += amount;
        return true;
    }

    bool alias(const std::string& name, const std::string& existing) {
        if (numbers.count(name) > 0 || !knows(existing))
            return false;
        numbers[name] = numbers.at(existing);
        return true;
    }

    bool deposit(const std::string& name, long amount) {
        if (!knows(name))
            return false;
        accounts[numbers.at(name)].balance += amount;
        paid_in += amount;
        return true;
    }

    bool withdraw(const std::string& name, long amount) {
        if (!knows(name) || accounts[numbers.at(name)].balance < amount)
            return false;
        accounts[numbers.at(name)].balance -= amount;
        paid_in -= amount;
        return true;
    }

    bool transfer(const std::string& from, const std::string& to, long amount) {
        if (!knows(from) || !knows(to))
            return false;
        Account source = accounts[numbers.at(from)];
        Account target = accounts[numbers.at(to)];
        if (source.balance < amount)
            return false;
        source.balance -= amount;
        target.balance += amount;
        accounts[numbers.at(from)] = source;
        accounts[numbers.at(to)] = target;
        return true;
    }

    bool report() const {
        long total = 0;
        for (const Account& a : accounts) {
            std::cout << a.owner << ' ' << a.balance << '\n';
            total += a.balance;
        }
        return total == paid_in;
    }

private:
    bool knows(const std::string& name) const { return numbers.count(name) > 0; }

    std::map<std::string, std::size_t> numbers;
    std::vector<Account> accounts;
    long paid_in = 0;
};

static bool obey(Bank& bank, const std::string& line) {
    std::istringstream in(line);
    std::string what, name, other;
    int amount = 0;
    in >> what >> name;
    if (what == "alias" || what == "transfer")
        in >> other;
    if (what != "alias")
        in >> amount;
    if (!in || amount < 0 || amount > 1000000)
        return false;
    if (what == "open")
        return bank.open(name, amount);
    if (what == "alias")
        return bank.alias(name, other);
    if (what == "deposit")
        return bank.deposit(name, amount);
    if (what == "withdraw")
        return bank.withdraw(name, amount);
    return what == "transfer" && bank.transfer(name, other, amount);
}

int main() {
    Bank bank;
    std::string line;
    while (std::getline(std::cin, line))
        if (!obey(bank, line))
            std::cout << "refused: " << line << '\n';
    if (!bank.report()) {
        std::cerr << "the balances are wrong\n";
        return 1;
    }
    return 0;
}
