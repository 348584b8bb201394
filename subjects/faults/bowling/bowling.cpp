// bowling: the score sheet of a game of ten frames.
//
// Each line of the input is a name and what was rolled: X a strike, / a spare, - nothing, digits, blanks between them
// or none. The sheet shows each player's rolls and sums by frame, then the winners.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

constexpr int frames = 10;
constexpr int pins = 10;
constexpr int cell = 5;

struct Frame {
    std::size_t first;
    std::string shown;
};

class Player {
public:
    Player(std::string name, const std::string &signs) : name_(std::move(name))
    {
        for (char sign : signs)
            roll(sign);
    }

    const std::string &name() const
    {
        return name_;
    }

    bool is_done() const
    {
        return frames_.size() == frames && !is_open();
    }

    // Of the frames whose bonus is known; a strike counts the next two rolls too, a spare the next one.
    std::vector<int> sums() const
    {
        std::vector<int> result;
        int sum = 0;
        for (const Frame &frame : frames_) {
            std::optional<int> score = score_of(frame.first);
            if (!score)
                break;
            sum += *score;
            result.push_back(sum);
        }
        return result;
    }

    int score() const
    {
        std::vector<int> all = sums();
        return all.empty() ? 0 : all.back();
    }

    void print(std::ostream &out) const
    {
        std::vector<int> all = sums();
        out << std::left << std::setw(8) << name_ << '|';
        for (const Frame &frame : frames_)
            out << std::setw(cell) << frame.shown << '|';
        out << '\n' << std::setw(8) << "" << '|' << std::right;
        for (std::size_t i = 0; i < frames_.size(); i++) {
            if (i < all.size())
                out << std::setw(cell - 1) << all[i] << ' ';
            else
                out << std::string(cell, ' ');
            out << '|';
        }
        out << '\n';
    }

private:
    void roll(char sign)
    {
        if (!is_open()) {
            if (frames_.size() == frames)
                throw std::runtime_error(name_ + " rolls too often");
            frames_.push_back({rolls_.size(), ""});
            standing_ = pins;
        }
        int fallen = 0;
        switch (sign) {
        case 'X':
            fallen = pins;
            break;
        case '/':
            fallen = standing_;
            break;
        case '-':
            break;
        default:
            if (sign < '1' || sign > '9')
                throw std::runtime_error(std::string("no such roll: ") + sign);
            fallen = sign - '0';
        }
        if (fallen > standing_)
            throw std::runtime_error(name_ + " has only " + std::to_string(standing_) + " pins");
        rolls_.push_back(fallen);
        standing_ -= fallen;
        std::string &shown = frames_.back().shown;
        if (!shown.empty())
            shown += ' ';
        shown += sign;
        if (standing_ == 0 && frames_.size() == frames)
            standing_ = pins;
    }

    // Whether the last frame goes on.
    bool is_open() const
    {
        if (frames_.empty())
            return false;
        std::size_t count = rolls_.size() - frames_.back().first;
        if (frames_.size() < frames)
            return count < 2 && standing_ > 0;
        bool bonus = rolls_[frames_.back().first] == pins ||
                     (count >= 2 && rolls_[frames_.back().first] + rolls_[frames_.back().first + 1] == pins);
        return count < (bonus ? 3U : 2U);
    }

    std::optional<int> score_of(std::size_t first) const
    {
        std::size_t needed = 2;
        if (rolls_[first] == pins)
            needed = 3;
        else if (first + 1 < rolls_.size() && rolls_[first] + rolls_[first + 1] == pins)
            needed = 3;
        if (first + needed > rolls_.size())
            return std::nullopt;
        int sum = 0;
        for (std::size_t i = first; i < first + needed; i++)
            sum += rolls_[i];
        return sum;
    }

    std::string name_;
    std::vector<int> rolls_;
    std::vector<Frame> frames_;
    int standing_ = pins;
};

void print_winners(const std::vector<Player> &players)
{
    int best = 0;
    for (const Player &player : players)
        best = std::max(best, player.score());
    std::ostringstream names;
    int winners = 0;
    for (const Player &player : players) {
        if (player.score() != best)
            continue;
        names << (winners > 0 ? " and " : "") << player.name();
        winners++;
    }
    bool done = std::all_of(players.begin(), players.end(), [](const Player &player) { return player.is_done(); });
    std::cout << names.str() << (done ? (winners > 1 ? " win" : " wins") : (winners > 1 ? " lead" : " leads"))
              << " with " << best << '\n';
}

int main()
{
    std::vector<Player> players;
    std::string line;

    try {
        while (std::getline(std::cin, line)) {
            std::istringstream in(line);
            std::string name;
            std::string signs;
            std::string more;
            if (!(in >> name))
                continue;
            while (in >> more)
                signs += more;
            players.emplace_back(name, signs);
        }
    } catch (const std::runtime_error &error) {
        std::cout << "error: " << error.what() << '\n';
        return 1;
    }
    for (const Player &player : players)
        player.print(std::cout);
    if (!players.empty())
        print_winners(players);
    return 0;
}
