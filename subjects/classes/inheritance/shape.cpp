#include "shape.h"

namespace draw {

static int stored = 0;

Shape::Shape(std::string name) : name_(std::move(name)) {}
Shape::~Shape() {}
std::string Shape::describe() const { return is_named() ? name_ : "unnamed"; }
void Shape::rename(const std::string &name) { name_ = name; }
bool Shape::is_named() const { return !name_.empty(); }

int Stored::count() { return stored; }
int Stored::next() { return ++stored; }

Square::Square(double side) : Shape("square"), side_(side) {}
Square::~Square() { side_ = 0; }
double Square::area() const { return side_ * side_; }

Unit::Unit() : Square(1) { rename("unit"); }
std::string Unit::describe() const { return "the " + Shape::describe(); }

}
