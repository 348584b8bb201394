/*
 * words: what can be done with a line of text; commands from standard input.
 *
 *   wrap N TEXT       lines of at most N characters
 *   justify N TEXT    the same, with blanks so that all lines but the last are N wide
 *   center N TEXT     between blanks
 *   title TEXT        every word with a capital, but for small words that are not at the start
 *   count TEXT        words, letters, the longest word
 *   roman N           1 to 3999
 *   number ROMAN      the other way round
 *   caesar N TEXT     letters are moved on by N
 *   palindrome TEXT   letters and digits only
 *   pack TEXT         runs of the same character, with how long they are
 *   common A B        what both words start and end with
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LINE_SIZE 200
#define MAX_WIDTH 100
#define MAX_ROMAN 3999
#define LETTERS 26
#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

static const struct {
    const char *text;
    int value;
} numerals[] = {
    {"M", 1000}, {"CM", 900}, {"D", 500}, {"CD", 400}, {"C", 100}, {"XC", 90}, {"L", 50},
    {"XL", 40},  {"X", 10},   {"IX", 9},  {"V", 5},    {"IV", 4},  {"I", 1},
};

static const char *const small_words[] = {"a", "an", "and", "in", "of", "on", "or", "the", "to"};

/* One blank between words and none around them. */
static void trim(char *text)
{
    char *end = text;

    for (const char *from = text; *from != '\0'; from++) {
        if (!isspace((unsigned char)*from))
            *end++ = *from;
        else if (end > text && end[-1] != ' ')
            *end++ = ' ';
    }
    if (end > text && end[-1] == ' ')
        end--;
    *end = '\0';
}

static int word_length(const char *text)
{
    return (int)strcspn(text, " ");
}

static const char *after_blank(const char *text)
{
    return *text == ' ' ? text + 1 : text;
}

/* How much of the text is in the first line: whole words, or a part of a word that is too long. */
static int line_length(const char *text, int width)
{
    int length = word_length(text);

    if (length > width)
        return width;
    while (text[length] == ' ' && length + 1 + word_length(text + length + 1) <= width)
        length += 1 + word_length(text + length + 1);
    return length;
}

/* Shares what is missing between the gaps; the first ones get what is left over. */
static void print_justified(const char *text, int length, int width)
{
    int missing = width - length;
    int gaps = 0;
    int gap = 0;

    for (int i = 0; i < length; i++)
        gaps += text[i] == ' ';
    for (int i = 0; i < length; i++) {
        putchar(text[i]);
        if (text[i] == ' ') {
            printf("%*s", missing / gaps + (gap < missing % gaps ? 1 : 0), "");
            gap++;
        }
    }
    putchar('\n');
}

static void wrap(const char *text, int width, int justified)
{
    while (*text != '\0') {
        int length = line_length(text, width);
        const char *rest = after_blank(text + length);

        if (justified && *rest != '\0')
            print_justified(text, length, width);
        else
            printf("%.*s\n", length, text);
        text = rest;
    }
}

static void center(const char *text, int width)
{
    int length = (int)strlen(text);
    int blanks = length < width ? width - length : 0;

    printf("[%*s%s%*s]\n", blanks / 2, "", text, blanks - blanks / 2, "");
}

static int is_small(const char *word, int length)
{
    for (int i = 0; i < COUNT(small_words); i++) {
        if ((int)strlen(small_words[i]) == length && strncasecmp(word, small_words[i], (size_t)length) == 0)
            return 1;
    }
    return 0;
}

static void title(const char *text)
{
    for (int i = 0; text[i] != '\0'; i++) {
        int capital = i == 0 || (text[i - 1] == ' ' && !is_small(text + i, word_length(text + i)));

        putchar(capital ? toupper((unsigned char)text[i]) : tolower((unsigned char)text[i]));
    }
    putchar('\n');
}

static void count(const char *text)
{
    int words = 0, letters = 0, longest = 0;
    int length;

    for (; *text != '\0'; text = after_blank(text + length)) {
        length = word_length(text);
        words++;
        letters += length;
        if (length > longest)
            longest = length;
    }
    printf("%d words, %d letters, longest %d\n", words, letters, longest);
}

static void format_roman(char *out, int value)
{
    *out = '\0';
    for (int i = 0; i < COUNT(numerals); i++) {
        for (; value >= numerals[i].value; value -= numerals[i].value)
            strcat(out, numerals[i].text);
    }
}

static int numeral_value(char c)
{
    for (int i = 0; i < COUNT(numerals); i++) {
        if (numerals[i].text[0] == c && numerals[i].text[1] == '\0')
            return numerals[i].value;
    }
    return 0;
}

/* A numeral before a larger one is taken away; 0 if this is not how the number is written. */
static int parse_roman(const char *text)
{
    char written[LINE_SIZE];
    int value = 0;

    for (int i = 0; text[i] != '\0'; i++) {
        int one = numeral_value(text[i]);

        value += one < numeral_value(text[i + 1]) ? -one : one;
    }
    format_roman(written, value <= MAX_ROMAN ? value : 0);
    return strcmp(written, text) == 0 ? value : 0;
}

static char moved(char c, int by)
{
    if (!isalpha((unsigned char)c))
        return c;
    char first = isupper((unsigned char)c) ? 'A' : 'a';
    return (char)(first + (c - first + by % LETTERS + LETTERS) % LETTERS);
}

static int is_palindrome(const char *text)
{
    int left = 0;
    int right = (int)strlen(text) - 1;

    while (left < right) {
        if (!isalnum((unsigned char)text[left]))
            left++;
        else if (!isalnum((unsigned char)text[right]))
            right--;
        else if (tolower((unsigned char)text[left++]) != tolower((unsigned char)text[right--]))
            return 0;
    }
    return 1;
}

static void pack(const char *text)
{
    int run;

    for (int i = 0; text[i] != '\0'; i += run) {
        run = 1;
        while (text[i + run] == text[i])
            run++;
        if (run > 1)
            printf("%d", run);
        putchar(text[i]);
    }
    putchar('\n');
}

static void common(const char *first, const char *second)
{
    int first_length = (int)strlen(first);
    int second_length = (int)strlen(second);
    int least = first_length < second_length ? first_length : second_length;
    int start = 0;
    int end = 0;

    while (start < least && first[start] == second[start])
        start++;
    while (end < least - start && first[first_length - 1 - end] == second[second_length - 1 - end])
        end++;
    printf("start %d, end %d\n", start, end);
}

/* Ends the text after its first word; gives the rest. */
static char *cut(char *text)
{
    char *rest = text + word_length(text);

    if (*rest == ' ')
        *rest++ = '\0';
    return rest;
}

/* 0: the command is not understood. */
static int execute(const char *name, char *text)
{
    char roman[LINE_SIZE];
    char *rest;
    long number = strtol(text, &rest, 10);
    int has_number = rest != text && word_length(rest) == 0 && number >= -MAX_ROMAN && number <= MAX_ROMAN;

    rest += *rest == ' ';
    if (strcmp(name, "title") == 0)
        title(text);
    else if (strcmp(name, "count") == 0)
        count(text);
    else if (strcmp(name, "pack") == 0)
        pack(text);
    else if (strcmp(name, "common") == 0)
        common(text, cut(text));
    else if (strcmp(name, "palindrome") == 0)
        puts(is_palindrome(text) ? "yes" : "no");
    else if (strcmp(name, "number") == 0)
        printf("%d\n", parse_roman(text));
    else if (strcmp(name, "caesar") == 0 && has_number) {
        for (; *rest != '\0'; rest++)
            putchar(moved(*rest, (int)number));
        putchar('\n');
    } else if (strcmp(name, "roman") == 0 && has_number && number > 0) {
        format_roman(roman, (int)number);
        puts(roman);
    } else if (!has_number || number < 1 || number > MAX_WIDTH)
        return 0;
    else if (strcmp(name, "wrap") == 0 || strcmp(name, "justify") == 0)
        wrap(rest, (int)number, name[0] == 'j');
    else if (strcmp(name, "center") == 0)
        center(rest, (int)number);
    else
        return 0;
    return 1;
}

int main(void)
{
    char line[LINE_SIZE];
    int wrong = 0;

    for (int number = 1; fgets(line, sizeof line, stdin) != NULL; number++) {
        trim(line);
        if (line[0] != '\0' && !execute(line, cut(line))) {
            printf("line %d is not understood\n", number);
            wrong++;
        }
    }
    return wrong > 0;
}
