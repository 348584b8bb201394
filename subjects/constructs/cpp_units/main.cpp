// Units of one program and a library of its own: templates and inline variables are one, exceptions and types cross over.
#include <memory>

#include "shared.h"

static int failing(int n)
{
    if (n > 2)
        throw Failure("from main", n);
    return doubled(n);
}

int main()
{
    printf("%d ", in_other(3));
    printf("%d ", in_part(4));
    printf("%d\n", doubled(5));
    printf("%d %d %zu\n", local_static(), counter, names.size());
    std::unique_ptr<Named> named(made_in_other());
    printf("%s %d\n", named->name().c_str(), dynamic_cast<Named *>(named.get()) == named.get());
    try {
        throw_in_part(7);
    } catch (const Failure &failure) {
        printf("%s %d\n", failure.what(), failure.code);
    }
    try {
        printf("%d\n", call_back(failing, 2));
        printf("%d\n", call_back(failing, 3));
    } catch (const std::exception &error) {
        printf("%s %s\n", error.what(), names.back().c_str());
    }
    printf("%s ", doubled(std::string("x")).c_str());
    printf("%d\n", counter);
    return 0;
}
