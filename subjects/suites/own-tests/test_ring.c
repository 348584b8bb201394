#include <stdio.h>

#include "ring.h"

extern int failures;
#define CHECK(condition) \
  if (!(condition)) failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)

static void test_empty(void) {
  struct ring ring = {0};
  int item;
  CHECK(!pop(&ring, &item));
}

static void test_order(void) {
  struct ring ring = {0};
  int a = 0, b = 0;
  push(&ring, 1);
  push(&ring, 2);
  pop(&ring, &a);
  pop(&ring, &b);
  CHECK(a == 1 && b == 2);
}

static void test_full(void) {
  struct ring ring = {0};
  for (int i = 0; i < SIZE; i++)
    CHECK(push(&ring, i));
  CHECK(!push(&ring, SIZE));
}

/* More than fits, one after the other. */
static void test_around(void) {
  struct ring ring = {0};
  for (int i = 0; i < 2 * SIZE; i++) {
    int item = -1;
    push(&ring, i);
    push(&ring, i);
    pop(&ring, &item);
    CHECK(item == i);
    pop(&ring, &item);
    CHECK(item == i);
  }
}

/* No test by itself: it runs some. */
void test_ring(void) {
  static void (*const tests[])(void) = {test_empty, test_order};
  for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++)
    tests[i]();
  test_full();
  test_around();
}
