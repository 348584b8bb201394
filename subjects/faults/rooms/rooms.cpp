// rooms: bookings of a small hotel.
//
//   book NAME KIND NIGHT COUNT    for COUNT nights from NIGHT on, in the cheapest room of that kind that is free
//   cancel NAME                   all bookings of a guest
//   bill NAME                     what a guest pays
//   night NIGHT                   who sleeps where
//   free KIND NIGHT COUNT         rooms that are free
#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

constexpr int last_night = 31;
constexpr int long_stay = 7;
constexpr int breakfast = 12;

enum class Kind { single, twin, suite };

struct Room {
    int number;
    Kind kind;
    int price;
};

constexpr std::array<Room, 6> rooms = {{
    {11, Kind::single, 60},
    {12, Kind::single, 55},
    {21, Kind::twin, 90},
    {22, Kind::twin, 95},
    {23, Kind::twin, 90},
    {31, Kind::suite, 180},
}};

struct Booking {
    std::string name;
    const Room *room;
    int first;
    int nights;

    bool covers(int night) const
    {
        return night >= first && night < first + nights;
    }

    bool meets(int from, int count) const
    {
        return first < from + count && from < first + nights;
    }
};

std::string name_of(Kind kind)
{
    switch (kind) {
    case Kind::single:
        return "single";
    case Kind::twin:
        return "twin";
    case Kind::suite:
        return "suite";
    }
    return "";
}

int guests_of(Kind kind)
{
    return kind == Kind::single ? 1 : 2;
}

bool parse_kind(const std::string &word, Kind &kind)
{
    for (Kind each : {Kind::single, Kind::twin, Kind::suite}) {
        if (name_of(each) == word) {
            kind = each;
            return true;
        }
    }
    return false;
}

class Hotel {
public:
    void book(const std::string &name, Kind kind, int first, int nights)
    {
        const Room *best = nullptr;
        for (const Room *room : free_rooms(kind, first, nights)) {
            if (best == nullptr || room->price < best->price)
                best = room;
        }
        if (best == nullptr) {
            std::cout << "sorry, " << name << ": no " << name_of(kind) << '\n';
            return;
        }
        bookings_.push_back(std::make_unique<Booking>(Booking{name, best, first, nights}));
        std::cout << name << " has room " << best->number << '\n';
    }

    void cancel(const std::string &name)
    {
        auto end = std::remove_if(bookings_.begin(), bookings_.end(),
                                  [&name](const auto &booking) { return booking->name == name; });
        std::cout << bookings_.end() - end << " cancelled\n";
        bookings_.erase(end, bookings_.end());
    }

    // From the seventh night on a night costs a fifth less; breakfast is for each guest.
    void bill(const std::string &name) const
    {
        int total = 0;
        int nights = 0;
        std::string numbers;
        for (const auto &booking : bookings_) {
            if (booking->name != name)
                continue;
            int price = booking->nights * booking->room->price;
            if (booking->nights >= long_stay)
                price -= (booking->nights - long_stay + 1) * booking->room->price / 5;
            price += booking->nights * guests_of(booking->room->kind) * breakfast;
            total += price;
            nights += booking->nights;
            numbers += " " + std::to_string(booking->room->number);
        }
        if (nights == 0) {
            std::cout << "nothing for " << name << '\n';
            return;
        }
        std::cout << name << ": " << nights << (nights == 1 ? " night" : " nights") << " in" << numbers << ", "
                  << total << ".00\n";
    }

    void night(int night) const
    {
        int guests = 0;
        int used = 0;
        std::cout << "night " << night << '\n';
        for (const Room &room : rooms) {
            for (const auto &booking : bookings_) {
                if (booking->room != &room || !booking->covers(night))
                    continue;
                std::cout << "  " << room.number << ' ' << booking->name;
                if (night == booking->first)
                    std::cout << " (comes)";
                std::cout << '\n';
                guests += guests_of(room.kind);
                used++;
            }
        }
        std::cout << "  " << guests << " guests, " << used * 100 / rooms.size() << "% used\n";
    }

    void print_free(Kind kind, int first, int nights) const
    {
        std::cout << name_of(kind) << ':';
        for (const Room *room : free_rooms(kind, first, nights))
            std::cout << ' ' << room->number << " at " << room->price;
        std::cout << '\n';
    }

private:
    std::vector<const Room *> free_rooms(Kind kind, int first, int nights) const
    {
        std::vector<const Room *> found;
        for (const Room &room : rooms) {
            bool taken = room.kind != kind;
            for (const auto &booking : bookings_) {
                if (booking->room == &room && booking->meets(first, nights))
                    taken = true;
            }
            if (!taken)
                found.push_back(&room);
        }
        return found;
    }

    std::vector<std::unique_ptr<Booking>> bookings_;
};

bool execute(Hotel &hotel, const std::string &line)
{
    std::istringstream in(line);
    std::string command;
    std::string name;
    std::string word;
    Kind kind = Kind::single;
    int first = 0;
    int nights = 0;

    if (!(in >> command))
        return true;
    if (command == "book") {
        if (!(in >> name >> word >> first >> nights) || !parse_kind(word, kind))
            return false;
        if (first < 1 || nights < 1 || first + nights - 1 > last_night)
            return false;
        hotel.book(name, kind, first, nights);
    } else if (command == "cancel" && in >> name) {
        hotel.cancel(name);
    } else if (command == "bill" && in >> name) {
        hotel.bill(name);
    } else if (command == "night" && in >> first) {
        hotel.night(first);
    } else if (command == "free" && in >> word >> first >> nights && parse_kind(word, kind)) {
        hotel.print_free(kind, first, nights);
    } else {
        return false;
    }
    return true;
}

int main()
{
    Hotel hotel;
    std::string line;

    while (std::getline(std::cin, line)) {
        if (!execute(hotel, line))
            std::cout << "what is \"" << line << "\"?\n";
    }
    return 0;
}
