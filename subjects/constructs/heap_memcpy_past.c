// A library function is told to write past a heap block's end.
//: memory out-of-bounds heap line @bad size 20
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet { unsigned short length; char body[18]; };

int main(void)
{
    struct packet *p = malloc(sizeof *p);
    const char *text = "eighteen bytes and";
    p->length = (unsigned short)(strlen(text) + 1);
    memcpy(p->body, text, p->length); // bad
    printf("%d\n", p->length);
    free(p);
    return 0;
}
