// A binary search tree: each argument "+KEY" inserts a key and "-KEY" takes it
// out. Prints the keys in order and ends with status 1 if the tree does not
// have as many as it should.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

class Tree {
public:
    bool insert(int key) {
        Link& link = find(key);
        if (link)
            return false;
        link.reset(new Node{key, nullptr, nullptr});
        count++;
        return true;
    }

    bool remove(int key) {
        Link& link = find(key);
        if (!link)
            return false;
        unlink(link);
        count--;
        return true;
    }

    // Prints all keys and returns how many there were.
    int print() const { return print(root.get()); }

    int size() const { return count; }

private:
    struct Node;
    using Link = std::unique_ptr<Node>;
    struct Node {
        int key;
        Link left, right;
    };

    Link& find(int key) {
        Link* link = &root;
        while (*link && (*link)->key != key)
            link = key < (*link)->key ? &(*link)->left : &(*link)->right;
        return *link;
    }

    static void unlink(Link& link) {
        Node* node = link.get();
        if (!node->left) {
            link = std::move(node->right);
            return;
        }
        if (!node->right) {
            link = std::move(node->left);
            return;
        }
        // Two children: the next larger key takes the place of this one.
        if (!node->right->left) {
            node->key = node->right->key;
            node->right = nullptr;
            return;
        }
        Node* parent = node->right.get();
        while (parent->left->left)
            parent = parent->left.get();
        node->key = parent->left->key;
        parent->left = nullptr;
    }

    static int print(const Node* node) {
        if (!node)
            return 0;
        int n = print(node->left.get());
        std::cout << node->key << ' ';
        return n + 1 + print(node->right.get());
    }

    Link root;
    int count = 0;
};

int main(int argc, char** argv) {
    Tree tree;
    if (argc > 200) {
        std::cerr << "too many keys\n";
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        std::string arg = argv[i];
        if (arg.size() < 2 || arg.size() > 6 || (arg[0] != '+' && arg[0] != '-')) {
            std::cerr << "usage: search-tree +KEY -KEY...\n";
            return 2;
        }
        int key = std::atoi(arg.c_str() + 1);
        bool done = arg[0] == '+' ? tree.insert(key) : tree.remove(key);
        if (!done)
            std::cout << "(" << arg << " did nothing)\n";
    }
    int printed = tree.print();
    std::cout << "- " << tree.size() << " keys\n";
    return printed == tree.size() ? 0 : 1;
}
