#include <gtest/gtest.h>

#include "stats.h"

TEST(Largest, First) { EXPECT_EQ(9, largest({9, 3, 4})); }
TEST(Largest, Middle) { EXPECT_EQ(7, largest({2, 7, 4})); }
TEST(Largest, Last) {
  std::vector<int> values{2, 3, 8};
  EXPECT_EQ(8, largest(values)) << "of three";
}
TEST(Largest, Alone) { EXPECT_EQ(5, largest({5})); }
TEST(Joined, Commas) { EXPECT_STREQ("1,2,3", joined({1, 2, 3}, ',').c_str()); }
TEST(Joined, Empty) { EXPECT_TRUE(joined({}, ',').empty()); }
