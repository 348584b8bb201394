#include <iostream>
#include <string>
#include <vector>
// Adds numbers as a calculator with a stack does.
int main() {
    std::vector<int> stack;
    std::string word;
    while (std::cin >> word) {
        if (word == "+" || word == "~") {
            if (stack.size() < 1)
                return 2;
            int *top = stack.data() + stack.size();
            if (word == "+") {
                top[-2] += top[-1];
                stack.pop_back();
            } else {
                top[-1] = -top[-1];
            }
        } else {
            stack.push_back(std::stoi(word));
            stack.shrink_to_fit();
        }
    }
    std::cout << (stack.empty() ? 0 : stack.back()) << "\n";
    return 0;
}
