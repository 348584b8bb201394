//! The library functions that the runtime knows: for each there is a wrapper `__wd_w_NAME` that does the call and all its
//! logging. What is not in the table is called by the generic protocol, and what it writes is found when it is loaded.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a function does with the heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// Nothing that the program sees.
    None,
    /// malloc: predicted.
    Malloc,
    /// calloc: predicted, the memory is zero.
    Calloc,
    /// realloc: predicted, the contents move.
    Realloc,
    /// free, and delete of C++.
    Free,
    /// operator new of C++: as malloc, or announced as an external call, which may call back or throw.
    New,
    /// The result (or what it writes) is a new block that `free` takes; recorded, not predicted.
    Block,
    /// A function of Rust's allocator: its result is recorded, what it moves or zeroes is computed, unless it calls back.
    Rust,
}

/// A library function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct External {
    /// Its name.
    pub name: &'static str,
    /// Nothing is logged but the memory that it reads and that external code had changed (FIX): the replay computes it.
    pub log_free: bool,
    /// Its result is logged only when it differs from the last one.
    pub constant: bool,
    /// What it does with the heap.
    pub allocation: Allocation,
    /// It does not call captured code, except that a signal's handler may run during it.
    pub never_calls_back: bool,
    /// It does not return.
    pub never_returns: bool,
    /// What memory it reads, in words; empty: none that the program can see.
    pub reads: &'static str,
    /// What memory it writes, in words.
    pub writes: &'static str,
}

impl External {
    /// The name of its wrapper.
    pub fn wrapper(&self) -> String {
        format!("__wd_w_{}", self.name)
    }

    /// Whether the wrapper wants the function itself before its arguments: its symbol is the compiler's own affair.
    pub fn wants_itself(&self) -> bool {
        self.allocation == Allocation::Rust
    }
}

/// The function called `name`, if the runtime knows it.
pub fn lookup(name: &str) -> Option<&'static External> {
    static TABLE: LazyLock<HashMap<&'static str, External>> =
        LazyLock::new(|| rows().map(|external| (external.name, external)).collect());
    TABLE.get(of_rustc(name).unwrap_or(name))
}

/// What a function is called that rustc makes for each program, without the crate that it pretends to be in:
/// `_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc` is `__rust_alloc`.
pub fn of_rustc(symbol: &str) -> Option<&str> {
    let (_, name) = symbol.strip_prefix("_R")?.rsplit_once("7___rustc")?;
    name.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('_').filter(|name| name.starts_with("__rust_"))
}

/// All functions of the table.
pub fn all() -> impl Iterator<Item = External> {
    rows()
}

/// What a group of functions has in common.
#[derive(Clone, Copy)]
enum Group {
    LogFree,
    Constant,
    Heap(Allocation),
    Plain,
    CallsBack,
    NeverReturns,
}

fn rows() -> impl Iterator<Item = External> {
    TABLE.iter().flat_map(|&(group, names, reads, writes)| {
        names.split_ascii_whitespace().map(move |name| External {
            name,
            log_free: matches!(group, Group::LogFree),
            constant: matches!(group, Group::Constant),
            allocation: if let Group::Heap(allocation) = group { allocation } else { Allocation::None },
            never_calls_back: !matches!(
                group,
                Group::CallsBack | Group::NeverReturns | Group::Heap(Allocation::New | Allocation::Rust)
            ),
            never_returns: matches!(group, Group::NeverReturns),
            reads,
            writes,
        })
    })
}

/// Functions of the C library that the shared runtime replaces for all code of a process: those that start threads or wait for
/// something, and `sigaction`.
pub const REPLACED: &[&str] = &[
    "accept",
    "accept4",
    "clock_nanosleep",
    "cnd_timedwait",
    "cnd_wait",
    "connect",
    "epoll_pwait",
    "epoll_wait",
    "flock",
    "lockf",
    "mtx_lock",
    "mtx_timedlock",
    "nanosleep",
    "pause",
    "poll",
    "ppoll",
    "pselect",
    "pthread_barrier_wait",
    "pthread_clockjoin_np",
    "pthread_cond_clockwait",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_create",
    "pthread_join",
    "pthread_mutex_clocklock",
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_wrlock",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_timedjoin_np",
    "read",
    "readv",
    "recv",
    "recvfrom",
    "recvmsg",
    "sched_yield",
    "select",
    "sem_clockwait",
    "sem_timedwait",
    "sem_wait",
    "send",
    "sendmsg",
    "sendto",
    "sigaction",
    "sigsuspend",
    "sigtimedwait",
    "sigwait",
    "sigwaitinfo",
    "sleep",
    "syscall",
    "thrd_create",
    "thrd_join",
    "thrd_sleep",
    "thrd_yield",
    "usleep",
    "wait",
    "wait3",
    "wait4",
    "waitid",
    "waitpid",
    "write",
    "writev",
];

use Allocation::{Block, Calloc, Free, Malloc, New, Realloc, Rust};
use Group::{CallsBack, Constant, Heap, LogFree, NeverReturns, Plain};

/// Group, names, what they read, what they write.
const TABLE: &[(Group, &str, &str, &str)] = &[
    // Modelled by the replay.
    (LogFree, "memcpy memmove mempcpy __mempcpy bcopy", "", "the destination, moved"),
    (LogFree, "memset bzero", "", "the destination"),
    (LogFree, "memcmp bcmp strcmp strncmp strcasecmp strncasecmp", "both up to the first difference", ""),
    (LogFree, "memchr strchr strchrnul index", "up to the byte found", ""),
    (LogFree, "memrchr", "from the byte found to the end", ""),
    (LogFree, "strlen strnlen strrchr rindex strstr strspn strcspn strpbrk", "the strings", ""),
    (LogFree, "strcpy stpcpy __stpcpy strncpy", "the source", "the destination"),
    (LogFree, "strcat strncat", "both strings", "the end of the destination"),
    (LogFree, "abs labs llabs", "", ""),
    (Constant, "__errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc", "", ""),
    // The heap.
    (Heap(Malloc), "malloc", "", ""),
    (Heap(Calloc), "calloc", "", "the block, with zeros"),
    (Heap(Realloc), "realloc", "", "the new block, moved"),
    (Heap(Free), "free cfree", "", ""),
    (Heap(Block), "aligned_alloc memalign valloc reallocarray", "", ""),
    (Heap(Block), "posix_memalign", "", "the pointer"),
    (Plain, "malloc_usable_size", "", ""),
    (Heap(New), "_Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t", "", ""),
    (Heap(Free), "_ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvRKSt9nothrow_t _ZdaPvRKSt9nothrow_t", "", ""),
    (Heap(Block), "_ZnwmSt11align_val_t _ZnamSt11align_val_t", "", ""),
    (Heap(Rust), "__rust_alloc __rust_dealloc", "", ""),
    (Heap(Rust), "__rust_alloc_zeroed", "", "the block, with zeros"),
    (Heap(Rust), "__rust_realloc", "", "the new block, moved"),
    // Streams.
    (Plain, "fopen fopen64 freopen freopen64", "path and mode", ""),
    (Plain, "fdopen", "the mode", ""),
    (Plain, "popen", "command and mode", ""),
    (
        Plain,
        "tmpfile fclose fflush fflush_unlocked pclose setvbuf setbuf setlinebuf fseek fseeko fseeko64 ftell ftello ftello64 \
         rewind feof feof_unlocked ferror ferror_unlocked clearerr clearerr_unlocked fileno fileno_unlocked",
        "",
        "",
    ),
    (Plain, "fgetpos", "", "the position"),
    (Plain, "fsetpos", "the position", ""),
    (Plain, "fgetc getc _IO_getc getchar fgetc_unlocked getc_unlocked getchar_unlocked ungetc", "", ""),
    (Plain, "fgets fgets_unlocked gets", "", "the string read"),
    (Plain, "fread fread_unlocked", "", "the items read"),
    (Heap(Block), "getline getdelim __getdelim", "pointer and size", "pointer, size and the line"),
    (Plain, "fputc putc _IO_putc putchar fputc_unlocked putc_unlocked putchar_unlocked", "", ""),
    (Plain, "fputs fputs_unlocked puts perror", "the string", ""),
    (Plain, "fwrite fwrite_unlocked", "the items", ""),
    (Plain, "remove rename", "the paths", ""),
    (Plain, "tmpnam", "", "the name"),
    // Formats.
    (
        Plain,
        "printf fprintf dprintf vprintf vfprintf vdprintf __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk",
        "format and strings; a va_list",
        "counts (%n); a va_list",
    ),
    (
        Plain,
        "sprintf snprintf vsprintf vsnprintf __sprintf_chk __snprintf_chk __vsprintf_chk __vsnprintf_chk",
        "format and strings; a va_list",
        "the text; counts (%n); a va_list",
    ),
    (Heap(Block), "asprintf vasprintf", "format and strings; a va_list", "pointer and text; counts (%n); a va_list"),
    (
        Plain,
        "scanf fscanf sscanf vscanf vfscanf vsscanf \
         __isoc99_scanf __isoc99_fscanf __isoc99_sscanf __isoc99_vscanf __isoc99_vfscanf __isoc99_vsscanf \
         __isoc23_scanf __isoc23_fscanf __isoc23_sscanf __isoc23_vscanf __isoc23_vfscanf __isoc23_vsscanf",
        "format and text; a va_list",
        "the targets; a va_list",
    ),
    // Descriptors.
    (Plain, "open open64 openat openat64 creat", "the path", ""),
    (Plain, "close dup dup2 dup3 isatty lseek lseek64 fsync fdatasync ftruncate ftruncate64", "", ""),
    (Plain, "pipe pipe2 socketpair", "", "the two descriptors"),
    (Plain, "truncate", "the path", ""),
    (Plain, "fcntl fcntl64", "a lock", "a lock"),
    (Plain, "read pread pread64 recv", "", "the bytes read"),
    (Plain, "write pwrite pwrite64 send", "the bytes", ""),
    (Plain, "readv preadv", "the vector", "the bytes read"),
    (Plain, "writev pwritev", "the vector and the bytes", ""),
    (Plain, "sendto", "the bytes and the address", ""),
    (Plain, "recvfrom", "the address's size", "the bytes read, address and size"),
    (Plain, "accept getsockname getpeername getsockopt", "the size", "address or value, and size"),
    (Plain, "setsockopt bind connect", "the value or address", ""),
    (Plain, "socket listen shutdown", "", ""),
    (Plain, "select pselect poll ppoll", "sets and times", "sets and times"),
    // Files.
    (
        Plain,
        "stat lstat fstat fstatat stat64 lstat64 fstat64 fstatat64 statfs fstatfs statvfs fstatvfs",
        "the path",
        "the structure",
    ),
    (Plain, "access faccessat eaccess chmod chown lchown", "the path", ""),
    (Plain, "fchmod fchown umask fchdir", "", ""),
    (Plain, "utime utimes utimensat futimens", "path and times", ""),
    (Plain, "unlink unlinkat link symlink mkdir mkfifo rmdir chdir", "the paths", ""),
    (Plain, "getcwd", "", "the path"),
    (Plain, "realpath readlink readlinkat", "the path", "the result"),
    (Plain, "mkstemp mkstemp64 mkstemps mkostemp mkdtemp mktemp", "the template", "the template"),
    (Plain, "ttyname gethostname", "", "the name"),
    (Plain, "opendir", "the path", ""),
    (Plain, "fdopendir closedir dirfd rewinddir", "", ""),
    (Plain, "readdir readdir64", "", "the entry"),
    // System.
    (Plain, "uname getrusage getrlimit tcgetattr getgroups", "", "the structure"),
    (Plain, "setrlimit tcsetattr", "the structure", ""),
    (Plain, "getpid getppid gettid getuid geteuid getgid getegid getpgrp setsid sysconf", "", ""),
    // Numbers in text.
    (
        Plain,
        "strtol strtoul strtoll strtoull strtoimax strtoumax strtod strtof strtold \
         __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull __isoc23_strtoimax __isoc23_strtoumax",
        "the string",
        "the end pointer",
    ),
    (Plain, "atoi atol atoll atof", "the string", ""),
    // Strings.
    (Heap(Block), "strdup __strdup strndup __strndup", "the string", "the copy"),
    (Plain, "strcoll strcasestr memmem rawmemchr", "the strings", ""),
    (Plain, "strxfrm memccpy swab", "the source", "the destination"),
    (Plain, "strtok strtok_r __strtok_r strsep", "strings and state", "the token's end and state"),
    (Plain, "strerror strsignal strerror_r __xpg_strerror_r", "", "the text"),
    (
        Plain,
        "toupper tolower isalpha isdigit isalnum isspace isupper islower isprint ispunct iscntrl isxdigit isgraph isblank \
         iswalpha iswdigit iswalnum iswspace iswupper iswlower iswprint iswpunct iswcntrl iswxdigit iswgraph iswblank \
         wctob towupper towlower btowc wcwidth __ctype_get_mb_cur_max",
        "",
        "",
    ),
    (Plain, "mblen mbsinit", "string and state", ""),
    (
        Plain,
        "mbtowc wctomb mbrlen mbrtowc wcrtomb mbstowcs wcstombs mbsrtowcs wcsrtombs",
        "string and state",
        "result and state",
    ),
    (Plain, "wcslen wcscmp wcschr wcscoll", "the strings", ""),
    (Plain, "wcscpy wmemcpy", "the source", "the destination"),
    // Environment and locale.
    (Plain, "getenv secure_getenv setlocale nl_langinfo localeconv", "the name", "the result"),
    (Plain, "setenv unsetenv putenv", "the strings", ""),
    (Plain, "gettext dgettext dcgettext bindtextdomain textdomain", "the strings", "the result"),
    (Plain, "fnmatch", "the strings", ""),
    (Plain, "regcomp", "the pattern", "the expression"),
    (Plain, "regexec", "the string", "the matches"),
    (Plain, "regerror", "", "the text"),
    (Plain, "regfree", "", "the expression"),
    (Plain, "getopt getopt_long getopt_long_only", "arguments and options", "arguments, variables, flags"),
    // Time.
    (Plain, "time gettimeofday clock_gettime clock_getres timespec_get times getitimer", "", "the time"),
    (Plain, "clock difftime tzset sleep usleep pause alarm ualarm", "", ""),
    (Plain, "localtime gmtime localtime_r gmtime_r", "the time", "the parts"),
    (Plain, "mktime timegm timelocal", "the parts", "the parts"),
    (Plain, "strftime asctime asctime_r ctime ctime_r", "format and time", "the text"),
    (Plain, "strptime", "text and format", "the parts"),
    (Plain, "nanosleep clock_nanosleep setitimer", "the time", "the time left or before"),
    // Mathematics.
    (
        Plain,
        "sin sinf sinl cos cosf cosl tan tanf tanl asin asinf asinl acos acosf acosl atan atanf atanl \
         sinh sinhf sinhl cosh coshf coshl tanh tanhf tanhl asinh asinhf asinhl acosh acoshf acoshl atanh atanhf atanhl \
         exp expf expl exp2 exp2f exp2l exp10 exp10f exp10l expm1 expm1f expm1l log logf logl log2 log2f log2l \
         log10 log10f log10l log1p log1pf log1pl logb logbf logbl sqrt sqrtf sqrtl cbrt cbrtf cbrtl fabs fabsf fabsl \
         floor floorf floorl ceil ceilf ceill trunc truncf truncl round roundf roundl rint rintf rintl \
         nearbyint nearbyintf nearbyintl erf erff erfl erfc erfcf erfcl tgamma tgammaf tgammal \
         roundeven roundevenf roundevenl pow powf powl fmod fmodf fmodl remainder remainderf remainderl \
         atan2 atan2f atan2l hypot hypotf hypotl fmin fminf fminl fmax fmaxf fmaxl fdim fdimf fdiml \
         copysign copysignf copysignl nextafter nextafterf nextafterl fma fmaf fmal \
         ldexp ldexpf ldexpl scalbn scalbnf scalbnl scalbln scalblnf scalblnl ilogb ilogbf ilogbl \
         lrint lrintf lrintl lround lroundf lroundl llrint llrintf llrintl llround llroundf llroundl \
         __fpclassify __fpclassifyf __fpclassifyl __signbit __signbitf __signbitl __isnan __isnanf __isnanl \
         __isinf __isinff __isinfl __finite __finitef __finitel \
         rand srand random srandom drand48 lrand48 srand48",
        "",
        "",
    ),
    (
        Plain,
        "frexp frexpf frexpl modf modff modfl remquo remquof remquol lgamma lgammaf lgammal sincos sincosf sincosl",
        "",
        "the other results",
    ),
    (Plain, "rand_r", "the seed", "the seed"),
    // Numbers to streams of C++, which may be of the program.
    (
        CallsBack,
        "_ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecb \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecl \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecm \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecx \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecy \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecd \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basece \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecPKv",
        "precision, width and flags of the stream",
        "the width",
    ),
    // Functions that call back.
    (CallsBack, "qsort qsort_r", "the array", "the array"),
    (CallsBack, "bsearch", "", ""),
    (CallsBack, "fork vfork _Fork", "", ""),
    (CallsBack, "dlclose", "", ""),
    (CallsBack, "kill killpg raise", "", ""),
    // Signals.
    (Plain, "signal bsd_signal ssignal sysv_signal __sysv_signal sigset siginterrupt", "", ""),
    (Plain, "sigaction sigaltstack", "the structure", "the one before"),
    (CallsBack, "sigprocmask pthread_sigmask", "the set", "the set before"),
    (CallsBack, "sigsuspend", "the set", ""),
    (Plain, "sigpending sigwait sigwaitinfo sigtimedwait", "the set", "the result"),
    (Plain, "sigaddset sigdelset sigemptyset sigfillset", "the set", "the set"),
    (Plain, "sigismember", "the set", ""),
    // Mappings.
    (Plain, "mmap mmap64 munmap mremap", "", "zeros; contents of files surprise"),
    (Plain, "mprotect madvise msync", "", ""),
    // Processes.
    (Plain, "execv execvp execve execvpe fexecve execl execlp execle", "path, arguments, environment", ""),
    (Plain, "posix_spawn posix_spawnp", "path, arguments, environment", "the process id"),
    (Plain, "system", "the command", ""),
    (Plain, "wait waitpid wait3 wait4 waitid", "", "status and usage"),
    (NeverReturns, "exit _exit _Exit quick_exit abort", "", ""),
    // Threads.
    (CallsBack, "pthread_create", "the attributes", "the thread"),
    (CallsBack, "thrd_create", "", "the thread"),
    (CallsBack, "pthread_join thrd_join", "", "the result"),
    // Refused: they end the program.
    (NeverReturns, "makecontext swapcontext", "", ""),
    (Plain, "dlerror", "", "the text"),
];
