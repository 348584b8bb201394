/* Parses its arguments, a piece of a document each, and prints what is in them. usage: run [-n SEPARATOR] PIECE...
 * With -n names have the URI of their namespace before them, and the separator between the two. */
#include <stdio.h>
#include <string.h>

#include "expat.h"

static void XMLCALL start(void *parser, const XML_Char *name, const XML_Char **attributes)
{
    (void)parser;
    printf("<%s", name);
    for (; *attributes; attributes += 2)
        printf(" %s='%s'", attributes[0], attributes[1]);
    printf(">\n");
}

static void XMLCALL end(void *parser, const XML_Char *name)
{
    (void)parser;
    printf("</%s>\n", name);
}

static void XMLCALL text(void *parser, const XML_Char *characters, int length)
{
    (void)parser;
    printf("text \"%.*s\"\n", length, characters);
}

static void XMLCALL declare(void *parser, const XML_Char *prefix, const XML_Char *uri)
{
    (void)parser;
    printf("namespace %s is %s\n", prefix ? prefix : "-", uri ? uri : "-");
}

/* (a|b), (a,b), a? and so on. */
static void print_model(const XML_Content *model)
{
    static const char *const often[] = {"", "?", "*", "+"};
    switch (model->type) {
    case XML_CTYPE_EMPTY: printf("EMPTY"); break;
    case XML_CTYPE_ANY: printf("ANY"); break;
    case XML_CTYPE_NAME: printf("%s", model->name); break;
    default:
        printf("(%s", model->type == XML_CTYPE_MIXED ? "#PCDATA" : "");
        for (unsigned i = 0; i < model->numchildren; i++) {
            if (i > 0 || model->type == XML_CTYPE_MIXED)
                printf("%s", model->type == XML_CTYPE_SEQ ? "," : "|");
            print_model(&model->children[i]);
        }
        printf(")");
    }
    printf("%s", often[model->quant]);
}

static void XMLCALL element(void *parser, const XML_Char *name, XML_Content *model)
{
    printf("element %s ", name);
    print_model(model);
    printf("\n");
    XML_FreeContentModel(parser, model);
}

int main(int argc, char **argv)
{
    int first = argc > 2 && strcmp(argv[1], "-n") == 0 ? 3 : 1;
    XML_Parser parser = first == 3 ? XML_ParserCreateNS(NULL, argv[2][0]) : XML_ParserCreate(NULL);
    XML_UseParserAsHandlerArg(parser);
    XML_SetElementHandler(parser, start, end);
    XML_SetCharacterDataHandler(parser, text);
    XML_SetStartNamespaceDeclHandler(parser, declare);
    XML_SetElementDeclHandler(parser, element);
    int status = 0;
    for (int i = first; i <= argc && status == 0; i++) {
        const char *piece = i < argc ? argv[i] : "";
        if (XML_Parse(parser, piece, (int)strlen(piece), i == argc) != XML_STATUS_OK) {
            printf("error in line %lu: %s\n", (unsigned long)XML_GetCurrentLineNumber(parser), XML_ErrorString(XML_GetErrorCode(parser)));
            status = 1;
        }
    }
    XML_ParserFree(parser);
    return status;
}
