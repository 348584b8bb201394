// Arithmetic with polynomials, given by their coefficients from the constant
// term up: "polynomial mul 1,2 0,1" multiplies 1 + 2x by x.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

class Polynomial {
public:
    explicit Polynomial(const std::vector<long>& values) : c(values) {
        while (!c.empty() && c.back() == 0)
            c.pop_back();
    }

    static Polynomial parse(const std::string& text) {
        std::vector<long> values;
        std::istringstream in(text);
        std::string part;
        while (std::getline(in, part, ',')) {
            char* end = nullptr;
            long value = std::strtol(part.c_str(), &end, 10);
            if (part.empty() || *end != '\0' || value < -1000 || value > 1000)
                throw std::invalid_argument("not a coefficient: " + part);
            values.push_back(value);
        }
        if (values.empty() || values.size() > 8)
            throw std::invalid_argument("not a polynomial: " + text);
        return Polynomial(values);
    }

    Polynomial operator+(const Polynomial& other) const {
        std::vector<long> sum(std::max(c.size(), other.c.size()));
        for (std::size_t i = 0; i < sum.size(); i++)
            sum[i] = at(i) + other.at(i);
        return Polynomial(sum);
    }

    Polynomial operator-(const Polynomial& other) const {
        std::vector<long> difference(std::max(c.size(), other.c.size()));
        for (std::size_t i = 0; i < difference.size(); i++)
            difference[i] = at(i) - other.at(i);
        return Polynomial(difference);
    }

    Polynomial operator*(const Polynomial& other) const {
        std::vector<long> product(c.size() + other.c.size());
        for (std::size_t i = 0; i < c.size(); i++)
            for (std::size_t k = 0; k < other.c.size(); k++)
                product[i + k] += c[i] * other.c[k];
        return Polynomial(product);
    }

    void print(std::ostream& out) const {
        out << "leading " << c.at(c.size() - 1) << ":";
        for (long value : c)
            out << ' ' << value;
        out << '\n';
    }

private:
    long at(std::size_t i) const { return i < c.size() ? c[i] : 0; }

    std::vector<long> c; // without zeros at the end
};

static Polynomial calculate(const std::string& what, const Polynomial& a,
                            const Polynomial& b) {
    if (what == "add")
        return a + b;
    if (what == "sub")
        return a - b;
    if (what == "mul")
        return a * b;
    throw std::invalid_argument("unknown operation: " + what);
}

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: polynomial add|sub|mul A B\n";
        return 2;
    }
    std::vector<Polynomial> p;
    try {
        p.push_back(Polynomial::parse(argv[2]));
        p.push_back(Polynomial::parse(argv[3]));
        p.push_back(calculate(argv[1], p[0], p[1]));
    } catch (const std::invalid_argument& e) {
        std::cerr << e.what() << '\n';
        return 2;
    }
    p[2].print(std::cout);
    return 0;
}
