/* The generic protocol around calls: results, callbacks, setjmp, variadic functions, traps. */
#include "callbacks.h"

WD_EXPORT void __wd_ret_void(struct wd_module *m, uint32_t site) {
  wd_internal();
  wd_log_ret_void(WD_G);
}

WD_EXPORT void __wd_ret_int(struct wd_module *m, uint32_t site, uint64_t value) {
  wd_internal();
  wd_log_ret_int(WD_G, value);
}

WD_EXPORT void __wd_ret_bytes(struct wd_module *m, uint32_t site, const void *result, uint64_t n) {
  wd_internal();
  wd_log_ret_bytes(WD_G, result, n);
}

WD_EXPORT void __wd_ret_setjmp(struct wd_module *m, uint32_t site, int64_t value, uint64_t serial, uint64_t usp) {
  WD_CONTROL->usp = usp;
  wd_internal();
  wd_log_announce();
  if (value) wd_signals_after_jump();
  unsigned char *p = wd_event(40);
  if (p) wd_event_end(wd_uleb(wd_uleb(wd_uleb(p, WD_G), serial), wd_zigzag(value)), WD_SETJMP, 0);
}

/* A thread that the C library made for itself or that a bare system call made; or one that had come to its end, and is
   the last to go. */
static WD_COLD void enter_without_baton(void) {
  if (!wd_self)
    wd_refuse(WD_STOP_THREAD, "a thread that was not started by pthread_create or thrd_create calls into the program",
              "; programs with such threads cannot be recorded");
  uint64_t words[WD_ARGUMENT_BYTES / 8];
  wd_move(words, (const void *)WD_CONTROL->arguments, sizeof words);
  wd_take();
  wd_move((void *)WD_CONTROL->arguments, words, sizeof words);
}

WD_EXPORT void __wd_callback_enter(struct wd_module *m, uint32_t function, uint32_t words) {
  if (wd_unlikely(!wd_holds())) enter_without_baton();
  wd_internal();
  if (wd_unlikely(!m->registered)) wd_register_early(m);
  if (words > WD_ARGUMENT_BYTES / 8) words = WD_ARGUMENT_BYTES / 8;
  wd_log_callback(m->functions[function], WD_CONTROL->arguments, words);
  /* The thunk's stack pointer, behind the saved frame pointer and the return address: what the function has lies below. */
  wd_callback_push(m->functions[function], (uintptr_t)__builtin_frame_address(0) + 16, 0, 0);
  WD_CONTROL->va_gp = 0xffffffff;
}

/* System V: how va_start leaves a va_list. */
struct va_list_image {
  uint32_t gp_offset, fp_offset;
  unsigned char *overflow, *registers;
};

WD_EXPORT void *__wd_va_enter(struct wd_module *m, const void *native_va_list, uint32_t gp_fixed, uint32_t fp_fixed) {
  (void)m, (void)gp_fixed, (void)fp_fixed;
  const struct va_list_image *native = native_va_list;
  uint32_t gp = WD_CONTROL->va_gp, fp = WD_CONTROL->va_fp;
  uint64_t overflow = WD_CONTROL->va_overflow;
  int unknown = gp == 0xffffffff;
  // Behind an odd number of fixed words the variadic ones keep their alignment.
  uint64_t shift = (uintptr_t)native->overflow & 15;
  if (unknown) gp = 6, fp = 8, overflow = 256 - shift;
  uint64_t padded = (shift + overflow + 15) & ~15ul;
  uint64_t usp = (WD_CONTROL->usp - 176 - padded) & ~15ul;
  unsigned char *area = (unsigned char *)usp;
  WD_CONTROL->usp = usp;
  for (unsigned i = 0; i < 6; i++)
    ((uint64_t *)area)[i] = i < gp ? ((const uint64_t *)native->registers)[i] : 0;
  for (unsigned i = 0; i < 8; i++) {
    ((uint64_t *)(area + 48))[2 * i] = i < fp ? ((const uint64_t *)(native->registers + 48))[2 * i] : 0;
    ((uint64_t *)(area + 48))[2 * i + 1] = 0;
  }
  wd_fill(area + 176, 0, shift);
  wd_move(area + 176 + shift, native->overflow, overflow);
  wd_fill(area + 176 + shift + overflow, 0, padded - shift - overflow);
  wd_move(WD_SHADOW(area), area, 176 + padded);
  if (unknown) wd_log_more_bytes(WD_MORE_VARIADIC, area, 176 + padded);
  WD_CONTROL->va_gp = 0xffffffff;
  return area;
}

WD_EXPORT void __wd_trap_div(struct wd_module *m, uint32_t site) {
  (void)m, (void)site;
  uint32_t low = 1, high = 0, zero = 0;
  __asm__ volatile("divl %2" : "+a"(low), "+d"(high) : "r"(zero) : "cc");
}

/* The unwinder has brought an exception to a landing pad of captured code. */
WD_EXPORT void __wd_landed(struct wd_module *m, uint32_t site, uint64_t exception, int64_t selector, uint64_t usp) {
  WD_CONTROL->usp = usp;
  wd_internal();
  wd_callbacks_landed((uintptr_t)__builtin_frame_address(0));
  wd_log_announce();
  unsigned char *p = wd_event(60);
  if (p) wd_event_end(wd_uleb(wd_uleb(wd_uleb(wd_uleb(p, WD_G), usp), exception), wd_zigzag(selector)), WD_MORE, WD_MORE_LANDED);
}

/* An exception leaves a function that external code had called. The state stays external. */
WD_EXPORT void __wd_callback_unwound(struct wd_module *m, uint32_t function) {
  uint64_t state = wd_guard();
  if (WD_CONTROL->callbacks) WD_CONTROL->callbacks--;
  wd_log_unwound(m->functions[function]);
  wd_unguard(state);
}
