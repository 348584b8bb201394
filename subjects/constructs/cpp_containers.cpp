//: free ends
// Containers and strings of the standard library.
#include <algorithm>
#include <bitset>
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

struct Node {
    int value;
    std::weak_ptr<Node> parent;
    std::vector<std::shared_ptr<Node>> children;
    explicit Node(int value) : value(value) {}
    ~Node() { printf("~%d ", value); }
};

static int depth(const Node &node)
{
    int most = 0;
    for (const auto &child : node.children)
        most = std::max(most, depth(*child));
    return most + 1;
}

int main()
{
    std::vector<int> numbers{5, 3, 8, 1, 9, 2, 7};
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::remove_if(numbers.begin(), numbers.end(), [](int n) { return n % 2 == 0; }), numbers.end());
    for (int n : numbers)
        printf("%d ", n);
    printf("%d\n", (int)(std::lower_bound(numbers.begin(), numbers.end(), 4) - numbers.begin()));

    std::map<std::string, int> words;
    std::string text = "the quick brown fox jumps over the lazy dog the end";
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = std::min(text.find(' ', at), text.size());
        words[text.substr(at, end - at)]++;
        at = end + 1;
    }
    for (const auto &[word, count] : words)
        printf("%s=%d ", word.c_str(), count);
    printf("\n");

    std::unordered_map<int, std::string> names;
    for (int i = 0; i < 50; i++)
        names[i * 37] = std::string(i, 'x');
    std::size_t total = 0;
    for (const auto &entry : names)
        total += entry.second.size();
    printf("%zu %zu %d\n", names.size(), total, (int)names.count(74));

    std::set<std::pair<int, int>> pairs{{2, 1}, {1, 2}, {2, 0}, {1, 2}};
    printf("%zu %d\n", pairs.size(), pairs.begin()->second);
    std::deque<int> ends;
    for (int i = 0; i < 200; i++)
        i % 3 ? ends.push_back(i) : ends.push_front(i);
    std::list<int> list(ends.begin(), ends.end());
    list.reverse();
    list.sort();
    std::priority_queue<int> heap(list.begin(), list.end());
    printf("%d %d %d %d\n", ends.front(), list.front(), heap.top(), (int)list.size());

    std::string s = "small";
    s += " and now longer than the small buffer";
    s.insert(5, ", medium").replace(0, 1, "S");
    std::string moved = std::move(s);
    printf("%s %zu %zu\n", moved.c_str(), moved.rfind("n"), std::string_view(moved).substr(6, 4).size());

    std::variant<int, std::string> either = 3;
    either = std::string("now a string");
    std::optional<int> maybe;
    printf("%zu %d %d\n", either.index(), (int)std::get<std::string>(either).size(), maybe.value_or(-1));
    auto [a, b, c] = std::make_tuple(1, 2.5, 'c');
    printf("%d %g %c %s\n", a, b, c, std::bitset<8>(0xa5).to_string().c_str());

    auto root = std::make_shared<Node>(0);
    auto at = root;
    for (int i = 1; i < 4; i++) {
        auto child = std::make_shared<Node>(i);
        child->parent = at;
        at->children.push_back(child);
        at = child;
    }
    printf("%d %ld %d\n", depth(*root), root.use_count(), at->parent.lock()->value);
    at.reset();
    root.reset();
    printf("\n");
    return 0;
}
