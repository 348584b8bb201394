#pragma once
#include <string>

namespace draw {

/// Its key function, the destructor, is in another unit than most of its users.
class Shape {
public:
    explicit Shape(std::string name);
    virtual ~Shape();
    virtual double area() const = 0;
    virtual std::string describe() const;
    const std::string &name() const { return name_; }

protected:
    void rename(const std::string &name);

private:
    bool is_named() const;
    std::string name_;
};

class Stored {
public:
    Stored() : id_(next()) {}
    int id() const { return id_; }
    static int count();

private:
    static int next();
    int id_;
};

class Square : public Shape, private virtual Stored {
public:
    explicit Square(double side);
    Square(const Square &) = delete;
    ~Square() override;
    double area() const override;
    using Stored::id;

private:
    double side_;
};

class Unit final : public Square {
public:
    Unit();
    std::string describe() const final;
    double unused() const { return 1; }
};

}
