#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { long x, y, z; };
static int calls;
static int by_value(const void *a, const void *b) { calls++; return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static void leave1(void) { printf("leave1 %d\n", calls); }
static void leave2(void) { puts("leave2"); }
__attribute__((constructor)) static void early(void) { calls = 100; }
__attribute__((destructor)) static void late(void) { puts("late"); }
static void walk(const void *node, VISIT v, int depth) { if (v == leaf || v == postorder) printf("%d@%d ", **(int *const *)node, depth); }
int main(void) {
  int v[100];
  for (int i = 0; i < 100; i++) v[i] = (i * 37) % 101;
  qsort(v, 100, sizeof *v, by_value);
  for (int i = 1; i < 100; i++) if (v[i - 1] > v[i]) return 1;
  int key = 50;
  int *found = bsearch(&key, v, 100, sizeof *v, by_value);
  printf("%d %d\n", found ? *found : -1, calls > 200);
  const char *words[] = {"pear", "apple", "fig", "kiwi"};
  qsort(words, 4, sizeof *words, by_text);
  for (int i = 0; i < 4; i++) printf("%s ", words[i]);
  puts("");
  void *root = NULL;
  for (int i = 0; i < 5; i++) tsearch(&v[i * 7], &root, by_value);
  twalk(root, walk);
  puts("");
  atexit(leave1);
  atexit(leave2);
  exit(3);
}
