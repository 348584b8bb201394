/* Declares an element with parts nested so deep, and tells the model of it: driver DEPTH BESIDE, where BESIDE is 1 where a part stands
   beside each nested one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "expat.h"

enum { SHOWN = 12 };

static XML_Parser parser;

/* Parts as they stand in the model, the outer ones first, and only so many. */
static void show(const XML_Content *part, int depth)
{
    for (; depth < SHOWN; depth++) {
        const XML_Content *inner = NULL;
        printf("%d:", depth);
        for (unsigned at = 0; at < part->numchildren; at++) {
            if (part->children[at].numchildren > 0)
                inner = &part->children[at];
            printf(" %s", part->children[at].name ? part->children[at].name : "()");
        }
        printf("\n");
        if (!inner)
            break;
        part = inner;
    }
}

static void XMLCALL declared(void *data, const XML_Char *name, XML_Content *model)
{
    (void)data;
    printf("%s\n", name);
    show(model, 0);
    XML_FreeContentModel(parser, model);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    /* As small a stack as threads have. */
    struct rlimit stack = { 256 << 10, 256 << 10 };
    setrlimit(RLIMIT_STACK, &stack);
    int depth = atoi(argv[1]), beside = atoi(argv[2]);
    if (depth < 1 || depth > 20000 || beside < 0 || beside > 1)
        return 2;
    char *text = malloc((size_t)depth * 8 + 100), *end = text;
    if (!text)
        return 3;
    end += sprintf(end, "<!DOCTYPE r [<!ELEMENT r ");
    for (int at = 0; at < depth; at++)
        *end++ = '(';
    *end++ = 'a';
    for (int at = 0; at < depth; at++)
        end += sprintf(end, beside ? ",b%d)" : ")", at % 10);
    end += sprintf(end, ">]><r/>");
    parser = XML_ParserCreate(NULL);
    XML_SetElementDeclHandler(parser, declared);
    int status = XML_Parse(parser, text, (int)(end - text), 1);
    printf("%s\n", status == XML_STATUS_OK ? "read" : XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
    free(text);
    return 0;
}
