/* Functions that wait for other threads or for the world: they let go of the baton meanwhile (threads.c). They take the place of
 * the C library's for captured and external code alike.
 */
#ifndef WD_STATIC
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "threads.h"

/* A thread that is cancelled runs its clean-ups, which may be captured code, with the baton. */
static void back(void *nothing) {
  (void)nothing;
  wd_take();
}

/* Around the real call. */
#define AWAY(r, call)            \
  do {                           \
    wd_give();                   \
    pthread_cleanup_push(back, 0); \
    r = (call);                  \
    pthread_cleanup_pop(0);      \
    int error = errno;           \
    wd_take();                   \
    errno = error;               \
  } while (0)

static void *find(const char *name) {
  /* There are older condition variables of the same names. */
  void *found = wd_text_length(name) > 13 && name[8] == 'c' && name[9] == 'o' ? dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2") : 0;
  if (!found) found = dlsym(RTLD_NEXT, name);
  if (!found) wd_refuse(WD_STOP_THREAD, "the C library lacks a function that programs call: ", name);
  return found;
}
#define REAL(name)                                               \
  static __typeof__(&name) real;                                 \
  if (wd_unlikely(!real)) real = (__typeof__(&name))find(#name)

/* `quick` may have the result without waiting; then it ends the function. */
#define WAITS(type, name, params, args, quick) \
  WD_EXPORT type name params {                 \
    REAL(name);                                \
    if (!wd_may_give()) return real args;      \
    quick;                                     \
    type r;                                    \
    AWAY(r, real args);                        \
    return r;                                  \
  }
#define NOTHING (void)0
/* Whoever has a lock may only wait for the baton. Were it not left to him first, but waited for in the C library, the lock would
   go over to a thread without the baton with each unlocking, and each locking would find it taken. */
#define PASSES 3
#define TRY(call, busy)                                    \
  for (int passed = 0;; passed++) {                        \
    int tried = call;                                      \
    if (tried != busy) return tried;                       \
    if (passed == PASSES || !wd_pass()) break;             \
  }

/* ---- Locks ---- */
WAITS(int, pthread_mutex_lock, (pthread_mutex_t * m), (m), TRY(pthread_mutex_trylock(m), EBUSY))
WAITS(int, pthread_mutex_timedlock, (pthread_mutex_t * m, const struct timespec *t), (m, t), TRY(pthread_mutex_trylock(m), EBUSY))
WAITS(int, pthread_mutex_clocklock, (pthread_mutex_t * m, clockid_t c, const struct timespec *t), (m, c, t),
      TRY(pthread_mutex_trylock(m), EBUSY))
WAITS(int, pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l), TRY(pthread_rwlock_tryrdlock(l), EBUSY))
WAITS(int, pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l), TRY(pthread_rwlock_trywrlock(l), EBUSY))
WAITS(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, const struct timespec *t), (l, t), TRY(pthread_rwlock_tryrdlock(l), EBUSY))
WAITS(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t * l, const struct timespec *t), (l, t), TRY(pthread_rwlock_trywrlock(l), EBUSY))
WAITS(int, pthread_rwlock_clockrdlock, (pthread_rwlock_t * l, clockid_t c, const struct timespec *t), (l, c, t),
      TRY(pthread_rwlock_tryrdlock(l), EBUSY))
WAITS(int, pthread_rwlock_clockwrlock, (pthread_rwlock_t * l, clockid_t c, const struct timespec *t), (l, c, t),
      TRY(pthread_rwlock_trywrlock(l), EBUSY))
WAITS(int, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m), NOTHING)
WAITS(int, pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t *m, const struct timespec *t), (c, m, t), NOTHING)
WAITS(int, pthread_cond_clockwait, (pthread_cond_t * c, pthread_mutex_t *m, clockid_t k, const struct timespec *t), (c, m, k, t), NOTHING)
WAITS(int, pthread_barrier_wait, (pthread_barrier_t * b), (b), NOTHING)
WAITS(int, pthread_join, (pthread_t t, void **result), (t, result), NOTHING)
WAITS(int, pthread_timedjoin_np, (pthread_t t, void **result, const struct timespec *until), (t, result, until), NOTHING)
WAITS(int, pthread_clockjoin_np, (pthread_t t, void **result, clockid_t c, const struct timespec *until), (t, result, c, until), NOTHING)
#define TRY_SEMAPHORE if (!sem_trywait(s)) return 0
WAITS(int, sem_wait, (sem_t * s), (s), TRY_SEMAPHORE)
WAITS(int, sem_timedwait, (sem_t * s, const struct timespec *t), (s, t), TRY_SEMAPHORE)
WAITS(int, sem_clockwait, (sem_t * s, clockid_t c, const struct timespec *t), (s, c, t), TRY_SEMAPHORE)
WAITS(int, mtx_lock, (mtx_t * m), (m), TRY(mtx_trylock(m), thrd_busy))
WAITS(int, mtx_timedlock, (mtx_t * m, const struct timespec *t), (m, t), TRY(mtx_trylock(m), thrd_busy))
WAITS(int, cnd_wait, (cnd_t * c, mtx_t *m), (c, m), NOTHING)
WAITS(int, cnd_timedwait, (cnd_t * c, mtx_t *m, const struct timespec *t), (c, m, t), NOTHING)
WAITS(int, thrd_join, (thrd_t t, int *result), (t, result), NOTHING)

/* Whoever has the lock must come to run. */
WD_EXPORT int pthread_spin_lock(pthread_spinlock_t *l) {
  REAL(pthread_spin_lock);
  if (!wd_may_give()) return real(l);
  int r;
  while ((r = pthread_spin_trylock(l)) == EBUSY) {
    wd_pass();
    WD_SYS0(sched_yield);
  }
  return r;
}

/* Somebody who only looks whether a lock is free must not keep its owner from running. */
#define LOOKS(name, type, busy)             \
  WD_EXPORT int name(type *l) {             \
    REAL(name);                             \
    int r = real(l);                        \
    if (r == busy && wd_may_give()) wd_pass(); \
    return r;                               \
  }
LOOKS(pthread_spin_trylock, volatile pthread_spinlock_t, EBUSY)

/* ---- Time ---- */
WAITS(int, nanosleep, (const struct timespec *t, struct timespec *left), (t, left), NOTHING)
WAITS(int, clock_nanosleep, (clockid_t c, int flags, const struct timespec *t, struct timespec *left), (c, flags, t, left), NOTHING)
WAITS(unsigned, sleep, (unsigned n), (n), NOTHING)
WAITS(int, usleep, (useconds_t n), (n), NOTHING)
WAITS(int, thrd_sleep, (const struct timespec *t, struct timespec *left), (t, left), NOTHING)
WAITS(int, pause, (void), (), NOTHING)

static void yield(void) {
  wd_pass();
  WD_SYS0(sched_yield);
}
WD_EXPORT int sched_yield(void) {
  if (wd_may_give()) yield();
  else WD_SYS0(sched_yield);
  return 0;
}
WD_EXPORT void thrd_yield(void) { sched_yield(); }

/* ---- Descriptors: the baton stays where the call need not wait ---- */

static int ready(int fd, short what) {
  struct pollfd p = {fd, what, 0};
  return WD_SYS3(poll, &p, 1, 0) != 0;
}
#define READY_TO_READ if (ready(fd, POLLIN)) return real
/* More than a pipe takes at once may have to wait for its reader. */
#define SMALL 4096
#define READY_TO_WRITE(n) if ((n) <= SMALL && ready(fd, POLLOUT)) return real

WAITS(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), READY_TO_READ(fd, to, n))
WAITS(ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n), READY_TO_READ(fd, v, n))
WAITS(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), READY_TO_WRITE(n)(fd, p, n))
WAITS(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), NOTHING)
WAITS(ssize_t, recv, (int fd, void *to, size_t n, int flags), (fd, to, n, flags), if (!(flags & MSG_WAITALL)) READY_TO_READ(fd, to, n, flags))
WAITS(ssize_t, recvmsg, (int fd, struct msghdr *to, int flags), (fd, to, flags), if (!(flags & MSG_WAITALL)) READY_TO_READ(fd, to, flags))
WAITS(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags), READY_TO_WRITE(n)(fd, p, n, flags))
WAITS(ssize_t, sendmsg, (int fd, const struct msghdr *p, int flags), (fd, p, flags), NOTHING)
WD_EXPORT ssize_t recvfrom(int fd, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *length) {
  REAL(recvfrom);
  if (!wd_may_give() || (!(flags & MSG_WAITALL) && ready(fd, POLLIN))) return real(fd, to, n, flags, from, length);
  ssize_t r;
  AWAY(r, real(fd, to, n, flags, from, length));
  return r;
}
WD_EXPORT ssize_t sendto(int fd, const void *p, size_t n, int flags, const struct sockaddr *to, socklen_t length) {
  REAL(sendto);
  if (!wd_may_give() || (n <= SMALL && ready(fd, POLLOUT))) return real(fd, p, n, flags, to, length);
  ssize_t r;
  AWAY(r, real(fd, p, n, flags, to, length));
  return r;
}
WD_EXPORT int accept(int fd, struct sockaddr *from, socklen_t *length) {
  REAL(accept);
  if (!wd_may_give() || ready(fd, POLLIN)) return real(fd, from, length);
  int r;
  AWAY(r, real(fd, from, length));
  return r;
}
WD_EXPORT int accept4(int fd, struct sockaddr *from, socklen_t *length, int flags) {
  REAL(accept4);
  if (!wd_may_give() || ready(fd, POLLIN)) return real(fd, from, length, flags);
  int r;
  AWAY(r, real(fd, from, length, flags));
  return r;
}
WD_EXPORT int connect(int fd, const struct sockaddr *to, socklen_t length) {
  REAL(connect);
  if (!wd_may_give()) return real(fd, to, length);
  int r;
  AWAY(r, real(fd, to, length));
  return r;
}
WAITS(int, poll, (struct pollfd * fds, nfds_t n, int timeout), (fds, n, timeout), if (!timeout) return real(fds, n, timeout))
WAITS(int, ppoll, (struct pollfd * fds, nfds_t n, const struct timespec *t, const sigset_t *mask), (fds, n, t, mask), NOTHING)
WAITS(int, select, (int n, fd_set *r_, fd_set *w, fd_set *e, struct timeval *t), (n, r_, w, e, t), NOTHING)
WAITS(int, pselect, (int n, fd_set *r_, fd_set *w, fd_set *e, const struct timespec *t, const sigset_t *mask), (n, r_, w, e, t, mask), NOTHING)
WAITS(int, epoll_wait, (int fd, struct epoll_event *to, int n, int timeout), (fd, to, n, timeout), if (!timeout) return real(fd, to, n, timeout))
WAITS(int, epoll_pwait, (int fd, struct epoll_event *to, int n, int timeout, const sigset_t *mask), (fd, to, n, timeout, mask), NOTHING)
WAITS(int, flock, (int fd, int how), (fd, how), NOTHING)
WAITS(int, lockf, (int fd, int command, off_t n), (fd, command, n), NOTHING)

/* ---- Processes and signals ---- */
WAITS(pid_t, wait, (int *status), (status), NOTHING)
WAITS(pid_t, waitpid, (pid_t pid, int *status, int flags), (pid, status, flags), if (flags & WNOHANG) return real(pid, status, flags))
WAITS(pid_t, wait3, (int *status, int flags, struct rusage *u), (status, flags, u), NOTHING)
WAITS(pid_t, wait4, (pid_t pid, int *status, int flags, struct rusage *u), (pid, status, flags, u), NOTHING)
WAITS(int, waitid, (idtype_t type, id_t id, siginfo_t *to, int flags), (type, id, to, flags), NOTHING)
WAITS(int, sigwait, (const sigset_t *set, int *sig), (set, sig), NOTHING)
WAITS(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info), NOTHING)
WAITS(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *t), (set, info, t), NOTHING)
WAITS(int, sigsuspend, (const sigset_t *set), (set), NOTHING)

/* ---- System calls by number: locks that are made of them (Rust's standard library, C++'s atomic waiting) ---- */
static int waits(long n, long operation) {
  switch (n) {
    case SYS_futex: {
      int op = (int)operation & 127;
      return op == 0 /* WAIT */ || op == 9 /* WAIT_BITSET */ || op == 6 /* LOCK_PI */ || op == 11 || op == 13;
    }
    case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_read: case SYS_poll: case SYS_ppoll: case SYS_epoll_wait:
    case SYS_epoll_pwait: case SYS_wait4: case SYS_waitid: case SYS_select: case SYS_pselect6: case SYS_sched_yield:
    case SYS_accept: case SYS_accept4: case SYS_recvfrom: case SYS_recvmsg: case SYS_rt_sigtimedwait: case SYS_pause:
    case 449 /* futex_waitv */:
      return 1;
    default:
      return 0;
  }
}
WD_EXPORT long syscall(long n, ...) {
  REAL(syscall);
  va_list list;
  va_start(list, n);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (!wd_may_give() || !waits(n, b)) return real(n, a, b, c, d, e, f);
  long r;
  AWAY(r, real(n, a, b, c, d, e, f));
  return r;
}
#endif
