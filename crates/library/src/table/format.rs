//! Functions that print and read by formats.

use super::{Row, row};
use crate::Allocation::Block;
use crate::Content::{Format, List};
use crate::Destination::{self, Descriptor, Memory, StandardOutput, Stream};
use crate::Fails::{Eof, Negative};
use crate::Input;
use crate::Reads::{self, FormatList, ScanFormat, Text};
use crate::Size::Argument;
use crate::Writes::{self, Counts, Scanned, ScannedList, UpTo};

const FORMAT_0: crate::Content = Format { format: 0, first: 1 };
const FORMAT_1: crate::Content = Format { format: 1, first: 2 };
const FORMAT_2: crate::Content = Format { format: 2, first: 3 };
const LIST_0: crate::Content = List { format: 0, list: 1 };
const LIST_1: crate::Content = List { format: 1, list: 2 };
const LIST_2: crate::Content = List { format: 2, list: 3 };

pub(super) const ROWS: &[Row] = &[
    row("printf !_IO_printf __printf_chk@0", Negative)
        .reads(&[Reads::Format(0)])
        .writes(&[Counts(0)])
        .prints(FORMAT_0, StandardOutput),
    row("fprintf !_IO_fprintf __fprintf_chk@1", Negative)
        .reads(&[Reads::Format(1)])
        .writes(&[Counts(1)])
        .prints(FORMAT_1, Stream(0)),
    row("dprintf !__dprintf_chk@1", Negative)
        .reads(&[Reads::Format(1)])
        .writes(&[Counts(1)])
        .prints(FORMAT_1, Descriptor(0)),
    row("vprintf __vprintf_chk@0", Negative)
        .reads(&[FormatList(0)])
        .writes(&[Counts(0)])
        .prints(LIST_0, StandardOutput),
    row("vfprintf !_IO_vfprintf __vfprintf_chk@1", Negative)
        .reads(&[FormatList(1)])
        .writes(&[Counts(1)])
        .prints(LIST_1, Stream(0)),
    row("vdprintf !__vdprintf_chk@1", Negative)
        .reads(&[FormatList(1)])
        .writes(&[Counts(1)])
        .prints(LIST_1, Descriptor(0)),
    row("sprintf !_IO_sprintf __sprintf_chk@1+2", Negative)
        .reads(&[Reads::Format(1)])
        .writes(&[Writes::Text(0), Counts(1)])
        .of_arguments()
        .prints(FORMAT_1, Memory { to: 0, room: None }),
    row("snprintf __snprintf_chk@2+2", Negative)
        .reads(&[Reads::Format(2)])
        .writes(&[UpTo(0, Argument(1)), Counts(2)])
        .of_arguments()
        .prints(FORMAT_2, Memory { to: 0, room: Some(1) }),
    row("vsprintf !_IO_vsprintf __vsprintf_chk@1+2", Negative)
        .reads(&[FormatList(1)])
        .writes(&[Writes::Text(0), Counts(1)])
        .of_arguments()
        .prints(LIST_1, Memory { to: 0, room: None }),
    row("vsnprintf !_IO_vsnprintf __vsnprintf_chk@2+2", Negative)
        .reads(&[FormatList(2)])
        .writes(&[UpTo(0, Argument(1)), Counts(2)])
        .of_arguments()
        .prints(LIST_2, Memory { to: 0, room: Some(1) }),
    row("asprintf !__asprintf !__asprintf_chk@1", Negative)
        .reads(&[Reads::Format(1)])
        .writes(&[Writes::Object(0), Writes::Block, Counts(1)])
        .of_arguments()
        .heap(Block)
        .prints(FORMAT_1, Destination::Block(0)),
    row("vasprintf !__vasprintf_chk@1", Negative)
        .reads(&[FormatList(1)])
        .writes(&[Writes::Object(0), Writes::Block, Counts(1)])
        .of_arguments()
        .heap(Block)
        .prints(LIST_1, Destination::Block(0)),
    row("scanf __isoc99_scanf __isoc23_scanf", Eof)
        .reads(&[ScanFormat(0)])
        .writes(&[Scanned(0)])
        .input(Input::Format { stream: None }),
    row("fscanf __isoc99_fscanf __isoc23_fscanf", Eof)
        .reads(&[ScanFormat(1)])
        .writes(&[Scanned(1)])
        .input(Input::Format { stream: Some(0) }),
    row("sscanf !_IO_sscanf __isoc99_sscanf __isoc23_sscanf", Eof)
        .reads(&[Text(0), ScanFormat(1)])
        .writes(&[Scanned(1)])
        .input(Input::FormatText),
    row("vscanf __isoc99_vscanf __isoc23_vscanf", Eof)
        .reads(&[ScanFormat(0)])
        .writes(&[ScannedList(0)])
        .input(Input::Other(None)),
    row("vfscanf __isoc99_vfscanf __isoc23_vfscanf", Eof)
        .reads(&[ScanFormat(1)])
        .writes(&[ScannedList(1)])
        .input(Input::Other(Some(0))),
    row("vsscanf !_IO_vsscanf __isoc99_vsscanf __isoc23_vsscanf", Eof)
        .reads(&[Text(0), ScanFormat(1)])
        .writes(&[ScannedList(1)])
        .of_arguments(),
    row("!wscanf !__isoc99_wscanf !__isoc23_wscanf", Eof)
        .reads(&[Reads::WideText(0)])
        .writes(&[Scanned(0)])
        .input(Input::Other(None)),
    row("!fwscanf !__isoc99_fwscanf !__isoc23_fwscanf", Eof)
        .reads(&[Reads::WideText(1)])
        .writes(&[Scanned(1)])
        .input(Input::Other(Some(0))),
];
