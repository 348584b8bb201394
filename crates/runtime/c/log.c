/* The log: events into one mapped file, from which full chunks are copied to files of their own (docs/engine.md, section 4). */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>

#include "internal.h"

struct wd_log wd_log;
uint64_t wd_slots[WD_SLOTS];

/* A limit on file sizes raises SIGXFSZ besides the error: it is held back here, and taken back. */
struct size_limit {
  uint64_t mask, pending;
};
static const uint64_t xfsz = 1ul << (SIGXFSZ - 1);
static struct size_limit size_limit_begin(void) {
  struct size_limit before = {0, 0};
  WD_SYS4(rt_sigprocmask, SIG_BLOCK, &xfsz, &before.mask, 8);
  WD_SYS2(rt_sigpending, &before.pending, 8);
  return before;
}
static void size_limit_end(const struct size_limit *before, long result) {
  if (result && !(before->pending & xfsz)) {
    struct { long s, ns; } none = {0, 0};
    WD_SYS4(rt_sigtimedwait, &xfsz, 0, &none, 8);
  }
  WD_SYS4(rt_sigprocmask, SIG_SETMASK, &before->mask, 0, 8);
}

/* Gives the file `size` bytes of disk. */
static long allocate(long fd, uint64_t size) {
  long result;
  do result = WD_SYS4(fallocate, fd, 0, 0, size);
  while (result == -4 /* EINTR */);
  if (result == -95 /* EOPNOTSUPP */ || result == -38 /* ENOSYS */) {
    static const char zeros[4096];
    result = 0;
    for (uint64_t done = 0; done < size && !result; done += sizeof zeros) result = wd_write_all(fd, zeros, sizeof zeros);
  }
  return result;
}

/* The path of the file of the present chunk, or of full ones. */
static char path[sizeof wd_folder + 32];
static struct wd_text path_start(void) {
  struct wd_text t = wd_text_start(path, sizeof path);
  wd_text_put(&t, wd_folder);
  wd_text_put(&t, "/log");
  return t;
}

/* Makes and maps the file of the present chunk, all zero; null and the error otherwise. */
static unsigned char *map_chunk(uint64_t size, int flags, long *error) {
  path_start();
  long fd = wd_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (wd_failed(fd)) {
    *error = fd;
    return 0;
  }
  struct size_limit before = size_limit_begin();
  long result = allocate(fd, size);
  size_limit_end(&before, result);
  if (!result) result = WD_SYS6(mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, 0);
  WD_SYS1(close, fd);
  if (wd_failed(result)) {
    WD_SYS1(unlink, path); /* an empty or half-allocated file says nothing */
    *error = result;
    return 0;
  }
  return (unsigned char *)result;
}

/* Copies the present chunk, which is full, to its place in the file of its number. */
static long put_away(void) {
  struct wd_text t = path_start();
  wd_text_put(&t, ".");
  wd_text_number(&t, wd_log.number / WD_LOG_FILE_CHUNKS, 6);
  long fd = wd_open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (wd_failed(fd)) return fd;
  struct size_limit before = size_limit_begin();
  long result = WD_SYS3(lseek, fd, wd_log.number % WD_LOG_FILE_CHUNKS * WD_LOG_CHUNK, SEEK_SET);
  if (!wd_failed(result)) result = wd_write_all(fd, wd_log.chunk, (size_t)(wd_log.at - wd_log.chunk));
  size_limit_end(&before, result);
  WD_SYS1(close, fd);
  return result;
}

static void chunk_begins(uint64_t number, unsigned char *chunk) {
  wd_log.number = number;
  wd_log.chunk = wd_log.at = chunk;
  wd_log.position = number * WD_LOG_CHUNK - (uintptr_t)chunk;
  wd_log.end = chunk + wd_chunk_bytes(number);
  WD_BARRIER();
  WD_CONTROL->log_present = number + 1;
}

int wd_log_open(void) {
  long error = 0;
  WD_CONTROL->log_bytes = WD_CONTROL->log_present = 0;
  unsigned char *chunk = map_chunk(wd_chunk_bytes(0), 0, &error);
  if (!chunk) {
    wd_stop(WD_STOP_DISK, "cannot make the log in ", wd_folder, error);
    return 0;
  }
  chunk_begins(0, chunk);
  return 1;
}

void wd_log_abandon(void) {
  if (wd_log.chunk) WD_SYS2(munmap, wd_log.chunk, wd_chunk_bytes(wd_log.number));
  wd_log.chunk = wd_log.at = wd_log.end = 0;
}

WD_COLD int wd_log_room_slow(size_t n) {
  if (wd_log.dead) wd_log_abandon();
  if (!wd_log.chunk) return 0;
  if (n > WD_LOG_CHUNK) {
    wd_stop(WD_STOP_EVENT, "something is too large for one event of the log", "", 0);
    return 0;
  }
  long error = put_away();
  uint64_t next = wd_log.number + 1;
  if (!error) {
    /* Between these two the log ends with the file that was just written. */
    WD_CONTROL->log_present = 0;
    WD_BARRIER();
    if (next == 1) {
      wd_log_abandon();
      path_start();
      WD_SYS1(unlink, path);
      wd_log.chunk = map_chunk(wd_chunk_bytes(next), MAP_POPULATE, &error);
    } else {
      wd_fill(wd_log.chunk, 0, (size_t)(wd_log.at - wd_log.chunk));
    }
  }
  if (error) {
    wd_stop(WD_STOP_DISK, "the log cannot grow in ", wd_folder, error);
    return 0;
  }
  chunk_begins(next, wd_log.chunk);
  return 1;
}

uint64_t wd_quiet;

WD_COLD void wd_log_announce(void) {
  if (!wd_quiet) return;
  uint64_t site = wd_quiet - 1;
  wd_quiet = 0;
  unsigned char *p = wd_event(40);
  if (p) wd_event_end(wd_uleb(wd_uleb(wd_uleb(p, site), 0), WD_AS_EXTERNAL), WD_ALLOC, 0);
}

/* Results and callbacks, by site or function: which came after the last ones, of which `before` is a mixture. */
static struct {
  uint64_t before;
  uint64_t follows[WD_FOLLOWS];
} order;

/* Whether what comes now came the last time, too, after what came before it. */
static inline int comes_again(uint64_t what) {
  uint64_t *next = &order.follows[order.before % WD_FOLLOWS];
  int again = *next == what;
  *next = what;
  order.before = (order.before << 3) + what + (what >> 4);
  return again;
}

/* Ends an event that comes again, or that is of its kind. */
static inline void end_either(unsigned char *p, int again, unsigned what, unsigned kind) {
  wd_event_end(p, again ? WD_AGAIN : kind, again ? what : 0);
}

/* What is not said in a few bytes lies in functions of its own: the others then need no registers of their callers'. */
static WD_APART void log_ret_void(uint32_t g, int again) {
  unsigned char *p = wd_event(8);
  if (p) end_either(again ? p : wd_uleb(p, g), again, WD_AGAIN_VOID, WD_RET);
}

void wd_log_ret_void(uint32_t g) {
  int again = comes_again(g);
  if (wd_unlikely(!again || !wd_event_short(WD_AGAIN | WD_AGAIN_VOID << 4, 2))) log_ret_void(g, again);
}

static WD_APART void log_ret_int(uint32_t g, uint64_t change, int again) {
  unsigned char *p = wd_event(24);
  if (!p) return;
  if (!again) p = wd_uleb(p, g);
  if (!change) {
    end_either(p, again, WD_AGAIN_SAME, WD_RET_SAME);
    return;
  }
  wd_slots[g % WD_SLOTS] += change;
  end_either(wd_uleb(p, wd_zigzag((int64_t)change)), again, WD_AGAIN_INT, WD_RET_INT);
}

void wd_log_ret_int(uint32_t g, uint64_t value) {
  uint64_t *slot = &wd_slots[g % WD_SLOTS], change = value - *slot, said = wd_zigzag((int64_t)change);
  int again = comes_again(g);
  _Static_assert(WD_AGAIN_SAME == 0 && WD_AGAIN_INT == 1, "the high bits say whether a change follows");
  unsigned changed = change != 0;
  if (wd_unlikely(!again || said >= 0x80 || !wd_event_short(WD_AGAIN | changed << 4 | said << 16, 2 + changed)))
    log_ret_int(g, change, again);
  else
    *slot = value;
}

void wd_log_ret_bytes(uint32_t g, const void *bytes, uint64_t n) {
  unsigned char *p = wd_event(24 + n);
  if (!p) return;
  p = wd_uleb(p, g);
  if (n >= 15) p = wd_uleb(p, n);
  wd_move(p, bytes, n);
  wd_event_end(p + n, WD_RET, n < 15 ? (unsigned)n : 15);
}

void wd_log_write(const void *memory, uint64_t n) {
  const unsigned char *from = memory;
  while (n) {
    uint64_t piece = n < WD_PIECE ? n : WD_PIECE;
    unsigned char *p = wd_event(24 + piece);
    if (p) {
      p = wd_uleb(wd_uleb(p, (uintptr_t)from), piece);
      wd_move(p, from, piece);
      wd_move(WD_SHADOW(from), p, piece); /* what was logged, should another process change it now */
      wd_event_end(p + piece, WD_WRITE, 0);
    } else {
      wd_move(WD_SHADOW(from), from, piece);
    }
    from += piece;
    n -= piece;
  }
}

void wd_log_write_string(const char *s) {
  if (s) wd_log_write(s, wd_length(s) + 1);
}

/* The last calls of functions by external code, and the first words of their arguments. */
static struct {
  uint64_t function;
  uint64_t words[WD_CALLED][WD_CALLED_WORDS];
} called;

static uint64_t *kept_words(uint64_t function) { return called.words[(function >> 4) % WD_CALLED]; }

static WD_APART void log_call(unsigned kind, uint64_t function, const volatile uint64_t *words, uint32_t n, int again) {
  unsigned char *p = wd_event(24 + 10ul * n);
  if (!p) return;
  if (!again) p = wd_uleb(wd_uleb(p, wd_zigzag((int64_t)(function - called.function))), n);
  called.function = function;
  uint64_t *last = kept_words(function);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t word = words[i], before = 0;
    if (i < WD_CALLED_WORDS) {
      before = last[i];
      last[i] = word;
    }
    p = wd_uleb(p, wd_zigzag((int64_t)(word - before)));
  }
  end_either(p, again, WD_AGAIN_CALL + n, kind);
}

void wd_log_signal(const void *function, const volatile uint64_t *words, uint32_t n) {
  log_call(WD_SIGNAL, (uintptr_t)function, words, n, 0);
}

void wd_log_callback(const void *callee, const volatile uint64_t *words, uint32_t n) {
  if (wd_unlikely(wd_quiet)) wd_log_announce();
  uint64_t function = (uintptr_t)callee, *last = kept_words(function);
  int again = comes_again(function) && n <= WD_AGAIN_WORDS;
  uint64_t bytes = WD_AGAIN | (WD_AGAIN_CALL + n) << 4, given[WD_CALLED_WORDS], large = 0;
  if (wd_unlikely(!again || n > WD_CALLED_WORDS)) {
    log_call(WD_CALLBACK, function, words, n, again);
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    given[i] = words[i];
    uint64_t change = wd_zigzag((int64_t)(given[i] - last[i]));
    large |= change;
    bytes |= change << (16 + 8 * i);
  }
  if (wd_unlikely(large >= 0x80 || !wd_event_short(bytes, 2 + n))) {
    log_call(WD_CALLBACK, function, words, n, 1);
    return;
  }
  for (uint32_t i = 0; i < n; i++) last[i] = given[i];
  called.function = function;
}

void wd_log_unwound(const void *function) {
  unsigned char *p = wd_event(16);
  if (p) wd_event_end(wd_uleb(p, (uintptr_t)function), WD_MORE, WD_MORE_UNWOUND);
}

void wd_log_fault(int signal, uintptr_t address) {
  wd_log_announce();
  unsigned char *p = wd_event(24);
  if (p) wd_event_end(wd_uleb(wd_uleb(p, (unsigned)signal), address), WD_FAULT, 0);
}

void wd_log_more_bytes(unsigned what, const void *bytes, uint64_t n) {
  unsigned char *p = wd_event(16 + n);
  if (!p) return;
  p = wd_uleb(p, n);
  wd_move(p, bytes, n);
  wd_event_end(p + n, WD_MORE, what);
}

void wd_log_output(int fd, const char *from, uint64_t n) {
  while (n) {
    uint64_t piece = n < WD_PIECE ? n : WD_PIECE;
    unsigned char *p = wd_event(24 + piece);
    if (!p) return;
    p = wd_uleb(wd_uleb(p, (unsigned)fd), piece);
    wd_move(p, from, piece);
    wd_event_end(p + piece, WD_MORE, WD_MORE_OUTPUT);
    from += piece;
    n -= piece;
  }
}

void wd_log_zero(const void *memory, uint64_t n) {
  if (!n) return;
  unsigned char *p = wd_event(24);
  if (p) wd_event_end(wd_uleb(wd_uleb(p, (uintptr_t)memory), n), WD_MORE, WD_MORE_ZERO);
  wd_shadow_zero(memory, n);
}
