#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

TEST_CASE("sums, of [two]", "[sum]") { REQUIRE(1 + 1 == 3); }
TEST_CASE("fine") { REQUIRE(1 + 1 == 2); }
TEST_CASE("hidden", "[.]") { REQUIRE(false); }
