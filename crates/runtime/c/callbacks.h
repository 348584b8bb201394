/* Captured functions that external code has called and that have not come back (jump.c). */
#ifndef WD_CALLBACKS_H
#define WD_CALLBACKS_H

#include "threads.h"

/* External code calls a captured function, by a thunk with stack pointer `sp`, which counts it off when it comes back. A null function:
   a signal's handler runs; `low` to `high` is its stack, if that is not the interrupted code's. */
void wd_callback_push(const void *function, uintptr_t sp, uintptr_t low, uintptr_t high);
/* A signal's handler is about to run, at the interrupted context (null: where the caller is). Returns the number of entries
   before, which `wd_handler_left` takes when it comes back. */
uint64_t wd_handler_enters(const void *context);
static inline void wd_handler_left(uint64_t before) { WD_CONTROL->callbacks = before; }
/* An exception was caught in a frame at `sp`: it may have left handlers and variadic functions, whose frames say nothing. */
void wd_callbacks_landed(uintptr_t sp);

#endif
