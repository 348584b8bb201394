#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "stats.h"

TEST_CASE("the largest comes first") { REQUIRE(largest({9, 3, 4}) == 9); }
TEST_CASE("the largest comes last") {
  std::vector<int> values{2, 3, 8};
  REQUIRE(largest(values) == 8);
}
TEST_CASE("numbers are joined") { CHECK(joined({1, 2}, '-') == "1-2"); }
