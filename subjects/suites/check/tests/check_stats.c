#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "../stats.h"

START_TEST(first) {
  int values[] = {9, 2, 3};
  ck_assert_int_eq(largest(values, 3), 9);
}
END_TEST

START_TEST(middle) {
  int values[] = {1, 7, 3};
  ck_assert(largest(values, 3) == 7);
}
END_TEST

START_TEST(last) {
  int values[] = {1, 2, 8};
  ck_assert_int_eq(largest(values, 3), 8);
}
END_TEST

int main(int argc, char **argv) {
  Suite *suite = suite_create("stats");
  TCase *cases = tcase_create(argc > 1 ? argv[1] : "none");
  if (argc > 1 && strcmp(argv[1], "first") == 0)
    tcase_add_test(cases, first);
  tcase_add_test(cases, middle);
  if (argc > 1 && strcmp(argv[1], "last") == 0)
    tcase_add_test(cases, last);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  if (argc > 2)
    srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
