#include <sstream>
#include <string>

int words(const std::string &text) {
  std::istringstream stream(text);
  std::string word;
  int count = 0;
  while (stream >> word)
    count++;
  return count;
}
