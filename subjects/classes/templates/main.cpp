#include <cstdio>
#include <string>

template <class T, int Size = 4>
class Ring {
public:
    Ring() : count_(0) {}
    void push(const T &value) { values_[count_++ % Size] = value; }
    const T &last() const { return values_[(count_ - 1) % Size]; }
    int size() const { return count_; }
    template <class Visit>
    void each(Visit visit) const {
        for (int i = 0; i < size() && i < Size; i++) {
            visit(values_[i]);
        }
    }
    void clear();
    bool never_called() const { return count_ == 0; }
    static int limit() { return Size; }

    struct Mark {
        int at;
        int next() const { return at + 1; }
    };

private:
    T values_[Size];
    int count_;
};

template <class T, int Size>
void Ring<T, Size>::clear() {
    count_ = 0;
}

/// A specialisation is another class.
template <>
class Ring<bool, 1> {
public:
    void set() { value_ = true; }
    bool get() const { return value_; }

private:
    bool value_ = false;
};

template <class T>
struct Counted {
    static int made;
    Counted() { made++; }
};
template <class T>
int Counted<T>::made = 0;

/// Derived from an instance that it is an argument of.
struct Job : Counted<Job> {
    int run() { return made; }
};

int main() {
    Ring<int> numbers;
    Ring<std::string, 2> words;
    Ring<bool, 1> flag;
    numbers.push(3);
    words.push("three");
    flag.set();
    int sum = 0;
    numbers.each([&](int value) { sum += value; });
    words.each([&](const std::string &word) { sum += word.size(); });
    words.clear();
    Ring<int>::Mark mark{numbers.size()};
    Job job;
    std::printf("%d %s %d %d %d %d\n", numbers.last(), words.last().c_str(), sum, mark.next(), flag.get(), job.run());
    return Ring<int>::limit() != 4;
}
