/* Wrappers: fork, exec, waiting, ends, threads, libraries; and what the runtime does in a fork child. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "threads.h"
#include "wrap.h"

extern char **environ;

/* ---- Fork ---- */

/* The control pages as they are at the fork: the parent goes on using those that both see. */
static _Alignas(16) unsigned char snapshot[2 * WD_PAGE];

void wd_fork_prepare(void) { wd_move(snapshot, (const void *)WD_COUNTER_PAGE, sizeof snapshot); }

/* In the child, before anything else runs there: own control pages, own folder. */
void wd_fork_child(void) {
  if (!wd_folder[0]) { /* private pages have been copied */
    wd_threads_child();
    return;
  }
  static char parent[sizeof wd_folder_name];
  uint64_t parent_bytes = wd_log.number * WD_LOG_CHUNK + (uint64_t)(wd_log.at - wd_log.chunk);
  int recording = wd_log.chunk && !wd_log.dead;
  wd_move(parent, wd_folder_name, sizeof parent);
  wd_log_abandon();
  WD_SYS6(mmap, WD_COUNTER_PAGE, 2 * WD_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  wd_move((void *)WD_COUNTER_PAGE, snapshot, sizeof snapshot);
  WD_CONTROL->flags |= WD_FLAG_FORK_CHILD;
  WD_CONTROL->flags &= ~(uint32_t)(WD_FLAG_FINISHED | WD_FLAG_EXEC);
  WD_CONTROL->main_tid = (uint64_t)WD_SYS0(gettid);
  wd_signals_child();
  wd_threads_child();
  if (!recording) {
    wd_folder[0] = 0;
    return;
  }
  if (wd_folder_make()) {
    wd_folder_head(parent, parent_bytes);
    if (!(WD_CONTROL->flags & WD_FLAG_STOPPED)) wd_log_open();
  } else {
    wd_folder[0] = 0;
  }
}

void wd_process_start(void) { pthread_atfork(wd_fork_prepare, 0, wd_fork_child); }

static pid_t forked(uint32_t g, pid_t (*how)(void), int handlers) {
  wd_external();
  uint64_t mask = wd_signals_block();
  if (!handlers) wd_fork_prepare();
  pid_t r = how();
  if (!handlers && r == 0) wd_fork_child();
  wd_signals_restore(mask);
  wd_internal();
  wd_log_ret_int(g, (uint64_t)r);
  return r;
}
pid_t WD_W(fork)(WD_M) { return forked(WD_G, fork, 1); }
/* The child of vfork would run on the parent's recording. */
pid_t WD_W(vfork)(WD_M) { return forked(WD_G, fork, 1); }
pid_t WD_W(_Fork)(WD_M) { return forked(WD_G, _Fork, 0); }

/* ---- Exec ---- */

static void check_list(uint32_t g, char *const *list) {
  for (; list; list++) {
    wd_check(g, list, sizeof *list);
    if (!*list) return;
    wd_check_string(g, *list);
  }
}
static void exec_begins(void) { wd_finish(WD_FLAG_EXEC); }
static void exec_failed(void) {
  WD_CONTROL->flags &= ~(uint32_t)WD_FLAG_EXEC;
  wd_threads_reopen();
}

W(int, execv, (WD_M, const char *path, char *const *argv), (path, argv), STR(path); check_list(g, argv); exec_begins(), exec_failed())
W(int, execvp, (WD_M, const char *path, char *const *argv), (path, argv), STR(path); check_list(g, argv); exec_begins(),
  exec_failed())
W(int, execve, (WD_M, const char *path, char *const *argv, char *const *envp), (path, argv, envp),
  STR(path); check_list(g, argv); check_list(g, envp); exec_begins(), exec_failed())
W(int, execvpe, (WD_M, const char *path, char *const *argv, char *const *envp), (path, argv, envp),
  STR(path); check_list(g, argv); check_list(g, envp); exec_begins(), exec_failed())
W(int, fexecve, (WD_M, int fd, char *const *argv, char *const *envp), (fd, argv, envp),
  check_list(g, argv); check_list(g, envp); exec_begins(), exec_failed())

/* The arguments of execl and its like as an array. */
#define EXECL(name, before, call)                                  \
  int WD_W(name)(WD_M, const char *path, const char *first, ...) { \
    uint32_t g = WD_G;                                             \
    va_list args;                                                  \
    size_t n = 1;                                                  \
    va_start(args, first);                                         \
    if (first)                                                     \
      while (va_arg(args, char *)) n++;                            \
    va_end(args);                                                  \
    char *argv[n + 1];                                             \
    va_start(args, first);                                         \
    argv[0] = (char *)first;                                       \
    for (size_t i = 1; first && i <= n; i++) argv[i] = va_arg(args, char *); \
    argv[first ? n : 0] = 0;                                       \
    before;                                                        \
    va_end(args);                                                  \
    STR(path);                                                     \
    for (size_t i = 0; argv[i]; i++) STR(argv[i]);                 \
    exec_begins();                                                 \
    int r;                                                         \
    WD_CALL(r, call);                                              \
    exec_failed();                                                 \
    wd_log_ret_int(g, (uint64_t)r);                                \
    return r;                                                      \
  }
EXECL(execl, NONE, execv(path, argv))
EXECL(execlp, NONE, execvp(path, argv))
EXECL(execle, char *const *envp = va_arg(args, char *const *); check_list(g, envp), execve(path, argv, envp))

#define SPAWN(name)                                                                                            \
  WL(int, name, (WD_M, pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,                \
                 const posix_spawnattr_t *attributes, char *const *argv, char *const *envp),                   \
     (pid, path, actions, attributes, argv, envp), STR(path); check_list(g, argv); check_list(g, envp),        \
     WRITES_IF(!r, pid, sizeof *pid))
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

WL(int, system, (WD_M, const char *command), (command), STR(command), NONE)

/* ---- Waiting ---- */
WL(pid_t, wait, (WD_M, int *status), (status), NONE, WRITES_IF(r > 0, status, 4))
WL(pid_t, waitpid, (WD_M, pid_t pid, int *status, int flags), (pid, status, flags), NONE, WRITES_IF(r > 0, status, 4))
WL(pid_t, wait3, (WD_M, int *status, int flags, struct rusage *u), (status, flags, u), NONE,
   WRITES_IF(r > 0, status, 4); WRITES_IF(r > 0, u, sizeof *u))
WL(pid_t, wait4, (WD_M, pid_t pid, int *status, int flags, struct rusage *u), (pid, status, flags, u), NONE,
   WRITES_IF(r > 0, status, 4); WRITES_IF(r > 0, u, sizeof *u))
WL(int, waitid, (WD_M, idtype_t type, id_t id, siginfo_t *to, int flags), (type, id, to, flags), NONE,
   if (!r && to) wd_log_changed(to, sizeof *to))

/* ---- Ends ---- */
_Noreturn void WD_W(_exit)(WD_M, int status) {
  (void)m, (void)site;
  wd_external();
  wd_finish(WD_FLAG_FINISHED);
  _exit(status);
}
_Noreturn void WD_W(_Exit)(WD_M, int status) { __wd_w__exit(m, site, status); }
_Noreturn void WD_W(exit)(WD_M, int status) {
  (void)m, (void)site;
  wd_external();
  exit(status);
}
_Noreturn void WD_W(quick_exit)(WD_M, int status) {
  (void)m, (void)site;
  wd_external();
  quick_exit(status);
}
_Noreturn void WD_W(abort)(WD_M) {
  (void)m, (void)site;
  wd_external();
  abort();
}

/* ---- Threads (threads.c) ---- */
static void can_start(void) {
#ifdef WD_STATIC
  wd_refuse(WD_STOP_THREAD, "the program starts a second thread; a statically linked program with threads cannot be recorded",
            " (link it dynamically, or run it from the plain build)");
#endif
}
W(int, pthread_create, (WD_M, pthread_t *to, const pthread_attr_t *a, void *(*start)(void *), void *argument),
  (to, a, start, argument), can_start(); READS(a, sizeof *a), WRITES_IF(!r, to, sizeof *to))
W(int, thrd_create, (WD_M, thrd_t *to, thrd_start_t start, void *argument), (to, start, argument), can_start(),
  WRITES_IF(r == thrd_success, to, sizeof *to))
WL(int, pthread_join, (WD_M, pthread_t thread, void **result), (thread, result), NONE, WRITES_IF(!r, result, sizeof *result))
WL(int, thrd_join, (WD_M, thrd_t thread, int *result), (thread, result), NONE, WRITES_IF(r == thrd_success, result, sizeof *result))

/* ---- Stacks that the program makes itself: the emulated stack would not change with them ---- */
static _Noreturn void refuse_stack(void) {
  wd_refuse(WD_STOP_STACK, "the program switches stacks (makecontext, swapcontext), which cannot be recorded", "");
}
void WD_W(makecontext)(WD_M, void *context, void (*start)(void), int n, ...) {
  (void)m, (void)site, (void)context, (void)start, (void)n;
  refuse_stack();
}
int WD_W(swapcontext)(WD_M, void *from, const void *to) {
  (void)m, (void)site, (void)from, (void)to;
  refuse_stack();
}

/* ---- Libraries. dlopen and dlsym look at who calls them, so they have no wrapper. ---- */
int WD_W(dlclose)(WD_M, void *library) {
  int r;
  wd_in_dlclose++;
  WD_CALL(r, dlclose(library));
  wd_in_dlclose--;
  wd_log_ret_int(WD_G, (uint64_t)r);
  return r;
}
W(char *, dlerror, (WD_M), (), NONE, wd_log_changed_string(r))

/* ---- Identity ---- */
#define NUMBER(type, name) W(type, name, (WD_M), (), NONE, NONE)
NUMBER(pid_t, getpid) NUMBER(pid_t, getppid) NUMBER(uid_t, getuid) NUMBER(uid_t, geteuid) NUMBER(gid_t, getgid) NUMBER(gid_t, getegid)
NUMBER(pid_t, getpgrp) NUMBER(pid_t, setsid) NUMBER(pid_t, gettid)
WL(int, kill, (WD_M, pid_t pid, int sig), (pid, sig), NONE, NONE)
WL(int, killpg, (WD_M, pid_t pid, int sig), (pid, sig), NONE, NONE)
WL(int, raise, (WD_M, int sig), (sig), NONE, NONE)
W(long, sysconf, (WD_M, int what), (what), NONE, NONE)
