/*
 * tokens: the tokens of a program in a small language, one a line, from standard input.
 *
 * Words, numbers (decimal with '_' between digits, 0x..., 1.5e3), texts in double quotes with escapes, characters in
 * single quotes, operators of up to three characters, comments from "--" to the end of the line and nested between
 * "{-" and "-}". Lines whose brackets are closed end with a newline token; their indentation gives "indent" and
 * "dedent" tokens.
 *
 * With the argument "-s" only a summary is printed.
 */
#include <stdio.h>
#include <string.h>

#define MAX_SOURCE 4096
#define MAX_TEXT 64
#define MAX_INDENTS 8
#define MAX_BRACKETS 16

enum class { C_OTHER, C_SPACE, C_LETTER, C_DIGIT, C_E, C_DOT, C_SIGN, C_UNDERSCORE, CLASSES };

enum state { S_START, S_INTEGER, S_JOIN, S_POINT, S_FRACTION, S_EXPONENT, S_SIGNED, S_POWER, S_STOP, S_BAD };

enum kind { K_WORD, K_KEYWORD, K_INTEGER, K_REAL, K_TEXT, K_CHARACTER, K_OPERATOR, K_LAYOUT, KINDS };

static const char *const kind_names[KINDS] = {
    "word", "keyword", "integer", "real", "text", "character", "operator", "layout",
};

/* Sorted, for the search. */
static const char *const keywords[] = {
    "and", "do", "else", "end", "for", "fun", "if", "in", "let", "not", "or", "return", "then", "while",
};

/* Longer ones first. */
static const char *const operators[] = {
    "<=>", "...", "**=", "==", "<>", "<=", ">=", ":=", "->", "=>", "..", "**", "+=", "-=",
    "+", "-", "*", "/", "%", "<", ">", "=", "(", ")", "[", "]", ",", ";", ":", ".", "!",
};

/* States of a decimal number, by the class of the next character. */
static const unsigned char next_state[S_STOP][CLASSES] = {
    /*               other   space   letter digit       e           dot      sign      underscore */
    [S_START]    = {S_BAD,  S_BAD,  S_BAD, S_INTEGER,  S_BAD,      S_BAD,   S_BAD,    S_BAD},
    [S_INTEGER]  = {S_STOP, S_STOP, S_BAD, S_INTEGER,  S_EXPONENT, S_POINT, S_STOP,   S_JOIN},
    [S_JOIN]     = {S_BAD,  S_BAD,  S_BAD, S_INTEGER,  S_BAD,      S_BAD,   S_BAD,    S_BAD},
    [S_POINT]    = {S_BAD,  S_BAD,  S_BAD, S_FRACTION, S_BAD,      S_BAD,   S_BAD,    S_BAD},
    [S_FRACTION] = {S_STOP, S_STOP, S_BAD, S_FRACTION, S_EXPONENT, S_STOP,  S_STOP,   S_BAD},
    [S_EXPONENT] = {S_BAD,  S_BAD,  S_BAD, S_POWER,    S_BAD,      S_BAD,   S_SIGNED, S_BAD},
    [S_SIGNED]   = {S_BAD,  S_BAD,  S_BAD, S_POWER,    S_BAD,      S_BAD,   S_BAD,    S_BAD},
    [S_POWER]    = {S_STOP, S_STOP, S_BAD, S_POWER,    S_BAD,      S_STOP,  S_STOP,   S_BAD},
};

static char source[MAX_SOURCE];
static int position;
static int line = 1;
static int line_start;

static int indents[MAX_INDENTS];
static int indent_count = 1;
static char brackets[MAX_BRACKETS];
static int bracket_count;

static char text[MAX_TEXT];
static int text_length;

static int quiet;
static int counts[KINDS];
static int errors;
static int pending_newline;

static int peek(int ahead)
{
    return (unsigned char)source[position + ahead];
}

static int is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static enum class class_of(int c)
{
    if (c == 'e' || c == 'E')
        return C_E;
    if (is_letter(c))
        return C_LETTER;
    if (is_digit(c))
        return C_DIGIT;
    switch (c) {
    case ' ':
    case '\t':
    case '\n':
    case '\0':
        return C_SPACE;
    case '.':
        return C_DOT;
    case '+':
    case '-':
        return C_SIGN;
    case '_':
        return C_UNDERSCORE;
    default:
        return C_OTHER;
    }
}

static void clear_text(void)
{
    text_length = 0;
    text[0] = '\0';
}

static void add_text(int c)
{
    if (text_length < MAX_TEXT - 1) {
        text[text_length++] = (char)c;
        text[text_length] = '\0';
    }
}

static void token(enum kind kind, int column)
{
    counts[kind]++;
    if (!quiet)
        printf("%d:%d %s %s\n", line, column, kind_names[kind], text);
}

static void error(int column, const char *message)
{
    errors++;
    printf("%d:%d error: %s\n", line, column, message);
}

static int column_here(void)
{
    return position - line_start + 1;
}

static void layout(const char *what)
{
    clear_text();
    while (*what != '\0')
        add_text(*what++);
    token(K_LAYOUT, column_here());
}

static int is_keyword(void)
{
    int low = 0;
    int high = (int)(sizeof keywords / sizeof keywords[0]) - 1;

    while (low <= high) {
        int middle = (low + high) / 2;
        int order = strcmp(text, keywords[middle]);

        if (order == 0)
            return 1;
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return 0;
}

static void read_word(void)
{
    int column = column_here();

    clear_text();
    while (is_letter(peek(0)) || is_digit(peek(0)) || peek(0) == '_') {
        add_text(peek(0));
        position++;
    }
    if (peek(0) == '?' || peek(0) == '\'') {
        add_text(peek(0));
        position++;
    }
    token(is_keyword() ? K_KEYWORD : K_WORD, column);
}

static int hex_value(int c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static void read_hexadecimal(void)
{
    int column = column_here();
    unsigned long value = 0;
    int digits = 0;

    position += 2;
    while (hex_value(peek(0)) >= 0) {
        value = value * 16 + (unsigned long)hex_value(peek(0));
        digits++;
        position++;
    }
    if (digits == 0 || digits > 8) {
        error(column, "bad hexadecimal number");
        return;
    }
    text_length = snprintf(text, sizeof text, "%lu", value);
    token(K_INTEGER, column);
}

static void read_decimal(void)
{
    int column = column_here();
    enum state state = S_START;
    enum kind kind = K_INTEGER;

    clear_text();
    for (;;) {
        enum state next = next_state[state][class_of(peek(0))];

        if (state == S_INTEGER && next == S_POINT && peek(1) == '.')
            next = S_STOP;
        if (next == S_STOP)
            break;
        if (next == S_BAD) {
            error(column, "bad number");
            while (is_letter(peek(0)) || is_digit(peek(0)) || peek(0) == '_')
                position++;
            return;
        }
        if (next == S_POINT || next == S_EXPONENT)
            kind = K_REAL;
        if (next != S_JOIN)
            add_text(peek(0));
        state = next;
        position++;
    }
    token(kind, column);
}

/* The character after a backslash; -1 if there is none like that. */
static int read_escape(void)
{
    int c = peek(0);
    int high;
    int low;

    position++;
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case '\\':
    case '"':
    case '\'':
        return c;
    case 'x':
        high = hex_value(peek(0));
        low = high < 0 ? -1 : hex_value(peek(1));
        if (low < 0)
            return -1;
        position += 2;
        return high * 16 + low;
    default:
        return -1;
    }
}

static void add_visibly(int c)
{
    if (c >= ' ' && c < 127) {
        add_text(c);
        return;
    }
    add_text('<');
    add_text("0123456789abcdef"[c / 16]);
    add_text("0123456789abcdef"[c % 16]);
    add_text('>');
}

static void read_quoted(char quote)
{
    int column = column_here();
    int length = 0;

    clear_text();
    position++;
    while (peek(0) != quote) {
        int c = peek(0);

        if (c == '\n' || c == '\0') {
            error(column, "quote is not closed");
            return;
        }
        position++;
        if (c == '\\') {
            int escape_column = column_here() - 1;

            c = read_escape();
            if (c < 0) {
                error(escape_column, "bad escape");
                c = '?';
            }
        }
        add_visibly(c);
        length++;
    }
    position++;
    if (quote == '\'' && length != 1) {
        error(column, "not one character");
        return;
    }
    token(quote == '\'' ? K_CHARACTER : K_TEXT, column);
}

static void new_line(void)
{
    position++;
    line++;
    line_start = position;
}

static void skip_nested_comment(void)
{
    int depth = 0;
    int column = column_here();
    int first_line = line;

    do {
        if (peek(0) == '{' && peek(1) == '-') {
            depth++;
            position += 2;
        } else if (peek(0) == '-' && peek(1) == '}') {
            depth--;
            position += 2;
        } else if (peek(0) == '\n') {
            new_line();
        } else if (peek(0) == '\0') {
            line = first_line;
            error(column, "comment is not closed");
            return;
        } else {
            position++;
        }
    } while (depth > 0);
}

static void bracket(char c, int column)
{
    char opening = c == ')' ? '(' : '[';

    if (c == '(' || c == '[') {
        if (bracket_count == MAX_BRACKETS) {
            error(column, "too many brackets");
            return;
        }
        brackets[bracket_count++] = c;
        return;
    }
    if (c != ')' && c != ']')
        return;
    if (bracket_count == 0) {
        error(column, "nothing to close");
        return;
    }
    bracket_count--;
    if (brackets[bracket_count] != opening)
        error(column, "another bracket is open");
}

static void read_operator(void)
{
    const int count = (int)(sizeof operators / sizeof operators[0]);
    int column = column_here();
    int i;

    for (i = 0; i < count; i++) {
        size_t length = strlen(operators[i]);

        if (strncmp(&source[position], operators[i], length) == 0) {
            strcpy(text, operators[i]);
            text_length = (int)length;
            token(K_OPERATOR, column);
            bracket(text[0], column);
            position += text_length;
            return;
        }
    }
    error(column, "strange character");
    position++;
}

/* At the first token of a line outside of brackets. */
static void indent(void)
{
    int width = position - line_start;
    int i;

    for (i = line_start; i < position; i++) {
        if (source[i] == '\t')
            width += 3;
    }
    if (width > indents[indent_count - 1]) {
        if (indent_count == MAX_INDENTS) {
            error(column_here(), "too deep");
            return;
        }
        indents[indent_count++] = width;
        layout("indent");
        return;
    }
    while (width < indents[indent_count - 1]) {
        indent_count--;
        layout("dedent");
    }
    if (width != indents[indent_count - 1])
        error(column_here(), "indentation fits no line above");
}

static void read_token(void)
{
    int c = peek(0);

    if (!pending_newline && bracket_count == 0)
        indent();
    pending_newline = 1;
    if (is_letter(c) || c == '_')
        read_word();
    else if (c == '0' && (peek(1) == 'x' || peek(1) == 'X'))
        read_hexadecimal();
    else if (is_digit(c))
        read_decimal();
    else if (c == '"' || c == '\'')
        read_quoted((char)c);
    else
        read_operator();
}

static void read_source(void)
{
    int c;

    while ((c = peek(0)) != '\0') {
        if (c == '\n') {
            if (pending_newline && bracket_count == 0) {
                layout("newline");
                pending_newline = 0;
            }
            new_line();
        } else if (c == ' ' || c == '\t') {
            position++;
        } else if (c == '-' && peek(1) == '-') {
            while (peek(0) != '\n' && peek(0) != '\0')
                position++;
        } else if (c == '{' && peek(1) == '-') {
            skip_nested_comment();
        } else {
            read_token();
        }
    }
    if (bracket_count > 0)
        error(column_here(), "brackets are open");
    while (indent_count > 1) {
        indent_count--;
        layout("dedent");
    }
}

int main(int argc, char **argv)
{
    size_t length = fread(source, 1, sizeof source - 3, stdin);
    int i;

    source[length] = '\0';
    if (argc == 2 && strcmp(argv[1], "-s") == 0) {
        quiet = 1;
    } else if (argc != 1) {
        printf("usage: tokens [-s]\n");
        return 2;
    }
    read_source();
    if (quiet) {
        for (i = 0; i < KINDS; i++)
            printf("%s %d\n", kind_names[i], counts[i]);
        printf("lines %d, errors %d\n", line, errors);
    }
    return errors > 0;
}
