/* Programs of a page each, in one executable: its argument names the one that runs.
   The line of a fault has the kinds that tell it in a comment: "fault: KIND", several with "or" between them;
   that of a fault which no observer of ours tells has "not told: KIND". */
#ifndef CHECKS_H
#define CHECKS_H

#ifdef __cplusplus
extern "C" {
#endif
typedef int (*program)(void);
void add_program(const char *name, program run);
/* What a program is given at run time: no compiler knows it. */
int given(int value);
long given_long(long value);
double given_double(double value);
void *given_pointer(void *pointer);
/* Looks at a value, so that it counts. */
void look(long value);
#ifdef __cplusplus
}
#endif

#define PROGRAM(name)                                                                                                  \
    static int name(void);                                                                                             \
    __attribute__((constructor)) static void add_##name(void)                                                          \
    {                                                                                                                  \
        add_program(#name, name);                                                                                      \
    }                                                                                                                  \
    static int name(void)

#endif
