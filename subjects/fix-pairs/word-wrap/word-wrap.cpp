#include <iostream>
#include <string>
// Words in lines of at most ten letters; a longer word has a line of its own.
int main() {
    std::string line;
    for (std::string word; std::cin >> word;) {
        if (line.size() + word.size() > 10) {
            std::cout << line << "\n";
            line.clear();
        }
        if (!line.empty())
            line += ' ';
        line += word;
    }
    std::cout << line << "\n";
    return 0;
}
