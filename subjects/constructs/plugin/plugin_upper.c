#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "api.h"
int plugin_version = 1;
static char *copy;
__attribute__((constructor)) static void loaded(void) { host_counted(1); }
__attribute__((destructor)) static void unloaded(void) { host_counted(100); }
static int run(const struct host *h, const char *text)
{
    copy = malloc(strlen(text) + 1);
    for (size_t i = 0; i <= strlen(text); i++)
        copy[i] = (char)toupper((unsigned char)text[i]);
    h->say(copy);
    return h->ask((int)strlen(copy));
}
static void stop(void) { free(copy); copy = NULL; }
const struct plugin plugin_entry = { "upper", run, stop };
