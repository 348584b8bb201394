// A visitor of declarations. One with errors has no scope, and must not be visited.
#include <cstdio>
#include <cstring>

struct Scope {
    int names = 0;
};

class Declaration {
public:
    explicit Declaration(Scope *scope) : scope(scope), errors(scope == nullptr ? 1 : 0) {}

    bool has_errors() const { return errors > 0; }
    Scope *scope;

private:
    int errors;
};

class Visitor {
public:
    void visit(const Declaration &declaration) {
        visited += 1;
        declaration.scope->names += 1;
        names += declaration.scope->names;
    }

    int sum() const { return names; }

private:
    int visited = 0;
    int names = 0;
};

int main(int count, char **words) {
    Scope scope;
    Visitor visitor;
    int faulty = 0;
    for (int i = 1; i < count; i++) {
        Declaration declaration(std::strcmp(words[i], "bad") == 0 ? nullptr : &scope);
        visitor.visit(declaration);
        faulty += declaration.has_errors() ? 1 : 0;
    }
    if (faulty > 9) {
        std::puts("too many");
    }
    std::printf("%d\n", visitor.sum());
    return 0;
}
