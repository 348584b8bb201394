// Computed goto: a threaded interpreter, label differences, labels in static tables.
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, SWAP, JNZ, DEC, PRINT, HALT };

static int run(const int *code)
{
    static void *const table[] = { &&push, &&add, &&mul, &&dup, &&swap, &&jnz, &&dec, &&print, &&halt };
    int stack[32], *sp = stack, steps = 0, t;
    const int *pc = code;
#define NEXT do { steps++; goto *table[*pc++]; } while (0)
    NEXT;
push:  *sp++ = *pc++; NEXT;
add:   sp--; sp[-1] += sp[0]; NEXT;
mul:   sp--; sp[-1] *= sp[0]; NEXT;
dup:   sp[0] = sp[-1]; sp++; NEXT;
swap:  t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; NEXT;
jnz:   if (sp[-1]) pc = code + *pc; else pc++; NEXT;
dec:   sp[-1]--; NEXT;
print: printf("%d ", sp[-1]); NEXT;
halt:  putchar('\n');
    return steps;
}

static int state_machine(const char *text)
{
    void *state = &&outside;
    int words = 0;
    for (; *text; text++) {
        goto *state;
outside:
        if (*text != ' ') { words++; state = &&inside; }
        continue;
inside:
        if (*text == ' ')
            state = &&outside;
    }
    return words;
}

static int differences(int n)
{
    static const int offset[] = { &&a - &&a, &&b - &&a, &&c - &&a };
    goto *(&&a + offset[n]);
a:  return 10;
b:  return 20;
c:  return 30;
}

int main(void)
{
    static const int factorial[] = { PUSH, 1, PUSH, 6, SWAP, PRINT, PUSH, 2, MUL, SWAP, DEC, JNZ, 4, HALT };
    printf("steps %d\n", run(factorial));
    printf("words %d\n", state_machine("  one two   three "));
    printf("%d %d %d\n", differences(0), differences(1), differences(2));
    return 0;
}
