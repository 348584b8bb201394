// How many digits a number has in a base.
inline int digits(unsigned number, unsigned base) {
    int count = 1;
    while (number > base) {
        number /= base;
        count++;
    }
    return count;
}
