// matrix: computes with named matrices of fractions.
//
//   let A = 1 2 ; 3 1/2        rows are separated by ;
//   add C A B, sub C A B, mul C A B, scale C A 1/2, turn C A (transposes)
//   pow C A N, inv C A, unit C N
//   show A, det A, trace A, rank A
#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

class Fraction {
public:
    Fraction(long top = 0, long bottom = 1) : top_(top), bottom_(bottom)
    {
        if (bottom_ == 0)
            throw std::domain_error("division by zero");
        if (bottom_ < 0) {
            top_ = -top_;
            bottom_ = -bottom_;
        }
        long divisor = std::gcd(top_, bottom_);
        top_ /= divisor;
        bottom_ /= divisor;
    }

    bool is_zero() const
    {
        return top_ == 0;
    }

    std::string text() const
    {
        std::string text = std::to_string(top_);
        if (bottom_ != 1)
            text += "/" + std::to_string(bottom_);
        return text;
    }

    friend Fraction operator+(const Fraction &a, const Fraction &b)
    {
        return {a.top_ * b.bottom_ + b.top_ * a.bottom_, a.bottom_ * b.bottom_};
    }

    friend Fraction operator-(const Fraction &a, const Fraction &b)
    {
        return {a.top_ * b.bottom_ - b.top_ * a.bottom_, a.bottom_ * b.bottom_};
    }

    friend Fraction operator*(const Fraction &a, const Fraction &b)
    {
        return {a.top_ * b.top_, a.bottom_ * b.bottom_};
    }

    friend Fraction operator/(const Fraction &a, const Fraction &b)
    {
        return {a.top_ * b.bottom_, a.bottom_ * b.top_};
    }

private:
    long top_;
    long bottom_;
};

Fraction parse_fraction(const std::string &word)
{
    std::istringstream in(word);
    long top = 0;
    long bottom = 1;
    char slash = 0;
    if (!(in >> top))
        throw std::invalid_argument("no number: " + word);
    if (in >> slash && (slash != '/' || !(in >> bottom)))
        throw std::invalid_argument("no number: " + word);
    return {top, bottom};
}

template <typename T> class Matrix {
public:
    Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), cells_(rows * columns)
    {
    }

    static Matrix unit(std::size_t size)
    {
        Matrix result(size, size);
        for (std::size_t i = 0; i < size; i++)
            result(i, i) = T(1);
        return result;
    }

    std::size_t rows() const
    {
        return rows_;
    }

    std::size_t columns() const
    {
        return columns_;
    }

    T &operator()(std::size_t row, std::size_t column)
    {
        return cells_[row * columns_ + column];
    }

    const T &operator()(std::size_t row, std::size_t column) const
    {
        return cells_[row * columns_ + column];
    }

    template <typename F> Matrix with(const Matrix &other, F combine) const
    {
        if (rows_ != other.rows_ || columns_ != other.columns_)
            throw std::invalid_argument("sizes differ");
        Matrix result(rows_, columns_);
        for (std::size_t i = 0; i < cells_.size(); i++)
            result.cells_[i] = combine(cells_[i], other.cells_[i]);
        return result;
    }

    Matrix times(const Matrix &other) const
    {
        if (columns_ != other.rows_)
            throw std::invalid_argument("sizes do not fit");
        Matrix result(rows_, other.columns_);
        for (std::size_t i = 0; i < rows_; i++) {
            for (std::size_t j = 0; j < other.columns_; j++) {
                T sum{};
                for (std::size_t k = 0; k < columns_; k++)
                    sum = sum + (*this)(i, k) * other(k, j);
                result(i, j) = sum;
            }
        }
        return result;
    }

    Matrix transposed() const
    {
        Matrix result(columns_, rows_);
        for (std::size_t i = 0; i < rows_; i++) {
            for (std::size_t j = 0; j < columns_; j++)
                result(j, i) = (*this)(i, j);
        }
        return result;
    }

    Matrix power(int exponent) const
    {
        Matrix result = unit(rows_);
        Matrix square = *this;
        while (exponent > 0) {
            if (exponent % 2 == 1)
                result = result.times(square);
            square = square.times(square);
            exponent /= 2;
        }
        return result;
    }

    void swap_rows(std::size_t a, std::size_t b)
    {
        for (std::size_t j = 0; j < columns_; j++)
            std::swap((*this)(a, j), (*this)(b, j));
    }

    // Clears the column below and above each pivot; gives the rank, and the determinant of the pivots.
    std::size_t reduce(T &determinant, Matrix *beside)
    {
        std::size_t rank = 0;
        determinant = T(1);
        for (std::size_t column = 0; column < columns_ && rank < rows_; column++) {
            std::size_t pivot = rank;
            while (pivot < rows_ && (*this)(pivot, column).is_zero())
                pivot++;
            if (pivot == rows_)
                continue;
            if (pivot != rank) {
                swap_rows(pivot, rank);
                if (beside != nullptr)
                    beside->swap_rows(pivot, rank);
                determinant = T(0) - determinant;
            }
            T value = (*this)(rank, column);
            determinant = determinant * value;
            divide_row(rank, value);
            if (beside != nullptr)
                beside->divide_row(rank, value);
            for (std::size_t i = 0; i < rows_; i++) {
                T factor = (*this)(i, column);
                if (i == rank)
                    continue;
                subtract_row(i, rank, factor);
                if (beside != nullptr)
                    beside->subtract_row(i, rank, factor);
            }
            rank++;
        }
        if (rank < rows_)
            determinant = T(0);
        return rank;
    }

private:
    void divide_row(std::size_t row, const T &value)
    {
        for (std::size_t j = 0; j < columns_; j++)
            (*this)(row, j) = (*this)(row, j) / value;
    }

    void subtract_row(std::size_t row, std::size_t other, const T &factor)
    {
        for (std::size_t j = 0; j < columns_; j++)
            (*this)(row, j) = (*this)(row, j) - factor * (*this)(other, j);
    }

    std::size_t rows_;
    std::size_t columns_;
    std::vector<T> cells_;
};

using Numbers = Matrix<Fraction>;

Numbers parse_matrix(std::istream &in)
{
    std::vector<std::vector<Fraction>> rows(1);
    std::string word;
    while (in >> word) {
        if (word == ";")
            rows.emplace_back();
        else
            rows.back().push_back(parse_fraction(word));
    }
    Numbers result(rows.size(), rows[0].size());
    for (std::size_t i = 0; i < rows.size(); i++) {
        if (rows[i].size() != result.columns())
            throw std::invalid_argument("rows differ");
        for (std::size_t j = 0; j < rows[i].size(); j++)
            result(i, j) = rows[i][j];
    }
    return result;
}

void show(std::ostream &out, const Numbers &matrix)
{
    std::vector<std::size_t> widths(matrix.columns());
    for (std::size_t j = 0; j < matrix.columns(); j++) {
        for (std::size_t i = 0; i < matrix.rows(); i++)
            widths[j] = std::max(widths[j], matrix(i, j).text().size());
    }
    for (std::size_t i = 0; i < matrix.rows(); i++) {
        std::string line = "[";
        for (std::size_t j = 0; j < matrix.columns(); j++) {
            std::string text = matrix(i, j).text();
            line += std::string(widths[j] - text.size() + (j > 0 ? 1 : 0), ' ') + text;
        }
        out << line << "]\n";
    }
}

class Calculator {
public:
    void execute(const std::string &line)
    {
        std::istringstream in(line);
        std::string command;
        std::string name;
        if (!(in >> command))
            return;
        if (!(in >> name))
            throw std::invalid_argument("a name is missing");
        if (command == "let") {
            std::string equals;
            in >> equals;
            values_.insert_or_assign(name, parse_matrix(in));
        } else if (command == "unit") {
            values_.insert_or_assign(name, Numbers::unit(read_size(in)));
        } else if (!ask(command, name)) {
            values_.insert_or_assign(name, compute(command, in));
        }
    }

private:
    bool ask(const std::string &command, const std::string &name)
    {
        if (command == "show") {
            show(std::cout, value(name));
        } else if (command == "rank") {
            Numbers matrix = value(name);
            Fraction determinant;
            std::cout << "rank " << matrix.reduce(determinant, nullptr) << '\n';
        } else if (command == "det") {
            Numbers matrix = square(value(name));
            Fraction determinant;
            matrix.reduce(determinant, nullptr);
            std::cout << "det " << determinant.text() << '\n';
        } else if (command == "trace") {
            Numbers matrix = square(value(name));
            Fraction sum;
            for (std::size_t i = 0; i < matrix.rows(); i++)
                sum = sum + matrix(i, i);
            std::cout << "trace " << sum.text() << '\n';
        } else {
            return false;
        }
        return true;
    }

    Numbers compute(const std::string &command, std::istream &in)
    {
        Numbers a = read_value(in);
        if (command == "add")
            return a.with(read_value(in), [](const Fraction &x, const Fraction &y) { return x + y; });
        if (command == "sub")
            return a.with(read_value(in), [](const Fraction &x, const Fraction &y) { return x - y; });
        if (command == "mul")
            return a.times(read_value(in));
        if (command == "turn")
            return a.transposed();
        if (command == "pow")
            return square(a).power(read_size(in));
        if (command == "scale") {
            std::string word;
            in >> word;
            Fraction factor = parse_fraction(word);
            return a.with(a, [factor](const Fraction &x, const Fraction &) { return x * factor; });
        }
        if (command == "inv") {
            Numbers left = square(a);
            Numbers result = Numbers::unit(left.rows());
            Fraction determinant;
            if (left.reduce(determinant, &result) < left.rows())
                throw std::domain_error("no inverse");
            return result;
        }
        throw std::invalid_argument("no command " + command);
    }

    static Numbers square(const Numbers &matrix)
    {
        if (matrix.rows() != matrix.columns())
            throw std::invalid_argument("not square");
        return matrix;
    }

    static int read_size(std::istream &in)
    {
        int size = -1;
        if (!(in >> size) || size < 0 || size > 20)
            throw std::invalid_argument("no such size");
        return size;
    }

    const Numbers &value(const std::string &name) const
    {
        auto found = values_.find(name);
        if (found == values_.end())
            throw std::out_of_range("no matrix " + name);
        return found->second;
    }

    const Numbers &read_value(std::istream &in) const
    {
        std::string name;
        in >> name;
        return value(name);
    }

    std::map<std::string, Numbers> values_;
};

} // namespace

int main()
{
    Calculator calculator;
    std::string line;
    int number = 0;

    while (std::getline(std::cin, line)) {
        number++;
        try {
            calculator.execute(line);
        } catch (const std::exception &error) {
            std::cout << "line " << number << ": " << error.what() << '\n';
        }
    }
    return 0;
}
