#include <stdarg.h>
#include <stddef.h>
typedef int (*visitor)(void *state, int value);
struct list;
extern int library_counter;
extern _Thread_local int library_errors;
struct list *list_new(void *(*allocate)(size_t), void (*release)(void *));
void list_add(struct list *, int);
int list_each(struct list *, visitor, void *state);
void list_free(struct list *);
int library_hook(int);
int library_format(char *out, size_t size, const char *format, ...);
struct list *program_choice(void);
