#include <iostream>
#include <map>
#include <string>
// Counts words, level by level: a recursion for each word.
int count(std::map<std::string, int> &words, int left) {
    std::string word;
    if (left == 0 || !(std::cin >> word))
        return left;
    words[word]++;
    return count(words, left - 1);
}
int main() {
    std::map<std::string, int> words;
    int left = 0;
    if (!(std::cin >> left) || left < 0)
        return 1;
    int missing = count(words, left);
    std::cout << words.at("the") << " " << missing << "\n";
    return 0;
}
