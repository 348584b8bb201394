//: output seen
//: stdin 17 4.5 word\nand a whole line\n-3 end
// Streams of the standard library: output with manipulators, formatted and unformatted input, string and file streams.
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Point {
    int x, y;
    friend std::ostream &operator<<(std::ostream &out, const Point &point)
    {
        return out << '(' << point.x << ", " << point.y << ')';
    }
    friend std::istream &operator>>(std::istream &in, Point &point)
    {
        char open, comma, close;
        return in >> open >> point.x >> comma >> point.y >> close;
    }
};

int main()
{
    int number;
    double real;
    std::string word, line;
    std::cin >> number >> real >> word;
    std::cin.ignore();
    std::getline(std::cin, line);
    std::cout << number * 2 << ' ' << real << ' ' << word << " [" << line << "]\n";
    std::cout << std::hex << std::showbase << 255 << std::dec << ' ' << std::setw(8) << std::left << 42 << '|' << std::right
              << std::setfill('*') << std::setw(6) << 7 << ' ' << std::fixed << std::setprecision(3) << 3.14159 << ' '
              << std::boolalpha << (number > 3) << ' ' << 1234567890123LL << std::endl;
    std::cout << Point{3, -4} << ' ' << static_cast<void *>(nullptr) << ' ' << 'c' << static_cast<unsigned>(7) << '\n';

    std::stringstream stream;
    for (int i = 0; i < 5; i++)
        stream << Point{i, i * i} << ' ';
    Point point{0, 0};
    long sum = 0;
    while (stream >> point)
        sum += point.x * point.y;
    std::cout << sum << ' ' << stream.eof() << '\n';

    {
        std::ofstream file("points.txt");
        file << "one\ntwo two\n" << std::setw(5) << 3 << '\n';
    }
    std::ifstream file("points.txt");
    std::vector<std::string> lines;
    while (std::getline(file, line))
        lines.push_back(line);
    std::cout << lines.size() << ' ' << lines.back() << ' ' << std::ifstream("missing.txt").is_open() << '\n';
    std::remove("points.txt");

    std::cin >> number;
    std::cout << number;
    std::cin >> number;
    std::cout << ' ' << std::cin.fail() << std::endl;
    std::cerr << "to stderr\n";
    printf("and by printf\n");
    return 0;
}
