#include "driver.h"

int main(int argc, char **argv) {
  CAPTURED();
  SAFEPOINT();
  SAFEPOINT();
  (void)argc;
  /* A surprise of each size, once: the shadow is mended. */
  static uint64_t memory[4] = {0x1122334455667788, 0x99aabbccddeeff00};
  __wd_load8(M, 1, memory, memory[0], 8);
  if (memcmp(WD_SHADOW(memory), memory, 8)) return 10;
  __wd_load8(M, 1, memory, memory[0], 8); /* from a stale register: nothing is logged */
  memory[0]++;
  __wd_load8(M, 2, memory, 0x89, 1);
  __wd_load(M, 3, memory, 16);
  memory[1]++;
  __wd_load(M, 4, memory, 10);
  /* A range of which the middle is not known, then all of it. */
  static char range[300];
  range[100] = 1;
  range[200] = 2;
  __wd_check_range(M, 5, range, sizeof range);
  __wd_check_range(M, 5, range, sizeof range);
  /* Results, the last one twice. */
  EXTERNAL();
  __wd_ret_int(M, 6, 1000);
  __wd_ret_int(M, 6, 990);
  __wd_ret_int(M, 6, 990);
  __wd_ret_void(M, 7);
  __wd_ret_bytes(M, 8, "abcdefghijklmnopqrst", 20);
  SAFEPOINT();
  /* A string that external code made: FIX once, computed without the log after that. */
  static char text[32];
  strcpy(text, "captured");
  if (__wd_w_strlen(M, 9, text) != 8 || __wd_w_strlen(M, 9, text) != 8) return 11;
  static char copy[32];
  __wd_w_memcpy(M, 10, copy, text, 9);
  if (__wd_w_strcmp(M, 11, copy, text)) return 12;
  /* Formats. */
  __wd_w_printf(M, 12, "%s %d %5.1f %s|\n", text, 42, 2.5, argv[1]);
  char out[8];
  if (__wd_w_snprintf(M, 13, out, sizeof out, "%d-%s", 123456, "long") != 11) return 13;
  int number = 0;
  char word[8];
  if (__wd_w_sscanf(M, 14, "17 word x", "%d %7s %*s", &number, word) != 2) return 14;
  __wd_ret_setjmp(M, 15, -3, 2, WD_EMULATED_STACK_TOP - 4096);
  return WD_CONTROL->usp == WD_EMULATED_STACK_TOP - 4096 && initialised[0] == 7 ? 0 : 15;
}
