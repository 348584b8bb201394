//: output seen
//: free ends
// Containers made of nodes: trees, lists and hash tables that grow, lose what they have, and are cut and joined.
#include <cstdio>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

int main()
{
    std::map<int, int> map;
    for (int i = 0; i < 300; i++)
        map[i * 37 % 101 + i] = i;
    for (int i = 0; i < 300; i += 3)
        map.erase(i * 37 % 101 + i);
    unsigned long sum = 0;
    for (auto &pair : map)
        sum = sum * 31 + pair.first;
    for (auto it = map.rbegin(); it != map.rend(); ++it)
        sum = sum * 7 + it->second;
    printf("%lu %zu %d %d\n", sum, map.size(), map.begin()->first, (--map.end())->first);

    std::multiset<char> letters;
    for (char letter : std::string("the quick brown fox jumps over the lazy dog"))
        letters.insert(letter);
    printf("%zu %zu %c\n", letters.count('o'), letters.size(), *letters.upper_bound('t'));
    letters.clear();

    std::list<int> list;
    for (int i = 0; i < 50; i++)
        list.push_front(i * 7 % 13);
    list.sort();
    list.reverse();
    list.unique();
    std::list<int> other{1, 2, 3}, none;
    list.splice(++list.begin(), other);
    list.swap(other);
    other.remove(3);
    list.swap(none);
    list.splice(list.end(), other, other.begin());
    for (int number : other)
        printf("%d ", number);
    printf("%zu %zu\n", list.size(), none.size());

    std::unordered_map<std::string, int> table;
    for (int i = 0; i < 200; i++)
        table[std::to_string(i * i)] = i;
    for (auto &pair : table)
        sum = sum * 3 + pair.second;
    printf("%lu %zu", sum, table.bucket_count());
    table.rehash(5000);
    table.erase("4");
    printf(" %zu %zu\n", table.bucket_count(), table.count("4"));
    return 0;
}
