#include "port.h"

#include <gtest/gtest.h>

namespace {

int length(const std::string &text) {
    return static_cast<int>(text.size());
}

TEST(PortTest, SendsWhatItIsGiven) {
    const std::string text = "hello";
    int unrelated = length("x");
    Port port;
    EXPECT_EQ(unrelated, 1);
    EXPECT_FALSE(port.is_open());
    port.open(Mode::Binary);
    EXPECT_EQ(port.send(text), length(text));
    EXPECT_EQ(port.send("ab"), 2);
}

class PortFixture : public ::testing::Test {
protected:
    Port port_;
};

TEST_F(PortFixture, ClosesInALoop) {
    port_.open(Mode::Text);
    for (int i = 0; i < 3; i++) {
        port_.send("again");
    }
    port_.close();
    EXPECT_EQ(port_.average(), 33);
}

}  // namespace
