#include "shared.h"

namespace {
struct Hidden : Named {
    std::string name() const override { return "hidden " + Named::name(); }
};
}

int in_other(int n)
{
    names.push_back("other");
    local_static()++;
    return doubled(n);
}

Named *made_in_other() { return new Hidden; }
