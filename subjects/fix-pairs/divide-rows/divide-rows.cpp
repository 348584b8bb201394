#include <iostream>
#include <vector>
// Deals cards to players, row by row.
int main() {
    int cards = 0, players = 0;
    if (!(std::cin >> cards >> players) || cards < 0)
        return 1;
    std::vector<int> row(cards);
    int rest = cards % players;
    std::cout << cards / players << " rows, " << rest << " left of " << row.size() << "\n";
    return 0;
}
