// Coroutines by swapcontext: two stacks in turn.
//: refused swapcontext
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t main_context, generator;
static int produced;

static void generate(void)
{
    int squares[4];
    for (int i = 0; i < 4; i++) {
        squares[i] = i * i;
        produced = squares[i];
        swapcontext(&generator, &main_context);
    }
    produced = -1;
}

static int next(void)
{
    int before[8] = { produced };
    swapcontext(&main_context, &generator);
    return produced + before[1];
}

int main(void)
{
    getcontext(&generator);
    generator.uc_stack.ss_sp = malloc(65536);
    generator.uc_stack.ss_size = 65536;
    generator.uc_link = &main_context;
    makecontext(&generator, generate, 0);
    for (int v = next(); v >= 0; v = next())
        printf("%d\n", v);
    return 0;
}
