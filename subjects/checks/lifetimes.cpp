// Blocks and variables that are gone, frees that are wrong.
#include "checks.h"
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

PROGRAM(block_read_after_its_end)
{
    int *value = static_cast<int *>(std::malloc(sizeof *value));
    *value = 7;
    std::free(value);
    look(*value); // fault: use-after-free
    return 0;
}

PROGRAM(block_written_after_its_end)
{
    int *values = static_cast<int *>(std::calloc(4, sizeof *values));
    std::free(values);
    values[2] = given(1); // fault: use-after-free
    return 0;
}

struct item {
    int value;
    item *next;
};

static item *pushed(item *top, int value)
{
    item *fresh = new item;
    fresh->value = value;
    fresh->next = top;
    return fresh;
}

PROGRAM(list_freed_while_it_is_walked)
{
    item *top = pushed(pushed(pushed(nullptr, 1), 2), 3);
    for (item *at = top; at; at = at->next) // fault: use-after-free
        delete at;
    return 0;
}

PROGRAM(second_name_of_a_block)
{
    item *one = pushed(nullptr, given(1));
    item *same = one;
    delete one;
    look(same->value); // fault: use-after-free
    return 0;
}

PROGRAM(text_copied_from_a_freed_block)
{
    char *text = static_cast<char *>(std::malloc(16));
    std::strcpy(text, "text");
    std::free(text);
    char copy[16];
    std::strcpy(copy, text); // fault: use-after-free
    look(copy[0]);
    return 0;
}

PROGRAM(block_that_was_moved)
{
    int *values = static_cast<int *>(std::malloc(4 * sizeof(int)));
    values[0] = given(1);
    int *first = values;
    void *neighbour = std::malloc(16);
    values = static_cast<int *>(std::realloc(values, 100000));
    look(*first); // fault: use-after-free
    std::free(neighbour);
    std::free(values);
    return 0;
}

PROGRAM(block_freed_twice)
{
    void *block = std::malloc(16);
    std::free(block);
    if (given(1))
        std::free(block); // fault: double-free
    return 0;
}

static void release(item *one)
{
    delete one; // fault: double-free
}

PROGRAM(item_deleted_twice)
{
    item *one = pushed(nullptr, 1);
    item *other = one;
    release(one);
    release(other);
    return 0;
}

PROGRAM(middle_of_a_block_freed)
{
    char *block = static_cast<char *>(std::malloc(32));
    std::free(block + given(8)); // fault: invalid-free
    return 0;
}

PROGRAM(variable_freed)
{
    int value = 3;
    void *at = given_pointer(&value);
    std::free(at); // fault: invalid-free
    return 0;
}

static int *address_of_a_local(int value)
{
    int kept[4] = {value, value, value, value};
    return static_cast<int *>(given_pointer(kept));
}

static int deep(int n)
{
    volatile int room[32] = {0};
    room[n & 31] = n;
    return n ? deep(n - 1) + room[n & 31] : 0;
}

PROGRAM(variable_of_a_function_that_returned)
{
    int *gone = address_of_a_local(5);
    look(deep(3));
    look(*gone); // fault: use-after-free
    return 0;
}

static const char *text_of(int number)
{
    char text[16];
    text[0] = (char)('0' + number);
    text[1] = 0;
    return static_cast<const char *>(given_pointer(text));
}

PROGRAM(text_of_a_function_that_returned)
{
    const char *text = text_of(4);
    look(text[0]); // fault: use-after-free
    return 0;
}

PROGRAM(element_of_a_vector_that_grew)
{
    std::vector<int> values(4, 1);
    int &first = values[0];
    for (int i = 0; i < given(100); i++)
        values.push_back(i);
    look(first); // fault: use-after-free
    return 0;
}

PROGRAM(iterator_of_a_vector_that_grew)
{
    std::vector<int> values(4, 1);
    auto at = values.begin();
    values.insert(values.end(), 1000, 2);
    look(*at); // fault: use-after-free
    return 0;
}

PROGRAM(element_past_a_vector)
{
    std::vector<int> values(4, 1);
    look(values[given(4)]); // fault: out-of-bounds
    return 0;
}

PROGRAM(text_of_a_string_that_is_gone)
{
    const char *text;
    {
        std::string made(100, 'a');
        text = made.c_str();
    }
    look(text[5]); // fault: use-after-free
    return 0;
}

PROGRAM(entry_of_a_map_that_was_erased)
{
    std::map<int, int> numbers = {{1, 10}, {2, 20}};
    int &two = numbers[2];
    numbers.erase(2);
    look(two); // fault: use-after-free
    return 0;
}

PROGRAM(object_of_a_pointer_that_was_reset)
{
    std::unique_ptr<item> owner(pushed(nullptr, 3));
    item *seen = owner.get();
    owner.reset();
    look(seen->value); // fault: use-after-free
    return 0;
}

struct shape {
    virtual ~shape() = default;
    virtual int sides() const = 0;
};

struct square : shape {
    int sides() const override
    {
        return 4;
    }
};

PROGRAM(virtual_call_of_a_deleted_object)
{
    shape *some = new square;
    delete some;
    look(some->sides()); // fault: use-after-free
    return 0;
}

static void *allocated(std::size_t size)
{
    void *block = std::malloc(size);
    if (!block)
        std::abort();
    return block;
}

PROGRAM(block_of_a_wrapper_after_its_end)
{
    int *value = static_cast<int *>(allocated(sizeof *value));
    *value = given(3);
    std::free(value);
    look(*value); // fault: use-after-free
    return 0;
}

PROGRAM(tree_node_used_by_its_parent)
{
    item *leaf = pushed(nullptr, 1);
    item *parent = pushed(leaf, 2);
    delete leaf;
    look(parent->next->value); // fault: use-after-free
    delete parent;
    return 0;
}

PROGRAM(write_through_a_pointer_to_nowhere)
{
    long *nowhere = reinterpret_cast<long *>(given_long(0x123456789000));
    *nowhere = 1; // fault: wild-pointer
    return 0;
}

PROGRAM(block_is_freed_once)
{
    item *top = nullptr;
    for (int i = 0; i < given(5); i++)
        top = pushed(top, i);
    while (top) {
        item *next = top->next;
        look(top->value);
        delete top;
        top = next;
    }
    return 0;
}

PROGRAM(blocks_take_the_place_of_others)
{
    for (int i = 0; i < given(20); i++) {
        int *block = static_cast<int *>(std::malloc(64));
        block[3] = i;
        look(block[3]);
        std::free(block);
    }
    return 0;
}

PROGRAM(containers_grow_and_shrink)
{
    std::vector<std::string> texts;
    std::map<std::string, int> counts;
    for (int i = 0; i < given(50); i++) {
        texts.push_back(std::string((std::size_t)i, 'x'));
        counts[texts.back().substr(0, 3)]++;
    }
    texts.erase(texts.begin() + 3);
    texts.shrink_to_fit();
    look((long)texts.size() + counts["xxx"]);
    return 0;
}

PROGRAM(owners_end_in_order)
{
    auto one = std::make_shared<square>();
    std::weak_ptr<square> seen = one;
    std::unique_ptr<shape> other(new square);
    look(one->sides() + other->sides());
    one.reset();
    look(seen.expired());
    return 0;
}

static int *kept_for_ever()
{
    static int kept[4];
    return kept;
}

PROGRAM(static_variables_stay)
{
    int *kept = kept_for_ever();
    kept[3] = given(2);
    look(kept_for_ever()[3]);
    return 0;
}

PROGRAM(blocks_are_moved)
{
    char *text = static_cast<char *>(std::malloc(4));
    std::strcpy(text, "abc");
    for (std::size_t room = 8; room < 4096; room *= 2) {
        text = static_cast<char *>(std::realloc(text, room));
        text[room - 1] = 'z';
    }
    look(text[1]);
    std::free(text);
    return 0;
}

PROGRAM(caller_s_variables_are_used)
{
    int values[4] = {1, 2, 3, 4};
    auto sum = [&values](int upto) {
        int sum = 0;
        for (int i = 0; i < upto; i++)
            sum += values[i];
        return sum;
    };
    look(sum(given(4)));
    return 0;
}

PROGRAM(arrays_of_objects)
{
    std::string *texts = new std::string[given(3)];
    texts[2] = "three";
    look((long)texts[2].size());
    delete[] texts;
    return 0;
}
