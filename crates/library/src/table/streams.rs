//! Streams of the C library, and those of C++ where the runtime knows them.

use super::{Row, each, row};
use crate::Allocation::Block;
use crate::Content::{Byte, Line, Memory, Text as Words};
use crate::Destination::{Descriptor, StandardOutput, Stream};
use crate::Fails::{Eof, Fewer, Negative, Never, NonZero, Null};
use crate::Input;
use crate::Reads::{self, Bytes, Object, Text};
use crate::Size::{Argument, Product};
use crate::Source::Files;
use crate::Writes::{self, UpTo};

pub(super) const ROWS: &[Row] = &[
    // Opening and closing.
    row("fopen fopen64 !_IO_fopen", Null).reads(&[Text(0), Text(1)]).input(Input::Open),
    row("freopen freopen64", Null).reads(&[Text(0), Text(1)]).input(Input::OpenOther).diverts(),
    row("fdopen !_IO_fdopen", Null).reads(&[Text(1)]).input(Input::OpenOther),
    row("!fmemopen", Null).reads(&[Text(2)]).keeps().input(Input::OpenOther),
    row("popen !_IO_popen", Null).reads(&[Text(0), Text(1)]).input(Input::OpenOther).diverts(),
    row("tmpfile !tmpfile64", Null).input(Input::OpenOther),
    row("fclose !_IO_fclose", Eof).from(Files).diverts(),
    row("pclose", Negative),
    row("fflush fflush_unlocked !_IO_fflush", Eof),
    row("setvbuf !_IO_setvbuf", NonZero).keeps(),
    each("setbuf setlinebuf", Never).keeps(),
    row("rewind", Never).input(Input::Rewind),
    row("fseek", Negative).input(Input::Seek),
    row("fseeko fseeko64", Negative).input(Input::Seek),
    row("ftell ftello ftello64 !_IO_ftell", Negative),
    row("fgetpos !fgetpos64 !_IO_fgetpos", NonZero).writes(&[Writes::Object(1)]),
    row("fsetpos !fsetpos64 !_IO_fsetpos", NonZero).reads(&[Object(1)]).input(Input::Seek),
    row("feof feof_unlocked", Never).from(Files),
    row("ferror ferror_unlocked", Never).from(Files),
    row("clearerr clearerr_unlocked", Never),
    row("fileno fileno_unlocked", Negative).from(Files),
    // Reading.
    row("getc fgetc _IO_getc getc_unlocked fgetc_unlocked", Eof).input(Input::Character { stream: Some(0) }),
    row("getchar getchar_unlocked", Eof).input(Input::Character { stream: None }),
    row("ungetc !_IO_ungetc", Eof).input(Input::Back),
    row("fgets fgets_unlocked !_IO_fgets !__fgets_chk@1 !__fgets_unlocked_chk@1", Null)
        .writes(&[UpTo(0, Argument(1))])
        .input(Input::Line),
    row("gets !_IO_gets !__gets_chk", Null).writes(&[Writes::Text(0)]).input(Input::Other(None)),
    row("fread fread_unlocked !_IO_fread !__fread_chk@1 !__fread_unlocked_chk@1", Fewer(2))
        .writes(&[UpTo(0, Product(1, 2))])
        .input(Input::Block),
    row("getline !__getline", Negative)
        .reads(&[Object(0), Object(1)])
        .writes(&[Writes::Object(0), Writes::Object(1), Writes::Block])
        .heap(Block)
        .input(Input::NewLine),
    row("getdelim __getdelim", Negative)
        .reads(&[Object(0), Object(1)])
        .writes(&[Writes::Object(0), Writes::Object(1), Writes::Block])
        .heap(Block)
        .input(Input::Other(Some(3))),
    row("!getw", Eof).input(Input::Other(Some(0))),
    row("!getwc !fgetwc !getwc_unlocked !fgetwc_unlocked", Eof).input(Input::Other(Some(0))),
    row("!getwchar !getwchar_unlocked", Eof).input(Input::Other(None)),
    row("!fgetws !fgetws_unlocked !__fgetws_chk@1 !__fgetws_unlocked_chk@1", Null)
        .writes(&[Writes::Object(0)])
        .input(Input::Other(Some(2))),
    // Writing.
    row("putc fputc _IO_putc putc_unlocked fputc_unlocked", Eof).prints(Byte { byte: 0 }, Stream(1)),
    row("putchar putchar_unlocked", Eof).prints(Byte { byte: 0 }, StandardOutput),
    row("fputs fputs_unlocked !_IO_fputs", Eof).reads(&[Text(0)]).prints(Words { text: 0 }, Stream(1)),
    row("puts !_IO_puts", Eof).reads(&[Text(0)]).prints(Line { text: 0 }, StandardOutput),
    row("perror", Never).reads(&[Text(0)]),
    row("!psignal", Never).reads(&[Text(1)]),
    row("fwrite fwrite_unlocked !_IO_fwrite", Fewer(2))
        .reads(&[Bytes(0, Product(1, 2))])
        .prints(Memory { memory: 0, size: Some(1), count: 2 }, Stream(3)),
    // Descriptors.
    row("read !__read !__read_chk", Negative).writes(&[UpTo(1, Argument(2))]).input(Input::Bytes),
    row("pread pread64 !__pread64 !__pread_chk !__pread64_chk", Negative)
        .writes(&[UpTo(1, Argument(2))])
        .input(Input::Place),
    row("recv !__recv_chk@3", Negative).writes(&[UpTo(1, Argument(2))]),
    row("recvfrom !__recvfrom_chk@3", Negative).reads(&[Object(5)]).writes(&[
        UpTo(1, Argument(2)),
        Writes::Object(4),
        Writes::Object(5),
    ]),
    row("!recvmsg", Negative).reads(&[Object(1)]).writes(&[Writes::Object(1)]),
    row("readv", Negative).reads(&[Object(1)]).writes(&[Writes::Buffers(1, 2)]).input(Input::Other(Some(0))),
    row("preadv !preadv64", Negative).reads(&[Object(1)]).writes(&[Writes::Buffers(1, 2)]).input(Input::Place),
    row("write !__write", Negative)
        .reads(&[Bytes(1, Argument(2))])
        .prints(Memory { memory: 1, size: None, count: 2 }, Descriptor(0)),
    row("pwrite pwrite64 !__pwrite64", Negative).reads(&[Bytes(1, Argument(2))]),
    row("send !__send", Negative).reads(&[Bytes(1, Argument(2))]),
    row("sendto", Negative).reads(&[Bytes(1, Argument(2)), Bytes(4, Argument(5))]),
    row("!sendmsg", Negative).reads(&[Object(1)]),
    row("!sendfile !sendfile64", Negative).reads(&[Object(2)]).writes(&[Writes::Object(2)]).diverts(),
    row("writev", Negative).reads(&[Reads::Buffers(1, 2)]).diverts(),
    row("pwritev !pwritev64", Negative).reads(&[Reads::Buffers(1, 2)]),
    // Numbers to streams of C++, which may be of the program.
    each(
        "_ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecb \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecl \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecm \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecx \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecy \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecd \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basece \
         _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecPKv",
        Never,
    )
    .reads(&[Object(3)])
    .writes(&[Writes::Object(3)])
    .calls_back(),
];
