#define BOOST_TEST_MODULE of digits
#include "digits.hpp"
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_CASE(one) { BOOST_CHECK_EQUAL(digits(7, 10), 1); }

BOOST_AUTO_TEST_SUITE(more)
BOOST_AUTO_TEST_CASE(two) { BOOST_TEST(digits(99, 10) == 2); }
BOOST_AUTO_TEST_CASE(power, *boost::unit_test::description("as: many")) { BOOST_CHECK_EQUAL(digits(100, 10), 3); }
BOOST_AUTO_TEST_CASE(later, *boost::unit_test::disabled()) { BOOST_CHECK_EQUAL(digits(10, 10), 2); }
BOOST_AUTO_TEST_SUITE_END()
