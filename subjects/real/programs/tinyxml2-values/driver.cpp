/* Reads the XML of its argument: prints the attribute i of the root as a number, and the bytes of its text. */
#include <stdio.h>

#include "tinyxml2.h"

int main(int argc, char **argv)
{
    tinyxml2::XMLDocument document;
    int i = 0;
    if (argc < 2 || document.Parse(argv[1]) != tinyxml2::XML_SUCCESS)
        return 1;
    const tinyxml2::XMLElement *root = document.RootElement();
    if (root->QueryIntAttribute("i", &i) == tinyxml2::XML_SUCCESS)
        printf("i %d\n", i);
    else
        printf("i none\n");
    const char *text = root->GetText();
    if (!text)
        printf("text none\n");
    else {
        printf("text");
        while (*text)
            printf(" %02x", (unsigned char)*text++);
        printf("\n");
    }
    return 0;
}
