/* Works with cJSON as its arguments say, a command after the other, and prints what comes of it:
 *   parse TEXT                 the document
 *   at INDEX, in NAME, top     goes to an element or to a member of where it is, or back to the whole
 *   insert INDEX TEXT          inserts a value into an array, before an element
 *   append TEXT                adds one at its end
 *   set TEXT                   another text in the place of a string
 *   replace TEXT               another value in the place of where it is, which is a child of the whole
 *   detach                     takes where it is out of the whole, and stays there
 *   print                      prints the whole
 * TEXT `-` is nothing at all: a null pointer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"

static cJSON *whole, *here;

static const char *text_of(const char *argument)
{
    return strcmp(argument, "-") == 0 ? NULL : argument;
}

static cJSON *value_of(const char *argument)
{
    return text_of(argument) ? cJSON_Parse(argument) : NULL;
}

static void say(const char *what, int done)
{
    printf("%s: %s\n", what, done ? "done" : "no");
}

static void print(void)
{
    char *text = cJSON_PrintUnformatted(whole);
    printf("%s\n", text ? text : "nothing");
    free(text);
}

int main(int argc, char **argv)
{
    int i = 1;
    while (i < argc) {
        const char *command = argv[i++];
        if (strcmp(command, "top") == 0) {
            here = whole;
        } else if (strcmp(command, "detach") == 0) {
            say(command, cJSON_DetachItemViaPointer(whole, here) != NULL);
        } else if (strcmp(command, "print") == 0) {
            print();
        } else if (i == argc) {
            break;
        } else if (strcmp(command, "parse") == 0) {
            cJSON_Delete(whole);
            here = whole = value_of(argv[i++]);
            say(command, whole != NULL);
        } else if (strcmp(command, "at") == 0) {
            here = cJSON_GetArrayItem(here, atoi(argv[i++]));
            say(command, here != NULL);
        } else if (strcmp(command, "in") == 0) {
            here = cJSON_GetObjectItem(here, argv[i++]);
            say(command, here != NULL);
        } else if (strcmp(command, "append") == 0) {
            say(command, cJSON_AddItemToArray(here, value_of(argv[i++])));
        } else if (strcmp(command, "insert") == 0 && i + 1 < argc) {
            say(command, cJSON_InsertItemInArray(here, atoi(argv[i]), value_of(argv[i + 1])));
            i += 2;
        } else if (strcmp(command, "set") == 0) {
            const char *text = cJSON_SetValuestring(here, text_of(argv[i++]));
            printf("set: %s\n", text ? text : "no");
        } else if (strcmp(command, "replace") == 0) {
            say(command, cJSON_ReplaceItemViaPointer(whole, here, value_of(argv[i++])));
        } else {
            printf("what is %s?\n", command);
            return 2;
        }
    }
    return 0;
}
