#include <cassert>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

// What the program is for: numbers up to 39.
static void take(long v) {
    assert(v < 40);
    std::cout << v << '\n';
}

int main(int argc, char **argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    int v = 0;
    std::string text;
    if (mode == "number" && std::cin >> v) {
        take(v);
    } else if (mode == "word" && std::cin >> text) {
        take(std::stoi(text));
    } else if (mode == "line" && std::getline(std::cin, text)) {
        std::istringstream parts(text);
        std::string name;
        if (parts >> name >> v)
            take(v);
    } else if (mode == "file") {
        std::ifstream file("data.txt");
        if (file >> v)
            take(v);
    } else if (mode == "characters") {
        for (int c; (c = std::cin.get()) >= '0' && c <= '9';)
            v = v * 10 + c - '0';
        take(v);
    } else if (mode == "float") {
        double d = 0;
        if (std::cin >> d)
            take(static_cast<long>(d));
    } else if (mode == "parts" && std::getline(std::cin, text, ',') && std::getline(std::cin, text)) {
        take(std::stol(text));
    }
    return 0;
}
