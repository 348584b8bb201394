//! Texts, characters, locales.

use super::{Row, each, row};
use crate::Allocation::Block;
use crate::Character::*;
use crate::Fails::{AllOnes, ErrorNumber, Negative, Never, NonZero, NotFound, Null};
use crate::Reads::{self, Object, Own, Text, TextUpTo, WideText};
use crate::Size::Argument;
use crate::Source::{Environment, Input};
use crate::Writes::{self, Append, Bytes, Copy, UpTo};

pub(super) const ROWS: &[Row] = &[
    row("strcmp", Never).reads(&[Text(0), Text(1)]).computed(),
    row("strncmp", Never).reads(&[TextUpTo(0, 2), TextUpTo(1, 2)]).computed(),
    row("strcasecmp !__strcasecmp", Never).reads(&[Text(0), Text(1)]).computed(),
    row("strncasecmp !__strncasecmp", Never).reads(&[TextUpTo(0, 2), TextUpTo(1, 2)]).computed(),
    row("strchr index", NotFound).reads(&[Text(0)]).computed(),
    row("strchrnul !__strchrnul", Never).reads(&[Text(0)]).computed(),
    row("strlen", Never).reads(&[Text(0)]).computed(),
    row("strnlen !__strnlen", Never).reads(&[TextUpTo(0, 1)]).computed(),
    row("strrchr rindex", NotFound).reads(&[Text(0)]).computed(),
    row("strstr", NotFound).reads(&[Text(0), Text(1)]).computed(),
    row("strspn", Never).reads(&[Text(0), Text(1)]).computed(),
    row("strcspn", Never).reads(&[Text(0), Text(1)]).computed(),
    row("strpbrk", NotFound).reads(&[Text(0), Text(1)]).computed(),
    row("strcpy !__strcpy_chk", Never).reads(&[Text(1)]).writes(&[Copy(0, 1)]).computed(),
    row("stpcpy __stpcpy !__stpcpy_chk", Never).reads(&[Text(1)]).writes(&[Copy(0, 1)]).computed(),
    row("strncpy !__strncpy_chk", Never).reads(&[TextUpTo(1, 2)]).writes(&[Bytes(0, Argument(2))]).computed(),
    row("!stpncpy !__stpncpy !__stpncpy_chk", Never)
        .reads(&[TextUpTo(1, 2)])
        .writes(&[Bytes(0, Argument(2))])
        .of_arguments(),
    row("strcat !__strcat_chk", Never).reads(&[Text(0), Text(1)]).writes(&[Append(0, 1)]).computed(),
    row("strncat !__strncat_chk", Never).reads(&[Text(0), TextUpTo(1, 2)]).writes(&[Append(0, 1)]).computed(),
    row("!strlcpy !__strlcpy_chk", Never).reads(&[Text(1)]).writes(&[UpTo(0, Argument(2))]).of_arguments(),
    row("!strlcat !__strlcat_chk", Never)
        .reads(&[TextUpTo(0, 2), Text(1)])
        .writes(&[UpTo(0, Argument(2))])
        .of_arguments(),
    // Not computed.
    row("strdup __strdup", Null).reads(&[Text(0)]).writes(&[Writes::Block]).of_arguments().heap(Block),
    row("strndup __strndup", Null).reads(&[TextUpTo(0, 1)]).writes(&[Writes::Block]).of_arguments().heap(Block),
    row("strcoll", Never).reads(&[Text(0), Text(1)]).of_arguments(),
    row("strcasestr !__strcasestr", NotFound).reads(&[Text(0), Text(1)]).of_arguments(),
    row("strxfrm", Never).reads(&[Text(1)]).writes(&[UpTo(0, Argument(2))]).of_arguments(),
    row("strtok", NotFound).reads(&[Text(0), Text(1), Own]).writes(&[Writes::Text(0), Writes::Own]),
    row("strtok_r __strtok_r", NotFound)
        .reads(&[Text(0), Text(1), Object(2)])
        .writes(&[Writes::Text(0), Writes::Object(2)]),
    row("strsep !__strsep", NotFound).reads(&[Object(0), Text(1)]).writes(&[Writes::Object(0)]),
    row("strerror", Never).writes(&[Writes::Own]).from(Environment),
    row("strsignal", Never).writes(&[Writes::Own]),
    row("strerror_r", Never).writes(&[UpTo(1, Argument(2))]),
    row("__xpg_strerror_r", ErrorNumber).writes(&[UpTo(1, Argument(2))]),
    row("fnmatch", NonZero).reads(&[Text(0), Text(1)]).of_arguments(),
    row("regcomp", NonZero).reads(&[Text(1)]).writes(&[Writes::Object(0)]),
    row("regexec", NonZero).reads(&[Own, Text(1)]).writes(&[Writes::Object(3)]).of_arguments(),
    row("regerror", Never).writes(&[UpTo(2, Argument(3))]),
    row("regfree", Never).writes(&[Writes::Object(0)]),
    // Characters.
    row("isupper", Never).character(Upper),
    row("islower", Never).character(Lower),
    row("isalpha", Never).character(Alphabetic),
    row("isdigit", Never).character(Digit),
    row("isxdigit", Never).character(HexDigit),
    row("isspace", Never).character(Space),
    row("isprint", Never).character(Printable),
    row("isgraph", Never).character(Graphic),
    row("isblank", Never).character(Blank),
    row("iscntrl", Never).character(Control),
    row("ispunct", Never).character(Punctuation),
    row("isalnum", Never).character(Alphanumeric),
    row("toupper", Never).character(ToUpper),
    row("tolower", Never).character(ToLower),
    each("__errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc", Never).constant(),
    row("__ctype_get_mb_cur_max", Never),
    each(
        "iswalpha iswdigit iswalnum iswspace iswupper iswlower iswprint iswpunct iswcntrl iswxdigit iswgraph iswblank wcwidth",
        Never,
    ),
    each("wctob towupper towlower btowc", Never).of_arguments(),
    row("mblen", Negative).reads(&[TextUpTo(0, 1), Own]),
    row("mbsinit", Never).reads(&[Object(0)]),
    row("mbtowc", Negative).reads(&[TextUpTo(1, 2), Own]).writes(&[Writes::Object(0), Writes::Own]),
    row("wctomb !__wctomb_chk", Negative).reads(&[Own]).writes(&[Writes::Text(0), Writes::Own]),
    row("mbrlen !__mbrlen", AllOnes).reads(&[TextUpTo(0, 1), Object(2)]).writes(&[Writes::Object(2)]),
    row("mbrtowc", AllOnes).reads(&[TextUpTo(1, 2), Object(3)]).writes(&[Writes::Object(0), Writes::Object(3)]),
    row("wcrtomb !__wcrtomb_chk", AllOnes).reads(&[Object(2)]).writes(&[Writes::Text(0), Writes::Object(2)]),
    row("mbstowcs !__mbstowcs_chk", AllOnes).reads(&[Text(1)]).writes(&[Writes::Object(0)]),
    row("wcstombs !__wcstombs_chk", AllOnes).reads(&[WideText(1)]).writes(&[UpTo(0, Argument(2))]),
    row("mbsrtowcs !__mbsrtowcs_chk", AllOnes).reads(&[Object(1), Object(3)]).writes(&[
        Writes::Object(0),
        Writes::Object(1),
        Writes::Object(3),
    ]),
    row("wcsrtombs !__wcsrtombs_chk", AllOnes).reads(&[Object(1), Object(3)]).writes(&[
        UpTo(0, Argument(2)),
        Writes::Object(1),
        Writes::Object(3),
    ]),
    row("wcslen", Never).reads(&[WideText(0)]),
    row("wcscmp", Never).reads(&[WideText(0), WideText(1)]),
    row("wcschr", NotFound).reads(&[WideText(0)]),
    row("wcscoll", Never).reads(&[WideText(0), WideText(1)]),
    row("wcscpy !__wcscpy_chk", Never).reads(&[WideText(1)]).writes(&[Writes::Object(0)]),
    // Environment and locale.
    row("getenv", NotFound).reads(&[Text(0), Own]).writes(&[Writes::Own]).from(Environment),
    row("secure_getenv !__secure_getenv", NotFound).reads(&[Text(0), Own]).writes(&[Writes::Own]).from(Environment),
    row("setenv", Negative).reads(&[Text(0), Text(1)]),
    row("unsetenv", Negative).reads(&[Text(0)]),
    row("putenv", NonZero).reads(&[Text(0)]).keeps(),
    row("setlocale", NotFound).reads(&[Text(1)]).writes(&[Writes::Own]).from(Environment),
    row("nl_langinfo", Never).writes(&[Writes::Own]),
    row("localeconv", Never).writes(&[Writes::Own]),
    row("gettext", Never).reads(&[Text(0)]).writes(&[Writes::Own]),
    row("dgettext", Never).reads(&[Text(0), Text(1)]).writes(&[Writes::Own]),
    row("dcgettext", Never).reads(&[Text(0), Text(1)]).writes(&[Writes::Own]),
    row("bindtextdomain", Null).reads(&[Text(0), Text(1)]).writes(&[Writes::Own]),
    row("textdomain", Null).reads(&[Text(0)]).writes(&[Writes::Own]),
    row("getopt", Never).reads(&[Reads::Texts(1), Text(2), Own]).writes(&[Writes::Object(1), Writes::Own]).from(Input),
    row("getopt_long", Never)
        .reads(&[Reads::Texts(1), Text(2), Object(3), Own])
        .writes(&[Writes::Object(1), Writes::Object(4), Writes::Own])
        .from(Input),
    row("getopt_long_only", Never)
        .reads(&[Reads::Texts(1), Text(2), Object(3), Own])
        .writes(&[Writes::Object(1), Writes::Object(4), Writes::Own])
        .from(Input),
    row("strptime", NotFound).reads(&[Text(0), Text(1)]).writes(&[Writes::Object(2)]),
];
