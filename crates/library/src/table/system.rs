//! The system, processes, threads, signals, time.

use super::{Row, each, row};
use crate::Fails::{AllOnes, ErrorNumber, Negative, Never, NonZero, Null, Zero};
use crate::Reads::{self, Object, Own, Text};
use crate::Size::Argument;
use crate::Source::{Clock, Environment, Random};
use crate::Writes::{self, UpTo};

pub(super) const ROWS: &[Row] = &[
    row("uname", Negative).writes(&[Writes::Object(0)]),
    row("getrusage", Negative).writes(&[Writes::Object(1)]),
    row("getrlimit !getrlimit64", Negative).writes(&[Writes::Object(1)]),
    row("setrlimit !setrlimit64", Negative).reads(&[Object(1)]),
    row("tcgetattr", Negative).writes(&[Writes::Object(1)]),
    row("tcsetattr", Negative).reads(&[Object(2)]),
    row("getgroups !__getgroups_chk", Negative).writes(&[Writes::Object(1)]),
    each("getpid getppid gettid getuid geteuid getgid getegid", Never).from(Environment),
    row("getpgrp", Never),
    row("setsid", Negative),
    row("sysconf !__sysconf", Negative).from(Environment),
    // Time.
    row("time", Negative).writes(&[Writes::Object(0)]).from(Clock),
    row("gettimeofday", Negative).writes(&[Writes::Object(0)]).from(Clock),
    row("clock_gettime !__clock_gettime", Negative).writes(&[Writes::Object(1)]).from(Clock),
    row("clock_getres", Negative).writes(&[Writes::Object(1)]),
    row("timespec_get", Zero).writes(&[Writes::Object(0)]).from(Clock),
    row("times", Negative).writes(&[Writes::Object(0)]).from(Clock),
    row("getitimer", Negative).writes(&[Writes::Object(1)]).from(Clock),
    row("clock", Negative).from(Clock),
    each("!_ZNSt6chrono3_V212system_clock3nowEv !_ZNSt6chrono3_V212steady_clock3nowEv", Never).from(Clock),
    each("difftime tzset sleep alarm ualarm", Never),
    each("usleep pause", Negative),
    each("localtime gmtime", Null).reads(&[Object(0)]).writes(&[Writes::Own]).from(Environment),
    each("localtime_r gmtime_r", Null).reads(&[Object(0)]).writes(&[Writes::Object(1)]).from(Environment),
    each("mktime timegm timelocal", Negative).reads(&[Object(0)]).writes(&[Writes::Object(0)]),
    row("strftime", Zero).reads(&[Text(2), Object(3)]).writes(&[UpTo(0, Argument(1))]),
    each("asctime ctime", Null).reads(&[Object(0)]).writes(&[Writes::Own]),
    each("asctime_r ctime_r", Null).reads(&[Object(0)]).writes(&[Writes::Text(1)]),
    row("nanosleep !__nanosleep", Negative).reads(&[Object(0)]).writes(&[Writes::Object(1)]),
    row("clock_nanosleep", ErrorNumber).reads(&[Object(2)]).writes(&[Writes::Object(3)]),
    row("setitimer", Negative).reads(&[Object(1)]).writes(&[Writes::Object(2)]),
    // Random numbers.
    each("rand random drand48 lrand48", Never).from(Random),
    each("srand srandom srand48", Never),
    row("rand_r", Never).reads(&[Object(0)]).writes(&[Writes::Object(0)]),
    // Processes.
    each("fork vfork _Fork", Negative).calls_back().diverts(),
    row("!__fork", Negative).calls_back().diverts(),
    each("posix_spawn posix_spawnp", ErrorNumber)
        .reads(&[Text(1), Object(2), Object(3), Reads::Texts(4), Reads::Texts(5)])
        .writes(&[Writes::Object(0)])
        .diverts(),
    row("system", Negative).reads(&[Text(0)]).diverts(),
    each("execv execvp", Negative).reads(&[Text(0), Reads::Texts(1)]),
    each("execve execvpe", Negative).reads(&[Text(0), Reads::Texts(1), Reads::Texts(2)]),
    row("fexecve", Negative).reads(&[Reads::Texts(1), Reads::Texts(2)]),
    each("execl execlp execle", Negative).reads(&[Text(0), Text(1)]),
    row("wait", Negative).writes(&[Writes::Object(0)]),
    row("waitpid !__waitpid", Negative).writes(&[Writes::Object(1)]),
    row("wait3", Negative).writes(&[Writes::Object(0), Writes::Object(2)]),
    row("wait4", Negative).writes(&[Writes::Object(1), Writes::Object(3)]),
    row("waitid", Negative).writes(&[Writes::Object(2)]),
    row("dlclose", NonZero).calls_back(),
    row("dlerror", Never).writes(&[Writes::Own]),
    // Threads.
    row("pthread_create", ErrorNumber).reads(&[Object(1)]).writes(&[Writes::Object(0)]).keeps().calls_back(),
    row("thrd_create", NonZero).writes(&[Writes::Object(0)]).keeps().calls_back(),
    row("pthread_join", ErrorNumber).writes(&[Writes::Object(1)]).calls_back(),
    row("thrd_join", NonZero).writes(&[Writes::Object(1)]).calls_back(),
    // Signals.
    each("kill killpg", Negative).calls_back(),
    row("raise", NonZero).calls_back(),
    row("signal bsd_signal ssignal", AllOnes),
    row("sysv_signal __sysv_signal", AllOnes),
    row("sigset", AllOnes),
    row("siginterrupt", Negative),
    row("sigaction !__sigaction", Negative).reads(&[Object(1)]).writes(&[Writes::Object(2)]),
    row("sigaltstack", Negative).reads(&[Object(0)]).writes(&[Writes::Object(1)]).keeps(),
    row("sigprocmask", Negative).reads(&[Object(1)]).writes(&[Writes::Object(2)]).calls_back(),
    row("pthread_sigmask", ErrorNumber).reads(&[Object(1)]).writes(&[Writes::Object(2)]).calls_back(),
    row("sigsuspend", Negative).reads(&[Object(0)]).calls_back(),
    row("sigpending", Negative).writes(&[Writes::Object(0)]),
    row("sigwait", ErrorNumber).reads(&[Object(0)]).writes(&[Writes::Object(1)]),
    row("sigwaitinfo", Negative).reads(&[Object(0)]).writes(&[Writes::Object(1)]),
    row("sigtimedwait", Negative).reads(&[Object(0), Object(2)]).writes(&[Writes::Object(1)]),
    each("sigaddset sigdelset", Negative).reads(&[Object(0)]).writes(&[Writes::Object(0)]),
    each("sigemptyset sigfillset", Negative).writes(&[Writes::Object(0)]),
    row("sigismember", Negative).reads(&[Object(0)]),
    // What is kept to be called at the end.
    each("!atexit !__cxa_atexit !__cxa_thread_atexit !__cxa_thread_atexit_impl", NonZero)
        .writes(&[Writes::Own])
        .keeps(),
    // Variables of C++ that are made when first met; argument 0 is the guard.
    row("!__cxa_guard_acquire", Never).reads(&[Object(0)]).writes(&[Writes::Object(0)]),
    each("!__cxa_guard_release !__cxa_guard_abort", Never).writes(&[Writes::Object(0)]),
    row("!__cxa_allocate_exception", Null).writes(&[Writes::Block, Writes::Own]),
    row("!__cxa_free_exception", Never).writes(&[Writes::Own]),
    row("!__cxa_begin_catch", Never).reads(&[Own]).writes(&[Writes::Own]),
    row("!__cxa_end_catch", Never).reads(&[Own]).writes(&[Writes::Own]).calls_back(),
    row("!__cxa_get_exception_ptr", Never).reads(&[Object(0)]),
];
