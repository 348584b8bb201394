#include <iostream>
#include <string>
#include <vector>
// Seats of a row are taken by letters, A to F; prints how many are free.
int main() {
    std::vector<bool> taken(6);
    for (std::string seat; std::cin >> seat;)
        taken.at(seat.at(0) - 'A') = true;
    int left = 0;
    for (bool one : taken)
        left += !one;
    std::cout << left << " free\n";
    return 0;
}
