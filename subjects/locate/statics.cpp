/* What so many cost: the prices are made when they are first met, behind the fault. */
#include <cstdio>
#include <cstdlib>

struct Prices {
    int each[2];
    explicit Prices(int most) : each{most, most - 1} {}
    ~Prices() { each[0] = 0; }
};

static const Prices &prices()
{
    static const Prices made(std::getenv("NO_PRICES") ? 0 : 3);
    return made;
}

int main(int, char **argv)
{
    int number = std::atoi(argv[1]);
    int cheap = number > 4; /* @fault: >= */
    std::printf("%d\n", number * prices().each[cheap]);
    return 0;
}
