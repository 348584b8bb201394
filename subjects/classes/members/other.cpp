namespace {

struct Hidden {
    explicit Hidden(int value) : value(value) {}
    int value;
    int thrice() const { return 3 * value; }
};

}

int other();

int other() { return Hidden(2).thrice(); }
