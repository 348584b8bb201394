/* Wrappers: time. */
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "wrap.h"

static void log_tm(const struct tm *t) {
  if (!t) return;
  wd_log_write(t, sizeof *t);
  wd_log_changed_string(t->tm_zone);
}
static void check_tm(uint32_t g, const struct tm *t) {
  wd_check(g, t, sizeof *t);
}

W(time_t, time, (WD_M, time_t *to), (to), NONE, WRITES(to, sizeof *to))
W(int, gettimeofday, (WD_M, struct timeval *to, void *zone), (to, zone), NONE, WRITES_IF(!r, to, sizeof *to); WRITES_IF(!r, zone, 8))
W(int, clock_gettime, (WD_M, clockid_t c, struct timespec *to), (c, to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, clock_getres, (WD_M, clockid_t c, struct timespec *to), (c, to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, timespec_get, (WD_M, struct timespec *to, int base), (to, base), NONE, WRITES_IF(r, to, sizeof *to))
W(clock_t, clock, (WD_M), (), NONE, NONE)
W(clock_t, times, (WD_M, struct tms *to), (to), NONE, WRITES(to, sizeof *to))
W(struct tm *, localtime, (WD_M, const time_t *t), (t), READS(t, sizeof *t), log_tm(r))
W(struct tm *, gmtime, (WD_M, const time_t *t), (t), READS(t, sizeof *t), log_tm(r))
W(struct tm *, localtime_r, (WD_M, const time_t *t, struct tm *to), (t, to), READS(t, sizeof *t), log_tm(r))
W(struct tm *, gmtime_r, (WD_M, const time_t *t, struct tm *to), (t, to), READS(t, sizeof *t), log_tm(r))
W(time_t, mktime, (WD_M, struct tm *t), (t), check_tm(g, t), log_tm(t))
W(time_t, timegm, (WD_M, struct tm *t), (t), check_tm(g, t), log_tm(t))
W(time_t, timelocal, (WD_M, struct tm *t), (t), check_tm(g, t), log_tm(t))
W(size_t, strftime, (WD_M, char *to, size_t n, const char *format, const struct tm *t), (to, n, format, t),
  STR(format); check_tm(g, t), WRITES_IF(r, to, r + 1))
W(char *, strptime, (WD_M, const char *s, const char *format, struct tm *t), (s, format, t), STR(s); STR(format),
  wd_log_write(t, sizeof *t))
W(char *, asctime, (WD_M, const struct tm *t), (t), check_tm(g, t), wd_log_write_string(r))
W(char *, asctime_r, (WD_M, const struct tm *t, char *to), (t, to), check_tm(g, t), wd_log_write_string(r))
W(char *, ctime, (WD_M, const time_t *t), (t), READS(t, sizeof *t), wd_log_write_string(r))
W(char *, ctime_r, (WD_M, const time_t *t, char *to), (t, to), READS(t, sizeof *t), wd_log_write_string(r))
W_FLOAT(double, 8, difftime, (WD_M, time_t a, time_t b), (a, b), NONE, NONE)
W_VOID(tzset, (WD_M), (), NONE, NONE)
WL(int, nanosleep, (WD_M, const struct timespec *t, struct timespec *left), (t, left), READS(t, sizeof *t),
   WRITES_IF(r, left, sizeof *left))
WL(int, clock_nanosleep, (WD_M, clockid_t c, int flags, const struct timespec *t, struct timespec *left), (c, flags, t, left),
   READS(t, sizeof *t), if (r && left) wd_log_changed(left, sizeof *left))
WL(unsigned, sleep, (WD_M, unsigned n), (n), NONE, NONE)
WL(int, usleep, (WD_M, useconds_t n), (n), NONE, NONE)
WL(int, pause, (WD_M), (), NONE, NONE)
W(unsigned, alarm, (WD_M, unsigned n), (n), NONE, NONE)
W(unsigned, ualarm, (WD_M, useconds_t n, useconds_t each), (n, each), NONE, NONE)
W(int, getitimer, (WD_M, int which, struct itimerval *to), (which, to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, setitimer, (WD_M, int which, const struct itimerval *t, struct itimerval *old), (which, t, old), READS(t, sizeof *t),
  WRITES_IF(!r, old, sizeof *old))
