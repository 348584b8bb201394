#include <gtest/gtest.h>

TEST(Sum, One) { EXPECT_EQ(1 + 1, 2); }
TEST(Sum, Wrong) { EXPECT_EQ(1 + 1, 3) << "as it is"; }
TEST(Sum, DISABLED_Later) { EXPECT_EQ(1, 2); }
TEST(Sum, Elsewhere) { GTEST_SKIP() << "not here"; }

class Numbers : public testing::TestWithParam<int> {};
TEST_P(Numbers, Small) { EXPECT_LT(GetParam(), 2); }
INSTANTIATE_TEST_SUITE_P(All, Numbers, testing::Values(1, 2));
