#ifndef COMMON_H
#define COMMON_H
int first(int);
int second(int);
int third(int);
int fourth(int);
int tentative;                         // in every file: one with -fcommon
extern const char *names[];
static inline int twice(int n) { static int calls; return n * 2 + 0 * calls++; }
#endif
