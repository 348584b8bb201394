/* Copies the text of one member of an object to another one: driver DOCUMENT FROM TO. */
#include <stdio.h>
#include <stdlib.h>

#include "cJSON.h"

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    cJSON *document = cJSON_Parse(argv[1]);
    if (!cJSON_IsObject(document)) {
        printf("no object\n");
        return 1;
    }
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(document, argv[2]));
    if (!cJSON_SetValuestring(cJSON_GetObjectItem(document, argv[3]), text))
        printf("nothing is set\n");
    char *result = cJSON_PrintUnformatted(document);
    printf("%s\n", result);
    free(result);
    cJSON_Delete(document);
    return 0;
}
