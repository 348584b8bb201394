// Static objects: order of construction and destruction, local ones, one whose constructor throws, thread-local ones, inline ones.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

struct Noisy {
    std::string name;
    Noisy(const char *name) : name(name) { printf("+%s ", name); }
    ~Noisy() { printf("-%s ", name.c_str()); }
};

static Noisy first("first");
static Noisy second("second");
inline std::string shared("inline");
static std::vector<int> squares = [] {
    std::vector<int> made;
    for (int i = 0; i < 5; i++)
        made.push_back(i * i);
    return made;
}();

template <class T> struct Registry {
    static std::vector<std::string> names;
};
template <class T> std::vector<std::string> Registry<T>::names{"registered"};

static int calls;
struct Reluctant {
    Reluctant()
    {
        if (++calls < 3)
            throw std::runtime_error("not yet");
    }
};

static int ready()
{
    static Reluctant reluctant;
    static int value = calls * 10;
    return value;
}

static Noisy &local()
{
    static Noisy noisy("local");
    return noisy;
}

thread_local Noisy mine("thread");
thread_local int plain = 7;

static const int constant_later = squares[3] + 1;

static void at_exit() { printf("atexit "); }

int main()
{
    printf("\n%d %d %s\n", squares[4], constant_later, Registry<int>::names[0].c_str());
    for (int i = 0; i < 4; i++) {
        try {
            printf("%d ", ready());
        } catch (const std::exception &error) {
            printf("%s ", error.what());
        }
    }
    local();
    local();
    printf("\n");
    atexit(at_exit);
    mine.name += "-local";
    plain++;
    printf("%s %d %s\n", mine.name.c_str(), plain, shared.c_str());
    return 0;
}
