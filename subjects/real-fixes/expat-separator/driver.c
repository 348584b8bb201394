/* Reads a document whose root is in a namespace, and takes the root's name apart: driver SEPARATOR NAMESPACE. What no name of a namespace
   may have stands in the root's name once where it separates. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expat.h"

/* What may stand in the name of a namespace (RFC 3986). */
static const char usual[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789%-._~:/?#[]@!$&'()*+,;=";

static void XMLCALL started(void *data, const XML_Char *name, const XML_Char **attributes)
{
    char separator = *(const char *)data;
    int times = 0;
    (void)attributes;
    for (const char *at = name; *at; at++)
        times += *at == separator;
    assert(strchr(usual, separator) || times <= 1);
    printf("%s\n", name);
}

int main(int argc, char **argv)
{
    char text[300];
    if (argc != 3 || strlen(argv[1]) != 1 || strlen(argv[2]) > 200 || strpbrk(argv[2], "<&\""))
        return 2;
    sprintf(text, "<r xmlns=\"%s\"/>", argv[2]);
    XML_Parser parser = XML_ParserCreateNS(NULL, argv[1][0]);
    XML_SetElementHandler(parser, started, NULL);
    XML_SetUserData(parser, argv[1]);
    int status = XML_Parse(parser, text, (int)strlen(text), 1);
    if (status != XML_STATUS_OK)
        printf("%s\n", XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
    return 0;
}
