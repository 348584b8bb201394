/*
 * forth: a small language on a stack.
 *
 *   numbers, + - * / mod, dup drop swap over rot, = < >, . prints a number, cr a newline,
 *   ." text" prints text, : NAME ... ; defines a word, IF ... ELSE ... THEN,
 *   LIMIT START do ... loop with i, ! stores and @ reads one of 16 cells: VALUE CELL !, CELL @
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACK_SIZE 32
#define LOOPS 8
#define CODE_SIZE 512
#define MAX_WORDS 24
#define CELLS 16
#define NAME_SIZE 16
#define TEXT_SIZE 40
#define MAX_TEXTS 16
#define DEPTH 50

enum op {
    OP_NUMBER, OP_TEXT, OP_CALL, OP_RETURN, OP_JUMP, OP_UNLESS, OP_DO, OP_LOOP,
    OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_DUP, OP_DROP, OP_SWAP, OP_OVER, OP_ROT,
    OP_EQUAL, OP_LESS, OP_GREATER, OP_PRINT, OP_CR, OP_INDEX, OP_STORE, OP_FETCH
};

struct builtin {
    const char *name;
    enum op op;
    int needs;
};

static const struct builtin builtins[] = {
    {"+", OP_ADD, 2},
    {"-", OP_SUB, 2},
    {"*", OP_MUL, 2},
    {"/", OP_DIV, 2},
    {"mod", OP_MOD, 2},
    {"dup", OP_DUP, 1},
    {"drop", OP_DROP, 1},
    {"swap", OP_SWAP, 2},
    {"over", OP_OVER, 2},
    {"rot", OP_ROT, 3},
    {"=", OP_EQUAL, 2},
    {"<", OP_LESS, 2},
    {">", OP_GREATER, 2},
    {".", OP_PRINT, 1},
    {"cr", OP_CR, 0},
    {"i", OP_INDEX, 0},
    {"!", OP_STORE, 2},
    {"@", OP_FETCH, 1},
};

struct word {
    char name[NAME_SIZE];
    int start;
};

static int code[CODE_SIZE];
static int used;
static struct word words[MAX_WORDS];
static int word_count;
static char texts[MAX_TEXTS][TEXT_SIZE];
static int text_count;
static long stack[STACK_SIZE];
static int top;
static long cells[CELLS];
static long loop_index[LOOPS];
static long loop_limit[LOOPS];
static int loops;

static void fail(const char *message, const char *word)
{
    printf("error: %s", message);
    if (word != NULL)
        printf(": %s", word);
    printf("\n");
    exit(1);
}

static void push(long value)
{
    if (top == STACK_SIZE)
        fail("stack full", NULL);
    stack[top] = value;
    top++;
}

static long pop(void)
{
    top--;
    return stack[top];
}

static void emit(int value)
{
    if (used == CODE_SIZE)
        fail("program too long", NULL);
    code[used] = value;
    used++;
}

static const struct builtin *builtin_of(int op)
{
    size_t i;

    for (i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        if ((int)builtins[i].op == op)
            return &builtins[i];
    }
    return NULL;
}

static long *cell(long number)
{
    if (number < 0 || number >= CELLS)
        fail("no such cell", NULL);
    return &cells[number];
}

static void simple(int op)
{
    long a;
    long b;
    long c;

    switch (op) {
    case OP_ADD: b = pop(); a = pop(); push(a + b); break;
    case OP_SUB: b = pop(); a = pop(); push(a - b); break;
    case OP_MUL: b = pop(); a = pop(); push(a * b); break;
    case OP_DIV:
    case OP_MOD:
        b = pop();
        a = pop();
        if (b == 0)
            fail("division by zero", NULL);
        push(op == OP_DIV ? a / b : a % b);
        break;
    case OP_DUP: a = pop(); push(a); push(a); break;
    case OP_DROP: pop(); break;
    case OP_SWAP: b = pop(); a = pop(); push(b); push(a); break;
    case OP_OVER: b = pop(); a = pop(); push(a); push(b); push(a); break;
    case OP_ROT: c = pop(); b = pop(); a = pop(); push(b); push(c); push(a); break;
    case OP_EQUAL: b = pop(); a = pop(); push(a == b); break;
    case OP_LESS: b = pop(); a = pop(); push(a < b); break;
    case OP_GREATER: b = pop(); a = pop(); push(a > b); break;
    case OP_PRINT: printf("%ld ", pop()); break;
    case OP_CR: printf("\n"); break;
    case OP_STORE: b = pop(); a = pop(); *cell(b) = a; break;
    case OP_FETCH: a = pop(); push(*cell(a)); break;
    case OP_INDEX:
        if (loops == 0)
            fail("no loop", NULL);
        push(loop_index[loops - 1]);
        break;
    }
}

static void begin_loop(void)
{
    if (top < 2)
        fail("stack empty", "do");
    if (loops == LOOPS)
        fail("loops too deep", NULL);
    loop_index[loops] = pop();
    loop_limit[loops] = pop();
    loops++;
}

static void run(int at, int depth)
{
    if (depth > DEPTH)
        fail("calls too deep", NULL);
    for (;;) {
        int op = code[at++];
        const struct builtin *builtin = builtin_of(op);

        if (builtin != NULL) {
            if (top < builtin->needs)
                fail("stack empty", builtin->name);
            simple(op);
            continue;
        }
        switch (op) {
        case OP_NUMBER: push(code[at++]); break;
        case OP_TEXT: printf("%s", texts[code[at++]]); break;
        case OP_CALL: run(words[code[at++]].start, depth + 1); break;
        case OP_RETURN: return;
        case OP_JUMP: at = code[at]; break;
        case OP_UNLESS:
            if (top < 1)
                fail("stack empty", "if");
            at = pop() != 0 ? at + 1 : code[at];
            break;
        case OP_DO: begin_loop(); break;
        case OP_LOOP:
            loop_index[loops - 1]++;
            if (loop_index[loops - 1] < loop_limit[loops - 1]) {
                at = code[at];
            } else {
                loops--;
                at++;
            }
            break;
        }
    }
}

/* The next word: its length, 0 at the end. */
static int next(const char **text, char *word)
{
    int length = 0;

    while (**text == ' ' || **text == '\n')
        (*text)++;
    while (**text != '\0' && **text != ' ' && **text != '\n') {
        if (length < NAME_SIZE - 1)
            word[length++] = **text;
        (*text)++;
    }
    word[length] = '\0';
    return length;
}

static void compile_text(const char **text)
{
    int length = 0;

    if (text_count == MAX_TEXTS)
        fail("too many texts", NULL);
    if (**text == ' ')
        (*text)++;
    while (**text != '"') {
        if (**text == '\0' || length == TEXT_SIZE - 1)
            fail("text does not end", NULL);
        texts[text_count][length++] = *(*text)++;
    }
    (*text)++;
    texts[text_count][length] = '\0';
    emit(OP_TEXT);
    emit(text_count++);
}

static int is_number(const char *word)
{
    if (*word == '-')
        word++;
    return *word != '\0' && word[strspn(word, "0123456789")] == '\0';
}

static int find_word(const char *name)
{
    int i;

    /* The latest definition counts. */
    for (i = word_count - 1; i >= 0; i--) {
        if (strcmp(words[i].name, name) == 0)
            return i;
    }
    return -1;
}

static void compile_word(const char *word)
{
    int defined = find_word(word);
    size_t i;

    if (defined >= 0) {
        emit(OP_CALL);
        emit(defined);
        return;
    }
    for (i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        if (strcmp(builtins[i].name, word) == 0) {
            emit(builtins[i].op);
            return;
        }
    }
    if (!is_number(word))
        fail("unknown word", word);
    emit(OP_NUMBER);
    emit(atoi(word));
}

/* Compiles up to one of the words that end a part; gives its first letter, 0 at the end. */
static char compile(const char **text)
{
    char word[NAME_SIZE];
    int start;
    int other;

    while (next(text, word) > 0) {
        if (strcmp(word, ";") == 0 || strcmp(word, "then") == 0 || strcmp(word, "else") == 0 ||
            strcmp(word, "loop") == 0)
            return word[0];
        if (strcmp(word, ".\"") == 0) {
            compile_text(text);
        } else if (strcmp(word, "if") == 0) {
            emit(OP_UNLESS);
            start = used;
            emit(0);
            if (compile(text) == 'e') {
                emit(OP_JUMP);
                other = used;
                emit(0);
                code[start] = used;
                compile(text);
                code[other] = used;
            } else {
                code[start] = used;
            }
        } else if (strcmp(word, "do") == 0) {
            emit(OP_DO);
            start = used;
            if (compile(text) != 'l')
                fail("do without loop", NULL);
            emit(OP_LOOP);
            emit(start);
        } else if (strcmp(word, ":") == 0) {
            if (word_count == MAX_WORDS)
                fail("too many words", NULL);
            next(text, words[word_count].name);
            emit(OP_JUMP);
            start = used;
            emit(0);
            words[word_count].start = used;
            word_count++;
            if (compile(text) != ';')
                fail("definition does not end", words[word_count - 1].name);
            emit(OP_RETURN);
            code[start] = used;
        } else {
            compile_word(word);
        }
    }
    return 0;
}

int main(void)
{
    static char text[4096];
    const char *rest = text;
    size_t length = fread(text, 1, sizeof text - 1, stdin);

    text[length] = '\0';
    if (compile(&rest) != 0)
        fail("nothing to end", NULL);
    emit(OP_RETURN);
    run(0, 0);
    if (top > 0)
        printf("%d left\n", top);
    return 0;
}
