// The string and memory functions, with their edge cases.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int v) { return (v > 0) - (v < 0); }
static long at(const void *p, const void *base) { return p ? (long)((const char *)p - (const char *)base) : -1; }

int main(void)
{
    char b[64], c[64];
    memset(b, 'x', sizeof b);
    memset(c, 0, sizeof c);
    printf("%ld\n", at((char *)mempcpy(c, "hello", 6), c));
    memmove(c + 2, c, 6); printf("%s\n", c + 2);
    strcpy(c, "overlapping"); memmove(c, c + 4, 8); printf("%s\n", c);
    memmove(c, c, 5); memcpy(c, c + 20, 0);
    bzero(b, 3); printf("%d%d%d%c\n", b[0], b[1], b[2], b[3]);
    printf("%d %d %d %d\n", sign(memcmp("abc", "abd", 3)), sign(memcmp("abc", "abd", 2)), sign(memcmp("\xff", "\x01", 1)), memcmp("a", "b", 0));
    printf("%d %d\n", bcmp("same", "same", 5) == 0, bcmp("same", "sama", 4) == 0);
    const char *s = "find the needle in the hay";
    printf("%ld %ld %ld %ld\n", at(memchr(s, 'n', 26), s), at(memchr(s, 'Z', 26), s), at(memrchr(s, 'e', 26), s), at(memchr(s, 0, 27), s));
    printf("%zu %zu %zu %zu\n", strlen(""), strlen(s), strnlen(s, 5), strnlen(s, 100));
    printf("%d %d %d %d %d\n", sign(strcmp("", "")), sign(strcmp("a", "")), sign(strcmp("", "a")), sign(strcmp("abc", "abcd")), sign(strcmp("\x80", "\x7f")));
    printf("%d %d %d\n", sign(strncmp("abcX", "abcY", 3)), sign(strncmp("abcX", "abcY", 4)), strncmp("a", "b", 0));
    printf("%d %d %d\n", sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("ABx", "aby", 2)), sign(strcasecmp("[", "a")));
    printf("%ld %ld %ld %ld %ld\n", at(strchr(s, 'd'), s), at(strchr(s, 0), s), at(strrchr(s, 'h'), s), at(strrchr(s, 'Q'), s), at(strchrnul(s, 'Q'), s));
    printf("%ld %ld %ld %ld\n", at(strstr(s, "needle"), s), at(strstr(s, ""), s), at(strstr(s, "needles"), s), (long)(at(strstr("aaab", "aab"), "aaab") >= -1));
    printf("%zu %zu %zu %zu\n", strspn("12345abc", "0123456789"), strspn("abc", ""), strcspn("path/to", "/"), strcspn("none", "/"));
    printf("%ld %ld\n", at(strpbrk(s, "xyzn"), s), at(strpbrk(s, "QX"), s));
    printf("%ld %s\n", at(stpcpy(b, "copied"), b), b);
    memset(b, 'x', 16);
    strncpy(b, "ab", 5); printf("%d %d %d %d %d %c\n", b[0], b[1], b[2], b[3], b[4], b[5]);
    strncpy(b, "abcdef", 3); printf("%.4s\n", b);
    strcpy(b, "one"); strcat(b, "-two"); strncat(b, "-three", 4); strncat(b, "", 9); puts(b);
    char *dup = strdup("duplicate"), *ndup = strndup("truncated", 5);
    printf("%s %s\n", dup, ndup);
    free(dup); free(ndup);
    char text[] = ",a,,b;c,", *save = NULL;
    for (char *t = strtok_r(text, ",;", &save); t; t = strtok_r(NULL, ",;", &save)) printf("[%s]", t);
    char text2[] = "x::y:", *rest = text2, *field;
    while ((field = strsep(&rest, ":"))) printf("(%s)", field);
    char text3[] = "1 2  3";
    for (char *t = strtok(text3, " "); t; t = strtok(NULL, " ")) printf("<%s>", t);
    putchar('\n');
    printf("%ld %s\n", (long)(at(memmem("abcdef", 6, "cd", 2), NULL) != -1), (char *)memccpy(b, "stop.here", '.', 20) == b + 5 ? "memccpy" : "?");
    printf("%d %d %ld\n", abs(-5), abs(5), labs(-1234567890123L));
    printf("%d %s\n", strverscmp("file9", "file10") < 0, basename("/usr/lib/x.so"));
    strfry(strcpy(c, "a"));
    printf("%s %s\n", c, strerror(2));
    long n = 0;
    for (int length = 0; length < 40; length++)      // every alignment of a memset and memcmp
        for (int from = 0; from < 8; from++) {
            char x[64], y[64];
            memset(x, 1, sizeof x); memset(y, 1, sizeof y);
            memset(x + from, 7, (size_t)length); memset(y + from, 7, (size_t)length);
            n += memcmp(x, y, sizeof x) == 0;
            y[from + length] = 9;
            n += sign(memcmp(x, y, sizeof x)) < 0;
        }
    printf("%ld\n", n);
    return 0;
}
