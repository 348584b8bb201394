//! Memory, and the heap.

use super::{Row, row};
use crate::Allocation::{Block, Calloc, Free, Malloc, New, Realloc, Rust};
use crate::Fails::{ErrorNumber, Never, NotFound, Null, Throws};
use crate::Reads::{self, Bytes, UpTo};
use crate::Size::{Argument, Product};
use crate::Writes;

/// Both operands, of which the last argument is the length.
const BOTH: &[Reads] = &[Bytes(0, Argument(2)), Bytes(1, Argument(2))];
const SECOND: &[Reads] = &[Bytes(1, Argument(2))];
const FIRST: &[Writes] = &[Writes::Bytes(0, Argument(2))];

pub(super) const ROWS: &[Row] = &[
    row("memcpy !__memcpy_chk", Never).reads(SECOND).writes(FIRST).computed(),
    row("memmove !__memmove_chk", Never).reads(SECOND).writes(FIRST).computed(),
    row("mempcpy __mempcpy !__mempcpy_chk", Never).reads(SECOND).writes(FIRST).computed(),
    row("bcopy", Never).reads(&[Bytes(0, Argument(2))]).writes(&[Writes::Bytes(1, Argument(2))]).computed(),
    row("memset !__memset_chk", Never).writes(FIRST).computed(),
    row("bzero", Never).writes(&[Writes::Bytes(0, Argument(1))]).computed(),
    row("!explicit_bzero !__explicit_bzero_chk", Never).writes(&[Writes::Bytes(0, Argument(1))]).of_arguments(),
    row("memcmp bcmp !__memcmpeq", Never).reads(BOTH).computed(),
    row("memchr", NotFound).reads(&[UpTo(0, Argument(2))]).computed(),
    row("memrchr", NotFound).reads(&[UpTo(0, Argument(2))]).computed(),
    row("rawmemchr !__rawmemchr", Never).reads(&[Reads::Text(0)]).of_arguments(),
    row("memmem", NotFound).reads(&[Bytes(0, Argument(1)), Bytes(2, Argument(3))]).of_arguments(),
    row("memccpy", NotFound).reads(&[UpTo(1, Argument(3))]).writes(&[Writes::UpTo(0, Argument(3))]).of_arguments(),
    row("swab", Never).reads(&[Bytes(0, Argument(2))]).writes(&[Writes::Bytes(1, Argument(2))]).of_arguments(),
    row("wmemcpy !__wmemcpy_chk", Never).reads(&[Reads::Object(1)]).writes(&[Writes::Object(0)]).of_arguments(),
    // The heap.
    row("malloc !__libc_malloc", Null).heap(Malloc),
    row("calloc !__libc_calloc", Null).writes(&[Writes::Block]).heap(Calloc),
    row("realloc !__libc_realloc", Null).writes(&[Writes::Block]).heap(Realloc),
    row("free cfree !__libc_free", Never).heap(Free),
    row("aligned_alloc memalign !__libc_memalign", Null).heap(Block),
    row("valloc", Null).heap(Block),
    row("reallocarray", Null).heap(Block),
    row("posix_memalign", ErrorNumber).writes(&[Writes::Object(0)]).heap(Block),
    row("malloc_usable_size", Never),
    row("_Znwm", Throws).heap(New),
    row("_Znam", Throws).heap(New),
    row("_ZnwmRKSt9nothrow_t", Null).heap(New),
    row("_ZnamRKSt9nothrow_t", Null).heap(New),
    row("_ZdlPv _ZdlPvm _ZdlPvRKSt9nothrow_t", Never).heap(Free),
    row("_ZdaPv _ZdaPvm _ZdaPvRKSt9nothrow_t", Never).heap(Free),
    row("_ZnwmSt11align_val_t", Throws).heap(Block),
    row("_ZnamSt11align_val_t", Throws).heap(Block),
    row("__rust_alloc", Null).heap(Rust),
    row("__rust_dealloc", Never).heap(Rust),
    row("__rust_alloc_zeroed", Null).writes(&[Writes::Block]).heap(Rust),
    row("__rust_realloc", Null).writes(&[Writes::Block]).heap(Rust),
    // Mappings.
    row("mmap mmap64", crate::Fails::AllOnes).writes(&[Writes::Block]),
    row("munmap", crate::Fails::Negative).writes(&[Writes::UpTo(0, Argument(1))]),
    row("mremap", crate::Fails::AllOnes).writes(&[Writes::Block]),
    row("mprotect", crate::Fails::Negative),
    row("madvise", crate::Fails::Negative),
    row("msync", crate::Fails::Negative),
    // What calls back.
    row("qsort", Never)
        .reads(&[Bytes(0, Product(1, 2))])
        .writes(&[Writes::Bytes(0, Product(1, 2))])
        .of_arguments()
        .calls_back(),
    row("qsort_r", Never)
        .reads(&[Bytes(0, Product(1, 2))])
        .writes(&[Writes::Bytes(0, Product(1, 2))])
        .of_arguments()
        .calls_back(),
    row("bsearch", NotFound).reads(&[Reads::Object(0), UpTo(1, Product(2, 3))]).of_arguments().calls_back(),
];
