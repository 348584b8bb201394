#include "digits.hpp"
#include <CppUTest/CommandLineTestRunner.h>
#include <CppUTest/TestHarness.h>

TEST_GROUP(Digits) {};

TEST(Digits, one) { LONGS_EQUAL(1, digits(7, 10)); }
TEST(Digits, power) { LONGS_EQUAL(3, digits(100, 10)); }
IGNORE_TEST(Digits, later) { LONGS_EQUAL(2, digits(10, 10)); }

int main(int count, char **words) {
    return CommandLineTestRunner::RunAllTests(count, words);
}
