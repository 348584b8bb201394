#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "port.h"

TEST_CASE("a port sends", "[port]") {
    Port port;
    SECTION("once it is open") {
        port.open(Mode::Binary);
        REQUIRE(port.send("ab") == 2);
    }
    SECTION("and is closed again") {
        port.open(Mode::Text);
        port.close();
        REQUIRE_FALSE(port.is_open());
    }
}
