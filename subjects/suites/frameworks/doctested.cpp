#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "digits.hpp"
#include <doctest/doctest.h>

TEST_SUITE("digits, of [all]") {
    TEST_CASE("one, or more") {
        CHECK(digits(7, 10) == 1);
        CHECK(digits(99, 10) == 2);
    }
    TEST_CASE("a power") { CHECK(digits(100, 10) == 3); }
}

TEST_CASE_TEMPLATE("fits", T, int, char) { CHECK(sizeof(T) >= 1); }

TEST_CASE("later" * doctest::skip()) { CHECK(digits(10, 10) == 2); }
