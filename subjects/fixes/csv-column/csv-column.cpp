// Sums up a column of numbers of table.csv: csv-column NAME
// The first line has the names of the columns.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using Row = std::vector<std::string>;

static Row split(const std::string& line) {
    Row row;
    std::string field;
    for (char c : line) {
        if (c == ',') {
            row.push_back(field);
            field.clear();
        } else if (c != '\r') {
            field += c;
        }
    }
    row.push_back(field);
    return row;
}

struct Summary {
    int rows = 0;
    long sum = 0;
    int smallest = 0;
    int largest = 0;

    void add(int value) {
        smallest = rows == 0 ? value : std::min(smallest, value);
        largest = rows == 0 ? value : std::max(largest, value);
        sum += value;
        rows++;
    }
};

static Summary summarize(std::istream& in, std::size_t column, std::size_t width) {
    Summary summary;
    std::string line;
    while (std::getline(in, line)) {
        if (line.empty())
            continue;
        Row row = split(line);
        row.resize(width); // a short row has empty fields at the end
        const std::string& field = row[column];
        if (field.size() > 9)
            throw std::length_error("too long: " + field);
        summary.add(std::stoi(field));
    }
    return summary;
}

int main(int argc, char** argv) {
    std::ifstream in("table.csv");
    std::string line;
    if (argc != 2 || !in || !std::getline(in, line)) {
        std::cerr << "usage: csv-column NAME (and a table.csv)\n";
        return 2;
    }
    Row names = split(line);
    auto found = std::find(names.begin(), names.end(), argv[1]);
    if (found == names.end()) {
        std::cerr << "there is no column " << argv[1] << '\n';
        return 2;
    }
    Summary summary;
    try {
        summary = summarize(in, found - names.begin(), names.size());
    } catch (const std::length_error& e) {
        std::cerr << e.what() << '\n';
        return 2;
    }
    std::cout << summary.rows << " numbers, sum " << summary.sum << '\n';
    if (summary.rows > 0)
        std::cout << "from " << summary.smallest << " to " << summary.largest << '\n';
    return 0;
}
