#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <vector>
// The element of a row in a triangle of numbers.
int at(const std::vector<std::vector<int>> &rows, int row, int column) {
    if (row < 0)
        throw std::out_of_range("a negative row");
    return rows.at(row).at(column);
}
int main(int argc, char **argv) {
    std::vector<std::vector<int>> rows{{1}, {1, 1}, {1, 2, 1}};
    int row = argc > 2 ? std::atoi(argv[1]) : 0, column = argc > 2 ? std::atoi(argv[2]) : 0;
    if (row > 2 || row < 0) {
        std::cout << "no row\n";
        return 1;
    }
    std::cout << at(rows, row, column) << "\n";
    return 0;
}
