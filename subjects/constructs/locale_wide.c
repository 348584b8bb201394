// Wide characters, multibyte conversion, character classes, locale.
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
    printf("%s\n", setlocale(LC_ALL, "C"));
    int classes = 0;
    for (int c = 0; c < 128; c++)
        classes = classes * 3 + (isalpha(c) != 0) + 2 * (isdigit(c) != 0) + 4 * (isspace(c) != 0) + 8 * (ispunct(c) != 0) + 16 * (isxdigit(c) != 0);
    printf("%u\n", (unsigned)classes);
    wchar_t wide[32] = L"wide ", more[8];
    wcscat(wide, L"text");
    printf("%zu %ls %d\n", wcslen(wide), wide, wcscmp(wide, L"wide") > 0);
    printf("%zu", mbstowcs(more, "multi", 8)); printf(" %lc\n", (wint_t)towupper((wint_t)more[0]));
    char narrow[16];
    printf("%zu", wcstombs(narrow, L"back", sizeof narrow)); printf(" %s\n", narrow);
    swprintf(wide, 32, L"%d-%ls", 42, L"x");
    printf("%ls %ld\n", wide, wcstol(L"123", NULL, 10));
    wmemset(more, L'z', 7); more[7] = 0;
    printf("%ls\n", more);
    struct lconv *conventions = localeconv();
    printf("%s\n", conventions->decimal_point);
    return 0;
}
