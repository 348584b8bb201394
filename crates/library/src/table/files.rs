//! Descriptors, files, folders.

use super::{Row, each, row};
use crate::Fails::{Negative, Never, NonZero, NotFound, Null, Zero};
use crate::Input;
use crate::Reads::{self, Bytes, Object, Text};
use crate::Size::Argument;
use crate::Source::Files;
use crate::Writes::{self, UpTo};

pub(super) const ROWS: &[Row] = &[
    // Descriptors.
    row("open open64 !__open !__open64 !__open_2 !__open64_2", Negative).reads(&[Text(0)]).input(Input::Open),
    row("openat openat64 !__openat_2 !__openat64_2", Negative).reads(&[Text(1)]),
    row("creat !creat64", Negative).reads(&[Text(0)]),
    row("close !__close", Negative).from(Files).diverts(),
    row("dup", Negative).input(Input::OpenOther),
    row("dup2 !__dup2", Negative).diverts(),
    row("dup3", Negative).diverts(),
    row("isatty", Zero).from(Files),
    row("lseek lseek64 !__lseek", Negative).input(Input::Seek),
    each("fsync fdatasync", Negative),
    row("ftruncate ftruncate64", Negative),
    each("pipe pipe2", Negative).writes(&[Writes::Object(0)]),
    row("socketpair", Negative).writes(&[Writes::Object(3)]),
    row("truncate !truncate64", Negative).reads(&[Text(0)]),
    row("fcntl fcntl64", Negative).reads(&[Object(2)]).writes(&[Writes::Object(2)]),
    row("accept", Negative).reads(&[Object(2)]).writes(&[Writes::Object(1), Writes::Object(2)]),
    each("getsockname getpeername", Negative).reads(&[Object(2)]).writes(&[Writes::Object(1), Writes::Object(2)]),
    row("getsockopt", Negative).reads(&[Object(4)]).writes(&[Writes::Object(3), Writes::Object(4)]),
    row("setsockopt", Negative).reads(&[Bytes(3, Argument(4))]),
    each("bind connect", Negative).reads(&[Bytes(1, Argument(2))]),
    row("socket", Negative).input(Input::OpenOther),
    each("listen shutdown", Negative),
    each("select pselect", Negative).reads(&[Object(1), Object(2), Object(3), Object(4)]).writes(&[
        Writes::Object(1),
        Writes::Object(2),
        Writes::Object(3),
        Writes::Object(4),
    ]),
    row("poll !__poll_chk", Negative).reads(&[Object(0)]).writes(&[Writes::Object(0)]),
    row("ppoll !__ppoll_chk", Negative).reads(&[Object(0), Object(2), Object(3)]).writes(&[Writes::Object(0)]),
    // Files.
    row("stat stat64 !__xstat@0 !__xstat64@0", Negative).reads(&[Text(0)]).writes(&[Writes::Object(1)]).from(Files),
    row("lstat lstat64 !__lxstat@0 !__lxstat64@0", Negative).reads(&[Text(0)]).writes(&[Writes::Object(1)]).from(Files),
    row("fstat fstat64 !__fxstat@0 !__fxstat64@0", Negative).writes(&[Writes::Object(1)]).from(Files),
    row("fstatat fstatat64 !__fxstatat@0 !__fxstatat64@0", Negative)
        .reads(&[Text(1)])
        .writes(&[Writes::Object(2)])
        .from(Files),
    row("statfs !statfs64", Negative).reads(&[Text(0)]).writes(&[Writes::Object(1)]),
    row("fstatfs !fstatfs64", Negative).writes(&[Writes::Object(1)]),
    row("statvfs !statvfs64", Negative).reads(&[Text(0)]).writes(&[Writes::Object(1)]),
    row("fstatvfs !fstatvfs64", Negative).writes(&[Writes::Object(1)]),
    row("access", Negative).reads(&[Text(0)]).from(Files),
    row("faccessat", Negative).reads(&[Text(1)]).from(Files),
    row("eaccess !euidaccess", Negative).reads(&[Text(0)]).from(Files),
    each("chmod chown lchown", Negative).reads(&[Text(0)]),
    each("fchmod fchown fchdir", Negative),
    row("umask", Never),
    each("utime utimes", Negative).reads(&[Text(0), Object(1)]),
    row("utimensat", Negative).reads(&[Text(1), Object(2)]),
    row("futimens", Negative).reads(&[Object(1)]),
    each("unlink mkdir mkfifo rmdir chdir", Negative).reads(&[Text(0)]),
    row("remove", NonZero).reads(&[Text(0)]),
    row("unlinkat", Negative).reads(&[Text(1)]),
    each("link symlink rename", Negative).reads(&[Text(0), Text(1)]),
    row("getcwd !__getcwd_chk", Null).writes(&[UpTo(0, Argument(1))]),
    row("realpath !__realpath_chk", Null).reads(&[Text(0)]).writes(&[Writes::Text(1)]),
    row("readlink !__readlink_chk", Negative).reads(&[Text(0)]).writes(&[UpTo(1, Argument(2))]),
    row("readlinkat !__readlinkat_chk", Negative).reads(&[Text(1)]).writes(&[UpTo(2, Argument(3))]),
    row("mkstemp mkstemp64", Negative).reads(&[Text(0)]).writes(&[Writes::Text(0)]),
    row("mkstemps !mkstemps64", Negative).reads(&[Text(0)]).writes(&[Writes::Text(0)]),
    row("mkostemp !mkostemp64", Negative).reads(&[Text(0)]).writes(&[Writes::Text(0)]),
    row("mkdtemp", Null).reads(&[Text(0)]).writes(&[Writes::Text(0)]),
    row("mktemp", Never).reads(&[Text(0)]).writes(&[Writes::Text(0)]),
    row("tmpnam", Null).writes(&[Writes::Text(0)]),
    row("ttyname", Null).writes(&[Writes::Own]),
    row("gethostname !__gethostname_chk", Negative).writes(&[UpTo(0, Argument(1))]),
    row("opendir", Null).reads(&[Text(0)]),
    row("fdopendir", Null),
    each("closedir dirfd", Negative),
    row("rewinddir", Never),
    row("readdir readdir64", NotFound).reads(&[Reads::Own]).writes(&[Writes::Own]),
];
