/*
 * replace PATTERN REPLACEMENT [LIMIT]: replaces what matches, line by line, from standard input to standard output.
 *
 * Patterns:      c      that character            .      any character
 *                [abc]  one of them, [^abc] none, [a-z] a range
 *                x*     any number of x           x+     at least one         x?  at most one
 *                <      the start of a line       >      its end
 *                (x)    a group, up to 9          %c     c itself, also %n, %t, %d (a digit), %w (a letter or digit)
 *                x|y    x or else y, of the whole pattern
 * Replacements:  &      what matched              %1     what group 1 matched
 *                %U %L %E  from here on upper case, lower case, as it is
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CODE 200
#define MAX_CLASSES 16
#define MAX_GROUPS 10
#define MAX_LINE 256
#define MAX_OUTPUT 1024
#define CLASS_BYTES 32

enum opcode { CHARACTER, ANY, CLASS, LINE_START, LINE_END, OPEN, CLOSE, SPLIT, JUMP, MATCH };

struct instruction {
    enum opcode opcode;
    int argument;     /* the character, class, group or first way */
    int second;       /* the other way of a split */
};

static struct instruction code[MAX_CODE];
static int code_length;
static unsigned char classes[MAX_CLASSES][CLASS_BYTES];
static int class_count;
static int group_count;
static const char *problem;

static int starts[MAX_GROUPS];
static int ends[MAX_GROUPS];

static char output[MAX_OUTPUT];
static int output_length;

static int emit(enum opcode opcode, int argument, int second)
{
    if (code_length == MAX_CODE) {
        problem = "pattern too long";
        return 0;
    }
    code[code_length].opcode = opcode;
    code[code_length].argument = argument;
    code[code_length].second = second;
    return code_length++;
}

/* Makes room for one instruction at a place, and moves what jumps over it. */
static void insert(int place, enum opcode opcode, int argument, int second)
{
    int i;

    if (emit(opcode, argument, second) == 0 && problem != NULL)
        return;
    for (i = code_length - 1; i > place; i--) {
        code[i] = code[i - 1];
        if (code[i].opcode == SPLIT || code[i].opcode == JUMP) {
            if (code[i].argument >= place)
                code[i].argument++;
            if (code[i].opcode == SPLIT && code[i].second >= place)
                code[i].second++;
        }
    }
    code[place].opcode = opcode;
    code[place].argument = argument;
    code[place].second = second;
}

static void add_to_class(int number, int c)
{
    classes[number][c / 8] |= (unsigned char)(1 << c % 8);
}

static int in_class(int number, int c)
{
    return classes[number][c / 8] >> c % 8 & 1;
}

static int new_class(void)
{
    if (class_count == MAX_CLASSES) {
        problem = "too many classes";
        return 0;
    }
    memset(classes[class_count], 0, CLASS_BYTES);
    return class_count++;
}

static void invert_class(int number)
{
    int i;

    for (i = 0; i < CLASS_BYTES; i++)
        classes[number][i] = (unsigned char)~classes[number][i];
}

static char unescape(char c)
{
    if (c == 'n')
        return '\n';
    if (c == 't')
        return '\t';
    return c;
}

/* After the bracket; gives the place after the closing one. */
static int compile_class(const char *pattern, int at)
{
    int number = new_class();
    int inverted = 0;
    int previous = -1;

    if (pattern[at] == '^') {
        inverted = 1;
        at++;
    }
    while (pattern[at] != ']' && pattern[at] != '\0') {
        int c = (unsigned char)pattern[at];

        if (c == '-' && previous >= 0 && pattern[at + 1] != ']' && pattern[at + 1] != '\0') {
            int last = (unsigned char)pattern[at + 1];

            if (last < previous)
                problem = "bad range";
            for (c = previous; c <= last; c++)
                add_to_class(number, c);
            previous = -1;
            at += 2;
            continue;
        }
        if (c == '%' && pattern[at + 1] != '\0') {
            at++;
            c = (unsigned char)unescape(pattern[at]);
        }
        add_to_class(number, c);
        previous = c;
        at++;
    }
    if (pattern[at] == '\0') {
        problem = "missing ]";
        return at;
    }
    if (inverted)
        invert_class(number);
    emit(CLASS, number, 0);
    return at + 1;
}

static void compile_escape(char c)
{
    int number;
    int i;

    if (c != 'd' && c != 'w') {
        emit(CHARACTER, unescape(c), 0);
        return;
    }
    number = new_class();
    for (i = '0'; i <= '9'; i++)
        add_to_class(number, i);
    if (c == 'w') {
        for (i = 'a'; i <= 'z'; i++) {
            add_to_class(number, i);
            add_to_class(number, toupper(i));
        }
    }
    emit(CLASS, number, 0);
}

/* The code from start on is what is repeated. */
static void compile_repeat(char how, int start)
{
    if (how == '*') {
        insert(start, SPLIT, start + 1, code_length + 2);
        emit(JUMP, start, 0);
    } else if (how == '+') {
        emit(SPLIT, start, code_length + 1);
    } else {
        insert(start, SPLIT, start + 1, code_length + 1);
    }
}

static int compile_atom(const char *pattern, int at);

/* Up to the end, a bar, or a closing parenthesis. */
static int compile_sequence(const char *pattern, int at)
{
    while (pattern[at] != '\0' && pattern[at] != '|' && pattern[at] != ')' && problem == NULL) {
        int start = code_length;

        at = compile_atom(pattern, at);
        if (problem == NULL && pattern[at] != '\0' && strchr("*+?", pattern[at]) != NULL) {
            compile_repeat(pattern[at], start);
            at++;
        }
    }
    return at;
}

static int compile_group(const char *pattern, int at)
{
    int number = ++group_count;

    if (number >= MAX_GROUPS) {
        problem = "too many groups";
        return at;
    }
    emit(OPEN, number, 0);
    at = compile_sequence(pattern, at);
    if (pattern[at] != ')') {
        problem = "missing )";
        return at;
    }
    emit(CLOSE, number, 0);
    return at + 1;
}

static int compile_atom(const char *pattern, int at)
{
    char c = pattern[at++];

    switch (c) {
    case '.':
        emit(ANY, 0, 0);
        break;
    case '[':
        return compile_class(pattern, at);
    case '(':
        return compile_group(pattern, at);
    case '<':
        emit(LINE_START, 0, 0);
        break;
    case '>':
        emit(LINE_END, 0, 0);
        break;
    case '*':
    case '+':
    case '?':
        problem = "nothing to repeat";
        break;
    case '%':
        if (pattern[at] == '\0') {
            problem = "nothing after %";
            break;
        }
        compile_escape(pattern[at]);
        at++;
        break;
    default:
        emit(CHARACTER, c, 0);
        break;
    }
    return at;
}

static void compile(const char *pattern)
{
    int at = 0;
    int start = 0;

    for (;;) {
        at = compile_sequence(pattern, at);
        if (problem != NULL)
            return;
        if (pattern[at] == ')') {
            problem = "missing (";
            return;
        }
        if (pattern[at] == '|') {
            insert(start, SPLIT, start + 1, code_length + 2);
            emit(MATCH, 0, 0);
            start = code_length;
            at++;
            continue;
        }
        emit(MATCH, 0, 0);
        return;
    }
}

/* Runs the program from a place; the position after the match, or -1. */
static int run(int place, const char *line, int length, int at)
{
    for (;;) {
        const struct instruction *instruction = &code[place];
        int saved;
        int end;

        switch (instruction->opcode) {
        case CHARACTER:
            if (at == length || line[at] != (char)instruction->argument)
                return -1;
            at++;
            break;
        case ANY:
            if (at == length)
                return -1;
            at++;
            break;
        case CLASS:
            if (at == length || !in_class(instruction->argument, (unsigned char)line[at]))
                return -1;
            at++;
            break;
        case LINE_START:
            if (at > 0)
                return -1;
            break;
        case LINE_END:
            if (at < length)
                return -1;
            break;
        case OPEN:
            saved = starts[instruction->argument];
            starts[instruction->argument] = at;
            end = run(place + 1, line, length, at);
            if (end < 0)
                starts[instruction->argument] = saved;
            return end;
        case CLOSE:
            saved = ends[instruction->argument];
            ends[instruction->argument] = at;
            end = run(place + 1, line, length, at);
            if (end < 0)
                ends[instruction->argument] = saved;
            return end;
        case SPLIT:
            end = run(instruction->argument, line, length, at);
            if (end >= 0)
                return end;
            place = instruction->second;
            continue;
        case JUMP:
            place = instruction->argument;
            continue;
        case MATCH:
            return at;
        }
        place++;
    }
}

static void forget_groups(void)
{
    int i;

    for (i = 0; i < MAX_GROUPS; i++) {
        starts[i] = -1;
        ends[i] = -1;
    }
}

static void put(char c, int letters)
{
    if (letters == 'U')
        c = (char)toupper((unsigned char)c);
    else if (letters == 'L')
        c = (char)tolower((unsigned char)c);
    if (output_length < MAX_OUTPUT - 1)
        output[output_length++] = c;
}

static void put_part(const char *line, int from, int to, int letters)
{
    int i;

    for (i = from; i < to; i++)
        put(line[i], letters);
}

static void put_replacement(const char *replacement, const char *line, int from, int to)
{
    int letters = 'E';
    int i;

    for (i = 0; replacement[i] != '\0'; i++) {
        char c = replacement[i];

        if (c == '&') {
            put_part(line, from, to, letters);
            continue;
        }
        if (c != '%' || replacement[i + 1] == '\0') {
            put(c, letters);
            continue;
        }
        c = replacement[++i];
        if (c == 'U' || c == 'L' || c == 'E') {
            letters = c;
        } else if (c >= '1' && c <= '9') {
            int group = c - '0';

            if (ends[group] >= 0)
                put_part(line, starts[group], ends[group], letters);
        } else {
            put(unescape(c), letters);
        }
    }
}

/* How many places were replaced. */
static int replace_line(const char *line, int length, const char *replacement, int limit)
{
    int at = 0;
    int copied = 0;
    int count = 0;

    output_length = 0;
    while (at <= length && count < limit) {
        int end;

        forget_groups();
        end = run(0, line, length, at);
        if (end < 0 || (end == at && at == copied && at > 0)) {
            at++;
            continue;
        }
        put_part(line, copied, at, 'E');
        put_replacement(replacement, line, at, end);
        count++;
        copied = end;
        at = end > at ? end : at + 1;
    }
    put_part(line, copied, length, 'E');
    output[output_length] = '\0';
    return count;
}

int main(int argc, char **argv)
{
    char line[MAX_LINE];
    int limit = MAX_LINE;
    int total = 0;
    int lines = 0;

    if (argc < 3 || argc > 4) {
        printf("usage: replace PATTERN REPLACEMENT [LIMIT]\n");
        return 2;
    }
    if (argc == 4) {
        limit = atoi(argv[3]);
        if (limit < 1) {
            printf("replace: bad limit %s\n", argv[3]);
            return 2;
        }
    }
    compile(argv[1]);
    if (problem != NULL) {
        printf("replace: %s\n", problem);
        return 2;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        int length = (int)strlen(line);
        int ended = 0;
        int count;

        if (length > 0 && line[length - 1] == '\n') {
            length--;
            ended = 1;
        }
        count = replace_line(line, length, argv[2], limit);
        fputs(output, stdout);
        if (ended)
            putchar('\n');
        total += count;
        if (count > 0)
            lines++;
    }
    printf("-- %d in %d lines\n", total, lines);
    return total == 0;
}
