/* Wrappers: descriptors, files and folders. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>
#include <utime.h>

#include "wrap.h"

/* ---- Opening ---- */
#define OPEN(name)                                           \
  int WD_W(name)(WD_M, const char *path, int flags, ...) {   \
    va_list args;                                            \
    va_start(args, flags);                                   \
    int mode = va_arg(args, int);                            \
    va_end(args);                                            \
    wd_check_string(WD_G, path);                             \
    int r;                                                   \
    WD_CALL_LONG(r, name(path, flags, mode));                \
    wd_log_ret_int(WD_G, (uint64_t)r);                       \
    return r;                                                \
  }
OPEN(open)
OPEN(open64)
#define OPENAT(name)                                              \
  int WD_W(name)(WD_M, int at, const char *path, int flags, ...) { \
    va_list args;                                                 \
    va_start(args, flags);                                        \
    int mode = va_arg(args, int);                                 \
    va_end(args);                                                 \
    wd_check_string(WD_G, path);                                  \
    int r;                                                        \
    WD_CALL_LONG(r, name(at, path, flags, mode));                 \
    wd_log_ret_int(WD_G, (uint64_t)r);                            \
    return r;                                                     \
  }
OPENAT(openat)
OPENAT(openat64)
W(int, creat, (WD_M, const char *path, mode_t mode), (path, mode), STR(path), NONE)
WL(int, close, (WD_M, int fd), (fd), NONE, NONE)
W(int, dup, (WD_M, int fd), (fd), NONE, NONE)
W(int, dup2, (WD_M, int fd, int to), (fd, to), NONE, NONE)
W(int, dup3, (WD_M, int fd, int to, int flags), (fd, to, flags), NONE, NONE)
W(int, pipe, (WD_M, int fds[2]), (fds), NONE, WRITES_IF(!r, fds, 8))
W(int, pipe2, (WD_M, int fds[2], int flags), (fds, flags), NONE, WRITES_IF(!r, fds, 8))
W(int, isatty, (WD_M, int fd), (fd), NONE, NONE)
W(off_t, lseek, (WD_M, int fd, off_t at, int from), (fd, at, from), NONE, NONE)
W(off64_t, lseek64, (WD_M, int fd, off64_t at, int from), (fd, at, from), NONE, NONE)
WL(int, fsync, (WD_M, int fd), (fd), NONE, NONE)
WL(int, fdatasync, (WD_M, int fd), (fd), NONE, NONE)
W(int, ftruncate, (WD_M, int fd, off_t n), (fd, n), NONE, NONE)
W(int, ftruncate64, (WD_M, int fd, off64_t n), (fd, n), NONE, NONE)
W(int, truncate, (WD_M, const char *path, off_t n), (path, n), STR(path), NONE)

/* The third argument is a number or a struct flock. */
#define FCNTL(name)                                                                     \
  int WD_W(name)(WD_M, int fd, int command, ...) {                                      \
    va_list args;                                                                       \
    va_start(args, command);                                                            \
    void *p = va_arg(args, void *);                                                     \
    va_end(args);                                                                       \
    int lock = command == F_GETLK || command == F_SETLK || command == F_SETLKW ||       \
               command == F_OFD_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW; \
    if (lock) wd_check(WD_G, p, sizeof(struct flock));                                  \
    int r;                                                                              \
    WD_CALL_LONG(r, name(fd, command, p));                                              \
    if (!r && (command == F_GETLK || command == F_OFD_GETLK)) wd_log_write(p, sizeof(struct flock)); \
    wd_log_ret_int(WD_G, (uint64_t)r);                                                  \
    return r;                                                                           \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

/* ---- Reading and writing ---- */
WL(ssize_t, read, (WD_M, int fd, void *to, size_t n), (fd, to, n), NONE, WRITES_IF(r > 0, to, (size_t)r))
WL(ssize_t, pread, (WD_M, int fd, void *to, size_t n, off_t at), (fd, to, n, at), NONE, WRITES_IF(r > 0, to, (size_t)r))
WL(ssize_t, pread64, (WD_M, int fd, void *to, size_t n, off64_t at), (fd, to, n, at), NONE, WRITES_IF(r > 0, to, (size_t)r))
WL(ssize_t, write, (WD_M, int fd, const void *p, size_t n), (fd, p, n), wd_check(g, p, n), NONE)
WL(ssize_t, pwrite, (WD_M, int fd, const void *p, size_t n, off_t at), (fd, p, n, at), wd_check(g, p, n), NONE)
WL(ssize_t, pwrite64, (WD_M, int fd, const void *p, size_t n, off64_t at), (fd, p, n, at), wd_check(g, p, n), NONE)

static void check_vector(uint32_t g, const struct iovec *v, int n, int contents) {
  if (n <= 0 || n > IOV_MAX) return;
  wd_check(g, v, (size_t)n * sizeof *v);
  for (int i = 0; contents && i < n; i++) wd_check(g, v[i].iov_base, v[i].iov_len);
}
static void log_vector(const struct iovec *v, size_t n, ssize_t bytes) {
  for (size_t i = 0; i < n && bytes > 0; i++) {
    size_t piece = (size_t)bytes < v[i].iov_len ? (size_t)bytes : v[i].iov_len;
    wd_log_write(v[i].iov_base, piece);
    bytes -= (ssize_t)piece;
  }
}
WL(ssize_t, readv, (WD_M, int fd, const struct iovec *v, int n), (fd, v, n), check_vector(g, v, n, 0),
   log_vector(v, (size_t)n, r))
WL(ssize_t, preadv, (WD_M, int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at), check_vector(g, v, n, 0),
   log_vector(v, (size_t)n, r))
WL(ssize_t, writev, (WD_M, int fd, const struct iovec *v, int n), (fd, v, n), check_vector(g, v, n, 1), NONE)
WL(ssize_t, pwritev, (WD_M, int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at), check_vector(g, v, n, 1), NONE)

/* ---- Sockets ---- */
WL(ssize_t, send, (WD_M, int fd, const void *p, size_t n, int flags), (fd, p, n, flags), wd_check(g, p, n), NONE)
WL(ssize_t, recv, (WD_M, int fd, void *to, size_t n, int flags), (fd, to, n, flags), NONE,
   WRITES_IF(r > 0, to, (size_t)r < n ? (size_t)r : n))
WL(ssize_t, sendto, (WD_M, int fd, const void *p, size_t n, int flags, const struct sockaddr *to, socklen_t bytes),
   (fd, p, n, flags, to, bytes), wd_check(g, p, n); READS(to, bytes), NONE)

/* The kernel stores the address's full size, but writes no more than there was room for. */
static socklen_t room_for(uint32_t g, const socklen_t *n) {
  if (!n) return 0;
  wd_check(g, n, sizeof *n);
  return *n;
}
static void log_address(void *address, socklen_t *n, socklen_t room) {
  if (!n) return;
  wd_log_write(n, sizeof *n);
  if (address) wd_log_write(address, *n < room ? *n : room);
}
WL(ssize_t, recvfrom, (WD_M, int fd, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *bytes),
   (fd, to, n, flags, from, bytes), socklen_t room = room_for(g, bytes),
   if (r >= 0) { wd_log_write(to, (size_t)r < n ? (size_t)r : n); log_address(from, bytes, room); })
WL(int, accept, (WD_M, int fd, struct sockaddr *from, socklen_t *bytes), (fd, from, bytes),
   socklen_t room = room_for(g, bytes), if (r >= 0) log_address(from, bytes, room))
W(int, getsockname, (WD_M, int fd, struct sockaddr *to, socklen_t *bytes), (fd, to, bytes),
  socklen_t room = room_for(g, bytes), if (!r) log_address(to, bytes, room))
W(int, getpeername, (WD_M, int fd, struct sockaddr *to, socklen_t *bytes), (fd, to, bytes),
  socklen_t room = room_for(g, bytes), if (!r) log_address(to, bytes, room))
W(int, getsockopt, (WD_M, int fd, int level, int name, void *to, socklen_t *bytes), (fd, level, name, to, bytes),
  socklen_t room = room_for(g, bytes), if (!r) log_address(to, bytes, room))
W(int, setsockopt, (WD_M, int fd, int level, int name, const void *p, socklen_t n), (fd, level, name, p, n), READS(p, n), NONE)
W(int, socket, (WD_M, int domain, int type, int protocol), (domain, type, protocol), NONE, NONE)
W(int, socketpair, (WD_M, int domain, int type, int protocol, int fds[2]), (domain, type, protocol, fds), NONE,
  WRITES_IF(!r, fds, 8))
W(int, bind, (WD_M, int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), READS(to, n), NONE)
WL(int, connect, (WD_M, int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), READS(to, n), NONE)
W(int, listen, (WD_M, int fd, int n), (fd, n), NONE, NONE)
W(int, shutdown, (WD_M, int fd, int how), (fd, how), NONE, NONE)

/* ---- Waiting ---- */
static size_t set_bytes(int n) { return n > 0 ? ((size_t)n + 63) / 64 * 8 : 0; }
WL(int, select, (WD_M, int n, fd_set *a, fd_set *b, fd_set *c, struct timeval *t), (n, a, b, c, t),
   size_t bytes = set_bytes(n); READS(a, bytes); READS(b, bytes); READS(c, bytes); READS(t, sizeof *t),
   WRITES(a, bytes); WRITES(b, bytes); WRITES(c, bytes); WRITES(t, sizeof *t))
WL(int, poll, (WD_M, struct pollfd *p, nfds_t n, int timeout), (p, n, timeout), wd_check(g, p, n * sizeof *p),
   wd_log_write(p, n * sizeof *p))

/* ---- Metadata ---- */
W(int, stat, (WD_M, const char *path, struct stat *to), (path, to), STR(path), WRITES_IF(!r, to, sizeof *to))
W(int, lstat, (WD_M, const char *path, struct stat *to), (path, to), STR(path), WRITES_IF(!r, to, sizeof *to))
W(int, fstat, (WD_M, int fd, struct stat *to), (fd, to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, fstatat, (WD_M, int fd, const char *path, struct stat *to, int flags), (fd, path, to, flags), STR(path),
  WRITES_IF(!r, to, sizeof *to))
W(int, stat64, (WD_M, const char *path, struct stat64 *to), (path, to), STR(path), WRITES_IF(!r, to, sizeof *to))
W(int, lstat64, (WD_M, const char *path, struct stat64 *to), (path, to), STR(path), WRITES_IF(!r, to, sizeof *to))
W(int, fstat64, (WD_M, int fd, struct stat64 *to), (fd, to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, fstatat64, (WD_M, int fd, const char *path, struct stat64 *to, int flags), (fd, path, to, flags), STR(path),
  WRITES_IF(!r, to, sizeof *to))
W(int, statfs, (WD_M, const char *path, struct statfs *to), (path, to), STR(path), WRITES_IF(!r, to, sizeof *to))
W(int, fstatfs, (WD_M, int fd, struct statfs *to), (fd, to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, statvfs, (WD_M, const char *path, struct statvfs *to), (path, to), STR(path), WRITES_IF(!r, to, sizeof *to))
W(int, fstatvfs, (WD_M, int fd, struct statvfs *to), (fd, to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, access, (WD_M, const char *path, int mode), (path, mode), STR(path), NONE)
W(int, faccessat, (WD_M, int fd, const char *path, int mode, int flags), (fd, path, mode, flags), STR(path), NONE)
W(int, eaccess, (WD_M, const char *path, int mode), (path, mode), STR(path), NONE)
W(int, chmod, (WD_M, const char *path, mode_t mode), (path, mode), STR(path), NONE)
W(int, fchmod, (WD_M, int fd, mode_t mode), (fd, mode), NONE, NONE)
W(int, chown, (WD_M, const char *path, uid_t u, gid_t o), (path, u, o), STR(path), NONE)
W(int, lchown, (WD_M, const char *path, uid_t u, gid_t o), (path, u, o), STR(path), NONE)
W(int, fchown, (WD_M, int fd, uid_t u, gid_t o), (fd, u, o), NONE, NONE)
W(mode_t, umask, (WD_M, mode_t mode), (mode), NONE, NONE)
W(int, utime, (WD_M, const char *path, const struct utimbuf *t), (path, t), STR(path); READS(t, sizeof *t), NONE)
W(int, utimes, (WD_M, const char *path, const struct timeval t[2]), (path, t), STR(path); READS(t, 2 * sizeof *t), NONE)
W(int, utimensat, (WD_M, int fd, const char *path, const struct timespec t[2], int flags), (fd, path, t, flags),
  STR(path); READS(t, 2 * sizeof *t), NONE)
W(int, futimens, (WD_M, int fd, const struct timespec t[2]), (fd, t), READS(t, 2 * sizeof *t), NONE)

/* ---- Names ---- */
W(int, unlink, (WD_M, const char *path), (path), STR(path), NONE)
W(int, unlinkat, (WD_M, int fd, const char *path, int flags), (fd, path, flags), STR(path), NONE)
W(int, link, (WD_M, const char *from, const char *to), (from, to), STR(from); STR(to), NONE)
W(int, symlink, (WD_M, const char *from, const char *to), (from, to), STR(from); STR(to), NONE)
W(int, mkdir, (WD_M, const char *path, mode_t mode), (path, mode), STR(path), NONE)
W(int, mkfifo, (WD_M, const char *path, mode_t mode), (path, mode), STR(path), NONE)
W(int, rmdir, (WD_M, const char *path), (path), STR(path), NONE)
W(int, chdir, (WD_M, const char *path), (path), STR(path), NONE)
W(int, fchdir, (WD_M, int fd), (fd), NONE, NONE)
W(char *, getcwd, (WD_M, char *to, size_t n), (to, n), NONE, wd_log_write_string(r))
W(char *, realpath, (WD_M, const char *path, char *to), (path, to), STR(path), wd_log_write_string(r))
W(ssize_t, readlink, (WD_M, const char *path, char *to, size_t n), (path, to, n), STR(path), WRITES_IF(r > 0, to, (size_t)r))
W(ssize_t, readlinkat, (WD_M, int fd, const char *path, char *to, size_t n), (fd, path, to, n), STR(path),
  WRITES_IF(r > 0, to, (size_t)r))
W(int, mkstemp, (WD_M, char *name), (name), STR(name), wd_log_write_string(name))
W(int, mkstemp64, (WD_M, char *name), (name), STR(name), wd_log_write_string(name))
W(int, mkstemps, (WD_M, char *name, int n), (name, n), STR(name), wd_log_write_string(name))
W(int, mkostemp, (WD_M, char *name, int flags), (name, flags), STR(name), wd_log_write_string(name))
W(char *, mkdtemp, (WD_M, char *name), (name), STR(name), wd_log_write_string(name))
char *mktemp(char *);
W(char *, mktemp, (WD_M, char *name), (name), STR(name), wd_log_write_string(name))
W(char *, ttyname, (WD_M, int fd), (fd), NONE, wd_log_changed_string(r))
W(int, gethostname, (WD_M, char *to, size_t n), (to, n), NONE, if (!r) wd_log_changed(to, n))

/* ---- Folders ---- */
W(DIR *, opendir, (WD_M, const char *path), (path), STR(path), NONE)
W(DIR *, fdopendir, (WD_M, int fd), (fd), NONE, NONE)
W(struct dirent *, readdir, (WD_M, DIR *d), (d), NONE, WRITES_IF(r, r, r->d_reclen))
W(struct dirent64 *, readdir64, (WD_M, DIR *d), (d), NONE, WRITES_IF(r, r, r->d_reclen))
W(int, closedir, (WD_M, DIR *d), (d), NONE, NONE)
W(int, dirfd, (WD_M, DIR *d), (d), NONE, NONE)
W_VOID(rewinddir, (WD_M, DIR *d), (d), NONE, NONE)

/* ---- System ---- */
W(int, uname, (WD_M, struct utsname *to), (to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, getrusage, (WD_M, int who, struct rusage *to), (who, to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, getrlimit, (WD_M, int what, struct rlimit *to), (what, to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, setrlimit, (WD_M, int what, const struct rlimit *p), (what, p), READS(p, sizeof *p), NONE)
W(int, tcgetattr, (WD_M, int fd, struct termios *to), (fd, to), NONE, WRITES_IF(!r, to, sizeof *to))
W(int, tcsetattr, (WD_M, int fd, int how, const struct termios *p), (fd, how, p), READS(p, sizeof *p), NONE)
W(int, getgroups, (WD_M, int n, gid_t *to), (n, to), NONE, WRITES_IF(r > 0 && n > 0, to, (size_t)r * sizeof *to))
