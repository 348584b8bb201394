// shelf: a library's books, members and loans; commands from standard input.
//
//   book ID COPIES TITLE...   a new book
//   member NAME KIND          KIND: child, adult, staff
//   wait N                    N days pass
//   lend NAME ID
//   return NAME ID            a late one has a fine
//   renew NAME ID
//   reserve NAME ID           the next copy that comes back is for them
//   pay NAME CENTS
//   find WORD                 books with the word in the title, in any case
//   overdue, report           loans that are late, the latest first; how much is lent
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

constexpr int most_owed = 500;
constexpr int most_renewals = 2;
constexpr int most_days = 100000;
constexpr int days_of_week = 7, sunday = 6;

struct Kind {
    std::string name;
    int loans, days, fine_a_day, largest_fine;
};

static const std::vector<Kind> kinds = {
    {"child", 2, 21, 5, 100}, {"adult", 4, 14, 20, 600}, {"staff", 8, 28, 10, 300},
};

struct Book {
    int copies;
    std::string title;
    int lent = 0, times = 0;
    std::vector<std::string> waiting = {};
};

struct Member {
    const Kind *kind;
    int owed = 0, loans = 0;
};

struct Loan {
    std::string name;
    int id, due;
    int renewals = 0;
};

static std::string money(int cents)
{
    return std::to_string(cents / 100) + (cents % 100 < 10 ? ".0" : ".") + std::to_string(cents % 100);
}

static std::string lower(std::string text)
{
    for (char &c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

class Library {
public:
    bool add_book(int id, int copies, const std::string &title)
    {
        if (id < 1 || copies < 1 || title.empty() || books.count(id) > 0)
            return false;
        books[id] = Book{copies, title};
        return true;
    }

    bool add_member(const std::string &name, const std::string &kind)
    {
        for (const Kind &one : kinds) {
            if (one.name == kind)
                return members.insert({name, Member{&one}}).second;
        }
        return false;
    }

    // Free copies are first for those that wait.
    bool lend(const std::string &name, int id)
    {
        auto book = books.find(id);
        auto member = members.find(name);
        if (book == books.end() || member == members.end() || loan_of(name, id) != loans.end())
            return false;
        std::vector<std::string> &waiting = book->second.waiting;
        auto place = std::find(waiting.begin(), waiting.end(), name);
        int free = book->second.copies - book->second.lent;
        if (free <= place - waiting.begin())
            return false;
        if (member->second.loans >= member->second.kind->loans || member->second.owed > most_owed)
            return false;
        if (place != waiting.end())
            waiting.erase(place);
        book->second.lent++;
        book->second.times++;
        member->second.loans++;
        loans.push_back({name, id, due_day(member->second.kind->days)});
        std::cout << name << " has " << book->second.title << " until day " << loans.back().due << "\n";
        return true;
    }

    bool give_back(const std::string &name, int id)
    {
        auto loan = loan_of(name, id);
        if (loan == loans.end())
            return false;
        int fine = fine_for(*loan);
        Book &book = books[id];
        book.lent--;
        members[name].loans--;
        members[name].owed += fine;
        std::cout << book.title << " is back, fine " << money(fine) << "\n";
        if (!book.waiting.empty())
            std::cout << "keep it for " << book.waiting.front() << "\n";
        loans.erase(loan);
        return true;
    }

    // Once more, for half as long; nobody must wait for the book.
    bool renew(const std::string &name, int id)
    {
        auto loan = loan_of(name, id);
        if (loan == loans.end() || !books[id].waiting.empty())
            return false;
        if (loan->renewals >= most_renewals || today > loan->due)
            return false;
        loan->renewals++;
        loan->due = std::max(loan->due, due_day(members[name].kind->days / 2));
        std::cout << name << " has " << books[id].title << " until day " << loan->due << "\n";
        return true;
    }

    bool reserve(const std::string &name, int id)
    {
        auto book = books.find(id);
        if (book == books.end() || members.count(name) == 0 || loan_of(name, id) != loans.end())
            return false;
        std::vector<std::string> &waiting = book->second.waiting;
        if (std::find(waiting.begin(), waiting.end(), name) != waiting.end())
            return false;
        waiting.push_back(name);
        std::cout << name << " is number " << waiting.size() << " for " << book->second.title << "\n";
        return true;
    }

    bool pay(const std::string &name, int cents)
    {
        auto member = members.find(name);
        if (member == members.end() || cents < 1)
            return false;
        int paid = std::min(cents, member->second.owed);
        member->second.owed -= paid;
        std::cout << name << " gets back " << money(cents - paid) << ", owes " << money(member->second.owed) << "\n";
        return true;
    }

    bool pass(int days)
    {
        if (days < 1 || today + days > most_days)
            return false;
        today += days;
        return true;
    }

    bool find(const std::string &word) const
    {
        bool found = false;
        for (const auto &[id, book] : books) {
            if (lower(book.title).find(lower(word)) == std::string::npos)
                continue;
            std::cout << id << " " << book.title << ", " << book.copies - book.lent << " of " << book.copies << "\n";
            found = true;
        }
        return found;
    }

    bool overdue() const
    {
        std::vector<Loan> late;
        for (const Loan &loan : loans) {
            auto place = late.begin();
            while (place != late.end() && place->due <= loan.due)
                ++place;
            if (loan.due < today)
                late.insert(place, loan);
        }
        for (const Loan &one : late)
            std::cout << one.name << " " << one.id << ": " << today - one.due << ", " << money(fine_for(one)) << "\n";
        return !late.empty();
    }

    bool report() const
    {
        int copies = 0, lent = 0, best = 0;
        for (const auto &[id, book] : books) {
            copies += book.copies;
            lent += book.lent;
            if (book.times > 0 && (best == 0 || book.times > books.at(best).times))
                best = id;
        }
        if (copies == 0)
            return false;
        int percent = (100 * lent + copies / 2) / copies;
        std::cout << "day " << today << ": " << lent << " of " << copies << " lent (" << percent << "%)";
        if (best > 0)
            std::cout << ", most often " << books.at(best).title;
        std::cout << "\n";
        return true;
    }

private:
    std::vector<Loan>::iterator loan_of(const std::string &name, int id)
    {
        auto found = loans.begin();
        while (found != loans.end() && (found->name != name || found->id != id))
            ++found;
        return found;
    }

    // On Sundays the library is closed: a loan is due on the Monday then.
    int due_day(int days) const
    {
        int due = today + days;
        return due % days_of_week == sunday ? due + 1 : due;
    }

    // The first week costs the plain rate, every further day twice as much.
    int fine_for(const Loan &loan) const
    {
        const Kind &kind = *members.at(loan.name).kind;
        int late = std::max(today - loan.due, 0);
        int further = std::max(late - days_of_week, 0);
        return std::min((late + further) * kind.fine_a_day, kind.largest_fine);
    }

    int today = 0;
    std::map<int, Book> books;
    std::map<std::string, Member> members;
    std::vector<Loan> loans;
};

static int number_of(const std::string &word)
{
    char *end;
    long number = std::strtol(word.c_str(), &end, 10);
    return !word.empty() && *end == '\0' && number >= 0 && number <= most_days ? static_cast<int>(number) : -1;
}

// False: not understood or not allowed.
static bool execute(Library &library, const std::string &line)
{
    std::istringstream words(line);
    std::string command, first, second, title, word;
    words >> command >> first >> second;
    while (words >> word)
        title += (title.empty() ? "" : " ") + word;
    if (command == "book")
        return library.add_book(number_of(first), number_of(second), title);
    if (command == "member")
        return library.add_member(first, second);
    if (command == "wait")
        return library.pass(number_of(first));
    if (command == "lend")
        return library.lend(first, number_of(second));
    if (command == "return")
        return library.give_back(first, number_of(second));
    if (command == "renew")
        return library.renew(first, number_of(second));
    if (command == "reserve")
        return library.reserve(first, number_of(second));
    if (command == "pay")
        return library.pay(first, number_of(second));
    if (command == "find")
        return library.find(first);
    if (command == "overdue")
        return library.overdue();
    return command == "report" && library.report();
}

int main()
{
    Library library;
    std::string line;
    int status = 0;
    for (int number = 1; std::getline(std::cin, line); number++) {
        if (line.find_first_not_of(" \t\r") != std::string::npos && !execute(library, line)) {
            std::cout << "line " << number << " is not done\n";
            status = 1;
        }
    }
    return status;
}
